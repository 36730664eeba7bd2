# SPDX-License-Identifier: BSD-3-Clause
"""Memory of instances that are gone is given back, to the byte, and nobody is in it any more."""

from collections.abc import Iterator

import pytest

from tests.run.variants import TRIM_READS, TRIM_SOURCES, huge, trim, trim_sizes
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import SANITIZED, Workshop, figures
from tests.support.huge_pages import set_aside
from tests.support.strategies import (
    ALL_EXACT,
    STRATEGIES,
    UNLIKE,
    USUAL,
    VARIANTS,
    lcore_values,
    usually,
)

OF_LCORES = ("lcore_read", "lcore_get")
PAGES = 64

pytestmark = pytest.mark.slow


def reads(variant: str) -> list[str]:
    """The reads that can be stopped: those of one lcore only where it has values."""
    return [read for read in TRIM_READS if lcore_values(variant) or read not in OF_LCORES]


def step_by_step(workshop: Workshop, variant: str, port: str) -> None:
    for test in TRIM_SOURCES["trim"]:
        workshop.passes(trim(variant, port, test), test, **trim_sizes(variant))


@pytest.mark.one_in(16)
@pytest.mark.parametrize("variant", VARIANTS)
def test_step_by_step(workshop: Workshop, variant: str, port: str) -> None:
    """What is given back is what was taken, when all lcores have reported."""
    step_by_step(workshop, variant, port)


@pytest.mark.dpdk
@needs_dpdk
def test_step_by_step_on_dpdk(workshop: Workshop) -> None:
    """Every run has one strategy on DPDK, too."""
    step_by_step(workshop, USUAL, "dpdk")


@pytest.fixture
def huge_pages() -> Iterator[None]:
    with set_aside(PAGES):
        yield


@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.usefixtures("huge_pages")
def test_huge_pages_go_back(workshop: Workshop) -> None:
    found = figures(workshop.passes(huge(USUAL, "dpdk"), "huge_pages", HUGE=1))
    assert found["kept"] <= 1 < found["taken"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", usually(STRATEGIES, UNLIKE))
def test_a_stopped_read_keeps_memory(workshop: Workshop, variant: str, port: str) -> None:
    """Of whatever kind it is; in a child of fork() it is not there."""
    for read in reads(variant):
        workshop.passes(
            trim(variant, port, "stopped_read"), "stopped_read", READ=TRIM_READS.index(read)
        )


@pytest.mark.one_in(8)
@pytest.mark.native
@pytest.mark.parametrize("strategy", usually(ALL_EXACT, UNLIKE))
def test_nobody_is_in_what_was_given_back(workshop: Workshop, strategy: str) -> None:
    """AddressSanitizer has nothing to say."""
    for test in TRIM_SOURCES["trim"]:
        workshop.passes(
            trim(strategy, test=test).but(flags=SANITIZED), test, **trim_sizes(strategy)
        )
    stopped = trim(strategy, test="stopped_read").but(flags=SANITIZED)
    for read in reads(strategy):
        workshop.passes(stopped, "stopped_read", READ=TRIM_READS.index(read))
