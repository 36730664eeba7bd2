# SPDX-License-Identifier: BSD-3-Clause
"""Where the counters are found when an update needs them: working set against caches."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..model.layout import CACHE_LINE
from ..model.workload import Deployment, Touch, Transaction
from .machine import Machine


@dataclass(frozen=True, slots=True)
class WorkingSet:
    """Bytes that updates keep using: `private` those of one lcore, `shared` those of all.

    `hot` are the bytes of `private` that every packet touches.
    """

    private: int
    shared: int
    hot: int

    @property
    def each(self) -> int:
        """Bytes that one lcore uses, at most."""
        return self.private + self.shared


def working_set(transactions: Iterable[Transaction]) -> WorkingSet:
    """The working set of what a packet does. Lines that scopes have in common count twice."""
    touched = {
        (t.scope, t.common, number): (t, transaction)
        for transaction in transactions
        for number, t in enumerate(transaction.touches)
    }
    private = sum(t.lcore_lines for t, _ in touched.values() if t.private)
    shared = sum(t.lines for t, _ in touched.values() if not t.private)
    hot = sum(1 for t, _ in touched.values() if t.lines == 1)
    buffers = {
        transaction.domain.sync: _buffer(transaction)
        for _, transaction in touched.values()
        if transaction.domain.lcore_size
    }
    return WorkingSet(
        private * CACHE_LINE + sum(buffers.values()), shared * CACHE_LINE, hot * CACHE_LINE
    )


def _buffer(transaction: Transaction) -> int:
    """Bytes of an lcore's memory for the strategy that are used between two flushes."""
    domain = transaction.domain
    cost = domain.strategy.cost
    if cost is None or cost.flush is None:
        return domain.lcore_size
    tunables = dict(domain.sync.tunables)
    share = int(tunables[cost.flush.every]) / max(1, int(tunables[cost.flush.room]))
    return round(domain.lcore_size * min(1.0, share))


def level(sets: WorkingSet, lcores: int, machine: Machine) -> str:
    """The nearest cache that holds the working set: `L1`, `L2`, ... or `memory`."""
    together = sets.private * lcores + sets.shared
    for cache in machine.caches:
        sharers = min(lcores, cache.shared_by)
        if min(together, sets.each * sharers) <= cache.size:
            return f"L{cache.level}"
    return "memory"


def miss(touch: Touch, sets: WorkingSet, deployment: Deployment, machine: Machine) -> float:
    """Mean cycles beyond a hit in L1 of getting a line that no other core wrote.

    A line is in a cache with the share of the working set that the cache holds. Lines
    that every packet touches compete with the application alone.
    """
    cycles, above = 0.0, 0.0
    first = machine.caches[0].cycles
    for cache in machine.caches:
        fits = min(1.0, cache.size / max(1, _competing(touch, sets, deployment, cache.shared_by)))
        fits = max(above, fits)
        cycles += (fits - above) * (cache.cycles - first)
        above = fits
    return cycles + (1 - above) * (machine.memory - first)


def _competing(touch: Touch, sets: WorkingSet, deployment: Deployment, sharers: int) -> int:
    n = min(deployment.lcores, sharers)
    if touch.lines == 1:
        return n * (sets.hot + deployment.pressure)
    if sharers == 1:
        return sets.each + deployment.pressure
    return sets.private * n + sets.shared + n * deployment.pressure
