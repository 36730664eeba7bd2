# SPDX-License-Identifier: BSD-3-Clause
"""What the cost model knows of a machine: a few named figures, each with its source."""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace

from ..bench.figures import overhead
from ..bench.result import Result
from ..findings.suggest import did_you_mean
from ..findings.usage import UsageError


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

    `hz` is the clock, `width` how many instructions a cycle can take in, `window` how
    many are in flight at a time, `locked` an atomic read-modify-write of a line that is
    in L1 already, `fence` a store barrier, `memory` a load from DRAM, `transfer` what it
    takes to get a line that another core wrote. `sources` say where each is from.
    """

    name: str
    title: str
    hz: float
    cores: int
    width: float
    window: int
    locked: float
    fence: float
    caches: tuple[Cache, ...]
    memory: float
    transfer: float
    sources: tuple[tuple[str, str], ...] = ()
    measured: float = 0.0
    """Cycles of an instruction where they were measured; 0: half of `width` in a cycle."""

    @property
    def instruction(self) -> float:
        """Cycles of one instruction."""
        return self.measured or 2 / self.width

    @property
    def hidden(self) -> float:
        """Cycles of a miss that independent instructions behind it fill."""
        return self.window / self.width


_KIB, _MIB = 1 << 10, 1 << 20

CASCADE_LAKE = Machine(
    name="cascade-lake", title="Xeon Gold 6230N (Cascade Lake), 2.3 GHz, 20 cores",
    hz=2.3e9, cores=20, width=4, window=224, locked=18, fence=0, memory=200, transfer=110,
    caches=(
        Cache(1, 32 * _KIB, 5), Cache(2, _MIB, 14), Cache(3, 55 * _MIB // 2, 70, shared_by=20),
    ),
    sources=(
        ("hz, cores, caches (size)", "the chapter; Intel's data sheet: 27.5 MiB of L3"),
        ("width 4, window 224", "Intel's optimization manual, Skylake server: allocation, ROB"),
        ("locked 18", "uops.info and Agner Fog's tables, LOCK ADD m64 on Skylake-X"),
        ("fence 0", "x86 keeps stores in order: a compiler barrier"),
        ("caches (cycles), memory", "AnandTech, Skylake-SP: L1 4-5, L2 14, L3 about 70; 87 ns"),
        ("transfer 110", "48 ns between cores of a Gold 6242, another Cascade Lake "
         "(github.com/nviennot/core-to-core-latency), at 2.3 GHz"),
    ),
)  # fmt: skip

CORTEX_A72 = Machine(
    name="cortex-a72", title="BCM2711 (Cortex-A72), 1.5 GHz, 4 cores",
    hz=1.5e9, cores=4, width=3, window=128, locked=10, fence=10, memory=230, transfer=134,
    caches=(Cache(1, 32 * _KIB, 4), Cache(2, _MIB, 21, shared_by=4)),
    sources=(
        ("hz, cores", "the chapter"),
        ("width 3, window 128", "Arm's Cortex-A72 software optimization guide: dispatch, ROB"),
        ("caches (size)", "Arm's manual; BCM2711: 32 KiB of L1 data, 1 MiB of L2 for all"),
        ("caches (cycles), memory", "published pointer chases on Cortex-A72: L2 about 21 cycles; "
         "sbc-bench on the Pi 4: about 154 ns in 16 MiB"),
        ("locked 10, fence 10", "estimates: load-exclusive, add, store-exclusive is a chain of a "
         "load, an add and a store with its status; a DMB waits about as long. Nobody publishes "
         "them"),
        ("transfer 134", "89.6 ns between cores of a Raspberry Pi 4 "
         "(github.com/nviennot/core-to-core-latency, issue 44), at 1.5 GHz"),
    ),
)  # fmt: skip

EPYC = Machine(
    name="epyc-vm",
    title="AMD EPYC (Zen 4), virtual machine of 2 cores, 2.6 GHz time stamp counter",
    hz=2.6e9, cores=2, width=6, window=320, locked=5, fence=0, memory=380, transfer=75,
    caches=(Cache(1, 32 * _KIB, 3), Cache(2, _MIB, 13), Cache(3, 32 * _MIB, 40, shared_by=8)),
    sources=(
        ("hz, caches (size)", "what Linux says; 8 cores share an L3 of that processor"),
        ("width 6, window 320", "AMD's software optimization guide for Zen 4: dispatch, ROB"),
        ("locked 5, caches (cycles), memory, transfer 75", "measured where this was written, in "
         "cycles of the time stamp counter: a loop of `lock add`, pointer chases in 16 KiB, "
         "512 KiB, 4 MiB and 256 MiB, a line going to and fro (best of three runs: 72, 181 and "
         "1199)"),
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


def machine_of(result: Result) -> Machine:
    """The machine that `ctrgen bench` measured. What it did not is that of a built-in one."""
    base = CORTEX_A72 if result.machine.arch.startswith(("aarch64", "arm")) else EPYC
    measured = replace(
        base,
        name="measured",
        title=result.machine.cpu,
        hz=result.machine.tsc_hz,
        cores=result.machine.online,
        caches=_caches(result, base),
    )
    sources = [("hz, caches (size)", "bench.json: machine")]
    if transfers := [value for pair in result.floor.transfer for value in pair.cycles]:
        measured = replace(measured, transfer=statistics.median(transfers))
        sources.append((f"transfer {measured.transfer:.0f}", "bench.json: floor.transfer, median"))
    if locked := _baseline(result, "atomic"):
        measured = replace(measured, locked=max(1.0, statistics.median(locked)))
        sources.append((f"locked {measured.locked:.1f}", "bench.json: atomic, 1 lcore, median"))
    if plain := _baseline(result, "floor"):
        instruction = min(2.0, max(0.05, statistics.median(plain) / 4))
        measured = replace(measured, measured=instruction)
        text = "bench.json: floor, 1 lcore, median; an add is 4 instructions"
        sources.append((f"instruction {instruction:.2f}", text))
    sources.append(("width, window, fence, caches (cycles), memory", f"those of {base.name}"))
    return replace(measured, sources=tuple(sources))


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


def _baseline(result: Result, name: str) -> list[float]:
    """Cycles for each counter update of a baseline on one lcore, nothing contended."""
    figures = (
        overhead(point, result.workload.adds, name)
        for point in result.points
        if (point.at.lcores, point.at.api, point.at.scheduler) == (1, "single", "none")
    )
    return [figure.median for figure in figures if figure is not None]
