# SPDX-License-Identifier: BSD-3-Clause
"""The statistics, against known distributions and by their properties."""

from __future__ import annotations

import math
import random
import statistics
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from ctrgen.bench import figures, infer
from ctrgen.bench.result import At, Point
from tests.bench import columns, synth

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=40)


def point(*rounds: dict[str, Any]) -> Point:
    whole = [
        {"round": i, "none": 100.0, "packets": [], "expected": 0, "counted": 0, **entry}
        for i, entry in enumerate(rounds)
    ]
    at = At(lcores=1, cores=1)
    return Point.model_validate({"strategy": "per_core", "at": at, "rounds": whole})


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
    behind = shared.model_copy(update={"at": shared.at.model_copy(update={"scheduler": "dsw"})})
    crowd = shared.model_copy(update={"at": shared.at.model_copy(update={"lcores": 8})})
    assert [len(figures.steady(one)) for one in (behind, crowd)] == [9, 9]


def test_lost_updates_are_summed_over_rounds() -> None:
    rounds = [{"generated": 1.0, "expected": 100, "counted": n} for n in (100, 64)]
    assert figures.lost(point(*rounds)) == 18.0


def test_memory_is_that_of_the_next_larger_number_of_lcores() -> None:
    made = synth.result(rounds=1)
    sizes = made.workload.memory["per_core"]
    found = [columns.memory(made, "per_core", lcores) for lcores in (1, 2, 3, 8, 9)]
    assert found == [sizes[1], sizes[2], sizes[8], sizes[8], None]
    assert columns.memory(made, "nothing", 1) is None


def test_ratio_of_overheads() -> None:
    twin = point(*({"generated": 104.4, "hand": 104.0, "floor": 100.1} for _ in range(8)))
    ratio = figures.ratio(twin, "hand")
    assert ratio is not None and ratio.value == pytest.approx(1.1) and ratio.decided
    assert figures.ratio(twin, "floor") is None, "too small to divide by"
    assert figures.ratio(twin, "atomic") is None, "not measured"


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [(5, 0, 2 / 32), (6, 0, 2 / 64), (0, 6, 2 / 64), (8, 1, 20 / 512), (3, 3, 1.0), (0, 0, 1.0)],
)
def test_sign_test_is_exact(above: int, below: int, expected: float) -> None:
    assert figures.sign_test([1.0] * above + [-1.0] * below + [0.0] * 3) == expected


@given(VALUES, VALUES)
def test_a_verdict_turns_round_with_its_sides(one: list[float], two: list[float]) -> None:
    a, b = dict(enumerate(one)), dict(enumerate(two))
    forth, back = figures.decided(a, b), figures.decided(b, a)
    assert forth == back


def test_a_difference_counts_only_beyond_its_spread() -> None:
    rng = random.Random(1)
    noise = {i: rng.gauss(0, 1) for i in range(20)}
    same = figures.decided(noise, {i: rng.gauss(0, 1) for i in noise})
    small = figures.decided(noise, {i: value + rng.gauss(0.3, 1) for i, value in noise.items()})
    large = figures.decided(noise, {i: value + rng.gauss(3, 1) for i, value in noise.items()})
    assert (same, small, large) == (False, False, True)
    few = figures.decided(dict.fromkeys(range(5), 0.0), dict.fromkeys(range(5), 9.0))
    assert not few, "five rounds decide nothing"
    assert not figures.decided({1: 0.0}, {2: 9.0}), "no round in common"


def test_verdicts_are_seldom_wrong() -> None:
    rng = random.Random(2)
    tries = 500
    wrong = sum(
        figures.decided(dict.fromkeys(range(15), 0.0), {i: rng.gauss(0, 1) for i in range(15)})
        for _ in range(tries)
    )
    assert wrong <= 0.06 * tries


# ---- two runs ----


@pytest.mark.parametrize(
    ("t", "df", "probability"),
    [
        (12.7062, 1, 0.05),
        (4.30265, 2, 0.05),
        (2.77645, 4, 0.05),
        (2.57058, 5, 0.05),
        (3.16927, 10, 0.01),
        (2.04227, 30, 0.05),
        (0.0, 7, 1.0),
    ],
)
def test_student_as_in_tables(t: float, df: int, probability: float) -> None:
    assert infer.Estimate(t, 1.0, df).probability() == pytest.approx(probability, rel=1e-4)
    if t:
        low, high = infer.Estimate(0.0, 1.0, df).interval(1 - probability)
        assert (-low, high) == pytest.approx((t, t), rel=1e-4)


@given(st.floats(-1e6, 1e6), st.integers(1, 20_000), st.floats(1e-12, 0.5))
def test_student_as_in_scipy(t: float, df: int, tail: float) -> None:
    assert infer.student(t, df) == pytest.approx(2 * special.stdtr(df, -abs(t)), rel=1e-8)
    assert infer.quantile(tail, df) == pytest.approx(-special.stdtrit(df, tail), rel=1e-8, abs=1e-8)


@pytest.mark.parametrize(("t", "found"), [(1e300, 0.0), (5e-324, 1.0)])
def test_student_at_its_bounds(t: float, found: float) -> None:
    assert infer.student(t, 1) == infer.student(-t, 20_000) == found


@pytest.mark.parametrize("rounds", [(5, 5), (8, 13), (20, 12)])
def test_independent_rounds_give_the_trimmed_test_of_scipy(rounds: tuple[int, int]) -> None:
    rng = random.Random(5)
    before, after = ([rng.gauss(0, 1) for _ in range(n)] for n in rounds)
    expected = stats.ttest_ind(after, before, equal_var=False, trim=infer.TRIM)
    found = infer.shift(before, after)
    assert found.value / found.error == pytest.approx(expected.statistic)
    assert found.df == pytest.approx(expected.df)
    whole = infer.Estimate(found.value, found.variance, int(found.df))
    assert found.probability() == whole.probability() >= expected.pvalue


def test_trimmed_mean_by_hand() -> None:
    found = infer.trimmed([9.0, 1.0, 2.0, 3.0, 1000.0])
    assert found.value == pytest.approx((2 + 3 + 9) / 3)
    held = statistics.variance([2, 2, 3, 9, 9])
    assert found.variance == pytest.approx(4 * held / (3 * 2))
    assert found.df == 2


def test_holm_by_hand() -> None:
    assert infer.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert infer.holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=30))
def test_holm_lies_between_nothing_and_bonferroni(found: list[float]) -> None:
    for plain, adjusted in zip(found, infer.holm(found), strict=True):
        assert plain <= adjusted <= min(1.0, plain * len(found)) or adjusted == plain


def walk(rng: random.Random, rounds: int, memory: float) -> list[float]:
    state, fresh = rng.gauss(0, 1), math.sqrt(1 - memory**2)
    values = []
    for _ in range(rounds):
        state = memory * state + fresh * rng.gauss(0, 1)
        values.append(state)
    return values


@pytest.mark.parametrize("memory", [0.0, 0.3, 0.6])
def test_correlation_is_found_without_bias(memory: float) -> None:
    rng = random.Random(3)
    series = [walk(rng, 12, memory) for _ in range(400)]
    assert infer.dependence(series) == pytest.approx(memory, abs=0.08)


@pytest.mark.parametrize("memory", [0.0, 0.5])
@pytest.mark.parametrize("rounds", [6, 12, 30])
def test_intervals_hold_what_they_promise(memory: float, rounds: int) -> None:
    rng = random.Random(4)
    tries, inside = 1000, 0
    for _ in range(tries):
        one, two = walk(rng, rounds, memory), walk(rng, rounds, memory)
        low, high = infer.shift(one, two, memory).interval()
        inside += low <= 0 <= high
    assert inside >= 0.92 * tries


def test_constant_series_are_no_trouble() -> None:
    assert infer.shift([1.0] * 5, [1.0] * 5).probability() == 1.0
    assert infer.shift([1.0] * 5, [2.0] * 5).probability() == 0.0
    assert infer.dependence([[1.0] * 9, [2.0] * 3]) == 0.0
