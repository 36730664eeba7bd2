# SPDX-License-Identifier: BSD-3-Clause
"""The tables of a report, the same for every output: cells are finished text."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from .. import figures
from ..result import At, Hardware, Percentiles, Point, Result
from . import places

NONE = "-"
"""A cell without a figure."""

UNIT = "cycles per counter update"

PERCENTILES = {"p50": "p50", "p99": "p99", "p999": "p99.9", "max": "max"}
"""Percentiles that reports have, and their names there."""

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
    every = [overhead(result, usual), ratios(result, usual), *axes(result, usual)]
    every += [*latencies(result, usual), hardware(result, usual), memory(result), floor(result)]
    return [table for table in every if table.rows]


def overhead(result: Result, family: At, title: str = "") -> Table:
    """The table of the chapter: strategies in rows, numbers of lcores in columns."""
    points = places.within(result, family)
    spots = places.spots(points)
    head = [text for spot in spots for text in (places.spot(*spot), "lost")]
    by_spot = {(p.strategy, p.at.spot): p for p in points}
    rows = []
    for strategy in result.strategies:
        costs = (_cost(result, by_spot.get((strategy, spot))) for spot in spots)
        rows.append((strategy, *chain(*costs)))
    for key, name in BARE.items():
        rows.append((name, *chain(*((_bare(result, points, spot, key), "") for spot in spots))))
    notes = (
        "Median over the rounds, quartiles in parentheses; lost: updates that were not counted.",
        f"Here: {places.named(family)}.",
    )
    return _table(title or f"Overhead in {UNIT}", head, rows, *notes)


def _table(title: str, head: Iterable[str], rows: Iterable[tuple[str, ...]], *notes: str) -> Table:
    """A table of the rows that have a figure."""
    filled = tuple(row for row in rows if any(cell not in (NONE, "") for cell in row[1:]))
    return Table(title, ("strategy", *head), filled, notes)


def _cost(result: Result, point: Point | None) -> tuple[str, str]:
    if point is None:
        return NONE, NONE
    lost = figures.lost(point)
    cost = figures.overhead(point, result.workload.adds)
    return interval(cost), NONE if lost is None else percent(lost)


def interval(figure: figures.Spread | None) -> str:
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
        if point.at.spot == spot
        for value in figures.series(point, result.workload.adds, key).values()
    ]
    return interval(figures.spread(values))


def ratios(result: Result, usual: At) -> Table:
    """Generated against hand-written code and against plain adds, in the tight loop if measured."""
    tight = usual.model_copy(update={"work": 0})
    family = tight if places.within(result, tight) else usual
    points = [p for p in places.within(result, family) if not p.at.crowded]
    spots = places.spots(points)
    head = [text for s in spots for text in (f"/ by hand, {places.spot(*s)}", "/ plain adds")]
    by_spot = {(p.strategy, p.at.spot): p for p in points}
    rows = [
        (name, *(_ratio(by_spot.get((name, s)), to) for s in spots for to in ("hand", "floor")))
        for name in result.strategies
    ]
    loop = "tight loop" if family.work == 0 else f"{family.work} cycles of work per packet"
    note = "~ marks ratios that may as well be 1: the difference is within the spread."
    return _table(f"Generated code against baselines, {loop}", head, rows, note)


def _ratio(point: Point | None, to: str) -> str:
    ratio = None if point is None else figures.ratio(point, to)
    return NONE if ratio is None else f"{ratio.value:.2f}" + ("" if ratio.decided else " ~")


def axes(result: Result, usual: At) -> Iterable[Table]:
    """A table along every axis that was varied by itself, and one for every other family."""
    others = {p.at.family: None for p in places.measured(result)}
    others.pop(usual)
    for axis in places.AXES:
        along = [family for family in others if places.differing(family, usual) == [axis]]
        if along:
            along = sorted([usual, *along], key=lambda family: getattr(family, axis))
            yield from _along(result, axis, along)
    for family in others:
        differing = places.differing(family, usual)
        if len(differing) > 1:
            title = f"Overhead with {places.named(family, differing)}, in {UNIT}"
            yield overhead(result, family, title)


def _along(result: Result, axis: str, along: Sequence[At]) -> Iterable[Table]:
    adds = result.workload.adds
    points = {family: places.within(result, family) for family in along}
    head = [places.named(family, [axis]) or f"no {axis}" for family in along]
    for spot in places.spots(p for family in along for p in points[family]):
        costs = {
            (p.strategy, family): interval(figures.overhead(p, adds))
            for family in along
            for p in points[family]
            if p.at.spot == spot
        }
        if len({family for _, family in costs}) < 2:
            continue
        rows = [
            (strategy, *(costs.get((strategy, family), NONE) for family in along))
            for strategy in result.strategies
        ]
        for key, name in BARE.items():
            rows.append((name, *(_bare(result, points[family], spot, key) for family in along)))
        yield _table(f"Overhead by {axis}, {places.spot(*spot)}, in {UNIT}", head, rows)


def latencies(result: Result, usual: At) -> Iterable[Table]:
    """Percentiles for one packet's updates, in the base family and wherever lcores share cores."""
    groups: dict[At, list[Point]] = {}
    for point in places.measured(result):
        if point.latency and (point.at.crowded or point.at.family == usual):
            groups.setdefault(point.at, []).append(point)
    for at, points in sorted(groups.items(), key=lambda pair: -pair[0].lcores / pair[0].cores):
        rows = [(p.strategy, *_latency((p.latency or {}).get("generated"))) for p in points]
        timers = [timer for p in points if (timer := (p.latency or {}).get("none"))]
        if timers:
            rows.append(("(the timer alone)", *_latency(_middle(timers))))
        title = f"Latency of the updates of one packet in cycles, {places.place(at, usual)}"
        yield _table(title, PERCENTILES.values(), rows, "Reading the clock is included.")


def _latency(percentiles: Percentiles | None) -> tuple[str, ...]:
    if percentiles is None:
        return (NONE,) * len(PERCENTILES)
    return tuple(f"{getattr(percentiles, name):,.0f}" for name in PERCENTILES)


def _middle(timers: Sequence[Percentiles]) -> Percentiles:
    values = {name: statistics.median(getattr(t, name) for t in timers) for name in PERCENTILES}
    return Percentiles(**values, samples=sum(timer.samples for timer in timers))


_COUNTERS = {
    "cycles": "core cycles",
    "instructions": "instructions",
    "l1d_misses": "L1 data misses",
    "llc_misses": "last-level misses",
}


def hardware(result: Result, usual: At) -> Table:
    """What the processor counted, in the base family; no rows where it gives nothing."""
    rows = [
        (f"{point.strategy}, {places.spot(*point.at.spot)}", *_counted(point.hardware))
        for point in places.within(result, usual)
        if point.hardware is not None
    ]
    return _table("Hardware counters per packet", _COUNTERS.values(), rows)


def _counted(hardware: Hardware) -> tuple[str, ...]:
    values = (getattr(hardware, name) for name in _COUNTERS)
    return tuple("not available here" if v is None else places.number(v) for v in values)


def memory(result: Result) -> Table:
    """What was allocated, and the cache lines that a packet touches."""
    work = result.workload
    counts = sorted({lcores for sizes in work.memory.values() for lcores in sizes})
    rows = []
    for strategy in result.strategies:
        sizes = work.memory.get(strategy, {})
        lines = places.plain(work.lines[strategy]) if strategy in work.lines else NONE
        cells = (places.size(sizes[n]) if n in sizes else NONE for n in counts)
        rows.append((strategy, lines, *cells))
    head = ("lines per packet", *(places.spot(n, n) for n in counts))
    return _table("Memory", head, rows, "Bytes allocated, measured.")


def floor(result: Result) -> Table:
    """What this machine cannot do faster."""
    series = {
        f"cache line from core {transfer.a} to core {transfer.b}, cycles": transfer.cycles
        for transfer in result.floor.transfer
    }
    series["reading the clock, cycles"] = result.floor.timer
    series["empty loop, cycles per packet"] = result.floor.empty
    rows = [(name, interval(figures.spread(values))) for name, values in series.items()]
    known = tuple(row for row in rows if row[1] != NONE)
    return Table("Lower bounds of this machine", ("what", "median"), known)
