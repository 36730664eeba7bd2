# SPDX-License-Identifier: BSD-3-Clause
"""The statistics of a benchmark: medians and quartiles of differences within rounds."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from .result import Point, Result, Round

SLOWER = 1.1  # a core is shared if its empty run takes this factor longer than in the fastest round
MINIMUM = 0.5  # cycles per packet; an overhead below is too small to divide by


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure over all rounds: median, first and third quartile, number of rounds."""

    median: float
    q1: float
    q3: float
    n: int


def spread(values: Sequence[float]) -> Spread | None:
    """Median and quartiles (with linear interpolation); None for no values."""
    if not values:
        return None
    if len(values) == 1:
        return Spread(values[0], values[0], values[0], 1)
    q1, median, q3 = statistics.quantiles(values, n=4, method="inclusive")
    return Spread(median, q1, q3, len(values))


def steady(point: Point) -> list[Round]:
    """The rounds in which cores were about as fast as in the fastest; at least half of all.
    All rounds where lcores share cores, or others than workers run."""
    if point.at.crowded or not point.at.alone or not point.rounds:
        return point.rounds
    bare = sorted(entry.none for entry in point.rounds)
    limit = max(SLOWER * bare[0], bare[(len(bare) - 1) // 2])
    return [entry for entry in point.rounds if entry.none <= limit]


def overhead(point: Point, adds: float, key: str = "generated") -> Spread | None:
    """Core cycles of `key` per counter update over the steady rounds; None if not measured."""
    return spread(
        [
            (value - entry.none) / adds / entry.clock
            for entry in steady(point)
            if (value := getattr(entry, key)) is not None
        ]
    )


def lost(point: Point) -> float | None:
    """Updates that were lost, in percent over all rounds; negative: counted too often."""
    expected = sum(entry.expected for entry in point.rounds)
    counted = sum(entry.counted for entry in point.rounds)
    return 100 * (expected - counted) / expected if expected else None


def clock(result: Result) -> Spread | None:
    """TSC cycles of a cycle of the core, over all rounds."""
    return spread([entry.clock for point in result.points for entry in point.rounds])


def ratio(point: Point, to: str, of: str = "generated") -> float | None:
    """One overhead divided by that of `to`; None below MINIMUM cycles per packet."""
    top, bottom = overhead(point, 1, of), overhead(point, 1, to)
    if top is None or bottom is None or bottom.median < MINIMUM:
        return None
    return top.median / bottom.median
