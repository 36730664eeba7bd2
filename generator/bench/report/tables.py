# SPDX-License-Identifier: BSD-3-Clause
"""The tables of a report, the same for every output: cells are finished text."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from .. import figures
from ..result import At, Point, Result
from . import places
from .conditions import DECIDING, NONE, UNIT, calls, deciding, interval, readers
from .writers import Table

Row = tuple[str, ...]

PERCENTILES = {"p50": "p50", "p99": "p99", "p999": "p99.9", "max": "max"}
"""Percentiles that reports have, and their names there."""

BARE = {"floor": "(plain adds to a private line)", "atomic": "(lock add on shared lines)"}
"""Rows for baselines that are not strategies."""


def tables(result: Result) -> list[Table]:
    """All tables of a report, the most important ones first."""
    usual = places.base(result)
    if usual is None:
        return []
    every = [*calls(result, usual), overhead(result, usual), *readers(result, usual)]
    every += [ratios(result, usual), *axes(result, usual), *latencies(result, usual)]
    every += [memory(result), floor(result)]
    return [table for table in every if table.rows]


def overhead(result: Result, family: At, title: str = f"Overhead in {UNIT}") -> Table:
    """The table of the chapter: strategies in rows, numbers of lcores in columns."""
    spots = places.spots(places.within(result, family))
    notes = (
        "Median over the steady rounds, quartiles in parentheses; "
        "lost: updates that were not counted.",
        f"Here: {places.named(family)}.",
    )
    head = [text for spot in spots for text in (places.spot(*spot), "lost")]
    return _table(title, head, _rows(result, list(spots.values()), lost=True), *notes)


def _rows(result: Result, columns: list[list[Point]], lost: bool = False) -> Iterator[Row]:
    """The overhead of each strategy, then of the baselines; with what is lost beside it."""

    def cells(points: list[Point], key: str) -> Iterator[str]:
        yield interval(figures.pooled(points, result.workload.adds, key))
        if lost:
            yield _lost(points) if key == "generated" else ""

    for strategy in result.strategies:
        own = [[p for p in points if p.strategy == strategy] for points in columns]
        yield (strategy, *chain.from_iterable(cells(points, "generated") for points in own))
    for key, name in BARE.items():
        yield (name, *chain.from_iterable(cells(points, key) for points in columns))


def _lost(points: list[Point]) -> str:
    """Percent of the updates; only exactly nothing is 0 %."""
    share = figures.lost(points[0]) if points else None
    if share is None:
        return NONE
    return "0 %" if share == 0 else f"{share:.2g} %" if abs(share) < 1 else f"{share:.1f} %"


def _table(title: str, head: Iterable[str], rows: Iterable[Row], *notes: str) -> Table:
    """A table of the rows that have a figure."""
    filled = tuple(row for row in rows if any(cell not in (NONE, "") for cell in row[1:]))
    return Table(title, ("strategy", *head), filled, notes)


def ratios(result: Result, usual: At) -> Table:
    """Generated against hand-written code and against plain adds, in the tight loop if measured."""
    tight = usual.model_copy(update={"work": 0})
    family = tight if places.within(result, tight) else usual
    spots = places.spots(p for p in places.within(result, family) if not p.at.crowded)
    head = [text for s in spots for text in (f"/ by hand, {places.spot(*s)}", "/ plain adds")]
    rows = [
        (name, *(_ratio(here, name, to) for here in spots.values() for to in ("hand", "floor")))
        for name in result.strategies
    ]
    loop = "tight loop" if family.work == 0 else f"{family.work} cycles of work per packet"
    note = "~ marks ratios that may as well be 1: the difference is within the spread."
    return _table(f"Generated code against baselines, {loop}", head, rows, note)


def _ratio(points: list[Point], strategy: str, to: str) -> str:
    ratio = next((figures.ratio(p, to) for p in points if p.strategy == strategy), None)
    if ratio is None or ratio.value < 0:
        return NONE if ratio is None else places.NOISE
    return f"{ratio.value:.2f}" + ("" if ratio.decided else " ~")


def axes(result: Result, usual: At) -> Iterable[Table]:
    """A table along every axis that was varied by itself, and one for every other family."""
    others = {p.at.family: None for p in places.measured(result)}
    others.pop(usual)
    if deciding(result, usual):  # which has tables of its own
        spots = {family: places.spots(places.within(result, family)) for family in others}
        for family, here in spots.items():
            if {*places.differing(family, usual)} <= DECIDING and len(here) == 1:
                del others[family]
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


def _along(result: Result, axis: str, along: Sequence[At]) -> Iterator[Table]:
    points = [p for family in along for p in places.within(result, family)]
    head = [places.named(family, [axis]) or f"no {axis}" for family in along]
    for spot, here in places.spots(points).items():
        columns = [[point for point in here if point.at.family == family] for family in along]
        if sum(map(bool, columns)) > 1:
            title = f"Overhead by {axis}, {places.spot(*spot)}, in {UNIT}"
            yield _table(title, head, _rows(result, columns))


def latencies(result: Result, usual: At) -> Iterator[Table]:
    """Percentiles for one packet's updates, in the base family and wherever lcores share cores."""
    groups: dict[At, list[Point]] = {}
    for point in places.measured(result):
        if point.latency and (point.at.crowded or point.at.family == usual):
            groups.setdefault(point.at, []).append(point)
    for at, points in sorted(groups.items(), key=lambda pair: -pair[0].lcores / pair[0].cores):
        rows = [(point.strategy, *_latency([point], "generated")) for point in points]
        rows.append(("(the timer alone)", *_latency(points, "none")))
        title = f"Latency of the updates of one packet in cycles, {places.place(at, usual)}"
        yield _table(title, PERCENTILES.values(), rows, "Reading the clock is included.")


def _latency(points: Iterable[Point], key: str) -> Iterator[str]:
    """Each percentile, the median of it over some points."""
    timed = [times for point in points if (times := (point.latency or {}).get(key))]
    for name in PERCENTILES:
        values = [getattr(times, name) for times in timed]
        yield f"{statistics.median(values):,.0f}" if values else NONE


def memory(result: Result) -> Table:
    """What was allocated, and the cache lines that a packet touches; what is in objects of the
    application, which allocates it itself, is apart."""
    work = result.workload
    counts = sorted({lcores for sizes in work.memory.values() for lcores in sizes})
    rows = []
    for strategy in result.strategies:
        sizes = work.memory.get(strategy, {})
        lines = places.plain(work.lines[strategy]) if strategy in work.lines else NONE
        cells = (places.size(sizes[n]) if n in sizes else NONE for n in counts)
        inside = [places.size(work.objects.get(strategy, 0))] if work.objects else []
        rows.append((strategy, lines, *cells, *inside))
    head = ["lines per packet", *(places.spot(n, n) for n in counts)]
    notes = ["Bytes allocated, measured."]
    if work.objects:
        head.append("in objects")
        notes.append("Counters in objects are memory of the application, apart from the rest.")
    return _table("Memory", head, rows, *notes)


def floor(result: Result) -> Table:
    """What this machine cannot do faster."""
    series = {
        f"cache line from core {transfer.a} to core {transfer.b}, cycles": transfer.cycles
        for transfer in result.floor.transfer
    }
    series["reading the clock, cycles"] = result.floor.timer
    series["empty loop, cycles per packet"] = result.floor.empty
    rows = [(name, interval(figures.spread(values))) for name, values in series.items() if values]
    return Table("Lower bounds of this machine", ("what", "median"), tuple(rows))
