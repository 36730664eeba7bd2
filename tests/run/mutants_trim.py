# SPDX-License-Identifier: BSD-3-Clause
"""Bugs in how memory of instances that are gone is given back; programs trim*.c see them."""

from __future__ import annotations

from collections.abc import Iterable

from tests.run.mutants import (
    MEMORY,
    READ_SLOWLY,
    VALUES,
    Mutant,
    mutant,
)
from tests.run.variants import TRIM_READS, trim, trim_sizes

GRACE = "runtime/src/core/ctr_readers.c"
TOO_SOON = r"trim.* == -EINPROGRESS: 0 \(0\) instead"
FLUSHED = r"before \+ 1 == wanted"


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


_GO_ON = "bool reported = ctr_quiescent_passed(grace->moment);"

MUTANTS = [
    step("freed-without-waiting-for-lcores", GRACE, _GO_ON, "bool reported = true;", TOO_SOON),
    step(
        "any-report-gives-back",
        MEMORY,
        "return domain->settled == NULL ||",
        "return true ||",
        TOO_SOON,
        "other_reports",
        "shared_buffered",
    ),
    step(
        "lcores-are-not-told-of-memory-that-goes",
        MEMORY,
        "ctr_core_count_ending(table->domain, 1);",
        "ctr_core_count_ending(table->domain, 0);",
        FLUSHED,
        strategy="shared_buffered",
    ),
    step(
        "lcores-are-told-for-ever",
        MEMORY,
        "ctr_core_count_ending(table->domain, UINT32_MAX);\n}",
        "ctr_core_count_ending(table->domain, 0);\n}",
        FLUSHED,
        strategy="shared_buffered",
    ),
    step(
        "lcores-are-told-of-what-came-back",
        MEMORY,
        "if (table->state->retired->next == NULL)",
        "if (table->state->retired == NULL)",
        FLUSHED,
        "taken_back",
        "shared_buffered",
    ),
    step(
        "what-comes-back-lacks-copies",
        MEMORY,
        "if (rc == 0)\n\t\trc = provide_copies(",
        "if (rc == 0 && *link == NULL)\n\t\trc = provide_copies(",
        "flow_create.* == -ENOMEM: 0",
        "taken_back",
    ),
    step(
        "what-comes-back-is-allocated-anew",
        MEMORY,
        "\trecord = *link;\n",
        "\trecord = NULL;\n",
        "heap_bytes|heap_blocks",
        "taken_back",
    ),
    step(
        "what-came-back-is-freed",
        MEMORY,
        "\t\t\t*link = (*link)->next;\n",
        "\t\t\t;\n",
        "",  # it may also crash
        "taken_back",
    ),
    step(
        "what-is-out-of-sight-is-forgotten",
        MEMORY,
        "\twhile ((chunk = table->state->retired) != NULL) {\n\t\ttable->state->retired =",
        "\twhile ((chunk = NULL) != NULL) {\n\t\ttable->state->retired =",
        "heap_blocks.* == 0: 1",
        "left_over",
    ),
    step(
        "copies-are-forgotten",
        MEMORY,
        "\t\t\tdrop_chunk(copies.chunk[i]);\n",
        "\t\t\t;\n",
        "heap_bytes",
    ),
    step(
        "common-part-is-forgotten",
        MEMORY,
        "\t\t\tdrop_chunk(&commons[chunk->number]);\n",
        "\t\t\tcommons[chunk->number] = NULL;\n",
        "heap_bytes",
    ),
    step(
        "trimmed-though-nobody-reports",
        MEMORY,
        "\tif (!ctr_quiescent_used())\n\t\treturn -ENOTSUP;\n",
        "",
        "-ENOTSUP",
        "nobody_reports",
    ),
    step(
        "freed-while-in-line",
        MEMORY,
        "if (ctr_core_record(table, at)->next != 0)",
        "if (ctr_core_record(table, at) == NULL)",
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
    mutant(
        "read-is-not-counted",
        READ_SLOWLY,
        "phase = ctr_core_enter(table, &reading);\n\trc = ctr_core_fetch",
        "ctr_reading_begin(&reading, table->domain->module->control);\n\tphase = 0;\n"
        "\trc = ctr_core_fetch",
        "per_core",
        "stopped_read",
        TOO_SOON,
        trim,
        {"READ": TRIM_READS.index("read")},
        also=[
            (
                "ctr_core_leave(table, phase);\n\tctr_core_derive(table, at, values, want",
                "(void)phase;\n\tctr_core_derive(table, at, values, want",
            )
        ],
    ),
    mutant(
        "value-is-not-counted",
        VALUES,
        "? ctr_readers_enter(&table->state->readers) : 0;",
        "? 0 : 0;",
        "per_core_lock",
        "stopped_read",
        TOO_SOON,
        trim,
        {"READ": TRIM_READS.index("get_name")},
        also=[("ctr_core_leave(table, phase);", "(void)phase;")],
    ),
]
