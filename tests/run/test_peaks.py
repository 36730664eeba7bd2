# SPDX-License-Identifier: BSD-3-Clause
"""Peaks have the greatest and the least value of each period, under every strategy."""

import pytest

from tests.run.tools import thread
from tests.run.variants import PEAK_TESTS, peaks
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import SANITIZED, Workshop
from tests.support.strategies import STRATEGIES, USUAL, fewer, usually


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", STRATEGIES)
def test_peaks(workshop: Workshop, variant: str) -> None:
    for test in PEAK_TESTS:
        workshop.passes(peaks(variant), test)


@pytest.mark.parametrize("values", [200_000, pytest.param(1_000_000, marks=pytest.mark.deep)])
@pytest.mark.parametrize("variant", usually(STRATEGIES, [USUAL]))
def test_values_of_threads_under_resets(workshop: Workshop, variant: str, values: int) -> None:
    for test in ("threads", "none_lost"):
        workshop.passes(peaks(variant), test, OBSERVED=fewer(variant, values, 10))


@needs_dpdk
def test_on_dpdk(workshop: Workshop) -> None:
    for test in (*PEAK_TESTS, "threads", "none_lost"):
        workshop.passes(peaks(USUAL, "dpdk"), test)


@pytest.mark.deep
def test_under_sanitizers(workshop: Workshop) -> None:
    for build in (peaks(USUAL).but(flags=SANITIZED), thread(peaks(USUAL))):
        for test in PEAK_TESTS:
            workshop.passes(build, test)
        workshop.passes(build, "threads", OBSERVED=20_000)
