# SPDX-License-Identifier: BSD-3-Clause
"""The plots of a report, each with the table of its figures, or the reason why it is missing."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from .. import figures
from ..figures import Spread
from ..result import At, Percentiles, Point, Result
from . import drawing, places
from .conditions import UNIT, calls, calls_title, deciding, interval, most_lcores
from .drawing import Drawing
from .tables import PERCENTILES, axes, latencies, overhead
from .writers import Table

LEAST = 0.1
"""Smallest overhead in cycles per counter update that a logarithmic scale shows."""

TITLE = f"overhead, {UNIT}"


@dataclass(frozen=True, slots=True)
class Plot:
    """A title, what it shows in a sentence, the drawing as an element of HTML, and its figures.

    A plot that cannot be has a sentence that says why, and nothing else.
    """

    title: str
    summary: str
    svg: str = ""
    table: Table | None = None


def plots(result: Result) -> list[Plot]:
    """All plots, in the order of the page."""
    usual = places.base(result)
    if usual is None:
        return [Plot("Plots", "Nothing was measured.")]
    every = [*by_calls(result, usual)]
    every += [plot(result, usual) for plot in (by_cores, latency, against_memory)]
    every += [] if deciding(result, usual) else [by_flows(result, usual)]
    return sorted(every, key=lambda plot: not plot.svg)


def by_cores(result: Result, usual: At) -> Plot:
    """Overhead by strategy and cores: a mark for the median, a bar from quartile to quartile."""
    points = places.within(result, usual)
    spots = places.spots(points)
    names = list(dict.fromkeys(point.strategy for point in points))
    block = len(spots) + 0.5
    canvas = Drawing(90 + 18 * math.ceil(len(spots) / drawing.COLUMNS) + 19 * block * len(names))
    for number, (spot, here) in enumerate(spots.items()):
        label = places.spot(*spot)
        known = {p.strategy: c for p in here if (c := figures.overhead(p, result.workload.adds))}
        rows = [block * names.index(name) + number + 0.75 for name in known]
        tooltips = [f"{name}, {label}: {interval(cost)}" for name, cost in known.items()]
        medians, bars = _medians(known.values())
        canvas.marks(number, label, medians, rows, tooltips, bars=bars, across=True)
        for row, cost in zip(rows, known.values(), strict=True):
            canvas.text(places.cost(cost.median), cost.q3, row)
    for row in range(1, len(names)):
        canvas.rule(block * row)
    canvas.scale("x", TITLE, LEAST)
    canvas.rows(names, block)
    floor = figures.pooled(points, result.workload.adds, "floor")
    if floor:
        canvas.limit(f"plain adds: {places.number(floor.median)}", floor.median)
    where = places.listed(places.spot(*spot) for spot in spots)
    summary = f"Median overhead of {len(names)} strategies with {where}; bars: quartiles."
    table = overhead(result, usual)
    return _plot(canvas, "cores", "Overhead by strategy and cores", summary, table)


def _medians(costs: Collection[Spread]) -> tuple[list[float], list[tuple[float, float]]]:
    """The medians, and the quartiles."""
    return [cost.median for cost in costs], [(cost.q1, cost.q3) for cost in costs]


def _plot(canvas: Drawing, name: str, title: str, summary: str, table: Table) -> Plot:
    svg = canvas.svg(name, title, f"{summary} The table below has the figures.")
    return Plot(title, summary, svg, table)


def latency(result: Result, usual: At) -> Plot:
    """Percentiles of one packet's updates, where most lcores share a core."""
    title = "Latency under overcommit"
    timed: dict[At, dict[str, Percentiles]] = {}
    for point in places.measured(result):
        if percentiles := (point.latency or {}).get("generated"):
            timed.setdefault(point.at, {})[point.strategy] = percentiles
    if not timed:
        return Plot(title, "The latency of updates was not measured.")
    at = max(timed, key=lambda a: (a.lcores / a.cores, a.family == usual))
    if not at.crowded:
        return Plot(title, "More lcores than cores were not measured; see the tables.")
    here = timed[at]
    rows = [row + 0.5 for row in range(len(here))]
    canvas = Drawing(100 + 24 * len(here))
    for number, (key, label) in enumerate(PERCENTILES.items()):
        values = [getattr(percentiles, key) for percentiles in here.values()]
        tooltips = [f"{n}, {label}: {v:,.0f} cycles" for n, v in zip(here, values, strict=True)]
        canvas.marks(number, label, values, rows, tooltips)
    for row, end in zip(rows, here.values(), strict=True):
        canvas.span(row, end.p50, end.max)
        canvas.text(f"p99.9 {end.p999:,.0f}, max {end.max:,.0f}", end.max, row)
    canvas.scale("x", "cycles for the updates of one packet", 1.0)
    canvas.rows(list(here))
    where = places.place(at, usual)
    table = next(t for t in latencies(result, usual) if t.title.endswith(where))
    summary = f"Median, 99th and 99.9th percentile and maximum for {len(here)} strategies, {where}."
    return _plot(canvas, "latency", f"{title}: {where}", summary, table)


Lines = dict[str, dict[float, Spread]]
"""Overheads by strategy, then by what they are drawn against."""


def _against(result: Result, lines: Lines, tooltip: str, dashes: str | None = None) -> Drawing:
    """Overheads drawn against something, a series for each strategy, the dearest first."""
    canvas = Drawing(420, right=True)
    for name, line in sorted(lines.items(), key=lambda entry: -entry[1][max(entry[1])].median):
        medians, bars = _medians(line.values())
        tooltips = [
            tooltip.format(name=name, x=x, size=places.size(x * 1024), cost=interval(cost))
            for x, cost in line.items()
        ]
        series = result.strategies.index(name)
        canvas.marks(series, name, [*line], medians, tooltips, bars=bars, dashes=dashes)
    canvas.scale("y", TITLE, LEAST)
    return canvas


def against_memory(result: Result, usual: At) -> Plot:
    """Memory against overhead, a mark for each strategy."""
    title = "Memory against cost"
    spot = most_lcores(result, usual)
    known = {
        p.strategy: (size, cost)
        for p in places.within(result, usual)
        if p.at.spot == spot
        and (size := figures.memory(result, p.strategy, p.at.lcores)) is not None
        and (cost := figures.overhead(p, result.workload.adds))
    }
    if not known:
        return Plot(title, "The memory of the strategies was not measured.")
    lines: Lines = {name: {size / 1024: cost} for name, (size, cost) in known.items()}
    canvas = _against(result, lines, "{name}: {size}, {cost} " + UNIT)
    canvas.scale("x", "KiB allocated", 1 / 64)
    rows = [(name, places.size(size), interval(cost)) for name, (size, cost) in known.items()]
    table = Table(f"{title}, {places.spot(*spot)}", ("strategy", "memory", UNIT), tuple(rows))
    summary = f"Allocated memory and median overhead of {len(known)} strategies; bars: quartiles."
    return _plot(canvas, "memory", table.title, summary, table)


def by_calls(result: Result, usual: At) -> Iterator[Plot]:
    """Overhead as the number of flows grows, with work in between and without: a line for each
    strategy by single calls, and a broken one by one call for a burst."""
    for work, points in deciding(result, usual).items():
        title = calls_title(result, usual, work)
        table = next(t for t in calls(result, usual) if t.title == title)
        canvas, counts = Drawing(420, right=True), sorted({p.at.flows for p in points})
        for api, dashes in (("single", ""), ("bulk", "7 4")):
            for name, line in _lines(result, (p for p in points if p.at.api == api)).items():
                medians, bars = _medians(line.values())
                tips = [f"{name}, {api}, {x:,} flows: {interval(c)}" for x, c in line.items()]
                series = result.strategies.index(name)
                label = name if api == "single" else ""
                canvas.marks(series, label, [*line], medians, tips, bars=bars, dashes=dashes)
        canvas.scale("y", TITLE, LEAST)
        canvas.scale("x", "flows", 1.0, counts)
        summary = (
            f"Median overhead from {counts[0]:,} to {counts[-1]:,} flows; bars: quartiles. Lines: "
            "single calls; broken lines: one call for a burst of 32."
        )
        yield _plot(canvas, f"calls-{work}", title, summary, table)


def _lines(result: Result, points: Iterable[Point]) -> Lines:
    """Overheads by strategy and flows."""
    lines: Lines = {}
    for point in sorted(points, key=lambda point: point.at.flows):
        if cost := figures.overhead(point, result.workload.adds):
            lines.setdefault(point.strategy, {})[point.at.flows] = cost
    return lines


def by_flows(result: Result, usual: At) -> Plot:
    """Overhead as the number of flows grows, a line for each strategy."""
    title = "Scaling with flows"
    spot = most_lcores(result, usual)
    lines = _lines(
        result,
        (
            point
            for point in places.measured(result)
            if {*places.differing(point.at.family, usual)} <= {"flows"} and point.at.spot == spot
        ),
    )
    counts = sorted({flows for line in lines.values() for flows in line})
    if len(counts) < 2:
        return Plot(title, "Only one number of flows was measured.")
    tooltip = "{name}, {x:,} flows: {cost}"
    canvas = _against(result, lines, tooltip, dashes="")
    canvas.scale("x", "flows", 1.0, counts)
    where = places.spot(*spot)
    start = f"Overhead by flows, {where},"
    table = next(t for t in axes(result, usual) if t.title.startswith(start))
    summary = f"Median overhead from {counts[0]:,} to {counts[-1]:,} flows; bars: quartiles."
    return _plot(canvas, "flows", f"{title}, {where}", summary, table)
