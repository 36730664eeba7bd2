# SPDX-License-Identifier: BSD-3-Clause
"""Who gets a lock that several lcores want."""

from __future__ import annotations

from ..model.workload import Transaction
from .machine import Machine
from .queueing import Station


def fair(transaction: Transaction) -> bool:
    """Whether the lock of a transaction goes to who waits for it the longest."""
    strategy, tunables = transaction.domain.strategy, dict(transaction.domain.sync.tunables)
    return any(entry.applies(tunables) for entry in strategy.fair)


def again(machine: Machine, others: int, between: float, inside: float) -> float:
    """How often in a row an lcore takes a lock before one of the others gets it: `inside` cycles
    each time, so many `between` two.

    A waiter looks once in a pause and a transfer, and then tries for it. Each look takes the line
    from the owner, who waits for it before its next exchange: the lock is free meanwhile, as it is
    from one transaction to the next, at least for an exchange. It has to be free at the look and
    when the waiter tries.
    """
    if not others:
        return 1.0
    between += machine.locked
    look = (machine.pause + machine.transfer) / others
    taken = min(1.0, machine.transfer / look)
    free = taken + (1 - taken) * between / (between + inside)
    return max(1.0, look * (1 - taken) / free**2 / (between + inside))


def lock(machine: Machine, kind: str | None, service: float, count: int, visits: float) -> Station:
    """A lock. Spinning lcores have a copy of its line, which a release takes from them.

    So the holder gets the line back first (`handover`), and every waiter fetches it again
    (`crowd`); in a queue only the next one does. T. E. Anderson, IEEE TPDS 1, 1990.
    """
    handover = machine.transfer
    crowd = 0.0 if kind == "queue" else handover
    return Station(service, visits=visits, count=count, handover=handover, crowd=crowd)
