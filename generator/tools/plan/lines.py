# SPDX-License-Identifier: BSD-3-Clause
"""Where the cache lines of a packet are when it comes: in which cache, at which other core."""

from collections.abc import Iterable
from dataclasses import dataclass

from ...model import ir
from ...model.layout import CACHE_LINE
from ...model.workload import Deployment, Touch, Transaction, written_elsewhere
from .estimate import BURST, Calls, calls
from .machine import Machine

Key = tuple[str, bool, int]  # of an element: scope, whether it is common, number
AHEAD = 20.0  # cycles of a line behind one that is used: fetched ahead (docs/benchmark.md)


@dataclass(frozen=True, slots=True)
class Use:
    """Lines of a kind, and how often a packet of an lcore visits one."""

    touch: Touch
    rate: float


@dataclass
class Lines:
    """What getting a line takes. `buffers` are bytes of an lcore for its strategies, `packet` the
    cycles from one packet of an lcore to the next, `busy` those of its updates."""

    module: ir.Module
    deployment: Deployment
    machine: Machine
    uses: tuple[Use, ...]
    buffers: int
    packet: float
    busy: float

    def flat(self, touch: Touch) -> bool:
        """Whether it exists once, so that updates of several packets can be combined."""
        return not self.module.scope(touch.scope).levels

    def fetch(self, touch: Touch) -> tuple[float, float]:
        """Cycles of getting a line: from the core that wrote it last, and otherwise."""
        other = written_elsewhere(touch, self.module, self.deployment)
        miss = self.miss(touch)
        return other * max(self.machine.transfer, miss), (1 - other) * miss

    def repeats(self, touch: Touch, often: float) -> float:
        """Visits of a packet to lines that are there from others of its burst."""
        visits = BURST * often
        if self.deployment.api != "bulk" or visits <= 1:
            return 0.0
        return max(0.0, often - distinct(visits, touch.lcore_lines) / BURST)

    @property
    def meets(self) -> float:
        """Chance that another lcore counts while this one counts a burst."""
        alone = 1 - self.busy / self.packet
        return 1 - alone ** max(0, self.deployment.lcores - 1)

    def miss(self, touch: Touch) -> float:
        """The same, if the hardware has fetched the line behind one that is used."""
        return min(self.far(touch), AHEAD) if touch.behind else self.far(touch)

    def far(self, touch: Touch) -> float:
        """Mean cycles beyond a hit in L1 of a line that no other core wrote: it is in a cache if
        what is used between two visits fits there. Objects of the application are used anyway."""
        if self.module.scope(touch.scope).storage is ir.Storage.EMBEDDED:
            return 0.0
        sharers = max(cache.shared_by for cache in self.machine.caches)
        return self.machine.miss(self._between(touch, 1), self._between(touch, sharers))

    def missing(self) -> float:
        """How many lines of flows a packet waits for, as if each took as long as the longest."""
        found = [(self.far(use.touch), use.rate) for use in self.uses if use.touch.lines > 1]
        longest = max((cycles for cycles, _ in found), default=0.0)
        return sum(cycles * rate for cycles, rate in found) / longest if longest > 0 else 0.0

    def _packets(self, touch: Touch) -> float:
        """Packets of an lcore from one visit to a line to the next one."""
        rate = next(use.rate for use in self.uses if use.touch.key == touch.key)
        return touch.lcore_lines / max(rate, 1e-9)

    def _between(self, touch: Touch, sharers: int) -> float:
        """Bytes that `sharers` lcores use between two visits to a line."""
        n = min(self.deployment.lcores, sharers)
        packets, used = self._packets(touch), 0.0
        for use in self.uses:
            copies = n if use.touch.private else 1
            lines = use.touch.lcore_lines if use.touch.private or n == 1 else use.touch.lines
            used += copies * min(lines, use.rate * packets * n / copies)
        return used * CACHE_LINE + n * self.buffers


def uses(changes: Iterable[Transaction], module: ir.Module, place: Deployment) -> tuple[Use, ...]:
    """The lines that a packet visits."""
    found: dict[Key, Use] = {}
    for transaction in changes:
        made: Calls = calls(transaction, place)
        for touch in transaction.touches:
            often = made.often(not module.scope(touch.scope).levels)
            before = found[touch.key].rate if touch.key in found else 0.0
            found[touch.key] = Use(touch, before + often)
    return tuple(found.values())


def distinct(packets: float, lines: float) -> float:
    """Expected number of distinct lines, of `lines`, that `packets` touch at random."""
    if lines <= 1:
        return 1.0
    return float(lines * (1 - (1 - 1 / lines) ** packets))
