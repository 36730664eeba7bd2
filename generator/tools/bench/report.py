# SPDX-License-Identifier: BSD-3-Clause
"""The report of a benchmark, text for a terminal: the verdict, facts, tables of finished text, and
sentences about the reliability of the figures and notable results."""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...model.language.units import shown_size
from ...model.naming.lines import listed
from ...model.strategies.catalogue import usual
from ...output.tables import grid, wrapped
from . import figures
from .result import At, Point, Result, Workload

NAMED = 3  # most strategies that a verdict names as the cheapest
NONE = "-"  # a cell without a figure
UNIT = "cycles per counter update"
QUOTA = "quota / without"  # the head of the ratio of updates that quotas may refuse
Columns = Mapping[str, Sequence[Point]]  # the points of each column of a table


def text(result: Result) -> str:
    """Verdict, facts with labels, tables, sentences."""
    parts = ["".join(map(wrapped, verdict(result)))]
    parts.append("".join(wrapped(fact, f"{name:10}  ") for name, fact in facts(result)))
    for table in tables(result):
        cells = grid(table.head, table.rows, range(1, len(table.head)))
        notes = "".join(wrapped(note, "  ") for note in table.notes)
        parts.append(f"{table.title}\n{cells}{notes}")
    parts.append("".join(wrapped(sentence, "* ") for sentence in sentences(result)))
    return "\n".join(part for part in parts if part)


def verdict(result: Result) -> Iterator[str]:
    """The cheapest strategies on this machine that lose nothing, up to NAMED, and the cost of
    another: in the tight loop, with most lcores that each have a core."""
    family = figures.base(result)
    if family is None:
        return
    tight = family.model_copy(update={"work": 0})
    family = tight if figures.within(result, tight) else family
    points = [p for p in figures.within(result, family) if not p.at.crowded]
    spot = max((p.at.spot for p in points), default=(0, 0))
    here = [p for p in points if p.at.spot == spot and not figures.lost(p)]
    costs = {p.strategy: c for p in here if (c := figures.overhead(p, result.workload.adds))}
    if not costs:
        return
    first, *others = sorted(costs, key=lambda name: costs[name].median)
    least = costs[first]
    alike = [name for name in others if costs[name].q1 <= least.q3]
    more = len(alike) + 1 - NAMED
    names = listed([first, *alike[: NAMED - 1], *([f"{more} others"] if more > 0 else [])])
    work = f"{family.work:,} cycles of work" if family.work else "tight loop"
    cycles = f"{figures.number(least.median)} cycles an update" if least.q1 >= 0 else figures.NOISE
    line = f"{names}: {cycles} with {figures.spot(*spot)}, {family.flows:,} flows, {work}"
    left = [name for name in others if name not in alike]
    if left and least.q1 > 0:
        other = usual() if usual() in left else left[-1]
        line += f"; {other} costs {figures.times(costs[other].median / least.median)}"
    yield line


def facts(result: Result) -> list[tuple[str, str]]:
    """Workload, machine and build: pairs of a label and its text."""
    machine, work, build = result.machine, result.workload, result.build
    caches = [
        f"L{cache.level} {shown_size(cache.bytes)}"
        + (f" shared by {cache.shared_by}" if cache.shared_by > 1 else "")
        for cache in machine.caches
        if cache.type != "Instruction"
    ]
    tsc, cycles = machine.tsc_hz / 1e9, figures.clock(result)
    clock = f"cores at {tsc / cycles.median:.2f} GHz; TSC {tsc:.2f} GHz" if cycles else ""
    clock = clock or f"{tsc:.2f} GHz clock"
    cores = f"{', '.join(map(str, machine.cores))} of {machine.online}"
    kind = "virtual machine" if machine.virtual else "no virtual machine seen"
    updates = ", ".join(_called(work, name) for name in work.updates)
    return [
        ("Schema", f"{result.schema_.file} (module {result.schema_.module})"),
        ("Per packet", f"{updates}: {work.adds:.4g} counter update" + "s" * (work.adds > 1)),
        ("Processor", f"{machine.cpu} ({machine.arch}), {clock}"),
        ("Cores", f"{cores}, {machine.threads_per_core} thread(s) each, {kind}"),
        ("Caches", ", ".join(caches) or "unknown"),
        ("System", f"{machine.kernel}, clock governor {machine.governor or 'unknown'}"),
        ("Pages", "huge (hugetlbfs)" if work.huge else "small (--no-huge)"),
        ("Build", f"{build.compiler} {' '.join(build.cflags)}"),
        ("DPDK", build.dpdk),
        ("Made", f"{result.made} by ctrgen {result.ctrgen}: {' '.join(result.command)}"),
    ]


def _called(work: Workload, name: str) -> str:
    """An update, and one packet in how many it is called for."""
    return f"{name} (1 in {work.every[name]})" if name in work.every else name


def sentences(result: Result) -> list[str]:
    """Warnings and conclusions in addition to the tables."""
    lines = [] if result.complete else ["The run was interrupted; its finished rounds are shown."]
    if figures.base(result) is None:
        return [*lines, "Nothing was measured."]
    lines += [_rounds(result), _lost(result)]
    ends = (".", "!", "?")
    return lines + [n[:1].upper() + n[1:] + "." * (not n.endswith(ends)) for n in result.notes]


def _rounds(result: Result) -> str:
    counts = {len(point.rounds) for point in figures.measured(result)}
    low, high = min(counts), max(counts)
    many = str(low) if low == high else f"{low} to {high}"
    few = " Fewer than 6 rounds decide nothing." if low < 6 else ""
    return f"Every figure is of {many} round{'s' * (high > 1)}.{few}"


def _rounded(share: float) -> str:
    """Two digits, or all in front of the point."""
    return f"{share:.2g}" if share < 99.5 else f"{share:,.0f}"


def _lost(result: Result) -> str:
    worst: dict[str, float] = {}
    for point in figures.measured(result):
        if share := figures.lost(point):
            worst[point.strategy] = max(worst.get(point.strategy, share), share, key=abs)
    if not worst:
        return "Every strategy counted every update."
    losses = [
        f"{name} lost up to {_rounded(share)} % of its updates"
        if share > 0
        else f"{name} counted up to {_rounded(-share)} % too much"
        for name, share in worst.items()
    ]
    every = len(worst) == len(result.strategies)
    return "; ".join(losses) + ("." if every else "; all others counted every update.")


class Table(NamedTuple):
    """A title, a head, rows of cells, and notes below. The first column is text."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def tables(result: Result) -> list[Table]:
    """All tables of a report, the most important ones first."""
    base = figures.base(result)
    if base is None:
        return []
    every = [*overheads(result, base), ratios(result, base), *readers(result)]
    every += [memory(result), kernel(result)]
    return [table for table in every if table.rows]


def interval(figure: figures.Spread | None) -> str:
    """A figure with its quartiles; one whose first quartile is negative is below noise."""
    if figure is None:
        return NONE
    if figure.q1 < 0:
        return figures.NOISE + (f" (< {figures.number(figure.q3)})" if figure.q3 > 0 else "")
    text = figures.number(figure.median)
    if figure.n == 1:
        return text
    return f"{text} ({figures.number(figure.q1)} .. {figures.number(figure.q3)})"


def _table(title: str, head: Iterable[str], rows: Iterable[Sequence[str]], *notes: str) -> Table:
    """A table of the rows that have a figure."""
    filled = (tuple(row) for row in rows if any(cell != NONE for cell in row[1:]))
    return Table(title, ("strategy", *head), tuple(filled), notes)


def overheads(result: Result, base: At) -> Iterator[Table]:
    """For each family a table by lcores, and by flows where these differ; the usual one first."""
    families: dict[At, list[Point]] = {base: []}
    for point in figures.measured(result):
        family = point.at.family.model_copy(update={"flows": base.flows})
        families.setdefault(family, []).append(point)
    for family, points in families.items():
        known = {point.at.flows for point in points}
        flows = base.flows if base.flows in known else min(known)
        here = family.model_copy(update={"flows": flows})
        differing = figures.named(here, figures.differing(here, base))
        title = f"Overhead with {differing}" if differing else "Overhead"
        spots = figures.spots(points)
        columns = {
            figures.spot(*spot): [point for point in each if point.at.flows == flows]
            for spot, each in spots.items()
        }
        if len(spots) > 1 or known == {flows}:  # else the table by flows has it
            yield _overheads(result, title, {name: each for name, each in columns.items() if each})
        for spot, each in spots.items():
            counts = sorted({point.at.flows for point in each})
            if counts != [flows]:
                by_flows = {f"{n:,} flows": [p for p in each if p.at.flows == n] for n in counts}
                yield _overheads(result, f"{title}, {figures.spot(*spot)}", by_flows)


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


def ratios(result: Result, base: At) -> Table:
    """Generated against hand-written code, in the tight loop if measured; updates with quotas
    against the same without."""
    tight = base.model_copy(update={"work": 0})
    family = tight if figures.within(result, tight) else base
    spots = figures.spots(p for p in figures.within(result, family) if not p.at.crowded)
    limited = any(r.quota is not None for here in spots.values() for p in here for r in p.rounds)
    kinds = {"/ by hand": "hand"} | ({QUOTA: "free"} if limited else {})
    head = [f"{kind}, {figures.spot(*s)}" for s in spots for kind in kinds]
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
    return f"{ratio:.2f}" if ratio >= 0 else figures.NOISE


def readers(result: Result) -> Iterator[Table]:
    """Snapshots, or resets of everything, next to updates."""
    points = [point for point in figures.measured(result) if not point.at.alone]
    for at in dict.fromkeys(point.at for point in points):
        rows = ((p.strategy, *_passes(p)) for p in points if p.at == at)
        head = ("a second", "ms of one")
        what = "Snapshots" if at.reads else "Resets of everything"
        yield _table(f"{what}, {figures.spot(*at.spot)}, {figures.named(at)}", head, rows)


def _passes(point: Point) -> tuple[str, str]:
    """Snapshots a second, or resets, and the milliseconds of one."""
    every = [(r.reads if point.at.reads else r.resets, r.ms) for r in point.rounds]
    rates = [1000 * passes.count / ms for passes, ms in every if ms]
    each = [passes.ms / passes.count for passes, _ in every if passes.count]
    rate, one = (figures.number(statistics.median(v)) if v else NONE for v in (rates, each))
    return rate, one


def memory(result: Result) -> Table:
    """Bytes allocated."""
    sizes = result.workload.memory
    counts = sorted({lcores for each in sizes.values() for lcores in each})
    rows = []
    for strategy in result.strategies:
        each = sizes.get(strategy, {})
        rows.append((strategy, *(shown_size(each[n]) if n in each else NONE for n in counts)))
    head = (figures.spot(n, n) for n in counts)
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
