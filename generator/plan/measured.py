# SPDX-License-Identifier: BSD-3-Clause
"""The machine that `ctrgen bench` measured, in cycles of the core: bench.json has those of the time
stamp counter, and says in each round how many of them a cycle of the core is."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import replace

from ..bench.figures import clock, overhead
from ..bench.result import Result
from .machine import CORTEX_A72, EPYC, Cache, Machine


def machine_of(result: Result) -> Machine:
    """The machine that `ctrgen bench` measured. What it did not is that of a built-in one."""
    base = CORTEX_A72 if result.machine.arch.startswith(("aarch64", "arm")) else EPYC
    found = clock(result)
    ticks = found.median if found else 1.0
    measured = replace(
        base,
        name="measured",
        title=result.machine.cpu,
        hz=result.machine.tsc_hz / ticks,
        cores=result.machine.online,
        caches=_caches(result, base),
    )
    pairs = [pair.cycles for pair in result.floor.transfer if pair.cycles]
    if transfers := [statistics.median(cycles) / ticks for cycles in pairs]:
        measured = replace(measured, transfer=statistics.mean(transfers))
    if contended := _atomic(result, 2):
        measured = replace(measured, contended=statistics.median(contended))
    if locked := _atomic(result, 1):
        measured = replace(measured, locked=max(1.0, statistics.median(locked)))
    if not result.huge and (most := 2 * base.walks) < base.fills:
        measured = replace(measured, fills=most)  # each miss walks the page table first
    if chase := _loads([(one.bytes, one.cycles) for one in result.floor.chase], 1, ticks):
        measured = _with_levels(replace(measured, chase=chase))
        unused = [(one.unused, one.cycles) for one in result.floor.rest]
        measured = replace(measured, rest=_loads(unused, ticks, ticks))
    return measured


def _caches(result: Result, base: Machine) -> tuple[Cache, ...]:
    """Measured sizes with the latencies of the base machine, level by level."""
    known = {cache.level: cache for cache in base.caches}
    sizes = {c.level: c for c in result.machine.caches if c.type != "Instruction" and c.bytes}
    return (
        tuple(
            Cache(level, cache.bytes, known.get(level, base.caches[-1]).cycles, cache.shared_by)
            for level, cache in sorted(sizes.items())
        )
        or base.caches
    )


def _atomic(result: Result, lcores: int) -> list[float]:
    """Cycles of an atomic add to a line to which so many lcores keep adding, each on a core."""
    figures = (
        overhead(point, result.workload.adds, "atomic")
        for point in result.points
        if (point.at.lcores, point.at.api, point.at.scheduler) == (lcores, "single", "none")
        and lcores <= point.at.cores
    )
    return [figure.median for figure in figures if figure is not None]


def _loads(
    rows: Sequence[tuple[int, Sequence[float]]], scale: float, ticks: float
) -> tuple[tuple[int, float], ...]:
    """Cycles of the core for a load, by bytes or by cycles: medians of the tries, made to rise."""
    found = sorted((round(n / scale), statistics.median(c) / ticks) for n, c in rows if c and n)
    if len(found) < 2:
        return ()
    return tuple(zip((n for n, _ in found), _rising([c for _, c in found]), strict=True))


def _rising(values: Sequence[float]) -> list[float]:
    """Each value, or the least one behind it: what disturbs a measurement makes loads slower."""
    return list(itertools.accumulate(reversed(values), min))[::-1]


def _with_levels(machine: Machine) -> Machine:
    """The machine with the latency of each level read off its measured ones, and as much of the
    last cache as is its own: up to where a load takes half as long as from memory."""
    memory = machine.latency(2 * machine.caches[-1].size)
    inner = machine.chase[0][1]
    caches = []
    for cache in machine.caches[:-1]:
        inner = max(inner, machine.latency(cache.size / 2))
        caches.append(replace(cache, cycles=inner))
    last = machine.caches[-1]
    ours = max((octets for octets, c in machine.chase if c <= memory / 2), default=last.size)
    above = max((c.size for c in caches), default=0)
    size = max(above, min(last.size, ours))
    hit = max(inner, machine.latency(math.sqrt(max(1, above) * size)))
    return replace(machine, caches=(*caches, replace(last, size=size, cycles=hit)), memory=memory)
