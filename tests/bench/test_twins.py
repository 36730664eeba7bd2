# SPDX-License-Identifier: BSD-3-Clause
"""What slows down code by hand as well is no change of the generated code."""

from __future__ import annotations

import random
from typing import Any

from ctrgen.bench import twins
from ctrgen.bench.compare import Comparison, compare
from ctrgen.bench.result import Result
from tests.bench import synth


def slowed(seed: int, twins: float, generated: float, **recipe: Any) -> Comparison:
    """Two runs; in the second, code by hand and generated code take so many times as long."""
    before, after = (synth.document(seed=2 * seed + k, rounds=20, **recipe) for k in (0, 1))
    for point in after["points"]:
        for entry in point["rounds"]:
            for key, factor in (("hand", twins), ("generated", generated)):
                entry[key] += (factor - 1) * (entry[key] - entry["none"])
    return compare(Result.model_validate(before), Result.model_validate(after))


def test_a_slow_machine_is_no_change() -> None:
    alarms = [c for seed in range(10) for c in slowed(seed, 1.3, 1.3).changes if c.significant]
    assert len(alarms) <= 1


def test_what_only_generated_code_has_is_seen_on_a_slow_machine() -> None:
    for seed in range(5):
        worse = {c.strategy for c in slowed(seed, 1.3, 1.9).changes if c.significant}
        assert {"shared_lock", "shared_atomic", "per_core_lock"} <= worse


def rounds(rng: random.Random, level: float, drift: list[float]) -> dict[int, float]:
    return {n: level * d * rng.gauss(1, 0.02) for n, d in enumerate(drift)}


def test_what_rounds_have_in_common_is_taken_off() -> None:
    rng = random.Random(1)
    drifts = [[rng.gauss(at, 0.3) for _ in range(20)] for at in (1.5, 2.0)]
    figure, company = ([rounds(rng, level, d) for d in drifts] for level in (100, 80))
    series = twins.alike(figure, company, 1)
    assert series.programs == 2
    middle = 100 * 1.75
    for values in series.pair:
        assert all(abs(value - middle) < 0.2 * middle for value in values)


def test_rounds_that_one_lacks_are_left_out() -> None:
    rng = random.Random(3)
    drift = [1.0, 1.2, 1.5, 0.9, 1.3, 2.0, 1.1, 1.6, 1.4]
    figure, company = ([rounds(rng, 10, drift) for _ in range(2)] for _ in range(2))
    del company[0][4]
    assert [len(values) for values in twins.alike(figure, company, 1).pair] == [8, 9]
    few = [{n: each[n] for n in range(3)} for each in company]
    assert twins.alike(figure, few, 1) == twins.alone(figure)


def test_the_mean_is_of_the_rounds_that_all_have() -> None:
    assert twins.mean([{1: 2.0, 2: 4.0}, {2: 6.0, 3: 1.0}]) == {2: 5.0}
