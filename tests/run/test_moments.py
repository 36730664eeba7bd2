# SPDX-License-Identifier: BSD-3-Clause
"""States of 64 bits, and times of last events, under every strategy."""

import pytest

from tests.run.variants import MOMENT_TESTS, moments
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Workshop
from tests.support.strategies import STRATEGIES, USUAL


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", STRATEGIES)
@pytest.mark.parametrize("test", MOMENT_TESTS)
def test_moments(workshop: Workshop, test: str, variant: str) -> None:
    workshop.passes(moments(variant), test)


@needs_dpdk
@pytest.mark.parametrize("test", MOMENT_TESTS)
def test_moments_on_dpdk(workshop: Workshop, test: str) -> None:
    workshop.passes(moments(USUAL, "dpdk"), test)
