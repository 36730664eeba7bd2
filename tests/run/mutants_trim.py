# SPDX-License-Identifier: BSD-3-Clause
"""Bugs in how memory of instances that are gone is given back; programs trim*.c see them."""

from __future__ import annotations

from collections.abc import Iterable

from tests.run.mutants import Mutant, mutant
from tests.run.variants import TRIM_READS, trim, trim_sizes

TRIM = "templates/c/trim.j2"
LIFE = "templates/c/life.j2"
READ = "templates/c/read.j2"
VALUES = "templates/c/values.j2"
GRACE = "runtime/src/ctr_readers.c"
TOO_SOON = r"trim.* == -EINPROGRESS: 0 \(0\) instead"
FLUSHED = r"before \+ 1 == wanted: "


def step(
    name: str,
    path: str,
    old: str,
    new: str,
    says: str,
    test: str = "given_back",
    strategy: str = "per_core",
    also: Iterable[tuple[str, str]] = (),
) -> Mutant:
    """A bug that is seen step by step."""
    sizes = trim_sizes(strategy)
    return mutant(name, path, old, new, strategy, test, says, trim, sizes, also=also)


def stopped(name: str, path: str, old: str, new: str, read: str, strategy: str) -> Mutant:
    """A bug that a read sees that is stopped in its middle."""
    options = {"READ": TRIM_READS.index(read)}
    return mutant(name, path, old, new, strategy, "stopped_read", TOO_SOON, trim, options)


def not_among(lines: str) -> tuple[str, str]:
    """Lines of a template that read without being counted."""
    return (
        f"{{% call among_readers(s) %}}\n{lines}{{% endcall %}}\n",
        f"{{% if s.dynamic %}}\n\t(void)phase;\n{{% endif %}}\n{lines}",
    )


_FETCH = "\trc = {{ fetch }};\n"
_LIVES = "\tif ({{ s.sym.lives }}({{ s.record_address }})) {\n{% put lines | deeper(1) %}\n\t}\n"
_GO_ON = "bool reported = ctr_quiescent_passed(grace->moment);"
_OWN = "\t\tif (own == NULL)\n\t\t\town = "
_NONE = "\t\tif (own == NULL)\n\t\t\trc = -ENOMEM;\n\t\tchunk[lcore] = own;\n"
_LINE = "\t\tif (i < {{ s.layout.chunk }})\n\t\t\tcontinue;\n"

MUTANTS = [
    step("freed-without-waiting-for-lcores", GRACE, _GO_ON, "bool reported = true;", TOO_SOON),
    step(
        "any-report-gives-back",
        TRIM,
        "!ctr_settled_since(&{{ d.sym.told }}, {{ s.sym.grace }}.moment)",
        "false",
        TOO_SOON,
        "other_reports",
        "shared_buffered",
    ),
    step(
        "lcores-are-not-told-of-memory-that-goes",
        TRIM,
        '{% put ending(d, "+") %}\n',
        '{% put ending(d, "+ 0 *") %}\n',
        FLUSHED,
        strategy="shared_buffered",
    ),
    step(
        "lcores-are-told-for-ever",
        TRIM,
        '{% put ending(d, "-") %}\n',
        '{% put ending(d, "- 0 *") %}\n',
        FLUSHED,
        strategy="shared_buffered",
    ),
    step(
        "lcores-are-told-of-what-came-back",
        LIFE,
        "{{ s.sym.retired }}->next == NULL)",
        "{{ s.sym.retired }} == NULL)",
        FLUSHED,
        "taken_back",
        "shared_buffered",
    ),
    step(
        "what-comes-back-lacks-copies",
        LIFE,
        _NONE,
        "\t\tchunk[lcore] = own;\n",
        "flow_create.* == -ENOMEM: 0",
        "taken_back",
        also=[(_OWN, "\t\tif (own == NULL && *link == NULL)\n\t\t\town = ")],
    ),
    step(
        "what-comes-back-is-allocated-anew",
        LIFE,
        "\trecord = *link;\n",
        "\trecord = NULL;\n",
        "heap_bytes|heap_blocks",
        "taken_back",
    ),
    step(
        "what-came-back-is-freed",
        LIFE,
        "\t\t\t*link = record->next;\n",
        "\t\t\t(void)link;\n",
        "",  # it may also crash
        "taken_back",
    ),
    step(
        "what-is-out-of-sight-is-forgotten",
        "templates/c/whole.j2",
        "\twhile ({{ s.sym.retired }} != NULL) {\n",
        "\twhile (false) {\n",
        "heap_blocks.* == 0: 1",
        "left_over",
    ),
    step(
        "copies-are-forgotten",
        TRIM,
        "\t\t\t{{ s.sym.drop_chunk }}(&{{ d.sym.slot }}(lcore)->{{ s.name }}[n]);\n",
        "\t\t\tcontinue;\n",
        "heap_bytes",
    ),
    step(
        "common-part-is-forgotten",
        TRIM,
        "\t\tctr_free({{ m.sym.common }}.{{ s.name }}[n]);\n",
        "",
        "heap_bytes",
    ),
    step(
        "trimmed-though-nobody-reports",
        TRIM,
        "\tif (!ctr_quiescent_used())\n\t\treturn -ENOTSUP;\n",
        "",
        "-ENOTSUP",
        "nobody_reports",
    ),
    step(
        "freed-while-in-line",
        TRIM,
        _LINE,
        "",
        "",  # the line leads to memory that is gone
        "in_line",
    ),
    stopped(
        "freed-without-waiting-for-reads",
        GRACE,
        "if (ctr_load_acquire(&readers->inside[idle].word) != 0)",
        "if (idle > 1)",
        "get",
        "shared_atomic",
    ),
    stopped("read-is-not-counted", READ, *not_among(_FETCH), "read", "per_core"),
    stopped("read-of-a-view-is-not-counted", READ, *not_among(_FETCH), "view_read", "shared_lock"),
    stopped("text-is-not-counted", VALUES, *not_among(_LIVES), "get_name", "per_core_lock"),
    stopped("setter-is-not-counted", VALUES, *not_among(_LIVES), "set_name", "per_core"),
]
