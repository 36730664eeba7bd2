# SPDX-License-Identifier: BSD-3-Clause
"""P_burst_end() alone makes counts visible, after as many calls as docs/strategies.md says."""

import pytest

from ctrgen.model.strategies.catalogue import all_strategies
from tests.run.variants import bursts
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Workshop
from tests.support.strategies import STRATEGIES, VARIANTS, settings, strategy_of, tuned

TESTS = ["idle", "busy"]

pytestmark = pytest.mark.slow


def bound(variant: str) -> int:
    """What the strategy states."""
    return strategy_of(variant).visible_after(settings(variant))


def test_what_holds_back_states_a_bound() -> None:
    stated = {name: strategy.visible_after() for name, strategy in all_strategies().items()}
    for name, strategy in all_strategies().items():
        assert (stated[name] > 0) == strategy.holds_back
    assert max(stated.values()) <= 1024


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_end_of_a_burst_is_enough(workshop: Workshop, variant: str) -> None:
    for test in TESTS:
        workshop.passes(bursts(variant), test, BOUND=bound(variant))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", tuned("bursts"))
def test_with_tunables_at_their_bounds(workshop: Workshop, variant: str) -> None:
    for test in TESTS:
        workshop.passes(bursts(variant), test, BOUND=bound(variant))


@pytest.mark.one_in(4)
@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_on_dpdk(workshop: Workshop, strategy: str) -> None:
    for test in TESTS:
        workshop.passes(bursts(strategy, "dpdk"), test, BOUND=bound(strategy))
