# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of a machine for the cost model; docs/benchmark.md lists their sources."""

import bisect
import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...findings.suggest import did_you_mean
from ...findings.usage import UsageError
from ..bench.figures import clock, overhead
from ..bench.result import Result, load

ATOMIC_ENTRIES = 8  # of the window: micro-operations of LOCK ADD m64 on Skylake (uops.info)


@dataclass(frozen=True, slots=True)
class Cache:
    """One level: `size` in bytes, `cycles` of a load that hits it, cores that share one."""

    level: int
    size: int
    cycles: float
    shared_by: int = 1


@dataclass(frozen=True, slots=True)
class Machine:
    """Figures of a machine, in core clock cycles unless stated otherwise."""

    name: str
    title: str
    hz: float  # the clock
    cores: int
    width: float  # instructions that a cycle can take in
    window: int  # instructions in flight at a time
    fills: int  # cache lines that a core waits for at a time
    stores: int  # stores that wait for their lines
    walks: int  # addresses that are looked up in page tables at a time
    locked: float  # an atomic read-modify-write of a line in L1
    fence: float  # a store barrier
    caches: tuple[Cache, ...]
    memory: float  # a load from DRAM
    transfer: float  # getting a line that another core wrote
    pause: float = 0.0  # the instruction of that name, in loops that wait
    contended: float = 0.0  # an atomic of a line that another core keeps changing; 0: not known
    branch: float = 0.0  # a branch that was not foreseen
    passes: bool = False  # whether later loads pass an atomic instruction
    chase: tuple[tuple[int, float], ...] = ()  # measured loads by bytes in use, rising; or none
    rest: tuple[tuple[int, float], ...] = ()  # the same beyond L1 by cycles since the last use

    @property
    def instruction(self) -> float:
        """Cycles of an instruction between others that wait for each other."""
        return 2 / self.width

    @property
    def hidden(self) -> float:
        """Cycles of a miss that independent instructions behind it fill."""
        return self.window / self.width

    @property
    def furthest(self) -> float:
        """Cycles beyond a hit in L1 of a load from memory."""
        if self.chase:
            return self.chase[-1][1] - self.chase[0][1]
        return self.memory - self.caches[0].cycles

    def miss(self, alone: float, together: float) -> float:
        """Mean cycles of a load beyond a hit in L1, by the bytes that one lcore and all use."""
        if self.chase:
            return self._chased(alone, together)
        cycles = above = 0.0
        first = self.caches[0].cycles
        for cache in self.caches:
            used = alone if cache.shared_by == 1 else together
            fits = max(above, min(1.0, cache.size / max(1.0, used)))
            cycles += (fits - above) * (cache.cycles - first)
            above = fits
        return cycles + (1 - above) * (self.memory - first)

    def _chased(self, alone: float, together: float) -> float:
        """The same as measured: what exceeds a core's own caches competes with others."""
        own = max((c.size for c in self.caches if c.shared_by == 1), default=0)
        beyond = 1 - min(1.0, own / max(1.0, alone))
        return self.latency(alone + beyond * (together - alone)) - self.chase[0][1]

    def latency(self, used: float) -> float:
        """Measured cycles of a load with this working set."""
        return _between(self.chase, used)

    def rested(self, mean: float) -> float:
        """Mean cycles beyond a hit in L1 of a load from a line that is used at random times, every
        `mean` cycles, so that exponentially distributed times lie between; 0 if not measured."""
        if not self.rest:
            return 0.0
        first, least = self.rest[0]
        times = [-mean * math.log(1 - (i + 0.5) / PARTS) for i in range(PARTS)]
        taken = (_between(self.rest, t) if t > first else least * t / first for t in times)
        return sum(taken) / PARTS


def _between(rows: Sequence[tuple[int, float]], value: float) -> float:
    """What was measured for a value: on a line between the rows next to it, by the logarithm."""
    number = bisect.bisect_left(rows, (value, 0.0))
    if number in (0, len(rows)):
        return rows[min(number, len(rows) - 1)][1]
    (low, before), (high, behind) = rows[number - 1 : number + 1]
    return before + math.log(value / low) / math.log(high / low) * (behind - before)


PARTS = 16  # parts of a distribution of which the mean is taken

_KIB, _MIB = 1 << 10, 1 << 20

CASCADE_LAKE = Machine(
    name="cascade-lake", title="Xeon Gold 6230N (Cascade Lake), 2.3 GHz, 20 cores",
    hz=2.3e9, cores=20, width=4, window=224, fills=12, stores=56, walks=2,
    locked=18, fence=0, memory=200, transfer=110, pause=140,
    caches=(
        Cache(1, 32 * _KIB, 5), Cache(2, _MIB, 14), Cache(3, 55 * _MIB // 2, 70, shared_by=20),
    ),
)  # fmt: skip

CORTEX_A72 = Machine(
    name="cortex-a72", title="BCM2711 (Cortex-A72), 1.5 GHz, 4 cores",
    hz=1.5e9, cores=4, width=3, window=128, fills=6, stores=16, walks=1,
    locked=10, fence=10, memory=230, transfer=134,
    caches=(Cache(1, 32 * _KIB, 4), Cache(2, _MIB, 21, shared_by=4)),
)  # fmt: skip

EPYC = Machine(
    name="epyc-vm",
    title="AMD EPYC (Zen 4), virtual machine of 2 cores, 2.6 GHz time stamp counter",
    hz=2.6e9, cores=2, width=6, window=320, fills=24, stores=64, walks=6,
    locked=5, fence=0, memory=380, transfer=75, pause=63, branch=13, passes=True,
    caches=(Cache(1, 32 * _KIB, 3), Cache(2, _MIB, 13), Cache(3, 32 * _MIB, 40, shared_by=8)),
)  # fmt: skip

MACHINES = {machine.name: machine for machine in (CASCADE_LAKE, CORTEX_A72, EPYC)}
"""The machines that are built in, by name."""


def machine(name: str) -> Machine:
    """A built-in machine, or that of a bench.json. Raises UsageError."""
    if "." in name or "/" in name:
        return machine_of(load(name))
    if name not in MACHINES:
        raise UsageError(f"there is no machine '{name}'", did_you_mean(name, MACHINES, "machines"))
    return MACHINES[name]


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
    """Cycles of an atomic add to a line to which `lcores` keep adding, each on a core."""
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
