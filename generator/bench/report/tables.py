# SPDX-License-Identifier: BSD-3-Clause
"""The tables of a report, the same for every output: cells are finished text."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .. import figures
from ..result import At, Hardware, Percentiles, Point, Result
from . import places

NONE = "-"
"""A cell without a figure."""

UNIT = "cycles per counter update"

BARE = {"floor": "(plain adds to a private line)", "atomic": "(lock add on shared lines)"}
"""Rows for baselines that are not strategies."""


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a head, rows of cells, and notes below. The first column is text."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def tables(result: Result) -> list[Table]:
    """All tables of a report, the most important ones first."""
    usual = places.base(result)
    if usual is None:
        return []
    found: list[Table | None] = [overhead(result, usual), ratios(result, usual)]
    found += axes(result, usual)
    found += latencies(result, usual)
    found += [hardware(result, usual), memory(result), floor(result)]
    return [table for table in found if table is not None and table.rows]


def overhead(result: Result, own: At, title: str = "") -> Table:
    """The table of the chapter: strategies in rows, numbers of lcores in columns."""
    points = places.within(result, own)
    spots = places.spots(points)
    head, rows = ["strategy"], []
    for spot in spots:
        head += [places.spot(*spot), "lost"]
    by = {(p.strategy, p.at.lcores, p.at.cores): p for p in points}
    for strategy in result.strategies:
        cells = [_cost(result, by.get((strategy, *spot))) for spot in spots]
        if any(cell[0] != NONE for cell in cells):
            rows.append((strategy, *(text for cell in cells for text in cell)))
    for key, name in BARE.items():
        cells = [(_bare(result, points, spot, key), "") for spot in spots]
        if any(cell[0] != NONE for cell in cells):
            rows.append((name, *(text for cell in cells for text in cell)))
    notes = (
        "Median over the rounds, quartiles in parentheses; lost: updates that were not counted.",
        f"Here: {places.named(own)}.",
    )
    return Table(title or f"Overhead in {UNIT}", tuple(head), tuple(rows), notes)


def _cost(result: Result, point: Point | None) -> tuple[str, str]:
    if point is None:
        return NONE, NONE
    lost = figures.lost(point)
    cost = figures.overhead(point, result.workload.adds)
    return shown(cost), NONE if lost is None else percent(lost)


def shown(figure: figures.Spread | None) -> str:
    """A figure with its quartiles."""
    if figure is None:
        return NONE
    text = places.number(figure.median)
    if figure.n == 1:
        return text
    return f"{text} ({places.number(figure.q1)} .. {places.number(figure.q3)})"


def percent(value: float) -> str:
    """Percent; only exactly nothing is 0 %."""
    if value == 0:
        return "0 %"
    return f"{value:.2g} %" if abs(value) < 1 else f"{value:.1f} %"


def _bare(result: Result, points: Sequence[Point], spot: tuple[int, int], key: str) -> str:
    values = [
        value
        for point in points
        if (point.at.lcores, point.at.cores) == spot
        for value in figures.series(point, result.workload.adds, key).values()
    ]
    return shown(figures.spread(values))


def ratios(result: Result, usual: At) -> Table | None:
    """Generated against hand-written code and against plain adds, in the tight loop if measured."""
    tight = usual.model_copy(update={"work": 0})
    own = tight if places.within(result, tight) else usual
    points = [p for p in places.within(result, own) if p.at.lcores <= p.at.cores]
    spots = places.spots(points)
    head, rows = ["strategy"], []
    for spot in spots:
        head += [f"/ by hand, {places.spot(*spot)}", "/ plain adds"]
    for strategy in result.strategies:
        cells = []
        for spot in spots:
            here = [p for p in points if (p.at.lcores, p.at.cores) == spot]
            mine = next((p for p in here if p.strategy == strategy), None)
            cells += [_ratio(mine, "hand"), _ratio(mine, "floor")]
        if any(cell != NONE for cell in cells):
            rows.append((strategy, *cells))
    if not rows:
        return None
    loop = "tight loop" if own.work == 0 else f"{own.work} cycles of work per packet"
    notes = ("~ marks ratios that may as well be 1: the difference is within the spread.",)
    return Table(f"Generated code against baselines, {loop}", tuple(head), tuple(rows), notes)


def _ratio(point: Point | None, to: str) -> str:
    found = None if point is None else figures.ratio(point, to)
    return NONE if found is None else f"{found.value:.2f}" + ("" if found.decided else " ~")


def axes(result: Result, usual: At) -> Iterable[Table]:
    """A table along every axis that was varied by itself, and one for every other family."""
    others = {places.family(p.at): None for p in places.measured(result)}
    others.pop(usual)
    for axis in places.AXES:
        along = [own for own in others if places.apart(own, usual) == [axis]]
        if along:
            along = sorted([usual, *along], key=lambda own: getattr(own, axis))
            yield from _along(result, axis, along)
    for own in others:
        differing = places.apart(own, usual)
        if len(differing) > 1:
            title = f"Overhead with {places.named(own, differing)}, in {UNIT}"
            yield overhead(result, own, title)


def _along(result: Result, axis: str, along: Sequence[At]) -> Iterable[Table]:
    adds = result.workload.adds
    points = [point for own in along for point in places.within(result, own)]
    head = ("strategy", *(places.named(own, [axis]) or f"no {axis}" for own in along))
    for spot in places.spots(points):
        here = {
            (p.strategy, getattr(p.at, axis)): p
            for p in points
            if (p.at.lcores, p.at.cores) == spot
        }
        if len({value for _, value in here}) < 2:
            continue
        rows = []
        for strategy in result.strategies:
            own = [here.get((strategy, getattr(f, axis))) for f in along]
            if any(own):
                cells = [NONE if p is None else shown(figures.overhead(p, adds)) for p in own]
                rows.append((strategy, *cells))
        for key, name in BARE.items():
            bare = [_bare(result, places.within(result, own), spot, key) for own in along]
            if any(cell != NONE for cell in bare):
                rows.append((name, *bare))
        title = f"Overhead by {axis}, {places.spot(*spot)}, in {UNIT}"
        yield Table(title, head, tuple(rows))


def latencies(result: Result, usual: At) -> Iterable[Table]:
    """Percentiles for one packet's updates, in the base family and wherever lcores share cores."""
    groups: dict[At, list[Point]] = {}
    for point in places.measured(result):
        crowded = point.at.lcores > point.at.cores
        if point.latency and (crowded or places.family(point.at) == usual):
            groups.setdefault(point.at, []).append(point)
    head = ("strategy", "p50", "p99", "p99.9", "max")
    for at, points in sorted(groups.items(), key=lambda pair: -pair[0].lcores / pair[0].cores):
        rows = [(p.strategy, *_latency((p.latency or {}).get("generated"))) for p in points]
        timers = [timer for p in points if (timer := (p.latency or {}).get("none"))]
        if timers:
            rows.append(("(the timer alone)", *_latency(_middle(timers))))
        title = f"Latency of the updates of one packet in cycles, {places.place(at, usual)}"
        yield Table(title, head, tuple(rows), ("Reading the clock is included.",))


def _latency(found: Percentiles | None) -> tuple[str, ...]:
    if found is None:
        return (NONE,) * 4
    return tuple(f"{value:,.0f}" for value in (found.p50, found.p99, found.p999, found.max))


def _middle(found: Sequence[Percentiles]) -> Percentiles:
    names = ("p50", "p99", "p999", "max")
    values = {name: statistics.median(getattr(one, name) for one in found) for name in names}
    return Percentiles(**values, samples=sum(one.samples for one in found))


_COUNTERS = {
    "cycles": "core cycles",
    "instructions": "instructions",
    "l1d_misses": "L1 data misses",
    "llc_misses": "last-level misses",
}


def hardware(result: Result, usual: At) -> Table | None:
    """What the processor counted, in the base family; None where it gives nothing."""
    rows = []
    for point in places.within(result, usual):
        if point.hardware is not None:
            name = f"{point.strategy}, {places.spot(point.at.lcores, point.at.cores)}"
            rows.append((name, *_counted(point.hardware)))
    if not rows:
        return None
    head = ("strategy", *_COUNTERS.values())
    return Table("Hardware counters per packet", head, tuple(rows))


def _counted(found: Hardware) -> tuple[str, ...]:
    values = (getattr(found, name) for name in _COUNTERS)
    return tuple("not available here" if v is None else places.number(v) for v in values)


def memory(result: Result) -> Table | None:
    """What was allocated, and the cache lines that a packet touches."""
    work = result.workload
    counts = sorted({lcores for sizes in work.memory.values() for lcores in sizes})
    rows = []
    for strategy in result.strategies:
        sizes = work.memory.get(strategy, {})
        cells = [places.size(sizes[n]) if n in sizes else NONE for n in counts]
        lines = places.plain(work.lines[strategy]) if strategy in work.lines else NONE
        if any(cell != NONE for cell in [*cells, lines]):
            rows.append((strategy, lines, *cells))
    head = ("strategy", "lines per packet", *(places.spot(n, n) for n in counts))
    return Table("Memory", head, tuple(rows), ("Bytes allocated, measured.",)) if rows else None


def floor(result: Result) -> Table | None:
    """What this machine cannot do faster."""
    rows = []
    for transfer in result.floor.transfer:
        name = f"cache line from core {transfer.a} to core {transfer.b}, cycles"
        rows.append((name, shown(figures.spread(transfer.cycles))))
    rows.append(("reading the clock, cycles", shown(figures.spread(result.floor.timer))))
    rows.append(("empty loop, cycles per packet", shown(figures.spread(result.floor.empty))))
    found = tuple(row for row in rows if row[1] != NONE)
    return Table("Lower bounds of this machine", ("what", "median"), found) if found else None
