# SPDX-License-Identifier: BSD-3-Clause
"""Bugs in snapshots for which lcores copy their own counters; program owner.c sees them."""

from __future__ import annotations

from collections.abc import Iterable

from tests.run.mutants import Mutant, mutant
from tests.run.variants import owner, owner_viewed

OWNERS = "templates/c/owners.j2"
ASK = "runtime/include/ctr_ask.h"
WAIT = "runtime/src/ctr_ask.c"
_ANSWER = "\tctr_ask_answer(&{{ m.sym.asks }}, lcore);\n"
_EARLY = "\tif (copy == NULL)\n\t\treturn;\n{% for d in m.owners %}\n\t{\n"


def bug(
    name: str,
    path: str,
    old: str,
    new: str,
    test: str,
    says: str = "",
    also: Iterable[tuple[str, str]] = (),
) -> Mutant:
    """One that the program sees under per_core."""
    return mutant(name, path, old, new, "per_core", test, says, owner, {"ROUNDS": 400}, also=also)


MUTANTS = [
    bug(
        "owner-answers-before-it-copies",
        *(OWNERS, _EARLY, _EARLY.replace("{%", f"{_ANSWER}{{%", 1), "traffic", "pkts"),
        also=[(_ANSWER + "}", "}")],
    ),
    bug(
        "owner-leaves-a-scope-out",
        *(OWNERS, "{% for s in d.instance_scopes %}\n{% if s.dynamic %}\n{% set lines %}\n"),
        "{% for s in d.instance_scopes if not s.is_global %}\n"
        "{% if s.dynamic %}\n{% set lines %}\n",
        *("traffic", "whole.bytes|whole.pkts"),
    ),
    bug(
        "request-is-taken-back-from-who-has-accepted-it",
        *(ASK, "\tuint32_t state = CTR_ASK_ASKED;\n\n\treturn __atomic_compare"),
        "\tuint32_t state = ctr_load32(&asks->of[lcore].state);\n\n\treturn __atomic_compare",
        *("requests", "taken back from who copies"),
    ),
    bug(
        "copying-lcore-is-not-waited-for",
        *(WAIT, "state == CTR_ASK_ASKED || state == CTR_ASK_COPYING", "state == CTR_ASK_ASKED"),
        *("requests", "not waited for who copies"),
    ),
    bug(
        "changed-instance-is-taken-from-copies",
        *("templates/c/copies.j2", "ctr_bit_set({{ s.sym.changed }}, {{ at }});"),
        "(void){{ s.sym.changed }};",
        *("meanwhile", "flow"),
    ),
    bug(
        "new-life-is-taken-from-copies",
        *("templates/c/life.j2", '{% put changes(m, s, "at") %}\n', ""),
        *("another_life", "flow"),
        also=[
            (
                '{% put changes(m, s, "at") %}\n\tctr_period_begin(period);\n\t/* It has',
                "\tctr_period_begin(period);\n\t/* It has",
            ),
        ],
    ),
    bug(
        "memory-goes-while-it-is-copied",
        *("templates/c/trim.j2", '{{ m.sym.asks ~ ".busy || " if m.owners }}', ""),
        *("meanwhile", r"trim.* == -EINPROGRESS"),
    ),
    bug(
        "what-the-reader-copied-counts-as-one-moment",
        *(OWNERS, "mixed = mixed || *value != 0;", "mixed = mixed && *value != 0;"),
        *("not_answered", "EAGAIN|wanted"),
    ),
    bug(
        "child-of-fork-believes-it-asks",
        *("templates/c/fork.j2", "\tctr_asks_mend(&{{ m.sym.asks }});\n", ""),
        *("forked", "ended"),
    ),
    bug(
        "reset-one-by-one-counts-as-one-moment",
        *("templates/c/read.j2", "some = some || *base != 0;", "some = some && *base != 0;"),
        *("between", "answer|flags"),
    ),
    bug(
        "adopted-one-by-one-counts-as-one-moment",
        *("templates/c/adopt.j2", "\t{{ s.sym.tear }}({{ s.args }});\n", ""),
        *("adopted", "flags"),
    ),
    bug(
        "reset-by-copies-leaves-the-mark",
        *(OWNERS, "{{ s.torn_at(m.default_view) }}, {{ s.flat }}, apart);"),
        "{{ s.torn_at(m.default_view) }}, {{ s.flat }}, apart || "
        "ctr_bit({{ s.torn_at(m.default_view) }}, {{ s.flat }}));",
        *("between", "answer|flags"),
    ),
    bug(
        "reset-by-copies-takes-what-came-after",
        *(OWNERS, '{{ s.sym.renew_copied }}({{ with(with("snap", at), "out, apart")'),
        '{{ s.sym.renew }}({{ with(with(view_arg(s, m.default_view), at), "out, reading")',
        *("resets", "pkts"),
    ),
    bug(
        "reset-by-copies-counts-what-the-reader-copied-as-one-moment",
        *(OWNERS, "\tctr_bit_put({{ s.torn_at(m.default_view) }}, {{ s.flat }}, apart);"),
        "\tctr_bit_put({{ s.torn_at(m.default_view) }}, {{ s.flat }}, false && apart);",
        *("bills", "bytes"),
    ),
    mutant(
        "reset-by-copies-leaves-values-of-lcores",
        *(
            OWNERS,
            "\tctr_store{{ bits }}(base, *base + *value);",
            "\tctr_store{{ bits }}(base, *base);",
        ),
        *("per_core", "between", "part|had|pkts"),
        owner_viewed,
        {"SINCE": 1},
    ),
    mutant(
        "copies-lack-when-values-begin",
        *(OWNERS, "\t\t{{ s.sym.copy_offsets }}(copies, lcore);\n", ""),
        *("per_core", "between", "had|part"),
        owner_viewed,
        {"SINCE": 1},
    ),
]
