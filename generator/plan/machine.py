# SPDX-License-Identifier: BSD-3-Clause
"""What the cost model knows of a machine: a few named figures, each with its source."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..findings.suggest import did_you_mean
from ..findings.usage import UsageError

ATOMIC_ENTRIES = 8
"""Entries of the window that an atomic instruction takes: LOCK ADD m64 has 8 micro-operations on
Skylake (uops.info)."""


@dataclass(frozen=True, slots=True)
class Cache:
    """One level: `size` in bytes, `cycles` of a load that hits it, cores that share one."""

    level: int
    size: int
    cycles: float
    shared_by: int = 1


@dataclass(frozen=True, slots=True)
class Machine:
    """Figures of a machine, in core clock cycles unless said otherwise.

    `hz` is the clock, `width` how many instructions a cycle can take in, `window` how many are in
    flight at a time, `fills` how many cache lines a core waits for at a time, `stores` how many
    stores wait for their lines, `walks` how many addresses are looked up in page tables at a time,
    `locked` an atomic read-modify-write of a line that is in L1 already, `fence` a store barrier,
    `memory` a load from DRAM, `transfer` what it takes to get a line that another core wrote,
    `pause` the instruction of that name, which a loop that waits has, `contended` an atomic
    read-modify-write of a line that another core keeps changing, 0 where that is not known,
    `branch` a branch that was not foreseen. With `passes` loads behind an atomic instruction are
    asked for before it is done; with `pairs` it is a load and a store, and no barrier; with
    `exchanges` the release of DPDK's spinlock is one too. `sources` say where each is from.

    `chase` are measured latencies, rising: of a load by how many bytes are in use. Where there are
    none, a load takes the mean over the caches that hold the bytes. `rest` is the same by how many
    cycles nobody has used the line, beyond a hit in L1: others replace what is in caches meanwhile.
    """

    name: str
    title: str
    hz: float
    cores: int
    width: float
    window: int
    fills: int
    stores: int
    walks: int
    locked: float
    fence: float
    caches: tuple[Cache, ...]
    memory: float
    transfer: float
    pause: float = 0.0
    contended: float = 0.0
    branch: float = 0.0
    passes: bool = False
    pairs: bool = False
    exchanges: bool = False
    sources: tuple[tuple[str, str], ...] = ()
    chase: tuple[tuple[int, float], ...] = ()
    rest: tuple[tuple[int, float], ...] = ()

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
        """Mean cycles beyond a hit in L1 of a load, where one lcore keeps using `alone` bytes and
        all lcores that share the last cache `together`."""
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
        """The same from the measured latencies: what does not fit into the caches of a core
        competes with that of other cores."""
        own = max((c.size for c in self.caches if c.shared_by == 1), default=0)
        beyond = 1 - min(1.0, own / max(1.0, alone))
        return self.latency(alone + beyond * (together - alone)) - self.chase[0][1]

    def latency(self, used: float) -> float:
        """Measured cycles of a load from so many bytes."""
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


PARTS = 16
"""Parts of a distribution of which the mean is taken."""

FURTHER = 2.9
"""How much longer a line takes from the other socket: 141 ns instead of 48 between the cores of two
Gold 6242 (github.com/nviennot/core-to-core-latency, "Dual Intel(R) Xeon Gold 6242")."""

TOGETHER = 1.25
"""What two hyper-threads of a core do together, beside one alone: an assumption; Intel names up to
1.3 (D. Marr and others, Intel Technology Journal 6, 2002)."""


def over_sockets(base: Machine, sockets: int) -> Machine:
    """The machine with its lcores spread over several sockets: so many transfers are longer."""
    return replace(base, transfer=base.transfer * (1 + (FURTHER - 1) * (1 - 1 / sockets)))


def with_threads(base: Machine, threads: int) -> Machine:
    """The machine with so many lcores on each core, as hardware threads, which have their part of
    its window, its buffers and its own caches, and run at their part of its speed."""
    if threads == 1:
        return base
    own = max((c.size for c in base.caches if c.shared_by == 1), default=0)
    return replace(
        base,
        cores=base.cores * threads,
        width=base.width * TOGETHER / threads,
        window=base.window // threads,
        fills=max(1, base.fills // threads),
        stores=max(1, base.stores // threads),
        caches=tuple(
            replace(c, size=c.size // threads)
            if c.shared_by == 1
            else replace(c, shared_by=c.shared_by * threads)
            for c in base.caches
        ),
        chase=tuple((b // threads if b <= own else b, c) for b, c in base.chase),
    )


_KIB, _MIB = 1 << 10, 1 << 20

CASCADE_LAKE = Machine(
    name="cascade-lake", title="Xeon Gold 6230N (Cascade Lake), 2.3 GHz, 20 cores",
    hz=2.3e9, cores=20, width=4, window=224, fills=12, stores=56, walks=2,
    locked=18, fence=0, memory=200, transfer=110, pause=140, exchanges=True,
    caches=(
        Cache(1, 32 * _KIB, 5), Cache(2, _MIB, 14), Cache(3, 55 * _MIB // 2, 70, shared_by=20),
    ),
    sources=(
        ("hz, cores, caches (size)", "the chapter; Intel's data sheet: 27.5 MiB of L3"),
        ("width 4, window 224", "Intel's optimization manual, Skylake server: allocation, ROB"),
        ("fills 12, stores 56, walks 2", "the same: line fill buffers, store buffer, page walkers"),
        ("locked 18", "uops.info and Agner Fog's tables, LOCK ADD m64 on Skylake-X"),
        ("fence 0", "x86 keeps stores in order: a compiler barrier"),
        ("exchanges", "DPDK's rte_spinlock.h for x86"),
        ("pause 140", "Intel's optimization manual: up to 140 cycles from Skylake on"),
        ("caches (cycles), memory", "AnandTech, Skylake-SP: L1 4-5, L2 14, L3 about 70; 87 ns"),
        ("transfer 110", "48 ns between cores of a Gold 6242, another Cascade Lake "
         "(github.com/nviennot/core-to-core-latency), at 2.3 GHz"),
    ),
)  # fmt: skip

CORTEX_A72 = Machine(
    name="cortex-a72", title="BCM2711 (Cortex-A72), 1.5 GHz, 4 cores",
    hz=1.5e9, cores=4, width=3, window=128, fills=6, stores=16, walks=1,
    locked=10, fence=10, memory=230, transfer=134, pairs=True,
    caches=(Cache(1, 32 * _KIB, 4), Cache(2, _MIB, 21, shared_by=4)),
    sources=(
        ("hz, cores", "the chapter"),
        ("width 3, window 128", "Arm's Cortex-A72 software optimization guide: dispatch, ROB"),
        ("fills 6, stores 16, walks 1", "estimates; of no effect on the published figures, "
         "which have work between packets"),
        ("caches (size)", "Arm's manual; BCM2711: 32 KiB of L1 data, 1 MiB of L2 for all"),
        ("caches (cycles), memory", "published pointer chases on Cortex-A72: L2 about 21 cycles; "
         "sbc-bench on the Pi 4: about 154 ns in 16 MiB"),
        ("locked 10, fence 10", "estimates: load-exclusive, add, store-exclusive is a chain of a "
         "load, an add and a store with its status; a DMB waits about as long. Nobody publishes "
         "them"),
        ("pairs", "Arm's architecture reference: LDXR and STXR; Armv8.0 has no atomic adds"),
        ("transfer 134", "89.6 ns between cores of a Raspberry Pi 4 "
         "(github.com/nviennot/core-to-core-latency, issue 44), at 1.5 GHz"),
    ),
)  # fmt: skip

EPYC = Machine(
    name="epyc-vm",
    title="AMD EPYC (Zen 4), virtual machine of 2 cores, 2.6 GHz time stamp counter",
    hz=2.6e9, cores=2, width=6, window=320, fills=24, stores=64, walks=6,
    locked=5, fence=0, memory=380, transfer=75, pause=63, branch=13, passes=True,
    caches=(Cache(1, 32 * _KIB, 3), Cache(2, _MIB, 13), Cache(3, 32 * _MIB, 40, shared_by=8)),
    sources=(
        ("hz, caches (size)", "what Linux says; 8 cores share an L3 of that processor"),
        ("width 6, window 320", "AMD's software optimization guide for Zen 4: dispatch, ROB"),
        ("fills 24, stores 64, walks 6", "the same: outstanding misses of L1, store queue, "
         "page walkers"),
        ("locked 5, caches (cycles), memory, transfer 75, pause 63", "measured where this was "
         "written, in cycles of the time stamp counter: loops of `lock add` and `pause`, pointer "
         "chases in 16 KiB, 512 KiB, 4 MiB and 256 MiB, a line going to and fro (best of three "
         "runs: 72, 181 and 1199)"),
        ("branch 13", "the same guide: 11 to 18 cycles, 13 in the common case"),
        ("loads pass atomic instructions", "measured: two lines that another core has take 82 "
         "cycles behind a lock and 84 with atomic adds, 1000 cycles of work between packets; one "
         "takes 67"),
        ("fence 0", "x86 keeps stores in order: a compiler barrier"),
    ),
)  # fmt: skip

MACHINES = {machine.name: machine for machine in (CASCADE_LAKE, CORTEX_A72, EPYC)}
"""The machines that are built in, by name."""


def machine(name: str) -> Machine:
    """A built-in machine. Raises UsageError."""
    if name not in MACHINES:
        raise UsageError(f"there is no machine '{name}'", did_you_mean(name, MACHINES, "machines"))
    return MACHINES[name]
