# SPDX-License-Identifier: BSD-3-Clause
"""The plots of a report, each with the table of its figures, or the reason why it is missing."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from .. import figures
from ..figures import Spread
from ..result import At, Percentiles, Point, Result
from . import places
from .conditions import UNIT, calls, calls_title, deciding, interval, most_lcores
from .drawing import COLUMNS, LINE, Drawing
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
    every += [plot(result, usual) for plot in (by_cores, latency)]
    every += [] if deciding(result, usual) else [by_flows(result, usual)]
    return sorted(every, key=lambda plot: not plot.svg)


def by_cores(result: Result, usual: At) -> Plot:
    """Overhead by strategy and cores: a mark for the median, a bar from quartile to quartile."""
    points = places.within(result, usual)
    spots = places.spots(points)
    names = list(dict.fromkeys(point.strategy for point in points))
    block = len(spots) + 0.5
    canvas = Drawing(90 + LINE * math.ceil(len(spots) / COLUMNS) + 19 * block * len(names))
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


Lines = dict[str, dict[int, Spread]]
"""Overheads by strategy, then by flows."""


def _drawn(result: Result, lines: dict[str, Lines]) -> tuple[Drawing, str]:
    """Overheads against flows by calls, the dearest strategy first, and a sentence about it; lines
    of all calls but the first are broken."""
    canvas = Drawing(max(420, LINE * (len(result.strategies) + 4)), right=True)
    counts: set[int] = set()
    for number, (api, each) in enumerate(lines.items()):
        for name, line in sorted(each.items(), key=lambda entry: -entry[1][max(entry[1])].median):
            medians, bars = _medians(line.values())
            tips = [f"{name}, {api}, {flows:,} flows: {interval(c)}" for flows, c in line.items()]
            series, dashes = result.strategies.index(name), "7 4" if number else ""
            label = "" if number else name
            canvas.marks(series, label, [*line], medians, tips, bars=bars, dashes=dashes)
            counts |= set(line)
    canvas.scale("y", TITLE, LEAST)
    canvas.scale("x", "flows", 1.0, sorted(counts))
    few, many = min(counts), max(counts)
    return canvas, f"Median overhead from {few:,} to {many:,} flows; bars: quartiles."


def by_calls(result: Result, usual: At) -> Iterator[Plot]:
    """Overhead as the number of flows grows, with work in between and without: a line for each
    strategy by single calls and a broken one by bulk calls, or by others if these are missing."""
    for work, points in deciding(result, usual).items():
        title = calls_title(result, usual, work)
        table = next(t for t in calls(result, usual) if t.title == title)
        measured = {p.at.api for p in points}
        apis = [api for api in ("single", "bulk", "batch", "items") if api in measured][:2]
        lines: dict[str, Lines] = {
            api: _lines(result, (p for p in points if p.at.api == api)) for api in apis
        }
        canvas, summary = _drawn(result, lines)
        summary += f" Lines: {apis[0]} calls; broken lines: {apis[1]} calls."
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
    here = [
        point
        for point in places.measured(result)
        if {*places.differing(point.at.family, usual)} <= {"flows"} and point.at.spot == spot
    ]
    if len({point.at.flows for point in here}) < 2:
        return Plot(title, "Only one number of flows was measured.")
    canvas, summary = _drawn(result, {usual.api: _lines(result, here)})
    where = places.spot(*spot)
    start = f"Overhead by flows, {where},"
    table = next(t for t in axes(result, usual) if t.title.startswith(start))
    return _plot(canvas, "flows", f"{title}, {where}", summary, table)
