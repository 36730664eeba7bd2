# SPDX-License-Identifier: BSD-3-Clause
"""What _destroy() returns is what was counted in that life, step by step; test_stress.py has flows
that end amid all that goes on."""

import pytest

from tests.run.variants import c_tests, few, inside, inside_debug, lives
from tests.support.cbuild import Workshop
from tests.support.strategies import (
    BUFFERING,
    EXACT,
    SEQUENCED,
    STRATEGIES,
    USUAL,
    VARIANTS,
    fewer,
    promise,
)

RACING = ("one_event", "gauge_of_before")
STEPWISE = c_tests("ends", *RACING)

pytestmark = pytest.mark.slow


@pytest.mark.one_in(8)
@pytest.mark.parametrize("variant", VARIANTS)
def test_step_by_step(workshop: Workshop, variant: str, port: str) -> None:
    """A flow is gone for readers at once, and its index free when its bill is final."""
    held = int(promise(variant, "propagation") == "flush")
    for test in STEPWISE:
        workshop.passes(lives(variant, port), test, HELD=held)


@pytest.mark.one_in(5)
@pytest.mark.parametrize("variant", EXACT)
@pytest.mark.parametrize("test", RACING)
def test_no_value_of_a_former_life(workshop: Workshop, test: str, variant: str) -> None:
    workshop.passes(lives(variant), test, LIVES=fewer(variant, 20_000, 10))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("variant", [USUAL, SEQUENCED, BUFFERING])
def test_no_value_of_a_former_life_on_dpdk(workshop: Workshop, variant: str, port: str) -> None:
    workshop.passes(lives(variant, port), "one_event", LIVES=2_000)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("variant", STRATEGIES)
@pytest.mark.parametrize("test", ["few_of_many", "snapshot_grows"])
def test_what_exists_is_what_costs(workshop: Workshop, test: str, variant: str, port: str) -> None:
    workshop.passes(few(variant, port), test)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("test", ["together", "discarded"])
def test_what_is_inside_ends_together(
    workshop: Workshop, test: str, variant: str, port: str
) -> None:
    workshop.passes(inside(variant, port), test)


@pytest.mark.one_in(8)
@pytest.mark.parametrize("variant", VARIANTS)
def test_an_index_kept_past_a_report_stops_a_debug_build(
    workshop: Workshop, variant: str, port: str
) -> None:
    """Every kind of update, of an instance that is retired and of one that is settled."""
    for way in range(12):
        done = workshop.attempt(inside_debug(variant, port), "kept", WAY=way)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "this lcore has reported since" in done.stderr and "tree_stats_" in done.stderr
    workshop.passes(inside(variant, port), "kept")
