# SPDX-License-Identifier: BSD-3-Clause
"""The cost model: cycles that a packet's updates take. docs/benchmark.md explains it."""

from dataclasses import replace

from ...model import ir
from ...model.layout import CACHE_LINE, Domain, ScopeLayout
from ...model.strategies.costs import Cost, Eviction, total
from ...model.workload import Deployment, Touch, Transaction, transactions
from .bill import Bill
from .estimate import PREFETCH, Estimate, calls, think
from .machine import Machine


def _held(transaction: Transaction) -> tuple[Cost, Eviction] | None:
    """Costs of an update and of an eviction; None for strategies without a delta cache."""
    cost = transaction.domain.strategy.cost
    return (cost, cost.evict) if cost is not None and cost.evict is not None else None


def _part(transaction: Transaction, touch: Touch) -> ScopeLayout:
    parts = {part.scope.name: part for part in transaction.domain.scopes}
    return parts[touch.scope]


def _place(transaction: Transaction, touch: Touch) -> Touch:
    """The delta cache line of an lcore for what a transaction adds to an element."""
    part = _part(transaction, touch)
    count = max(1, min(part.held, touch.local))
    crowded = max(1, min(count, CACHE_LINE // max(1, part.held_size)))
    return replace(touch, elements=count, local=count, crowded=crowded, private=True)


def _missing(transaction: Transaction, touch: Touch) -> float:
    """The chance that an element in use is not in the delta cache of the lcore."""
    return max(0.0, 1 - _part(transaction, touch).held / max(1, touch.local))


def _charge(bill: Bill, transaction: Transaction, cost: Cost, evict: Eviction) -> None:
    """Add a transaction to a bill: packets in a row in an element are one eviction.

    The line of an element is prefetched when it enters the delta cache, so as many are in flight
    as the core has fill buffers, concurrently with other work of the packet. Items that exist once
    are never evicted.
    """
    machine, made, tunables = bill.machine, calls(transaction, bill.deployment), bill.tunables
    once, each = cost.totals(tunables(transaction))
    find = total(evict.find, tunables(transaction)).instructions
    # A bulk call does not prefetch.
    ahead = PREFETCH * transaction.share if made.ahead > 1 else 0.0
    count = once.instructions * made.transactions + made.extra - ahead
    count += each.instructions * made.counted(transaction) + transaction.computed * made.each
    once, each = evict.totals(tunables(transaction))
    places, locked, fetched = [], 0.0, 0.0
    for touch in transaction.touches:
        places.append(bill.plain(_place(transaction, touch), made))
        if bill.lines.flat(touch):
            continue
        absent = _missing(transaction, touch)
        evicted = bill.seldom(touch, made) * absent
        count += find * made.often(flat=False)
        count += evicted * (once.instructions + each.instructions * touch.adds)
        locked += evicted * each.locked * touch.adds * machine.locked
        fetched += evicted * sum(bill.lines.fetch(touch)) / machine.fills
    bill.found.instructions += count * bill.instruction
    bill.found.sync += locked
    work, furthest = think(bill.deployment), machine.memory - machine.caches[0].cycles
    beside = (count * bill.instruction + locked) * work / (work + furthest)
    bill.found.misses += max(0.0, fetched - beside)
    if places:
        bill.overlapped.append(places)


def estimate(module: ir.Module, deployment: Deployment, machine: Machine) -> Estimate | None:
    """Cost of a packet's updates; None if a strategy has no costs."""
    changes = [
        # A control thread touches the counters, not the updating lcore.
        replace(change, touches=[]) if change.domain.strategy.polls else change
        for change in transactions(module, deployment)
    ]
    if any(t.domain.strategy.cost is None for t in changes):
        return None
    operations = sum(t.operations * t.share for t in changes)
    lines = sum(len(t.touches) for t in changes)
    found = Estimate(_working_set(changes), operations, len(changes), lines)
    buffers = sum({t.domain.sync: _buffer(t.domain) for t in changes}.values())
    bill = Bill(module, deployment, machine, found, buffers=buffers)
    bill.look_ahead(changes)
    for transaction in changes:
        place = _held(transaction)
        if place is not None:
            _charge(bill, transaction, *place)
        else:
            bill.charge(transaction)
    bill.wait()
    return found


def _working_set(transactions: list[Transaction]) -> int:
    """Bytes that a packet's updates keep using, of one lcore; shared lines count for each scope."""
    lines = {touch.key: touch for transaction in transactions for touch in transaction.touches}
    used = sum(touch.lcore_lines if touch.private else touch.lines for touch in lines.values())
    buffers = {t.domain.sync: _buffer(t.domain) for t in transactions}
    return used * CACHE_LINE + sum(buffers.values())


def _buffer(domain: Domain) -> int:
    """Bytes of an lcore's memory for the strategy that are used between two flushes."""
    cost = domain.strategy.cost
    if cost is None or cost.flush is None:
        return domain.lcore_size
    tunables = dict(domain.sync.tunables)
    share = int(tunables[cost.flush.every]) / max(1, int(tunables[cost.flush.room]))
    return round(domain.lcore_size * min(1.0, share))
