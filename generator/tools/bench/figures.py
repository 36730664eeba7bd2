# SPDX-License-Identifier: BSD-3-Clause
"""The statistics of a benchmark: medians and quartiles of differences within rounds, and what a
report calls them and their parts. A family is all points that differ in nothing but strategy,
lcores and cores; the base family is the one with most points."""

import itertools
import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .result import At, Point, Result, Round

SLOWER = 1.1  # a core is shared if its empty run takes this factor longer than in the fastest round
MINIMUM = 0.5  # cycles per packet; an overhead below is too small to divide by
_WORDS = {
    "flows": "{} flows",
    "api": "{} calls",
    "work": "{} cycles of work per packet",
    "reads": "{} reads per second",
    "resets": "{} resets per second",
}
AXES = tuple(_WORDS)  # axes besides lcores and cores, in the order of reports
ALIKE = 1.1  # ratios closer to 1 than this are none
NOISE = "below noise"  # a cost that is negative


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


def number(value: float) -> str:
    """A figure with as many digits as it deserves: 1.23, 12.3, 1,234."""
    size = abs(value)
    if size < 9.995:
        return f"{value:.2f}" if size >= 0.005 else "0.00"
    return f"{value:.1f}" if size < 99.95 else f"{value:,.0f}"


def times(ratio: float) -> str:
    """How many times as much something is."""
    if 1 / ALIKE < ratio < ALIKE:
        return "as much"
    return f"{ratio:,.0f} times as much" if ratio >= 9.95 else f"{ratio:.1f} times as much"


def plain(value: float | str) -> str:
    """The value of an axis."""
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if value == int(value) else f"{value:g}"


def base(result: Result) -> At | None:
    """The family with the most points; of equals, the one nearest to the defaults."""
    usual = At(lcores=1, cores=1)
    counts = Counter(point.at.family for point in measured(result))
    return max(counts, key=lambda f: (counts[f], -len(differing(f, usual))), default=None)


def differing(family: At, other: At) -> list[str]:
    """The axes in which two families differ."""
    return [axis for axis in AXES if getattr(family, axis) != getattr(other, axis)]


def measured(result: Result) -> list[Point]:
    """Points with at least one round, in the order of strategies, then of lcores."""
    order = result.strategies.index
    points = [point for point in result.points if point.rounds]
    return sorted(points, key=lambda p: (order(p.strategy), p.at.lcores, -p.at.cores))


def within(result: Result, family: At) -> list[Point]:
    """The points of a family."""
    return [point for point in measured(result) if point.at.family == family]


def spots(points: Iterable[Point]) -> dict[tuple[int, int], list[Point]]:
    """Points by their lcores and cores, sorted by these."""
    ordered = sorted(points, key=lambda point: (point.at.lcores, -point.at.cores))
    groups = itertools.groupby(ordered, key=lambda point: point.at.spot)
    return {spot: list(group) for spot, group in groups}


def spot(lcores: int, cores: int) -> str:
    """`2 lcores`, or `8 lcores on 2 cores` where there are fewer cores."""
    text = f"{lcores} lcore" + "s" * (lcores > 1)
    return text if cores >= lcores else f"{text} on {cores} core" + "s" * (cores > 1)


def named(at: At, axes: Iterable[str] = AXES) -> str:
    """A family in words; axes that are zero are omitted, except work."""
    shown = (axis for axis in axes if axis == "work" or getattr(at, axis) != 0)
    return ", ".join(_WORDS[axis].format(plain(getattr(at, axis))) for axis in shown)
