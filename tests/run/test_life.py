# SPDX-License-Identifier: BSD-3-Clause
"""Threads come and go, the module begins and ends: the same under every strategy."""

import pytest

from tests.run.variants import CONCURRENT, died, ep, leaving, slots
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Workshop
from tests.support.strategies import LOSSY, OWN_LOCKS, SEQUENCED, STRATEGIES, USUAL, VARIANTS, fewer

BOTH_PORTS = [
    "life",
    "nested",
    "own_buffer",
    "thread_churn",
    "thread_id_passes_on",
    "thread_limit",
    "thread_outlasts_module",
    "thread_shares",
]
ANY_PORT = ["read_sections", "snapshot", "thread_exit"]

pytestmark = pytest.mark.slow


CASES = [(t, v) for t in BOTH_PORTS for v in VARIANTS if t not in CONCURRENT or v not in LOSSY]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("test", "variant"), CASES)
def test_on_every_port(workshop: Workshop, test: str, variant: str, port: str) -> None:
    workshop.passes(ep(variant, port), test, SHARE=fewer(variant, 1000, 20))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("test", ANY_PORT)
def test_on_threads(workshop: Workshop, test: str, variant: str) -> None:
    workshop.passes(ep(variant), test)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("variant", STRATEGIES)
def test_threads_leave_beside_a_section(workshop: Workshop, variant: str, port: str) -> None:
    workshop.passes(leaving(variant, port), "leaving")


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_thread_ends_in_a_section(workshop: Workshop, variant: str) -> None:
    workshop.passes(leaving(variant), "ended")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("strategy", [OWN_LOCKS, SEQUENCED])
def test_a_thread_that_died_is_repaired(workshop: Workshop, strategy: str) -> None:
    workshop.passes(died(strategy), "died")


@pytest.mark.dpdk
@needs_dpdk
def test_an_id_of_the_application_is_not_taken_away(workshop: Workshop) -> None:
    """Seen while a module is open that has something for each lcore."""
    workshop.passes(ep(USUAL, "dpdk"), "taken_away")
    workshop.passes(ep(USUAL, "dpdk"), "thread_ends_registered")


def test_lcores_share_no_line(workshop: Workshop, port: str) -> None:
    workshop.passes(slots(USUAL, port), "isolation")
