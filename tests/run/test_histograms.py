# SPDX-License-Identifier: BSD-3-Clause
"""Histograms count right: each value in its bucket, under every strategy, from any thread."""

import pytest

from tests.run.variants import HISTOGRAM_TESTS, histograms, viewed
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import SANITIZED, Workshop
from tests.support.strategies import (
    CONSISTENT,
    EXACT,
    LOSSY,
    SEQUENCED,
    SHARED,
    STRATEGIES,
    UNLIKE,
    VARIANTS,
    fewer,
    usually,
)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", usually(VARIANTS, {*UNLIKE, *LOSSY, SHARED}))
def test_each_value_is_in_its_bucket(workshop: Workshop, variant: str) -> None:
    for test in HISTOGRAM_TESTS:
        workshop.passes(histograms(variant), test)


@pytest.mark.parametrize("variant", usually(EXACT, {*UNLIKE, SHARED}))
def test_a_million_values_of_threads_under_resets(workshop: Workshop, variant: str) -> None:
    observed = fewer(variant, 1_000_000, 50)
    workshop.passes(histograms(variant), "threads", OBSERVED=observed)


@pytest.mark.parametrize("variant", usually(CONSISTENT, {*UNLIKE, SEQUENCED}))
def test_a_read_has_all_of_a_value_or_nothing(workshop: Workshop, variant: str) -> None:
    workshop.passes(histograms(variant), "together", READS=fewer(variant, 3000, 10))


@needs_dpdk
@pytest.mark.parametrize("variant", usually(STRATEGIES, UNLIKE[::2]))
def test_on_dpdk(workshop: Workshop, variant: str) -> None:
    for test in HISTOGRAM_TESTS:
        workshop.passes(histograms(variant, "dpdk"), test)
    if variant in EXACT:
        workshop.passes(histograms(variant, "dpdk"), "threads", OBSERVED=100_000)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", usually(VARIANTS, {*UNLIKE, SEQUENCED}))
def test_each_view_has_each_value_once(workshop: Workshop, variant: str, port: str) -> None:
    workshop.passes(viewed(variant, port), "one_after_the_other")
    if variant in EXACT:
        observed = fewer(variant, 300_000, 50)
        workshop.passes(viewed(variant, port), "beside_threads", OBSERVED=observed)


@pytest.mark.deep
def test_under_sanitizers(workshop: Workshop) -> None:
    for variant in UNLIKE[::2]:
        build = histograms(variant).but(flags=SANITIZED)
        for test in HISTOGRAM_TESTS:
            workshop.passes(build, test)
        workshop.passes(build, "threads", OBSERVED=20_000)
