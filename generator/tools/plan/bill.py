# SPDX-License-Identifier: BSD-3-Clause
"""Cost of a packet: its transactions, and contention between lcores."""

from collections.abc import Hashable
from dataclasses import dataclass, field, replace

from ...model import ir
from ...model.strategies.costs import Cost, Flush, Primitive, Steps, total
from ...model.workload import Deployment, Touch, Transaction, written_elsewhere
from .estimate import Calls, Estimate, calls, think
from .lines import Lines, distinct, uses
from .machine import ATOMIC_ENTRIES, Machine
from .queueing import Station, lock, responses, seen

Visit = tuple[Station, float]  # and cycles that are seen of visits for which no other lcore has it


@dataclass
class Bill:
    """Adds what the transactions of a packet cost to `found`, and collects the stations that they
    visit."""

    module: ir.Module
    deployment: Deployment
    machine: Machine
    found: Estimate
    serial: list[Station] = field(default_factory=list)  # visited one after another
    overlapped: list[list[Visit]] = field(default_factory=list)  # several at a time
    buffers: int = 0  # bytes of an lcore for strategies
    flight: float = 1.0  # packets in the window at a time
    missing: float = 0.0  # lines of flows that each misses
    together: float = 1.0  # of these, requested at once
    stored: float = 0.0  # stores of a packet
    chained: float = 0.0  # least cycles of a packet: it adds to what the one before has added to
    begun: dict[ir.Sync, float] = field(default_factory=dict)  # transactions of a packet
    sets: dict[ir.Sync, float] = field(default_factory=dict)  # those of them that set a value
    lines: Lines = field(init=False)  # where lines are

    def look_ahead(self, changes: list[Transaction]) -> None:
        """Compute how many packets the window holds, with the work between two of them."""
        entries = 0.0
        for transaction in changes:
            cost, made = self.cost(transaction), calls(transaction, self.deployment)
            once, each = self.steps(transaction, cost).totals(self.tunables(transaction))
            for primitive, often in ((once, made.transactions), (each, made.counted(transaction))):
                more = (ATOMIC_ENTRIES - 1) * primitive.locked
                entries += often * (primitive.instructions + more)
            entries += made.extra + transaction.computed
            self.stored += made.counted(transaction)
            self._count(transaction, made)
        busy, between = max(1.0, entries / self.machine.width), think(self.deployment)
        self.lines = Lines(
            self.module, self.deployment, self.machine, uses(changes, self.module, self.deployment),
            self.buffers, between + busy, busy,
        )  # fmt: skip
        self.missing = self.lines.missing()
        self.together = max(1.0, self.missing * min(1.0, self.machine.window / max(1.0, entries)))
        if self.deployment.api != "bulk":
            entries += between * self.machine.width / 2
        self.flight = max(1.0, self.machine.window / max(1.0, entries))

    def _count(self, transaction: Transaction, made: Calls) -> None:
        """Count the transactions of a packet by strategy: all, and those that set a value."""
        sync, often = transaction.domain.sync, made.transactions
        self.begun[sync] = self.begun.get(sync, 0.0) + often
        if transaction.has_set:
            self.sets[sync] = self.sets.get(sync, 0.0) + often

    @property
    def instruction(self) -> float:
        """Cycles of an instruction: other packets in the window fill the gaps."""
        return (1 + 1 / self.flight) / self.machine.width

    def _at_once(self, made: Calls) -> float:
        """Lines of flows that are in flight at a time, of one packet or of several."""
        return min(float(self.machine.fills), self.overlap(made) * self.together)

    def overlap(self, made: Calls) -> float:
        """Packets whose misses are in flight at the same time."""
        most = self.machine.fills / max(1.0, self.missing)
        return min(most, max(self.flight, made.ahead))

    def cost(self, transaction: Transaction) -> Cost:
        cost = transaction.domain.strategy.cost
        assert cost is not None
        return cost

    @staticmethod
    def steps(transaction: Transaction, cost: Cost) -> Steps:
        return cost.set if cost.set is not None and transaction.has_set else cost

    @staticmethod
    def tunables(transaction: Transaction) -> dict[str, int | str | bool]:
        return dict(transaction.domain.sync.tunables)

    def charge(self, transaction: Transaction) -> None:
        """Add a transaction, whose strategy has a cost."""
        cost = self.cost(transaction)
        if cost.flush is not None and not transaction.has_set:
            self._charge_buffered(transaction, cost, cost.flush)
            return
        self._charge_steps(transaction, self.steps(transaction, cost))

    def _charge_steps(self, transaction: Transaction, steps: Steps) -> None:
        """A transaction that changes the counters themselves."""
        machine, made = self.machine, calls(transaction, self.deployment)
        once, each = steps.totals(self.tunables(transaction))
        locked = once.locked * machine.locked
        work = each.instructions * made.counted(transaction) + transaction.computed * made.each
        inner = work * self.instruction
        around = once.instructions * made.transactions + made.extra
        if once.lock in ("crowd", "queue"):
            inner += made.within * self.instruction
            around -= made.within
            # Adds to words that the packet before has added to wait for its stores.
            alike = (made.often(self.lines.flat(t)) for t in transaction.touches if t.lines == 1)
            inner = max(inner, machine.caches[0].cycles * max(alike, default=0.0))
        self.found.instructions += around * self.instruction
        self.found.sync += once.fences * machine.fence * made.transactions
        if once.lock in ("crowd", "queue"):
            self._charge_lock(transaction, once, made, locked, inner)
            return
        if not once.lock:
            self.found.instructions += inner
            self.found.sync += locked * made.transactions
        self._charge_lines(transaction, once, each, made, inner)

    def _charge_lines(
        self, transaction: Transaction, once: Primitive, each: Primitive, made: Calls, inner: float
    ) -> None:
        """The lines of a transaction, and locks of instances; `inner` is its plain work."""
        locked = once.locked * self.machine.locked
        plain: list[tuple[Station, float]] = []
        atomic: list[tuple[Station, float]] = []
        for touch in transaction.touches:
            # Items that exist once under a per-lcore strategy are updated atomically.
            shared_word = touch.common and transaction.domain.strategy.per_lcore
            rmw = touch.adds if shared_word else touch.adds * each.locked
            often, overlap = made.often(self.lines.flat(touch)), self.overlap(made)
            if once.lock:
                moved, missed = self._fetched(touch, often)
                apart = overlap if touch.lines > 1 else 1.0
                service = moved / apart + locked + inner / often
                self.serial.append(lock(self.machine, once.lock, service, touch.lines, often))
                self.found.misses += missed / apart * often
            elif rmw:
                atomic.append(self._atomic(touch, made, rmw))
            else:
                plain.append(self.plain(touch, made))
        if plain:
            self.overlapped.append(plain)
        # Lines come together, but atomic instructions wait one after another for other lcores.
        self.serial += [station for station, _ in atomic]
        self.found.misses += sum(missed for _, missed in atomic)

    def _atomic(self, touch: Touch, made: Calls, adds: float) -> tuple[Station, float]:
        """Visits to a line of atomic adds, and cycles to get it where no other core wrote it."""
        often = made.often(self.lines.flat(touch))
        moved, missed = self._fetched(touch, often)
        apart, at_once = 1.0, 1.0
        if touch.lines > 1:
            apart, at_once = self.overlap(made), self._at_once(made)
        inside = adds * self.machine.locked
        self.found.sync += inside * often
        service = moved / apart + inside
        # Lcores that meet at one line go on together to the next.
        key: Hashable = touch.key if touch.lines > 1 else "convoy"
        station = Station(service, often, touch.lines, hidden=inside, key=key)
        return station, missed / at_once * often

    def _fetched(self, touch: Touch, often: float) -> tuple[float, float]:
        """Cycles of a visit to get the line, from another core or else, if it is not there."""
        moved, missed = self.lines.fetch(touch)
        same = self.lines.repeats(touch, often) / often
        return moved * (1 - same * (1 - self.lines.meets)), missed * (1 - same)

    def plain(self, touch: Touch, made: Calls) -> tuple[Station, float]:
        """Visits to a line that is loaded and stored to. Where stores wait, loads behind fetch a
        copy if another lcore has taken the line, and the next store asks for it again."""
        often, overlap = made.often(self.lines.flat(touch)), self.overlap(made)
        if touch.lines == 1:
            self.chained = max(self.chained, self.machine.caches[0].cycles * often)
        other = written_elsewhere(touch, self.module, self.deployment)
        same = self.lines.repeats(touch, often)
        fetched, seldom = often - same * (1 - self.lines.meets), often - same
        held = overlap if touch.lines > 1 else self._held(often)
        miss = self.lines.miss(touch)
        moved = max(self.machine.transfer, miss)
        # Probability that another lcore wrote the line during these visits.
        away = 1 - (1 - other) ** held
        visits, hidden = away * fetched / held, self.machine.hidden
        handover = self.machine.transfer * (1 - 1 / held)
        station = Station(moved, visits, touch.lines, handover, hidden=hidden, key=touch.key)
        # The window hides its cycles once for all misses in flight together.
        once = hidden / max(self.flight, made.ahead)
        return station, (1 - other) * seldom * max(0.0, miss / overlap - once)

    def seldom(self, touch: Touch, made: Calls) -> float:
        """Visits of a packet that do not find a line as the one before has left it."""
        often = made.often(self.lines.flat(touch))
        return often - self.lines.repeats(touch, often)

    def _held(self, often: float) -> float:
        """How many visits all write to a line before the lcore has to fetch it again: stores leave
        in order and fill the buffer, and loads find what waiting stores have left."""
        room = self.machine.stores / max(1.0, self.stored)
        return max(1.0, min(self.flight * often, room))

    def _charge_lock(
        self, transaction: Transaction, once: Primitive, made: Calls, locked: float, inner: float
    ) -> None:
        """A transaction under one lock, which serialises access to the counters' lines too."""
        # Of a packet's transactions, one after the other, the first fetches the line.
        first = 1 / self.begun[transaction.domain.sync]
        locking = self.deployment.elsewhere * self.machine.transfer
        locking *= min(1.0, first + self.lines.meets)
        fetched = 0.0
        for touch in transaction.touches:
            if once.line or touch.lines > 1:  # others come with the lock
                often = made.often(self.lines.flat(touch))
                moved, missed = self._fetched(touch, often)
                overlap = self.overlap(made) if touch.lines > 1 else 1.0
                # The lock's line and lines that no other lcore writes are in flight together.
                missed = max(0.0, missed - locking)
                fetched = max(fetched, (moved + missed) * often / made.transactions / overlap)
        inside = locked + inner / made.transactions + fetched
        station = lock(self.machine, once.lock, locking + inside, 1, made.transactions)
        self.serial.append(replace(station, key=transaction.domain.sync))

    def _charge_buffered(self, transaction: Transaction, cost: Cost, flush: Flush) -> None:
        """A transaction whose operations wait in the lcore's buffer for a flush."""
        machine, made = self.machine, calls(transaction, self.deployment)
        tunables = self.tunables(transaction)
        once, each = cost.totals(tunables)
        count = once.instructions * made.transactions + made.extra
        count += each.instructions * transaction.operations * made.transactions
        self.found.instructions += count * self.instruction
        every, room = max(1, int(tunables[flush.every])), int(tunables[flush.room])
        counted = transaction.operations if flush.counts == "operations" else 1
        records = max(1.0, every / counted)
        # To keep their order, pending updates are applied before a set.
        key = transaction.domain.sync
        sets = self.sets.get(key, 0.0)
        sets /= self.begun[key] - sets
        records = 1 / max(1 / records, sets)
        once, each = flush.totals(tunables)
        record = total(flush.record, tunables).instructions * counted
        applied = each.instructions * transaction.operations + transaction.computed
        # As many consecutive misses are in flight as the window holds.
        loops = max(1.0, machine.window / max(1, record + applied))
        lines = sum(touch.lines > 1 for touch in transaction.touches)
        overlap = min(loops, machine.fills / max(1, lines))
        fetched = 0.0
        for touch in transaction.touches:
            seldom = self.seldom(touch, made) / made.transactions
            many = distinct(records * min(1.0, seldom), touch.lcore_lines)
            cycles = sum(self.lines.fetch(touch)) / (1.0 if touch.lines == 1 else overlap) * many
            # Lines of a record are requested together.
            fetched = max(fetched, cycles)
        locking = self.deployment.elsewhere * machine.transfer + once.locked * machine.locked
        service = locking * max(0.0, 1 - sets * records)  # else it is the lock of the set
        own = (1 + 1 / loops) / machine.width  # adds to several words do not wait for each other
        service += records * (record * machine.instruction + applied * own) + fetched
        between = think(self.deployment) / made.transactions
        slack = max(0.0, (room - every) / counted * between) if sets * records < 1 else 0.0
        visits = made.transactions / records
        self.serial.append(Station(service, visits=visits, slack=slack, key=key))

    def wait(self) -> None:
        """Add the cycles of a packet for waiting and fetching; plain misses overlap."""
        stations = list(self.serial)
        groups = []
        for group in self.overlapped:
            groups.append(range(len(stations), len(stations) + len(group)))
            stations += [station for station, _ in group]
        found = self.found
        busy = think(self.deployment) + found.packet
        response_times = responses(stations, self.deployment.lcores, busy, groups)
        # An add to a word that the packet before has changed waits for its store.
        found.instructions = max(found.instructions, self.chained)
        for station, response in zip(self.serial, response_times, strict=False):
            found.misses += station.visits * (station.service - station.hidden)
            found.waiting += station.visits * max(0.0, response - station.slack - station.service)
        for group, numbers in zip(self.overlapped, groups, strict=True):
            alone = max(seen(station, station.service) + own for station, own in group)
            longest = max(
                seen(station, response_times[i]) + own
                for i, (station, own) in zip(numbers, group, strict=True)
            )
            found.misses += alone
            found.waiting += longest - alone
