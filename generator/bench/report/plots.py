# SPDX-License-Identifier: BSD-3-Clause
"""The plots of a report, each with the table of its figures, or a sentence why it is missing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .. import figures
from ..result import At, Point, Result
from . import drawing, places
from .drawing import CHARACTER, Drawing, colour
from .tables import PERCENTILES, UNIT, Table, axes, interval, latencies, overhead

ROW = 19
"""Height of a row of marks in pixels."""

LEAST = 0.1
"""Smallest overhead in cycles per counter update that a logarithmic scale shows."""

TITLE = f"overhead, {UNIT}"


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing, a title, what it shows in a sentence, and the figures.

    `name` is unique in a page; `svg` is an element of HTML.
    """

    name: str
    title: str
    summary: str
    svg: str
    table: Table


@dataclass(frozen=True, slots=True)
class Absent:
    """A plot that cannot be: its title, and why."""

    title: str
    reason: str


def plots(result: Result) -> list[Plot | Absent]:
    """All plots, in the order of the page."""
    usual = places.base(result)
    if usual is None:
        return [Absent("Plots", "Nothing was measured.")]
    with drawing.settings():
        return [plot(result, usual) for plot in (by_cores, latency, against_memory, by_flows)]


def by_cores(result: Result, usual: At) -> Plot:
    """Overhead by strategy and cores: a mark for the median, a bar from quartile to quartile."""
    points = places.within(result, usual)
    spots = places.spots(points)
    costs = {
        (p.strategy, p.at.spot): cost
        for p in points
        if (cost := figures.overhead(p, result.workload.adds))
    }
    names = [name for name in result.strategies if any((name, spot) in costs for spot in spots)]
    labels = [places.spot(*spot) for spot in spots]
    block = len(spots) + 0.5
    height = ROW * block * len(names)
    top = 38 + 18 * math.ceil(len(spots) / drawing.COLUMNS)
    canvas = Drawing(height, 24 + CHARACTER * max(map(len, names)), 90, top)
    canvas.axes.set_ylim(block * len(names), 0)
    canvas.names([block * (row + 0.5) for row in range(len(names))], names)
    for row in range(1, len(names)):
        canvas.axes.axhline(block * row, color=drawing.GRID, linewidth=1)
    for number, spot in enumerate(spots):
        known = [
            (block * row + number + 0.75, name, costs[name, spot])
            for row, name in enumerate(names)
            if (name, spot) in costs
        ]
        label = labels[number]
        titles = [f"{name}, {label}: {interval(cost)}" for _, name, cost in known]
        heights, medians = [y for y, _, _ in known], [cost.median for _, _, cost in known]
        quartiles = [cost.q1 for _, _, cost in known], [cost.q3 for _, _, cost in known]
        canvas.axes.hlines(heights, *quartiles, color=colour(number), linewidth=3)
        canvas.marks(number, medians, heights, label, titles)
        for y, _, cost in known:
            canvas.text(max(cost.q3, cost.median), y, places.number(cost.median))
    canvas.legend(above=True)
    values = [value for cost in costs.values() for value in (cost.q1, cost.median, cost.q3)]
    canvas.measure("x", TITLE, values, LEAST)
    _plain_adds(canvas, result, points)
    table = overhead(result, usual)
    summary = f"Median overhead of {len(names)} strategies with {_listed(labels)}; bars: quartiles."
    return _finished("cores", "Overhead by strategy and cores", summary, canvas, table)


def _plain_adds(canvas: Drawing, result: Result, points: Sequence[Point]) -> None:
    """A line for what plain adds to a private cache line cost."""
    adds = result.workload.adds
    values = [v for p in points for v in figures.series(p, adds, "floor").values()]
    floor = figures.spread(values)
    low, high = canvas.axes.get_xlim()
    if floor is None or not low <= floor.median <= high:
        return
    canvas.axes.axvline(floor.median, color=drawing.SOFT, linewidth=1, linestyle="--", zorder=1)
    canvas.axes.annotate(
        f"plain adds: {places.number(floor.median)}",
        (floor.median, 1),
        xycoords=canvas.axes.get_xaxis_transform(),
        xytext=(0, 4),
        textcoords="offset points",
        ha="center",
        color=drawing.SOFT,
    )


def _finished(name: str, title: str, summary: str, canvas: Drawing, table: Table) -> Plot:
    svg = canvas.svg(name, title, f"{summary} The table below has the figures.")
    return Plot(name, title, summary, svg, table)


def _listed(labels: Sequence[str]) -> str:
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


def latency(result: Result, usual: At) -> Plot | Absent:
    """Percentiles of one packet's updates, where most lcores share a core."""
    title = "Latency under overcommit"
    timed = [p for p in places.measured(result) if "generated" in (p.latency or {})]
    if not timed:
        return Absent(title, "The latency of updates was not measured.")
    at = max((p.at for p in timed), key=lambda a: (a.lcores / a.cores, a.family == usual))
    if not at.crowded:
        return Absent(title, "More lcores than cores were not measured; see the tables.")
    here = {p.strategy: (p.latency or {})["generated"] for p in timed if p.at == at}
    rows = range(len(here))
    canvas = Drawing(24 * len(here), 24 + CHARACTER * max(map(len, here)), 190, 48)
    canvas.axes.set_ylim(len(here) - 0.5, -0.5)
    canvas.names(rows, list(here))
    ends = [times.p50 for times in here.values()], [times.max for times in here.values()]
    canvas.axes.hlines(rows, *ends, color=drawing.EDGE, linewidth=3)
    for number, (key, label) in enumerate(PERCENTILES.items()):
        values = [getattr(times, key) for times in here.values()]
        titles = [f"{name}, {label}: {v:,.0f} cycles" for name, v in zip(here, values, strict=True)]
        canvas.marks(number, values, rows, label, titles)
    for row, times in enumerate(here.values()):
        canvas.text(times.max, row, f"p99.9 {times.p999:,.0f}, max {times.max:,.0f}")
    canvas.legend(above=True)
    every = [getattr(times, key) for times in here.values() for key in PERCENTILES]
    canvas.measure("x", "cycles for the updates of one packet", every, 1.0)
    where = places.place(at, usual)
    table = next(t for t in latencies(result, usual) if t.title.endswith(where))
    summary = f"Median, 99th and 99.9th percentile and maximum for {len(here)} strategies, {where}."
    return _finished("latency", f"{title}: {where}", summary, canvas, table)


def _most_lcores(result: Result, family: At) -> tuple[int, int] | None:
    """The place of a family with the most lcores that each have a core."""
    spots = [s for s in places.spots(places.within(result, family)) if s[0] <= s[1]]
    return spots[-1] if spots else None


def against_memory(result: Result, usual: At) -> Plot | Absent:
    """Memory against overhead, a mark for each strategy."""
    title = "Memory against cost"
    spot = _most_lcores(result, usual)
    here = [
        (p.strategy, size, cost)
        for p in places.within(result, usual)
        if p.at.spot == spot
        and (size := figures.memory(result, p.strategy, p.at.lcores)) is not None
        and (cost := figures.overhead(p, result.workload.adds))
    ]
    if spot is None or not here:
        return Absent(title, "The memory of the strategies was not measured.")
    canvas = _with_legend(344, [name for name, _, _ in here])
    for name, size, cost in sorted(here, key=lambda entry: -entry[2].median):
        series = result.strategies.index(name)
        text = f"{name}: {places.size(size)}, {interval(cost)} {UNIT}"
        _upright(canvas, series, [size / 1024], [cost])
        canvas.marks(series, [size / 1024], [cost.median], name, [text])
    canvas.legend()
    canvas.measure("x", "KiB allocated", [size / 1024 for _, size, _ in here], 1 / 64)
    canvas.measure("y", TITLE, [v for _, _, cost in here for v in (cost.q1, cost.q3)], LEAST)
    rows = tuple((name, places.size(size), interval(cost)) for name, size, cost in here)
    table = Table(f"{title}, {places.spot(*spot)}", ("strategy", "memory", UNIT), rows)
    summary = f"Allocated memory and median overhead of {len(here)} strategies; bars: quartiles."
    return _finished("memory", f"{title}, {places.spot(*spot)}", summary, canvas, table)


def _with_legend(height: float, names: Sequence[str]) -> Drawing:
    """A drawing with a vertical axis of numbers and room for these names beside it."""
    return Drawing(height, 76, 40 + CHARACTER * max(map(len, names)), 16)


def _upright(
    canvas: Drawing, series: int, x: Sequence[float], costs: Sequence[figures.Spread]
) -> None:
    """Bars from quartile to quartile."""
    quartiles = [cost.q1 for cost in costs], [cost.q3 for cost in costs]
    canvas.axes.vlines(x, *quartiles, color=colour(series), linewidth=3)


def by_flows(result: Result, usual: At) -> Plot | Absent:
    """Overhead as the number of flows grows, a line for each strategy."""
    title = "Scaling with flows"
    spot = _most_lcores(result, usual)
    lines: dict[str, dict[int, figures.Spread]] = {}
    for point in places.measured(result):
        along = set(places.differing(point.at.family, usual)) <= {"flows"}
        cost = figures.overhead(point, result.workload.adds)
        if along and cost and point.at.spot == spot:
            lines.setdefault(point.strategy, {})[point.at.flows] = cost
    counts = sorted({flows for line in lines.values() for flows in line})
    if spot is None or len(counts) < 2:
        return Absent(title, "Only one number of flows was measured.")
    canvas = _with_legend(364, list(lines))
    ordered = sorted(lines.items(), key=lambda entry: -entry[1][max(entry[1])].median)
    for name, line in ordered:
        series = result.strategies.index(name)
        flows = sorted(line)
        costs = [line[count] for count in flows]
        medians = [cost.median for cost in costs]
        canvas.axes.plot(flows, medians, color=colour(series))
        _upright(canvas, series, flows, costs)
        titles = [f"{name}, {count:,} flows: {interval(line[count])}" for count in flows]
        canvas.marks(series, flows, medians, name, titles)
    canvas.legend()
    canvas.measure("x", "flows", counts, 1.0, counts)
    values = [v for line in lines.values() for cost in line.values() for v in (cost.q1, cost.q3)]
    canvas.measure("y", TITLE, values, LEAST)
    ending = f"by flows, {places.spot(*spot)}, in {UNIT}"
    table = next(t for t in axes(result, usual) if t.title.endswith(ending))
    summary = f"Median overhead from {counts[0]:,} to {counts[-1]:,} flows; bars: quartiles."
    return _finished("flows", f"{title}, {places.spot(*spot)}", summary, canvas, table)
