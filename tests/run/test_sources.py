# SPDX-License-Identifier: BSD-3-Clause
"""Items that are not stored: derived ones, those of callbacks, and devices where there are none."""

import pytest

from tests.run.tools import thread
from tests.run.variants import REPORTED_TESTS, SOURCE_TESTS, reported, sources
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import SANITIZED, Workshop
from tests.support.strategies import STRATEGIES, USUAL, fewer, usually


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", STRATEGIES)
def test_sources(workshop: Workshop, variant: str) -> None:
    for test in SOURCE_TESTS:
        workshop.passes(sources(variant), test)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("variant", STRATEGIES)
def test_reported(workshop: Workshop, variant: str) -> None:
    for test in REPORTED_TESTS:
        workshop.passes(reported(variant), test)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", STRATEGIES)
def test_under_load(workshop: Workshop, variant: str) -> None:
    workshop.passes(sources(variant), "agrees", UPDATES=fewer(variant, 200_000, 10))


@pytest.mark.parametrize("variant", usually(STRATEGIES, (USUAL,)))
def test_a_rate_takes_two_reads(workshop: Workshop, variant: str) -> None:
    workshop.passes(sources(variant), "a_rate_takes_two_reads")


@needs_dpdk
def test_on_dpdk(workshop: Workshop) -> None:
    for test in (*SOURCE_TESTS, "agrees"):
        workshop.passes(sources(USUAL, "dpdk"), test)
    for test in REPORTED_TESTS:
        workshop.passes(reported(USUAL, "dpdk"), test)


@pytest.mark.deep
def test_under_sanitizers(workshop: Workshop) -> None:
    for build in (sources(USUAL).but(flags=SANITIZED), thread(sources(USUAL))):
        for test in SOURCE_TESTS:
            workshop.passes(build, test)
        workshop.passes(build, "agrees", UPDATES=5_000)
    for build in (reported(USUAL).but(flags=SANITIZED), thread(reported(USUAL))):
        for test in REPORTED_TESTS:
            workshop.passes(build, test, ROUNDS=500)
