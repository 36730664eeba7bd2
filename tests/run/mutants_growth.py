# SPDX-License-Identifier: BSD-3-Clause
"""Bugs in how tables grow; programs growth.c and growth_reads.c see them."""

from __future__ import annotations

from tests.run.mutants import MEMORY, SNAPSHOT, mutant
from tests.run.variants import growth
from tests.support.cbuild import Build


def on_dpdk(variant: str, test: str | None = None) -> Build:
    """The program without huge pages."""
    return growth(variant, "dpdk", test)


MUTANTS = [
    mutant(
        "first-update-touches-the-page",
        "runtime/src/port/dpdk/ctr_thread.c",
        "return memory != NULL ? memset(memory, 0, size) : NULL;",
        "return memory;",
        "per_core",
        "lcore_comes_late",
        "faults == 0",
        on_dpdk,
    ),
    mutant(
        "an-lcore-that-comes-has-one-chunk",
        MEMORY,
        "\tfor (i = 0; i < chunks_in(table); i++) {\n\t\tvoid *memory;",
        "\tfor (i = 0; i < 1; i++) {\n\t\tvoid *memory;",
        "per_core",
        "reads_meanwhile",
        "",  # what has no memory is written to: it may also crash
        growth,
    ),
    mutant(
        "snapshot-has-the-room-of-before",
        SNAPSHOT,
        "n <= *number(snap, part->room)",
        "*number(snap, part->room) != 0",
        "per_core",
        "reads_meanwhile",
        "",  # it writes behind its memory
        growth,
    ),
]
