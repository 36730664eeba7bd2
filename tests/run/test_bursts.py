# SPDX-License-Identifier: BSD-3-Clause
"""P_burst_end() alone makes counts visible, after as many calls as docs/strategies.md says."""

import pytest

from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.pipeline.build import parse_sync
from tests.run.variants import bursts
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Workshop
from tests.support.strategies import STRATEGIES, VARIANTS

BOUNDS = [
    *("delta_ring:hints=1", "delta_ring:hints=65535", "delta_ring:ring=1048576,hints=2"),
    *(f"delta_ring:mode={mode},hints={hints}" for mode in ("rts", "hts") for hints in (1, 65535)),
    *("delta_ring:ring=8,hints=3", "delta_ring:mode=mpmc,ring=8,hints=3"),
    *("shared_buffered:hints=1", "shared_buffered:hints=65535"),
    *(
        "shared_buffered:buffer=65535,soft_threshold=65535",
        "shared_buffered:buffer=16,soft_threshold=16,hints=7",
    ),
    *(
        f"shared_coalesced:entries={entries},hints={hints}"
        for entries in (1, 2, 37, 256, 65536)
        for hints in (1, 5, 65535)
    ),
]
"""Tunables at their bounds, and next to them."""
TESTS = ["idle", "busy", "synonyms", "left"]

pytestmark = pytest.mark.slow


def bound(variant: str) -> int:
    """What the strategy states."""
    sync = parse_sync(variant)
    return all_strategies()[sync.strategy].visible_after(sync.model_extra)


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
@pytest.mark.parametrize("variant", BOUNDS)
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
