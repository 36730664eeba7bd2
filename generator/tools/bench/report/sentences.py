# SPDX-License-Identifier: BSD-3-Clause
"""Sentences of a report: reliability of the figures, and notable results."""

from collections.abc import Iterator

from ....model.language.units import shown_size
from ....model.strategies.catalogue import usual
from .. import figures
from ..result import Result, Workload
from . import places

NAMED = 3  # most strategies that a verdict names as the cheapest


def verdict(result: Result) -> Iterator[str]:
    """The cheapest strategies on this machine that lose nothing, up to NAMED, and the cost of
    another: in the tight loop, with most lcores that each have a core."""
    family = places.base(result)
    if family is None:
        return
    tight = family.model_copy(update={"work": 0})
    family = tight if places.within(result, tight) else family
    points = [p for p in places.within(result, family) if not p.at.crowded]
    spot = max((p.at.spot for p in points), default=(0, 0))
    here = [p for p in points if p.at.spot == spot and not figures.lost(p)]
    costs = {p.strategy: c for p in here if (c := figures.overhead(p, result.workload.adds))}
    if not costs:
        return
    first, *others = sorted(costs, key=lambda name: costs[name].median)
    least = costs[first]
    alike = [name for name in others if costs[name].q1 <= least.q3]
    more = len(alike) + 1 - NAMED
    names = places.listed([first, *alike[: NAMED - 1], *([f"{more} others"] if more > 0 else [])])
    work = f"{family.work:,} cycles of work" if family.work else "tight loop"
    cycles = f"{places.number(least.median)} cycles an update" if least.q1 >= 0 else places.NOISE
    line = f"{names}: {cycles} with {places.spot(*spot)}, {family.flows:,} flows, {work}"
    left = [name for name in others if name not in alike]
    if left and least.q1 > 0:
        other = usual() if usual() in left else left[-1]
        line += f"; {other} costs {places.times(costs[other].median / least.median)}"
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
    if places.base(result) is None:
        return [*lines, "Nothing was measured."]
    lines += [_rounds(result), _lost(result)]
    ends = (".", "!", "?")
    return lines + [n[:1].upper() + n[1:] + "." * (not n.endswith(ends)) for n in result.notes]


def _rounds(result: Result) -> str:
    counts = {len(point.rounds) for point in places.measured(result)}
    low, high = min(counts), max(counts)
    many = str(low) if low == high else f"{low} to {high}"
    few = " Fewer than 6 rounds decide nothing." if low < 6 else ""
    return f"Every figure is of {many} round{'s' * (high > 1)}.{few}"


def _rounded(share: float) -> str:
    """Two digits, or all in front of the point."""
    return f"{share:.2g}" if share < 99.5 else f"{share:,.0f}"


def _lost(result: Result) -> str:
    worst: dict[str, float] = {}
    for point in places.measured(result):
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
