# SPDX-License-Identifier: BSD-3-Clause
"""What plots are drawn with: scales with round ticks, and marks that a template makes SVG of."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from .places import number

CHARACTER = 6.8
"""Width of a character in pixels, generously, for text of 12 pixels."""

WIDE = 20.0
"""Ratio of the largest to the smallest value from which on a scale is logarithmic."""

SHAPES = ("circle", "square", "triangle", "diamond")


@dataclass(frozen=True, slots=True)
class Scale:
    """Values `low` to `high` onto pixels `start` to `end`; values beyond end at the border."""

    low: float
    high: float
    start: float
    end: float
    log: bool

    def __call__(self, value: float) -> float:
        value = min(max(value, self.low), self.high)
        low, high = self.low, self.high
        if self.log:
            value, low, high = math.log(value), math.log(low), math.log(high)
        return round(self.start + (value - low) / (high - low) * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        """Round values along the scale."""
        if not self.log:
            step = _step((self.high - self.low) / 5)
            first = math.ceil(self.low / step - 1e-9)
            return [step * k for k in range(first, int(self.high / step + 1e-9) + 1)]
        low, high = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        mantissas = (1,) if self.high > self.low * 1000 else (1, 2, 5)
        every = [m * 10.0**e for e in range(low, high + 1) for m in mantissas]
        return [t for t in every if self.low * 0.999 <= t <= self.high * 1.001]


def _step(rough: float) -> float:
    power: float = 10 ** math.floor(math.log10(rough))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)


def scale(values: Sequence[float], start: float, end: float, least: float) -> Scale:
    """A scale for values: logarithmic from just below the smallest if they span much, else from 0.

    `least` is the smallest value that a logarithmic scale tells apart.
    """
    high = max([*values, least * 2])
    low = max(least, min(values))
    if high / low < WIDE:
        floor = min(0.0, *values)
        return Scale(floor, high + 0.05 * (high - floor), start, end, False)
    return Scale(low / 1.3, high * 1.3, start, end, True)


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line or, with more points, a path; `style` is a class of the page."""

    points: tuple[tuple[float, float], ...]
    style: str


@dataclass(frozen=True, slots=True)
class Dot:
    """A mark with what it stands for, shown when the pointer is on it."""

    x: float
    y: float
    shape: str
    style: str
    says: str


@dataclass(frozen=True, slots=True)
class Text:
    """Text; `anchor` is start, middle or end; `turned` runs upwards."""

    x: float
    y: float
    text: str
    anchor: str = "start"
    style: str = ""
    turned: bool = False


@dataclass(slots=True)
class Canvas:
    """A drawing that grows; pixels, y downwards."""

    width: float
    height: float
    lines: list[Line] = field(default_factory=list)
    dots: list[Dot] = field(default_factory=list)
    texts: list[Text] = field(default_factory=list)

    def line(self, x1: float, y1: float, x2: float, y2: float, style: str) -> None:
        """A straight line."""
        self.lines.append(Line(((x1, y1), (x2, y2)), style))

    def across(
        self,
        over: Scale,
        top: float,
        bottom: float,
        title: str,
        shown: Callable[[float], str] = number,
        ticks: Sequence[float] | None = None,
    ) -> None:
        """The horizontal axis, below: grid, ticks, title."""
        for tick in over.ticks() if ticks is None else ticks:
            self.line(over(tick), top, over(tick), bottom, "grid")
            self.texts.append(Text(over(tick), bottom + 16, shown(tick), "middle", "tick"))
        middle = (over.start + over.end) / 2
        self.texts.append(Text(middle, bottom + 36, _scaled(title, over), "middle"))

    def upwards(self, over: Scale, left: float, right: float, title: str) -> None:
        """The vertical axis, on the left: grid, ticks, title."""
        for tick in over.ticks():
            self.line(left, over(tick), right, over(tick), "grid")
            self.texts.append(Text(left - 8, over(tick) + 4, tidy(tick), "end", "tick"))
        middle = (over.start + over.end) / 2
        self.texts.append(Text(left - 58, middle, _scaled(title, over), "middle", "", True))


def _scaled(title: str, over: Scale) -> str:
    return f"{title} (logarithmic)" if over.log else title


def tidy(value: float) -> str:
    """A tick, without zeroes that say nothing."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:g}"


def apart(wanted: Sequence[float], least: float, top: float, bottom: float) -> list[float]:
    """Positions near `wanted`, at least `least` apart, between `top` and `bottom` if they fit."""
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = [0.0] * len(wanted)
    previous = -math.inf
    for index in order:
        previous = placed[index] = max(wanted[index], previous + least, top)
    limit = bottom
    for index in reversed(order):
        placed[index] = min(placed[index], limit)
        limit = placed[index] - least
    return placed


def free_spot(
    x: float, y: float, text: str, taken: list[tuple[float, float, float, float]], right: float
) -> Text:
    """A label beside (x, y) where nothing is yet; what it takes is added to `taken`."""
    width = CHARACTER * len(text)
    tries = [(10, 4, "start"), (-10, 4, "end"), (10, -12, "start"), (10, 20, "start")]
    tries += [(-10, -12, "end"), (-10, 20, "end")]
    tries += [(10, 4 + k * 14, "start") for k in (-2, 2, -3, 3, -4, 4)]
    boxes = []
    for dx, dy, anchor in tries:
        left = x + dx - (width if anchor == "end" else 0)
        box = (left, y + dy - 11, left + width, y + dy + 3)
        boxes.append(box)
        if box[2] <= right and box[0] >= 0 and not any(_overlap(box, other) for other in taken):
            taken.append(box)
            return Text(x + dx, y + dy, text, anchor)
    taken.append(boxes[0])
    return Text(x + 10, y + 4, text)


def _overlap(
    one: tuple[float, float, float, float], two: tuple[float, float, float, float]
) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]
