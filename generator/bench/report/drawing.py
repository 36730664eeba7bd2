# SPDX-License-Identifier: BSD-3-Clause
"""Drawings as SVG that becomes part of a page: where everything lies. The elements are those of
templates/report/plot.svg.j2."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...output.render import environment, normalise

Values = Sequence[float]

WIDTH = 900
"""Width of every drawing in pixels."""

COLUMNS = 4
"""Entries in a line of a legend above the axes."""

LETTER = 7
"""Pixels that a letter of a label takes at most, on average."""

LONGEST = 44
"""Letters of a name that are shown."""

LINE = 18
"""Pixels from a line of text to the next one."""

WIDE = 20.0
"""Ratio of the largest to the smallest value from which on a scale is logarithmic."""

LINEAR = 0.4
"""Decades that a logarithmic scale has between 0 and its least value."""

COLOURS = {
    "page": ("#ffffff", "#14171b"),
    "ink": ("#1b1f24", "#e8eaed"),
    "soft": ("#57606a", "#a9b1ba"),
    "grid": ("#e3e6ea", "#2b3037"),
    "edge": ("#c9ced4", "#454c55"),
    "s0": ("#0068a3", "#56b4e9"),
    "s1": ("#b34700", "#f0904d"),
    "s2": ("#007a59", "#2fc6a0"),
    "s3": ("#a0407a", "#e39bc6"),
    "s4": ("#7a5c00", "#e6c84b"),
    "s5": ("#1b1f24", "#e8eaed"),
    "s6": ("#3a7ca8", "#8fc7ea"),
}
"""Light and dark colours of the page by name. Those of marks, `s0` and so on, are Okabe and Ito's,
distinguishable without full colour vision; darkened for text."""

MARKS = [name for name in COLOURS if name[0] == "s" and name[1].isdigit()]
SHAPES = {"circle": "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z", "square": "M-4.5-4.5h9v9h-9z",
          "triangle": "M0-6l5.5 10h-11z", "diamond": "M0-6l6 6l-6 6l-6-6z"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scale:
    """Values along an axis: `low` is at pixel `start` and `high` at `end`. Logarithmic above
    `least`, if that is not 0, with as many ticks in a decade as there are `steps`."""

    title: str
    low: float
    high: float
    least: float = 0.0
    steps: tuple[float, ...] = ()
    given: tuple[float, ...] = ()
    start: float = 0.0
    end: float = 1.0

    def __call__(self, value: float) -> float:
        """The pixel of a value."""
        low, high = self._warped(self.low), self._warped(self.high)
        share = (self._warped(value) - low) / (high - low)
        return round(self.start + share * (self.end - self.start), 1)

    def _warped(self, value: float) -> float:
        if not self.least:
            return value
        size = abs(value) / self.least
        return math.copysign(LINEAR * size if size <= 1 else LINEAR + math.log10(size), value)

    def ticks(self) -> list[float]:
        """The values that have a line and a number."""
        if self.given:
            return list(self.given)
        if not self.least:
            rough = (self.high - self.low) / 8
            unit = 10.0 ** math.floor(math.log10(rough))
            step = next(unit * n for n in (1, 2, 5, 10) if unit * n >= rough)
            between = range(math.ceil(self.low / step), math.floor(self.high / step) + 1)
            return [step * number for number in between]
        most = max(abs(self.low), abs(self.high))
        decades = range(math.floor(math.log10(self.least)), math.ceil(math.log10(most)) + 1)
        sizes = [step * 10.0**n for n, step in itertools.product(decades, self.steps)]
        every = [0.0, *(sign * n for n in sizes if n >= self.least for sign in (1, -1))]
        return [value for value in every if self.low <= value <= self.high]


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a series, each with a tooltip, and with a bar from one value to another where
    `bars` has them: along the horizontal axis if they lie `across`. `dashes` are those of the line
    from mark to mark; without them there is none."""

    colour: str
    shape: str
    label: str
    x: Values
    y: Values
    tooltips: Sequence[str]
    bars: Sequence[tuple[float, float]] = ()
    across: bool = False
    dashes: str | None = None

    def values(self, axis: str) -> list[float]:
        """All values on an axis."""
        ends = self.bars if self.across == (axis == "x") else ()
        return [*(self.x if axis == "x" else self.y), *itertools.chain.from_iterable(ends)]


class Drawing:
    """A drawing `height` pixels high, with axes that fill what their labels and the legend, above
    them or to their `right`, leave free."""

    def __init__(self, height: float, *, right: bool = False) -> None:
        self._height, self._right = height, right
        self._marks: list[Marks] = []
        self._texts: list[tuple[str, float, float]] = []
        self._scales: dict[str, Scale] = {}
        self._names: list[tuple[str, float]] = []
        self._rules: list[float] = []
        self._spans: list[tuple[float, float, float]] = []
        self._limit: tuple[str, float] | None = None

    def marks(
        self, series: int, label: str, x: Values, y: Values, tooltips: Sequence[str], **more: Any
    ) -> None:
        """Draw the marks of a series; without a label it is not in the legend."""
        shape = [*SHAPES][series % len(SHAPES)]
        colour = MARKS[series % len(MARKS)]
        self._marks.append(Marks(colour, shape, _short(label), x, y, tooltips, **more))

    def text(self, text: str, x: float, y: float) -> None:
        """Text to the right of a mark."""
        self._texts.append((text, x, y))

    def rule(self, y: float) -> None:
        """A line across the drawing."""
        self._rules.append(y)

    def span(self, y: float, low: float, high: float) -> None:
        """A line from one value to another."""
        self._spans.append((y, low, high))

    def scale(self, axis: str, title: str, least: float, ticks: Values = ()) -> None:
        """Title axis `x` or `y`, and make it logarithmic, down to `least`, if values span much."""
        every = [value for marks in self._marks for value in marks.values(axis)]
        low, high = min(every), max(every)
        span = high / max(low, least)
        if span >= WIDE:
            steps = (1.0,) if span > 1000 else (1.0, 2.0, 5.0)
            limits = low / 1.3 if low > least else low - least / 2, high * 1.3
            title += " (logarithmic)"
            self._scales[axis] = Scale(title, *limits, least, steps, tuple(ticks))
        else:
            limits = min(0.0, 1.05 * low), 1.05 * max(high, least)
            self._scales[axis] = Scale(title, *limits, given=tuple(ticks))

    def rows(self, names: Sequence[str], height: float = 1.0) -> None:
        """Make the vertical axis one of names from the top down, each `height` high."""
        self._scales["y"] = Scale("", 0, height * len(names))
        self._names = [(_short(name), height * (row + 0.5)) for row, name in enumerate(names)]

    def limit(self, text: str, x: float) -> None:
        """A line at what nothing can be faster than, if that is within the scale."""
        if self._scales["x"].low <= x <= self._scales["x"].high:
            self._limit = text, x

    def svg(self, name: str, title: str, description: str) -> str:
        """The element `svg` for a page of HTML, in which `name` is unique. The same every time."""
        listed = [marks for marks in self._marks if marks.label]
        ticks = {axis: scale.ticks() for axis, scale in self._scales.items()}
        labels = [name for name, _ in self._names] or [f"{tick:,.12g}" for tick in ticks["y"]]
        left = 16 + LETTER * max(map(len, labels))
        widest = max((len(marks.label) for marks in listed), default=0)
        if self._right:
            right = WIDTH - LETTER * widest - 40
        else:
            right = WIDTH - 30 - LETTER * max((len(text) for text, *_ in self._texts), default=0)
        lines = 0 if self._right else math.ceil(len(listed) / COLUMNS)
        top = LINE * lines + 30
        bottom = self._height - 46
        x = replace(self._scales["x"], start=left, end=right)
        ends = (top, bottom) if self._names else (bottom, top)
        y = replace(self._scales["y"], start=ends[0], end=ends[1])
        return escaped(
            "report/plot.svg.j2", id=f"plot-{name}", title=title, description=description,
            width=WIDTH, height=self._height, left=left, right=right, top=top, bottom=bottom,
            x=x, y=y, ticks=ticks, names=self._names, series=self._marks, texts=self._texts,
            rules=self._rules, spans=self._spans, limit=self._limit, shapes=SHAPES,
            legend=zip(listed, self._places(right, top), strict=False),
        )  # fmt: skip

    def _places(self, right: float, top: float) -> list[tuple[float, float]]:
        """Where the entries of the legend lie."""
        numbers = range(len(self._marks))
        if self._right:
            return [(right + 24, top + LINE * number) for number in numbers]
        first, wide = LINE, (WIDTH - 20) / COLUMNS
        return [(20 + wide * (n % COLUMNS), first + LINE * (n // COLUMNS)) for n in numbers]


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 3]}..."


def escaped(template: str, **context: Any) -> str:
    """A template of this kind, which escapes what it is given."""
    # Compiled ones must not meet those that do not escape.
    escaping = environment().overlay(autoescape=True, bytecode_cache=None)
    return normalise(escaping.get_template(template).render(**context))
