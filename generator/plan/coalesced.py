# SPDX-License-Identifier: BSD-3-Clause
"""What a transaction costs that adds to what its lcore holds of a few elements at a time."""

from __future__ import annotations

from dataclasses import replace

from ..model.layout import CACHE_LINE, ScopeLayout
from ..model.workload import Touch, Transaction
from ..strategies.costs import Cost, Eviction, total
from .bill import Bill
from .calls import PREFETCH, calls
from .estimate import think


def held(transaction: Transaction) -> tuple[Cost, Eviction] | None:
    """What it does, and what an eviction does; None under other strategies."""
    cost = transaction.domain.strategy.cost
    return (cost, cost.evict) if cost is not None and cost.evict is not None else None


def _part(transaction: Transaction, touch: Touch) -> ScopeLayout:
    parts = {part.scope.name: part for part in transaction.domain.scopes}
    return parts[touch.scope]


def place(transaction: Transaction, touch: Touch) -> Touch:
    """The line of an lcore where it holds what a transaction adds to a line of an element."""
    part = _part(transaction, touch)
    count = max(1, min(part.held, touch.local))
    crowded = max(1, min(count, CACHE_LINE // max(1, part.held_size)))
    return replace(touch, elements=count, local=count, crowded=crowded, private=True)


def missing(transaction: Transaction, touch: Touch) -> float:
    """The share of the elements that an lcore does not hold, of those that it counts in: the chance
    that one of them, whichever, has to get the place of another."""
    return max(0.0, 1 - _part(transaction, touch).held / max(1, touch.local))


def charge(bill: Bill, transaction: Transaction, cost: Cost, evict: Eviction) -> None:
    """Add a transaction to a bill.

    What several packets in a row count in an element is one eviction. The line of an element is
    asked for when the lcore begins to hold it, so that as many are under way as the core has
    buffers for, and nothing but their number is waited for: the longer the packet's other work is
    beside the latency of memory, the more of it goes on beside the instructions. What exists once
    is never evicted.
    """
    machine, made, tunables = bill.machine, calls(transaction, bill.deployment), bill.tunables
    once, each = cost.totals(tunables(transaction))
    find = total(evict.find, tunables(transaction)).instructions
    # A bulk call asks for no lines.
    ahead = PREFETCH * transaction.share if made.ahead > 1 else 0.0
    count = once.instructions * made.transactions + made.extra - ahead
    count += each.instructions * made.counted(transaction) + transaction.computed * made.each
    once, each = evict.totals(tunables(transaction))
    places, locked, fetched = [], 0.0, 0.0
    for touch in transaction.touches:
        places.append(bill.plain(transaction, place(transaction, touch), made))
        if bill.lines.flat(touch):
            continue
        absent = missing(transaction, touch)
        evicted = bill.seldom(touch, transaction, made) * absent
        count += find * made.often(flat=False)
        count += evicted * (once.instructions + each.instructions * touch.adds)
        bill.found.instructions += evicted * (1 - absent) * machine.branch
        locked += evicted * each.locked * touch.adds * machine.locked
        fetched += evicted * sum(bill.lines.fetch(touch)) / machine.fills
    bill.found.instructions += count * bill.instruction
    bill.found.sync += locked
    work = think(bill.deployment)
    beside = (count * bill.instruction + locked) * work / (work + machine.furthest)
    bill.found.misses += max(0.0, fetched - beside)
    if places:
        bill.overlapped.append(places)
