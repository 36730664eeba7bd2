# SPDX-License-Identifier: BSD-3-Clause
"""Bugs that break what is promised of readers and of the time of an update; and cures.

A cure makes a strategy better than it promises: the checks that look for what is not
promised (lost counts, torn reads) are to notice that there is none.
"""

from __future__ import annotations

from tests.run.mutants import (
    CORE,
    READ,
    READ_SLOWLY,
    TAKE,
    Mutant,
    mutant,
    operations,
    sync,
    without_lock,
)
from tests.run.variants import debugged, misused, signalled
from tests.support.planted import WORD, Edit

LOCK_OF_ALL = "ctr_planted"
DEBUG_UPDATE = "runtime/src/core/ctr_debug_update.c"
WEAK = f"struct ctr_spin {LOCK_OF_ALL} __attribute__((weak));\n"
HELD = {"TRIALS": 60, "PAUSE_MS": 50, "PATIENCE": 20}

# A lock of everything, in the header of the words, and a reader that takes its time under it.
WORDS_LOCK = (
    '#include "ctr_common.h"\n',
    '#include "ctr_common.h"\n#undef CTR_ASM_X86_64\n#define CTR_ASM_X86_64 0\n'
    '#include "ctr_lock.h"\n' + WEAK,
)


def within(body: str) -> str:
    """Statements under the lock of everything."""
    return f"\tctr_spin_lock(&{LOCK_OF_ALL});\n{body}\tctr_spin_unlock(&{LOCK_OF_ALL});\n"


SLOW_LOAD = "\tfor (int i = 0; i < 100; i++)\n\t\tnow = __atomic_load_n({}, __ATOMIC_RELAXED);\n"
OWN_ADD = 'CTR_ASM_CHANGE("add{q}", "e", word, n);\n#else\n'
OWNERS_WAIT = (
    WORDS_LOCK,
    (
        OWN_ADD + "\t__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);\n",
        OWN_ADD + within("\t__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);\n"),
    ),
)
ATOMICS_WAIT = (
    WORDS_LOCK,
    (
        "\t(void)__atomic_fetch_add(word, n, __ATOMIC_RELAXED);\n",
        within("\t(void)__atomic_fetch_add(word, n, __ATOMIC_RELAXED);\n"),
    ),
)
READS_OF_WORDS = (
    "ctr_load64(const uint64_t *word)\n{\n\treturn __atomic_load_n(word, __ATOMIC_RELAXED);\n",
    "ctr_load64(const uint64_t *word)\n{\n\tuint64_t now = 0;\n\n"
    + within(SLOW_LOAD.format("word"))
    + "\treturn now;\n",
)

UNSYNC = "{# Plain read-modify-writes, as the compiler generates for `+=`; counts can be lost. #}\n"
UNDER_A_LOCK = (
    "{% macro declarations(d) %}\n" + WEAK + "extern struct {{ d.sym.instance }} "
    "{{ d.sym.shared }};\n{% endmacro %}\n"
    "{% macro enter(d, tx) %}\n\tctr_spin_lock(&ctr_planted);\n{% endmacro %}\n"
    "{% macro leave(d, tx) %}\n\tctr_spin_unlock(&ctr_planted);\n{% endmacro %}\n"
)
_LOAD = "ctr_load_plain(table, copy, at, n, values);\n"
_TAKE = "ctr_take_atomic(table, element, values);\n"
READERS_UNDER_IT = (
    Edit(
        CORE.format("core").replace(".c", ".h"),
        '#include "ctr_table.h"\n',
        '#include "ctr_table.h"\n#include "ctr_lock.h"\n\n' + WEAK,
    ),
    Edit(READ_SLOWLY, f"\telse\n\t\t{_LOAD}", f"\telse {{\n{within(_LOAD)}\t}}\n"),
    Edit(TAKE, f"\telse\n\t\t{_TAKE}", f"\telse {{\n{within(_TAKE)}\t}}\n"),
    Edit(READ_SLOWLY, "if (table->words && ctr_core_is_plain(table))", "if (false)"),
    Edit(READ, "return table->read(", "return ctr_read_slowly("),
)
"""Reads and resets of strategies without operations; none is tried at once."""


def late(add: str) -> str:
    """An addition that waits for the next one: what is added then is what came before."""
    held = "{ static __thread uint64_t late; uint64_t now = late; late = {{ op.value }};"
    return f"\t{held} {add} }}\n"


def stops(
    strategy: str,
    path: str,
    edits: tuple[tuple[str, str], ...],
    others: tuple[Edit, ...] = (),
    **seen: int,
) -> Mutant:
    """Readers that stop more writers than the strategy promises."""
    (old, new), *also = edits
    return mutant(
        f"{strategy}-readers-stop-{'all-lcores' if seen['MOST'] else 'writers'}",
        *(path, old, new, strategy, "held_reader", "writers are stopped"),
        options={**HELD, **seen},
        also=tuple(also),
        others=others,
    )


def reads_without(strategy: str) -> Mutant:
    """Readers that do not take the lock, and so stop nobody."""
    return without_lock(
        f"{strategy}-readers-do-not-wait",
        *("read", strategy, "held_reader", "writers are stopped"),
        options={**HELD, "LEAST": 2},
    )


def delayed(strategy: str, path: str, old: str, add: str) -> Mutant:
    """Updates that are seen when the next one comes."""
    return mutant(
        f"{strategy}-updates-are-one-behind",
        *(path, old, late(add), strategy, "visible", "instead of"),
        options={"BEFORE": 1},
    )


def cured(test: str) -> Mutant:
    """Updates, reads and resets under a lock, where neither is promised."""
    name = f"shared_unsync-cured-of-{'losses' if test == 'conservation' else 'torn-reads'}"
    return mutant(
        *(name, sync("shared_unsync"), UNSYNC, UNSYNC + UNDER_A_LOCK, "shared_unsync", test, ""),
        options={"ROUNDS": 1000, "READS": 100_000, "MOVES": 500},
        others=READERS_UNDER_IT,
        cures=True,
    )


PLAIN_ADD = (
    '\tctr_{{ "store" if op.verb == "set" else op.verb }}{{ op.bits }}'
    "(&{{ op.place }}, {{ op.value }});\n"
)
LOCKED_ADD = PLAIN_ADD.replace("else op.verb", 'else ("" if op.in_memory else "locked_") ~ op.verb')
OWNED = f"struct ctr_owned {LOCK_OF_ALL} __attribute__((weak));\n"
LOCK_MEMBERS = "{% macro members(d, s=none) %}\n"
DECLARED = (
    '{% import "c/lcores.j2" as lcores %}\n'
    "{% macro declarations(d) %}\n" + OWNED + "{% put lcores.declarations(d) %}\n{% endmacro %}\n"
)
READERS_TAKE_IT = tuple(
    Edit(operations("per_core_lock"), old, new)
    for old, new in (
        ("struct owned_guard {", f"{OWNED}\nstruct owned_guard {{"),
        ("lock = (struct ctr_owned *)copy;", f"lock = (copy != NULL ? &{LOCK_OF_ALL} : NULL);"),
    )
)
ADD = "ctr_{{ op.verb }}{{ op.bits }}(&{{ op.place }}, now);"
MUTANTS = [
    stops("per_core", WORD, (*OWNERS_WAIT, READS_OF_WORDS), MOST=0),
    stops("per_core_seqcount", WORD, (*OWNERS_WAIT, READS_OF_WORDS), MOST=0),
    stops("shared_atomic", WORD, (*ATOMICS_WAIT, READS_OF_WORDS), MOST=0),
    stops(
        "shared_unsync",
        sync("shared_unsync"),
        ((UNSYNC, UNSYNC + UNDER_A_LOCK),),
        READERS_UNDER_IT,
        MOST=0,
    ),
    stops(
        "per_core_lock",
        sync("per_core_lock"),
        (
            ("&self->ctr_lock", f"&{LOCK_OF_ALL}"),
            (LOCK_MEMBERS, DECLARED + LOCK_MEMBERS),
        ),
        READERS_TAKE_IT,
        MOST=1,
        LEAST=1,
    ),
    reads_without("shared_lock"),
    reads_without("shared_buffered"),
    *(
        delayed(strategy, "templates/c/sync_defaults.j2", PLAIN_ADD, ADD)
        for strategy in ("per_core", "per_core_seqcount")
    ),
    *(
        delayed(strategy, sync(strategy), LOCKED_ADD, ADD)
        for strategy in ("per_core_lock", "shared_lock")
    ),
    delayed(
        "shared_atomic",
        sync("shared_atomic"),
        PLAIN_ADD.replace("else op.verb", 'else "atomic_" ~ op.verb'),
        "ctr_atomic_{{ op.verb }}{{ op.bits }}(&{{ op.place }}, now);",
    ),
    delayed(
        "shared_unsync",
        sync("shared_unsync"),
        '\t{{ op.place }} {{ {"add": "+=", "sub": "-=", "set": "="}[op.verb] }} {{ op.value }};\n',
        '{{ op.place }} {{ "+" if op.verb == "add" else "-" }}= now;',
    ),
    mutant(
        "own-adds-are-three-instructions",
        WORD,
        OWN_ADD,
        "__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);\n#else\n",
        "per_core",
        "step_by_step",
        "instead of",
        signalled,
    ),
    mutant(
        "atomic-adds-are-three-instructions",
        sync("shared_atomic"),
        '"atomic_" ~ op.verb',
        '"locked_" ~ op.verb',
        "shared_atomic",
        "step_by_step",
        "instead of",
        signalled,
    ),
    *(
        mutant(name, DEBUG_UPDATE, old, "false", sync, test, says, program, cures=True)
        for name, old, sync, test, says, program in (
            (
                "debug-build-sees-no-update-in-an-update",
                "is_inside(update)",
                "per_core_seqcount",
                "step_by_step",
                "in an update",
                debugged,
            ),
            (
                "debug-build-sees-no-read-section",
                "ctr_control_in_section(read_unlock)",
                "per_core",
                "in_a_section",
                "in a read section",
                misused,
            ),
            (
                "debug-build-sees-no-second-writer",
                "other != this_writer",
                "per_core",
                "second_writer",
                "another thread",
                misused,
            ),
        )
    ),
    cured("conservation"),
    cured("consistency"),
]
