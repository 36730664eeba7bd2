# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of a machine for the cost model; docs/benchmark.md lists their sources."""

from dataclasses import dataclass

from ...findings.suggest import did_you_mean
from ...findings.usage import UsageError

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
    locked: float  # an atomic read-modify-write of a line in L1
    fence: float  # a store barrier
    caches: tuple[Cache, ...]
    memory: float  # a load from DRAM
    transfer: float  # getting a line that another core wrote

    @property
    def instruction(self) -> float:
        """Cycles of an instruction between others that wait for each other."""
        return 2 / self.width

    @property
    def hidden(self) -> float:
        """Cycles of a miss that independent instructions behind it fill."""
        return self.window / self.width

    def miss(self, alone: float, together: float) -> float:
        """Mean cycles of a load beyond a hit in L1, by the bytes that one lcore and all use."""
        cycles = above = 0.0
        first = self.caches[0].cycles
        for cache in self.caches:
            used = alone if cache.shared_by == 1 else together
            fits = max(above, min(1.0, cache.size / max(1.0, used)))
            cycles += (fits - above) * (cache.cycles - first)
            above = fits
        return cycles + (1 - above) * (self.memory - first)


_KIB, _MIB = 1 << 10, 1 << 20

CASCADE_LAKE = Machine(
    name="cascade-lake", title="Xeon Gold 6230N (Cascade Lake), 2.3 GHz, 20 cores",
    hz=2.3e9, cores=20, width=4, window=224, fills=12, stores=56,
    locked=18, fence=0, memory=200, transfer=110,
    caches=(Cache(1, 32 * _KIB, 5), Cache(2, _MIB, 14), Cache(3, 55 * _MIB // 2, 70, shared_by=20)),
)  # fmt: skip

CORTEX_A72 = Machine(
    name="cortex-a72", title="BCM2711 (Cortex-A72), 1.5 GHz, 4 cores",
    hz=1.5e9, cores=4, width=3, window=128, fills=6, stores=16,
    locked=10, fence=10, memory=230, transfer=134,
    caches=(Cache(1, 32 * _KIB, 4), Cache(2, _MIB, 21, shared_by=4)),
)  # fmt: skip

MACHINES = {machine.name: machine for machine in (CASCADE_LAKE, CORTEX_A72)}
"""The machines, by name."""


def machine(name: str) -> Machine:
    """A machine by its name. Raises UsageError."""
    if name not in MACHINES:
        raise UsageError(f"there is no machine '{name}'", did_you_mean(name, MACHINES, "machines"))
    return MACHINES[name]
