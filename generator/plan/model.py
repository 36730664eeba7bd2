# SPDX-License-Identifier: BSD-3-Clause
"""The cost model: cycles that a packet's updates take. docs/cost-model.md explains it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..model import ir
from ..model.layout import CACHE_LINE, Domain
from ..model.workload import Deployment, Touch, Transaction, transactions, written_elsewhere
from ..strategies.costs import Cost, Flush, Primitive, Steps
from .machine import Machine
from .queueing import Station, responses

USUAL_WORK = 1000.0
"""Cycles of a packet without statistics when nobody says: the chapter's."""


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


@dataclass(slots=True)
class Estimate:
    """Cycles for each packet and where they go, and what was counted on the way.

    `instructions` is plain work, `sync` atomic instructions and fences, `misses` lines
    fetched from other cores, caches and memory, `waiting` for other lcores. `operations`
    and `transactions` are for each packet, as are `lines`.
    """

    working_set: WorkingSet
    operations: int
    transactions: int
    lines: int
    instructions: float = 0.0
    sync: float = 0.0
    misses: float = 0.0
    waiting: float = 0.0

    @property
    def packet(self) -> float:
        """Cycles for each packet."""
        return self.instructions + self.sync + self.misses + self.waiting

    @property
    def update(self) -> float:
        """Cycles for each counter update: the chapter's figure."""
        return self.packet / max(1, self.operations)


def budget_cycles(deployment: Deployment) -> float:
    """Cycles that an lcore has for a packet; those of its work when nobody says how many come."""
    if deployment.pps is not None:
        return deployment.hz * deployment.lcores / deployment.pps
    return USUAL_WORK if deployment.work is None else deployment.work


def think(deployment: Deployment) -> float:
    """Cycles between the updates of two packets of an lcore: at least the packet's work."""
    return max(deployment.work or 0.0, budget_cycles(deployment))


def estimate(
    module: ir.Module, deployment: Deployment, machine: Machine, only: Iterable[str] = ()
) -> Estimate | None:
    """What a packet's updates cost; of the scopes in `only`, or of all.

    None when a strategy does not say what it does.
    """
    changes = transactions(module, deployment, only)
    if any(t.domain.strategy.cost is None for t in changes):
        return None
    operations, lines = sum(t.operations for t in changes), sum(len(t.touches) for t in changes)
    found = Estimate(_working_set(changes), operations, len(changes), lines)
    bill = _Bill(module, deployment, machine, found)
    for transaction in changes:
        bill.charge(transaction)
    bill.wait()
    return found


def _working_set(transactions: list[Transaction]) -> WorkingSet:
    """The working set of what a packet does. Lines that scopes have in common count twice."""
    lines = {
        (touch.scope, touch.common, number): touch
        for transaction in transactions
        for number, touch in enumerate(transaction.touches)
    }
    private = sum(touch.lcore_lines for touch in lines.values() if touch.private)
    shared = sum(touch.lines for touch in lines.values() if not touch.private)
    hot = sum(touch.lines == 1 for touch in lines.values())
    buffers = {t.domain.sync: _buffer(t.domain) for t in transactions}
    return WorkingSet(
        private * CACHE_LINE + sum(buffers.values()), shared * CACHE_LINE, hot * CACHE_LINE
    )


def _buffer(domain: Domain) -> int:
    """Bytes of an lcore's memory for the strategy that are used between two flushes."""
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


@dataclass
class _Bill:
    """Adds what transactions cost to `found`, and collects the stations that they visit: one after
    another (`serial`), or several at a time with the longest miss meanwhile (`overlapped`)."""

    module: ir.Module
    deployment: Deployment
    machine: Machine
    found: Estimate
    serial: list[Station] = field(default_factory=list)
    overlapped: list[tuple[list[Station], float]] = field(default_factory=list)

    def _fetch(self, touch: Touch) -> tuple[float, float]:
        """Cycles of getting a line: from the core that wrote it last, and otherwise."""
        other = written_elsewhere(touch, self.module, self.deployment)
        miss = self._miss(touch)
        moved = max(self.machine.transfer, miss)
        first = 1 / self._burst(touch)
        return other * moved * first, (1 - other) * miss * first

    def _burst(self, touch: Touch) -> float:
        """How many packets in a row find a line as the one before has left it."""
        scope = self.module.scope(touch.scope)
        by_flow = scope.storage is ir.Storage.EMBEDDED or self.deployment.flow_scope in scope.path
        return self.deployment.burst if by_flow and touch.lines > 1 else 1.0

    def _miss(self, touch: Touch) -> float:
        """Mean cycles beyond a hit in L1 of getting a line that no other core wrote.

        A line is in a cache with the share of the working set that the cache holds. Lines
        that every packet touches compete with the application alone.
        """
        cycles = above = 0.0
        first = self.machine.caches[0].cycles
        for cache in self.machine.caches:
            fits = max(
                above, min(1.0, cache.size / max(1, self._competing(touch, cache.shared_by)))
            )
            cycles += (fits - above) * (cache.cycles - first)
            above = fits
        return cycles + (1 - above) * (self.machine.memory - first)

    def _competing(self, touch: Touch, sharers: int) -> int:
        """Bytes that compete for a cache of so many cores."""
        sets, n = self.found.working_set, min(self.deployment.lcores, sharers)
        used = n * sets.hot if touch.lines == 1 else n * sets.private + sets.shared
        return used + n * self.deployment.pressure

    def charge(self, transaction: Transaction) -> None:
        """Add a transaction, whose strategy has a cost."""
        strategy = transaction.domain.strategy
        cost = (self.deployment.as_published and strategy.published_cost) or strategy.cost
        assert cost is not None
        if cost.flush is not None and not transaction.has_set:
            self._charge_buffered(transaction, cost, cost.flush)
        else:
            steps = cost.set if cost.set is not None and transaction.has_set else cost
            self._charge_steps(transaction, steps)

    def _charge_steps(self, transaction: Transaction, steps: Steps) -> None:
        """A transaction that changes the counters themselves."""
        machine = self.machine
        once, each = steps.totals(dict(transaction.domain.sync.tunables))
        locked = once.locked * machine.locked
        work = each.instructions * transaction.operations + transaction.computed
        inner = work * machine.instruction
        self.found.instructions += once.instructions * machine.instruction
        self.found.sync += once.fences * machine.fence
        if once.lock in ("crowd", "queue"):
            self._charge_lock(transaction.touches, once, locked + inner)
            return
        if not once.lock:
            self.found.instructions += inner
            self.found.sync += locked
        plain: list[Station] = []
        latest = 0.0
        for touch in transaction.touches:
            # What exists once under a strategy with an instance for each lcore is atomic.
            shared_word = touch.common and transaction.domain.strategy.per_lcore
            rmw = touch.adds if shared_word else touch.adds * each.locked
            moved, missed = self._fetch(touch)
            if once.lock:
                self.serial.append(self._lock(moved + locked + inner, once.lock, touch.lines))
                self.found.misses += missed
            elif rmw:
                self.serial.append(Station(moved + rmw * machine.locked, count=touch.lines))
                self.found.misses += missed
            else:
                plain.append(Station(moved, count=touch.lines))
                latest = max(latest, missed)
        if plain:
            self.overlapped.append((plain, latest))

    def _charge_lock(self, touches: list[Touch], once: Primitive, inner: float) -> None:
        """A transaction under one lock: lcores take turns, lines of the counters included."""
        apart = (t for t in touches if once.line or t.lines > 1)  # others come with the lock
        fetched = max((sum(self._fetch(touch)) for touch in apart), default=0.0)
        service = self.deployment.elsewhere * self.machine.transfer + fetched + inner
        self.serial.append(self._lock(service, once.lock, 1))

    def _lock(self, service: float, kind: str | None, count: int) -> Station:
        """A lock. Spinning lcores have a copy of its line, which a release takes from them.

        So the holder gets the line back first (`handover`), and every waiter fetches it
        again (`crowd`); in a queue only the next one does. T. E. Anderson, IEEE TPDS 1, 1990.
        """
        transfer = self.machine.transfer if self.deployment.lcores > 1 else 0.0
        crowd = 0.0 if kind == "queue" else transfer
        return Station(service, count=count, handover=transfer, crowd=crowd)

    def _charge_buffered(self, transaction: Transaction, cost: Cost, flush: Flush) -> None:
        """A transaction whose operations wait in the lcore's buffer for a flush."""
        machine = self.machine
        tunables = dict(transaction.domain.sync.tunables)
        once, each = cost.totals(tunables)
        count = once.instructions + each.instructions * transaction.operations
        self.found.instructions += count * machine.instruction
        every, room = max(1, int(tunables[flush.every])), int(tunables[flush.room])
        counted = transaction.operations if flush.counts == "operations" else 1
        packets = max(1.0, every / counted)
        once, each = flush.totals(tunables)
        applied = each.instructions * transaction.operations + transaction.computed
        fetched = 0.0
        for touch in transaction.touches:
            moved, missed = self._fetch(touch)
            # Of many misses in a row, as many are under way as the window holds.
            rate = 1.0 if touch.lines == 1 else min(1.0, applied / machine.window)
            burst = self._burst(touch)  # a line once fetched stays for the whole flush
            distinct = _distinct(packets / burst, touch.lcore_lines)
            fetched += (moved + missed) * burst * rate * distinct
        service = self.deployment.elsewhere * machine.transfer
        service += once.locked * machine.locked
        service += packets * applied * machine.instruction + fetched
        between = think(self.deployment)
        slack = max(0.0, (room - every) / counted * between)
        self.serial.append(Station(service, visits=1 / packets, slack=slack))

    def wait(self) -> None:
        """Add the cycles of waiting for other lcores, and of fetching lines, for each packet.

        Misses of plain instructions are under way at the same time, and the work behind
        them goes on as far as the window reaches.
        """
        stations = list(self.serial)
        groups = []
        for group, _ in self.overlapped:
            groups.append(range(len(stations), len(stations) + len(group)))
            stations += group
        found, hidden = self.found, self.machine.hidden
        busy = think(self.deployment) + found.packet
        response_times = responses(stations, self.deployment.lcores, busy, groups, hidden)
        for station, response in zip(self.serial, response_times, strict=False):
            found.misses += station.visits * station.service
            found.waiting += station.visits * max(0.0, response - station.slack - station.service)
        for (group, latest), numbers in zip(self.overlapped, groups, strict=True):
            longest = max(latest, *(response_times[i] for i in numbers))
            alone = max(latest, *(station.service for station in group))
            seen = max(0.0, alone - hidden)
            found.misses += seen
            found.waiting += max(0.0, longest - hidden) - seen


def _distinct(packets: float, lines: int) -> float:
    """How many of so many lines that many packets touch, if each takes any."""
    if lines <= 1:
        return 1.0
    return float(lines * (1 - (1 - 1 / lines) ** packets))
