# SPDX-License-Identifier: BSD-3-Clause
"""A bug in how tables grow; program growth.c sees it."""

from __future__ import annotations

from tests.run.mutants import mutant
from tests.run.variants import growth
from tests.support.cbuild import Build


def on_dpdk(variant: str, test: str | None = None) -> Build:
    """The program without huge pages."""
    return growth(variant, "dpdk", test)


MUTANTS = [
    mutant(
        "first-update-touches-the-page",
        "runtime/src/dpdk/ctr_thread.c",
        "\tfor (i = 0; i < size; i += SMALLEST_PAGE)",
        "\tfor (i = size; i < size; i += SMALLEST_PAGE)",
        "per_core",
        "lcore_comes_late",
        "faults == 0",
        on_dpdk,
    ),
]
