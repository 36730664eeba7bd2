# SPDX-License-Identifier: BSD-3-Clause
"""The tables of a report, the same for every output: cells are finished text."""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ....model.language.units import shown_size
from .. import figures
from ..result import At, Point, Result
from . import places

NONE = "-"  # a cell without a figure

UNIT = "cycles per counter update"

PERCENTILES = {"p50": "p50", "p99": "p99", "p999": "p99.9", "max": "max"}  # their names in reports

BARE = {"floor": "(plain adds to a private line)", "atomic": "(lock add on shared lines)"}
"""Rows for baselines that are not strategies."""

QUOTA = "quota / without"  # the head of the ratio of updates that quotas may refuse

Columns = Mapping[str, Sequence[Point]]  # the points of each column of a table


class Table(NamedTuple):
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
    every = [*overheads(result, usual), ratios(result, usual), *latencies(result, usual)]
    every += [memory(result), kernel(result), floor(result)]
    return [table for table in every if table.rows]


def interval(figure: figures.Spread | None) -> str:
    """A figure with its quartiles; one whose first quartile is negative is below noise."""
    if figure is None:
        return NONE
    if figure.q1 < 0:
        return places.NOISE + (f" (< {places.number(figure.q3)})" if figure.q3 > 0 else "")
    text = places.number(figure.median)
    if figure.n == 1:
        return text
    return f"{text} ({places.number(figure.q1)} .. {places.number(figure.q3)})"


def _table(title: str, head: Iterable[str], rows: Iterable[Sequence[str]], *notes: str) -> Table:
    """A table of the rows that have a figure."""
    filled = (tuple(row) for row in rows if any(cell != NONE for cell in row[1:]))
    return Table(title, ("strategy", *head), tuple(filled), notes)


def overheads(result: Result, usual: At) -> Iterator[Table]:
    """For each family a table by lcores, and by flows where these differ; the usual one first."""
    families: dict[At, list[Point]] = {usual: []}
    for point in places.measured(result):
        family = point.at.family.model_copy(update={"flows": usual.flows})
        families.setdefault(family, []).append(point)
    for family, points in families.items():
        known = {point.at.flows for point in points}
        flows = usual.flows if usual.flows in known else min(known)
        here = family.model_copy(update={"flows": flows})
        differing = places.named(here, places.differing(here, usual))
        title = f"Overhead with {differing}" if differing else "Overhead"
        spots = places.spots(points)
        columns = {
            places.spot(*spot): [point for point in each if point.at.flows == flows]
            for spot, each in spots.items()
        }
        yield _overheads(result, title, {name: each for name, each in columns.items() if each})
        for spot, each in spots.items():
            counts = sorted({point.at.flows for point in each})
            if counts != [flows]:
                by_flows = {f"{n:,} flows": [p for p in each if p.at.flows == n] for n in counts}
                yield _overheads(result, f"{title}, {places.spot(*spot)}", by_flows)


def _overheads(result: Result, title: str, columns: Columns) -> Table:
    """The overhead of each strategy, then of the baselines."""
    adds = result.workload.adds

    def cell(points: Sequence[Point], key: str) -> str:
        text = interval(figures.pooled(points, adds, key))
        share = figures.lost(points[0]) if points and key == "generated" else None
        return f"{text}, lost {share:.2g} %" if share else text

    rows = [
        (name, *(cell([p for p in c if p.strategy == name], "generated") for c in columns.values()))
        for name in result.strategies
    ]
    rows += [(name, *(cell(c, key) for c in columns.values())) for key, name in BARE.items()]
    note = "Median over the steady rounds, quartiles in parentheses; updates that were lost."
    return _table(f"{title}, in {UNIT}", columns, rows, note)


def ratios(result: Result, usual: At) -> Table:
    """Generated against hand-written code and against plain adds, in the tight loop if measured;
    updates with quotas against the same without."""
    tight = usual.model_copy(update={"work": 0})
    family = tight if places.within(result, tight) else usual
    spots = places.spots(p for p in places.within(result, family) if not p.at.crowded)
    limited = any(r.quota is not None for here in spots.values() for p in here for r in p.rounds)
    kinds = {"/ by hand": "hand", "/ plain adds": "floor"} | ({QUOTA: "free"} if limited else {})
    head = [f"{kind}, {places.spot(*s)}" for s in spots for kind in kinds]
    rows = [
        (name, *(_ratio(here, name, to) for here in spots.values() for to in kinds.values()))
        for name in result.strategies
    ]
    loop = "tight loop" if family.work == 0 else f"{family.work} cycles of work per packet"
    note = "~ marks ratios that may as well be 1: the difference is within the spread."
    return _table(f"Generated code against baselines, {loop}", head, rows, note)


def _ratio(points: Sequence[Point], strategy: str, to: str) -> str:
    of = "quota" if to == "free" else "generated"
    ratio = next((figures.ratio(p, to, of) for p in points if p.strategy == strategy), None)
    if ratio is None or ratio.value < 0:
        return NONE if ratio is None else places.NOISE
    return f"{ratio.value:.2f}" + ("" if ratio.decided else " ~")


def latencies(result: Result, usual: At) -> Iterator[Table]:
    """Percentiles of single calls, in the base family, where lcores share cores, and next to reads
    and resets: how many of these there were, and how long one took."""
    groups: dict[At, list[Point]] = {}
    for point in places.measured(result):
        passes = point.at.reads or point.at.resets
        timed = point.latency and (point.at.crowded or point.at.family == usual)
        if passes or timed:
            groups.setdefault(point.at, []).append(point)
    for at, points in sorted(groups.items(), key=lambda pair: -pair[0].lcores / pair[0].cores):
        what = "a burst" if at.reads or at.resets else "one packet"
        rows = [(p.strategy, *_latency([p], "generated"), *_passes(p)) for p in points]
        rows.append(("(the timer alone)", *_latency(points, "none"), NONE, NONE))
        head = (*PERCENTILES.values(), "passes a second", "ms of one")
        if not (at.reads or at.resets):
            head, rows = head[:-2], [row[:-2] for row in rows]
        title = f"Latency of the updates of {what} in TSC cycles, {places.place(at, usual)}"
        yield _table(title, head, rows, "Reading the clock is included.")


def _latency(points: Iterable[Point], key: str) -> Iterator[str]:
    """Each percentile, the median of it over some points."""
    timed = [times for point in points if (times := (point.latency or {}).get(key))]
    for name in PERCENTILES:
        values = [getattr(times, name) for times in timed]
        yield f"{statistics.median(values):,.0f}" if values else NONE


def _passes(point: Point) -> tuple[str, str]:
    """Reads or resets of everything a second, and the milliseconds of one."""
    every = [(r.reads if point.at.reads else r.resets, r.ms) for r in point.rounds]
    known = [(passes, ms) for passes, ms in every if passes is not None and ms]
    rates = [1000 * passes.count / ms for passes, ms in known]
    each = [passes.ms / passes.count for passes, _ in known if passes.count]
    rate, one = (places.number(statistics.median(v)) if v else NONE for v in (rates, each))
    return rate, one


def memory(result: Result) -> Table:
    """Bytes allocated, and cache lines of a packet; bytes in objects of the application apart."""
    work = result.workload
    counts = sorted({lcores for sizes in work.memory.values() for lcores in sizes})
    rows = []
    for strategy in result.strategies:
        sizes = work.memory.get(strategy, {})
        lines = places.plain(work.lines[strategy]) if strategy in work.lines else NONE
        cells = (shown_size(sizes[n]) if n in sizes else NONE for n in counts)
        inside = [shown_size(work.objects.get(strategy, 0))] if work.objects else []
        rows.append((strategy, lines, *cells, *inside))
    head = ["lines per packet", *(places.spot(n, n) for n in counts)]
    head += ["in objects"] if work.objects else []
    return _table("Memory", head, rows, "Bytes allocated, measured.")


def kernel(result: Result) -> Table:
    """Programs in the kernel."""
    programs = {"none": "not counting", "generated": "generated"}
    programs |= {"hash": "by hand, per-CPU hash", "array": "by hand, per-CPU array"}
    rows = (
        (row.strategy, *(interval(figures.spread(getattr(row, name))) for name in programs))
        for row in result.kernel
    )
    note = "By hand: as many plain adds; packets of one flow, by BPF_PROG_TEST_RUN."
    return _table("XDP: ns of a program's run", programs.values(), rows, note)


def floor(result: Result) -> Table:
    """Lower bounds of this machine."""
    series = {
        f"cache line from core {transfer.a} to core {transfer.b}, cycles": transfer.cycles
        for transfer in result.floor.transfer
    }
    series["reading the clock, cycles"] = result.floor.timer
    series["empty loop, cycles per packet"] = result.floor.empty
    rows = ((name, interval(figures.spread(v))) for name, v in series.items() if v)
    return Table("Lower bounds of this machine", ("what", "median"), tuple(rows))
