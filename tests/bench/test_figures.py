# SPDX-License-Identifier: BSD-3-Clause
"""The statistics, against known distributions and by their properties."""

import statistics
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctrgen.tools.bench import figures
from ctrgen.tools.bench.result import At, Point
from tests.bench import columns, synth
from tests.support.strategies import USUAL

PASSES = {"count": 0, "ms": 0.0}
NOTHING = {"expected": 0, "counted": 0, "ms": 1.0, "reads": PASSES, "resets": PASSES}
VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)


def point(*rounds: dict[str, Any]) -> Point:
    whole = [{"round": i, "none": 100.0, **NOTHING, **entry} for i, entry in enumerate(rounds)]
    at = At(lcores=1, cores=1)
    return Point.model_validate({"strategy": USUAL, "at": at, "rounds": whole})


@given(VALUES)
def test_quartiles_are_in_order_and_within(values: list[float]) -> None:
    found = figures.spread(values)
    assert found is not None
    assert min(values) <= found.q1 <= found.median <= found.q3 <= max(values)
    assert found.n == len(values)
    assert found.median == pytest.approx(statistics.median(values), abs=1e-6)


def test_no_values_no_figure() -> None:
    assert figures.spread([]) is None
    assert figures.lost(point()) is None
    assert figures.overhead(point({"generated": 1.0}), 4, "hand") is None


def test_overhead_is_paired_within_rounds() -> None:
    drifting = point(*({"none": 100.0 + 50 * i, "generated": 108.0 + 50 * i} for i in range(9)))
    assert figures.overhead(drifting, 4) == figures.Spread(2.0, 2.0, 2.0, 5)


@pytest.mark.parametrize(("slow", "left"), [(0, 9), (3, 6), (4, 5), (8, 9)])
def test_rounds_of_a_shared_core_count_up_to_half_of_all(slow: int, left: int) -> None:
    """Everything takes 1.5 times as long in them, but a core that is a little slower is as good;
    where most are as slow as each other, all count.
    """
    paces = [1.5] * slow + [1.0 + 0.01 * i for i in range(9 - slow)]
    shared = point(*({"none": 100.0 * pace, "generated": 108.0 * pace} for pace in paces))
    found = figures.overhead(shared, 4)
    assert found is not None and found.n == left
    assert len(figures.steady(shared)) == left
    assert (found.median < 2.2) == (slow < 5)
    read = shared.model_copy(update={"at": shared.at.model_copy(update={"reads": 1.0})})
    crowd = shared.model_copy(update={"at": shared.at.model_copy(update={"lcores": 8})})
    assert [len(figures.steady(one)) for one in (read, crowd)] == [9, 9]


def test_lost_updates_are_summed_over_rounds() -> None:
    rounds = [{"generated": 1.0, "expected": 100, "counted": n} for n in (100, 64)]
    assert figures.lost(point(*rounds)) == 18.0


def test_memory_is_that_of_the_next_larger_number_of_lcores() -> None:
    made = synth.result(rounds=1)
    sizes = made.workload.memory[USUAL]
    found = [columns.memory(made, USUAL, lcores) for lcores in (1, 2, 3, 8, 9)]
    assert found == [sizes[1], sizes[2], sizes[8], sizes[8], None]
    assert columns.memory(made, "nothing", 1) is None


def test_ratio_of_overheads() -> None:
    twin = point(*({"generated": 104.4, "hand": 104.0, "free": 100.1} for _ in range(8)))
    assert figures.ratio(twin, "hand") == pytest.approx(1.1)
    assert figures.ratio(twin, "free") is None, "too small to divide by"
    assert figures.ratio(twin, "quota") is None, "not measured"
