# SPDX-License-Identifier: BSD-3-Clause
"""The statistics of a benchmark: medians and quartiles of differences within rounds, and when a
difference counts."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .result import Point, Result, Round

BASELINES = ("hand", "floor", "atomic")  # measured in a round besides `none`
SIGNIFICANT = 0.05  # probability of a difference by chance below which it counts
SLOWER = 1.1  # a core is shared if its empty run takes this factor longer than in the fastest round
MINIMUM = 0.5  # cycles per packet; an overhead below is too small to divide by


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over all rounds: median, first and third quartile, number of rounds."""

    median: float
    q1: float
    q3: float
    n: int


@dataclass(frozen=True, slots=True)
class Ratio:
    """One overhead divided by another; not `decided` when it may as well be 1."""

    value: float
    decided: bool


def spread(values: Sequence[float]) -> Spread | None:
    """Median and quartiles (with linear interpolation); None for no values."""
    if not values:
        return None
    if len(values) == 1:
        return Spread(values[0], values[0], values[0], 1)
    q1, median, q3 = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, q1, q3, len(values))


def fastest(point: Point) -> float:
    """TSC cycles of an uncounted packet in the fastest round."""
    return min(entry.none for entry in point.rounds)


def steady(point: Point) -> list[Round]:
    """The rounds in which cores were about as fast as in the fastest; at least half of all.
    All rounds where lcores share cores, or others than workers run."""
    if point.at.crowded or not point.at.alone:
        return point.rounds
    if not point.rounds:
        return []
    bare = sorted(entry.none for entry in point.rounds)
    limit = max(SLOWER * fastest(point), bare[(len(bare) - 1) // 2])
    return [entry for entry in point.rounds if entry.none <= limit]


def series(
    point: Point, adds: float, key: str = "generated", rounds: Iterable[Round] | None = None
) -> dict[int, float]:
    """Overhead of `key` in core cycles per counter update, by the rounds that have it."""
    return {
        entry.round: (value - entry.none) / adds / entry.clock
        for entry in (point.rounds if rounds is None else rounds)
        if (value := getattr(entry, key)) is not None
    }


def overhead(point: Point, adds: float, key: str = "generated") -> Spread | None:
    """Cycles per counter update over the steady rounds; None when it was not measured."""
    return spread(list(series(point, adds, key, steady(point)).values()))


def pooled(points: Iterable[Point], adds: float, key: str) -> Spread | None:
    """The overhead of a baseline over the steady rounds of some points."""
    return spread([value for p in points for value in series(p, adds, key, steady(p)).values()])


def lost(point: Point) -> float | None:
    """Updates that were lost, in percent over all rounds; negative: counted too often."""
    expected = sum(entry.expected for entry in point.rounds)
    counted = sum(entry.counted for entry in point.rounds)
    return 100 * (expected - counted) / expected if expected else None


def clock(result: Result) -> Spread | None:
    """TSC cycles of a cycle of the core, over all rounds; None where that was not measured."""
    every = [entry.clock for point in result.points for entry in point.rounds]
    return spread(every) if set(every) - {1.0} else None


def sign_test(differences: Sequence[float]) -> float:
    """Probability of signs as unequal as these if both were equally likely (exact, two-sided)."""
    above = sum(value > 0 for value in differences)
    below = sum(value < 0 for value in differences)
    n = above + below
    tail = sum(math.comb(n, k) for k in range(min(above, below) + 1))
    return min(1.0, 2 * tail / int(2**n))


def decided(a: dict[int, float], b: dict[int, float]) -> bool:
    """Whether two series differ by more than their spread: the quartiles of the differences have
    one sign, and the sign test gives at most SIGNIFICANT. That takes at least six rounds."""
    both = [b[number] - value for number, value in a.items() if number in b]
    difference = spread(both)
    apart = difference is not None and (difference.q1 > 0 or difference.q3 < 0)
    return apart and sign_test(both) <= SIGNIFICANT


def ratio(point: Point, to: str, of: str = "generated") -> Ratio | None:
    """One overhead divided by that of `to`; None below MINIMUM cycles per packet."""
    top, bottom = overhead(point, 1, of), overhead(point, 1, to)
    if top is None or bottom is None or bottom.median < MINIMUM:
        return None
    return Ratio(top.median / bottom.median, decided(series(point, 1, to), series(point, 1, of)))
