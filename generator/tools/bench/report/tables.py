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
    every = [*overheads(result, usual), ratios(result, usual), *readers(result)]
    every += [memory(result), kernel(result)]
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
        if len(spots) > 1 or known == {flows}:  # else the table by flows has it
            yield _overheads(result, title, {name: each for name, each in columns.items() if each})
        for spot, each in spots.items():
            counts = sorted({point.at.flows for point in each})
            if counts != [flows]:
                by_flows = {f"{n:,} flows": [p for p in each if p.at.flows == n] for n in counts}
                yield _overheads(result, f"{title}, {places.spot(*spot)}", by_flows)


def _overheads(result: Result, title: str, columns: Columns) -> Table:
    """The overhead of each strategy."""

    def cell(points: Sequence[Point], name: str) -> str:
        point = next((p for p in points if p.strategy == name), None)
        if point is None:
            return NONE
        text, share = interval(figures.overhead(point, result.workload.adds)), figures.lost(point)
        return f"{text}, lost {share:.2g} %" if share else text

    rows = [(name, *(cell(points, name) for points in columns.values()))
            for name in result.strategies]  # fmt: skip
    note = "Median over the steady rounds, quartiles in parentheses; updates that were lost."
    return _table(f"{title}, in {UNIT}", columns, rows, note)


def ratios(result: Result, usual: At) -> Table:
    """Generated against hand-written code, in the tight loop if measured; updates with quotas
    against the same without."""
    tight = usual.model_copy(update={"work": 0})
    family = tight if places.within(result, tight) else usual
    spots = places.spots(p for p in places.within(result, family) if not p.at.crowded)
    limited = any(r.quota is not None for here in spots.values() for p in here for r in p.rounds)
    kinds = {"/ by hand": "hand"} | ({QUOTA: "free"} if limited else {})
    head = [f"{kind}, {places.spot(*s)}" for s in spots for kind in kinds]
    rows = [
        (name, *(_ratio(here, name, to) for here in spots.values() for to in kinds.values()))
        for name in result.strategies
    ]
    loop = "tight loop" if family.work == 0 else f"{family.work} cycles of work per packet"
    return _table(f"Generated code against baselines, {loop}", head, rows)


def _ratio(points: Sequence[Point], strategy: str, to: str) -> str:
    of = "quota" if to == "free" else "generated"
    ratio = next((figures.ratio(p, to, of) for p in points if p.strategy == strategy), None)
    if ratio is None:
        return NONE
    return f"{ratio:.2f}" if ratio >= 0 else places.NOISE


def readers(result: Result) -> Iterator[Table]:
    """Snapshots, or resets of everything, next to updates."""
    points = [point for point in places.measured(result) if not point.at.alone]
    for at in dict.fromkeys(point.at for point in points):
        rows = ((p.strategy, *_passes(p)) for p in points if p.at == at)
        head = ("a second", "ms of one")
        what = "Snapshots" if at.reads else "Resets of everything"
        yield _table(f"{what}, {places.spot(*at.spot)}, {places.named(at)}", head, rows)


def _passes(point: Point) -> tuple[str, str]:
    """Snapshots a second, or resets, and the milliseconds of one."""
    every = [(r.reads if point.at.reads else r.resets, r.ms) for r in point.rounds]
    rates = [1000 * passes.count / ms for passes, ms in every if ms]
    each = [passes.ms / passes.count for passes, _ in every if passes.count]
    rate, one = (places.number(statistics.median(v)) if v else NONE for v in (rates, each))
    return rate, one


def memory(result: Result) -> Table:
    """Bytes allocated."""
    sizes = result.workload.memory
    counts = sorted({lcores for each in sizes.values() for lcores in each})
    rows = []
    for strategy in result.strategies:
        each = sizes.get(strategy, {})
        rows.append((strategy, *(shown_size(each[n]) if n in each else NONE for n in counts)))
    head = (places.spot(n, n) for n in counts)
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
