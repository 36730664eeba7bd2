# SPDX-License-Identifier: BSD-3-Clause
"""The plots of a report, each with the table of its figures, or a sentence why it is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .. import figures
from ..result import At, Percentiles, Point, Result
from . import places
from .canvas import CHARACTER, SHAPES, Canvas, Dot, Line, Scale, Text, apart, free_spot, scale, tidy
from .tables import UNIT, Table, axes, latencies, overhead, shown

WIDTH = 900
ROW = 19
LEAST = 0.1
"""Smallest overhead in cycles per counter update that a logarithmic scale shows."""

TITLE = f"overhead, {UNIT}"


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing, a title, what it shows in a sentence, and the figures."""

    name: str
    title: str
    summary: str
    canvas: Canvas
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
    return [
        by_cores(result, usual),
        latency(result, usual),
        against_memory(result, usual),
        by_flows(result, usual),
    ]


def by_cores(result: Result, usual: At) -> Plot:
    """Overhead by strategy and cores: a dot for the median, a bar from quartile to quartile."""
    points = places.within(result, usual)
    spots = places.spots(points)
    known = {
        (p.strategy, (p.at.lcores, p.at.cores)): cost
        for p in points
        if (cost := figures.overhead(p, result.workload.adds))
    }
    names = [name for name in result.strategies if any((name, spot) in known for spot in spots)]
    labels = [places.spot(*spot) for spot in spots]
    left = 24 + CHARACTER * (max(map(len, names)) + max(map(len, labels)))
    values = [value for cost in known.values() for value in (cost.q1, cost.median, cost.q3)]
    over = scale(values, left, WIDTH - 90, LEAST)
    canvas = Canvas(WIDTH, 0)
    y = 24.0
    for name in names:
        canvas.texts.append(Text(0, y + ROW * len(spots) / 2 + 4, name, style="name"))
        for number, spot in enumerate(spots):
            y += ROW
            cost = known.get((name, spot))
            if cost is None:
                continue
            style, shape = f"s{number % 7}", SHAPES[number % len(SHAPES)]
            where = y - ROW / 2 + 4
            says = f"{name}, {labels[number]}: {shown(cost)}"
            canvas.texts.append(Text(left - 12, where + 4, labels[number], "end", style))
            canvas.line(over(cost.q1), where, over(cost.q3), where, f"bar {style}")
            canvas.dots.append(Dot(over(cost.median), where, shape, style, says))
            end = max(over(cost.q3), over(cost.median))
            canvas.texts.append(Text(end + 10, where + 4, places.number(cost.median)))
        y += 9
        canvas.line(0, y, WIDTH, y, "rule")
    canvas.across(over, 20, y, TITLE, tidy)
    _plain_adds(canvas, result, points, over, y)
    canvas.height = y + 46
    table = overhead(result, usual)
    summary = f"Median overhead of {len(names)} strategies with {_listed(labels)}; bars: quartiles."
    return Plot("cores", "Overhead by strategy and cores", summary, canvas, table)


def _plain_adds(
    canvas: Canvas, result: Result, points: Sequence[Point], over: Scale, y: float
) -> None:
    """A line for what plain adds to a private cache line cost."""
    adds = result.workload.adds
    values = [v for p in points for v in figures.series(p, adds, "floor").values()]
    floor = figures.spread(values)
    if floor is None:
        return
    x = over(floor.median)
    canvas.line(x, 16, x, y, "floor")
    text = f"plain adds: {places.number(floor.median)}"
    canvas.texts.append(Text(x, 11, text, "middle", "tick"))


def _listed(labels: Sequence[str]) -> str:
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} and {labels[-1]}"


PERCENTILES = (("p50", "p50"), ("p99", "p99"), ("p999", "p99.9"), ("max", "max"))


def latency(result: Result, usual: At) -> Plot | Absent:
    """Percentiles of one packet's updates, where most lcores share a core."""
    title = "Latency under overcommit"
    found = [p for p in places.measured(result) if "generated" in (p.latency or {})]
    if not found:
        return Absent(title, "The latency of updates was not measured.")
    at = max((p.at for p in found), key=lambda a: (a.lcores / a.cores, places.family(a) == usual))
    if at.lcores <= at.cores:
        return Absent(title, "More lcores than cores were not measured; see the tables.")
    here = [(p.strategy, (p.latency or {})["generated"]) for p in found if p.at == at]
    names = [name for name, _ in here]
    left = 24 + CHARACTER * max(map(len, names))
    values = [float(getattr(one, key)) for _, one in here for key, _ in PERCENTILES]
    over = scale(values, left, WIDTH - 190, 1.0)
    canvas = Canvas(WIDTH, 0)
    x = left
    for number, (_, label) in enumerate(PERCENTILES):
        canvas.dots.append(Dot(x, 8, SHAPES[number], f"s{number}", label))
        canvas.texts.append(Text(x + 10, 12, label, style=f"s{number}"))
        x += 76
    y = 24.0
    for name, one in here:
        y += ROW + 5
        canvas.texts.append(Text(0, y, name, style="name"))
        canvas.line(over(one.p50), y - 4, over(one.max), y - 4, "span")
        for number, (key, label) in enumerate(PERCENTILES):
            value = getattr(one, key)
            says = f"{name}, {label}: {value:,.0f} cycles"
            canvas.dots.append(Dot(over(value), y - 4, SHAPES[number], f"s{number}", says))
        canvas.texts.append(Text(over(one.max) + 10, y, _ends(one)))
    canvas.across(over, 24, y + 10, "cycles for the updates of one packet", tidy)
    canvas.height = y + 56
    where = places.place(at, usual)
    table = next(t for t in latencies(result, usual) if t.title.endswith(where))
    summary = f"Median, 99th and 99.9th percentile and maximum for {len(here)} strategies, {where}."
    return Plot("latency", f"{title}: {where}", summary, canvas, table)


def _ends(one: Percentiles) -> str:
    return f"p99.9 {one.p999:,.0f}, max {one.max:,.0f}"


def _most_lcores(result: Result, own: At) -> tuple[int, int] | None:
    """The place of a family with the most lcores that each have a core."""
    spots = [s for s in places.spots(places.within(result, own)) if s[0] <= s[1]]
    return spots[-1] if spots else None


def against_memory(result: Result, usual: At) -> Plot | Absent:
    """Memory against overhead, a dot for each strategy."""
    title = "Memory against cost"
    spot = _most_lcores(result, usual)
    here = [
        (p.strategy, size, cost)
        for p in places.within(result, usual)
        if (p.at.lcores, p.at.cores) == spot
        and (size := figures.memory(result, p.strategy, p.at.lcores)) is not None
        and (cost := figures.overhead(p, result.workload.adds))
    ]
    if spot is None or not here:
        return Absent(title, "The memory of the strategies was not measured.")
    left, right, bottom = 76.0, WIDTH - 30.0, 360.0
    across = scale([size / 1024 for _, size, _ in here], left, right - 120, 1 / 64)
    values = [value for _, _, cost in here for value in (cost.q1, cost.q3)]
    upwards = scale(values, bottom, 16, LEAST)
    canvas = Canvas(WIDTH, bottom + 46)
    canvas.across(across, 16, bottom, "KiB allocated", tidy)
    canvas.upwards(upwards, left, right, TITLE)
    dots = [(across(size / 1024), upwards(cost.median)) for _, size, cost in here]
    taken = [(x - 7, y - 7, x + 7, y + 7) for x, y in dots]
    for (x, y), (name, size, cost) in zip(dots, here, strict=True):
        says = f"{name}: {places.size(size)}, {shown(cost)} {UNIT}"
        canvas.line(x, upwards(cost.q1), x, upwards(cost.q3), "bar s0")
        canvas.dots.append(Dot(x, y, "circle", "s0", says))
    for (x, y), (name, _, _) in zip(dots, here, strict=True):
        canvas.texts.append(free_spot(x, y, name, taken, right))
    rows = tuple((name, places.size(size), shown(cost)) for name, size, cost in here)
    head = ("strategy", "memory", UNIT)
    table = Table(f"{title}, {places.spot(*spot)}", head, rows)
    summary = f"Allocated memory and median overhead of {len(here)} strategies; bars: quartiles."
    return Plot("memory", f"{title}, {places.spot(*spot)}", summary, canvas, table)


def by_flows(result: Result, usual: At) -> Plot | Absent:
    """Overhead as the number of flows grows, a line for each strategy."""
    title = "Scaling with flows"
    spot = _most_lcores(result, usual)
    lines: dict[str, list[tuple[int, figures.Spread]]] = {}
    for point in places.measured(result):
        along = set(places.apart(places.family(point.at), usual)) <= {"flows"}
        cost = figures.overhead(point, result.workload.adds)
        if along and cost and (point.at.lcores, point.at.cores) == spot:
            lines.setdefault(point.strategy, []).append((point.at.flows, cost))
    counts = sorted({flows for line in lines.values() for flows, _ in line})
    if spot is None or len(counts) < 2:
        return Absent(title, "Only one number of flows was measured.")
    left, bottom = 76.0, 380.0
    right = WIDTH - 30 - CHARACTER * max(map(len, lines))
    across = scale(counts, left, right, 1.0)
    values = [v for line in lines.values() for _, cost in line for v in (cost.q1, cost.q3)]
    upwards = scale(values, bottom, 16, LEAST)
    canvas = Canvas(WIDTH, bottom + 46)
    canvas.across(across, 16, bottom, "flows", tidy, counts)
    canvas.upwards(upwards, left, right, TITLE)
    ends = []
    for number, (name, line) in enumerate(lines.items()):
        style, shape = f"s{number % 7}", SHAPES[number % len(SHAPES)]
        path = [(across(flows), upwards(cost.median)) for flows, cost in sorted(line, key=_first)]
        canvas.lines.append(Line(tuple(path), f"path {style}"))
        for flows, cost in line:
            x = across(flows)
            canvas.line(x, upwards(cost.q1), x, upwards(cost.q3), f"bar {style}")
            says = f"{name}, {flows:,} flows: {shown(cost)}"
            canvas.dots.append(Dot(x, upwards(cost.median), shape, style, says))
        ends.append((path[-1], name, style))
    heights = apart([end[1] for end, _, _ in ends], 15, 16, bottom)
    for (end, name, style), y in zip(ends, heights, strict=True):
        canvas.line(end[0] + 7, end[1], right + 20, y, "leader")
        canvas.texts.append(Text(right + 24, y + 4, name, style=style))
    ending = f"by flows, {places.spot(*spot)}, in {UNIT}"
    table = next(t for t in axes(result, usual) if t.title.endswith(ending))
    summary = f"Median overhead from {counts[0]:,} to {counts[-1]:,} flows; bars: quartiles."
    return Plot("flows", f"{title}, {places.spot(*spot)}", summary, canvas, table)


def _first(pair: tuple[int, figures.Spread]) -> int:
    return pair[0]
