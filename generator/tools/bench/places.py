# SPDX-License-Identifier: BSD-3-Clause
"""Names of the parts of a report. A family is all points that differ in nothing but strategy,
lcores and cores; the base family is the one with most points."""

import itertools
from collections import Counter
from collections.abc import Iterable

from ...model.naming.lines import listed as listed
from .result import At, Point, Result

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
    said = (axis for axis in axes if axis == "work" or getattr(at, axis) != 0)
    return ", ".join(_WORDS[axis].format(plain(getattr(at, axis))) for axis in said)
