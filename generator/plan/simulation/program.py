# SPDX-License-Identifier: BSD-3-Clause
"""What an lcore does for a packet, as the cost model knows it: cycles of its own, and the lines and
locks that it shares with others. Nothing here knows a strategy: all is from its `cost`."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace

from ...model import ir
from ...model.workload import Deployment, Touch, Transaction, written_elsewhere
from ...strategies.catalogue import all_strategies
from ...strategies.costs import Flush, Primitive
from ..bill import Bill
from ..coalesced import held, missing
from ..estimate import think
from ..locks import fair
from ..machine import Machine
from ..model import billed

NEAR = 1e-6
"""Cycles of a transfer, for what an lcore does by itself: none, but more than 0."""


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of a kind that a packet writes to, one of them each time, `adds` times atomically or
    else 0. Another lcore wrote to it last with the chance `other`; where nobody did, it takes
    `miss` cycles, which are in the lcore's own. Of the elements the share `absent` is not held."""

    touch: Touch
    adds: int
    other: float
    miss: float
    absent: float = 0.0


@dataclass(frozen=True, slots=True)
class Buffer:
    """What an lcore holds back, under a key: flushed from `every` units on if the lock is free, and
    at `room` in any case. A transaction is so many `units`."""

    key: Hashable
    every: int
    room: int
    units: int


@dataclass(frozen=True, slots=True)
class Part:
    """A transaction, which happens with a `share` of packets: `before` cycles of its own, then its
    places for `inside` cycles. `lock` is the kind of a lock around them, `key` which lock it is,
    with a line of its own where `apart`; `weight` the part's share of what is inside. With `buffer`
    it is held back, unless it `sets` a value, which a flush comes before."""

    share: float
    before: float
    weight: float
    places: tuple[Place, ...]
    key: Hashable = None
    lock: str = ""
    apart: bool = False
    inside: float = 0.0
    atomics: float = 0.0
    buffer: Buffer | None = None
    sets: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """A packet of an lcore: the parts, the cycles of its own work besides, how many instructions a
    cycle of an update has, and what is seen of an atomic instruction. `operations` are counter
    updates, `own` cycles if no lcore ever waited for another."""

    parts: tuple[Part, ...]
    work: float
    rate: float
    exposed: float
    operations: float
    own: float


def program(module: ir.Module, place: Deployment, machine: Machine) -> Program | None:
    """What the strategies of a module do for a packet; None if one does not say, or leaves it to a
    thread that polls, which nothing here is.

    What an lcore does by itself costs what the model says if every line is in a cache of its own
    or in one that all share: transfers and waiting are left to the simulation.
    """
    if any(_polls(scope) for scope in module.scopes):
        return None
    # A pair is a load and a store among others: the window goes on behind them.
    seen = max(0.0, machine.locked - machine.hidden) if machine.pairs else machine.locked
    found = billed(module, place, replace(machine, transfer=NEAR, contended=0.0, locked=seen))
    if found is None:
        return None
    bill, changes = found
    cost = bill.found
    own = cost.instructions + cost.sync + cost.misses
    parts = [_part(bill, transaction) for transaction in changes]
    explicit = sum(p.share * (p.before + p.atomics * bill.exposed) for p in parts)
    weight = sum(p.share * p.weight for p in parts)
    rest, work = own - explicit, think(place)
    each = max(0.0, rest) / weight if weight else 0.0
    parts = [replace(part, inside=each * part.weight) for part in parts]
    work = max(0.0, work + min(0.0, rest)) if weight else work + rest
    rate = 1 / bill.instruction
    return Program(tuple(parts), work, rate, bill.exposed, cost.operations, own)


def _polls(scope: ir.Scope) -> bool:
    """Whether a thread that polls applies what updates of a scope send."""
    return all_strategies()[scope.sync.strategy].polls


def _part(bill: Bill, transaction: Transaction) -> Part:
    """A transaction, without what is inside."""
    cost, tunables = bill.cost(transaction), bill.tunables(transaction)
    eviction = held(transaction)
    steps = bill.steps(transaction, cost)
    once, each = steps.totals(tunables)
    buffered = cost.flush is not None and not transaction.has_set
    before = once.instructions * bill.instruction + once.fences * bill.machine.fence
    sync = transaction.domain.sync
    weight = max(1.0, float(transaction.operations))
    if eviction is not None:
        _, added = eviction[1].totals(tunables)
        places = _places(bill, transaction, added.locked, evicts=True)
        return Part(transaction.share, 0.0, weight, places, sync)
    if buffered:
        assert cost.flush is not None
        before += each.instructions * transaction.operations * bill.instruction
        return _held_back(bill, transaction, cost.flush, before, weight)
    places = _places(bill, transaction, each.locked)
    lock = _kind(transaction, once)
    atomics = (once.locked if lock else 0) + sum(p.adds for p in places)
    atomics += 0 if lock != "element" else once.locked * (len(transaction.touches) - 1)
    if not lock:
        before += once.locked * bill.machine.locked * bill.exposed
    buffer = _buffer(bill, transaction, cost.flush) if cost.flush is not None else None
    return Part(
        transaction.share, before, weight, places, sync, lock, once.line,
        atomics=atomics * bill.machine.locked, buffer=buffer, sets=transaction.has_set,
    )  # fmt: skip


def _kind(transaction: Transaction, once: Primitive) -> str:
    """How lcores wait for a lock: what its primitive says, and whether they take turns."""
    return "turns" if once.lock == "crowd" and fair(transaction) else once.lock or ""


def _held_back(
    bill: Bill, transaction: Transaction, flush: Flush, before: float, weight: float
) -> Part:
    """A transaction whose operations wait for a flush, under the lock of the flush."""
    once, _ = flush.totals(bill.tunables(transaction))
    buffer = _buffer(bill, transaction, flush)
    atomics = once.locked * bill.machine.locked * buffer.units / max(1, buffer.every)
    return Part(
        transaction.share, before, weight, _places(bill, transaction, 0), transaction.domain.sync,
        _kind(transaction, once), once.line, atomics=atomics, buffer=buffer,
    )  # fmt: skip


def _buffer(bill: Bill, transaction: Transaction, flush: Flush) -> Buffer:
    tunables = bill.tunables(transaction)
    every, room = max(1, int(tunables[flush.every])), int(tunables[flush.room])
    units = transaction.operations if flush.counts == "operations" else 1
    return Buffer(transaction.domain.sync, min(every, room), room, units)


def _places(
    bill: Bill, transaction: Transaction, locked: int, evicts: bool = False
) -> tuple[Place, ...]:
    """The lines that lcores share. A strategy with an instance for each lcore adds atomically to
    what exists once; what is held of few elements is not shared, but the elements are."""
    places = []
    for touch in transaction.touches:
        absent = missing(transaction, touch) if evicts else 0.0
        if evicts and (bill.lines.flat(touch) or not absent):
            continue
        shared = replace(touch, private=False) if evicts else touch
        other = written_elsewhere(shared, bill.module, bill.deployment)
        # With one lcore nobody else is there, yet its locks are.
        if not shared.private and not shared.seldom and not _embedded(bill, shared):
            common = shared.common and transaction.domain.strategy.per_lcore
            adds = touch.adds if common else touch.adds * locked
            places.append(Place(shared, adds, other, bill.lines.far(shared), absent))
    return tuple(places)


def _embedded(bill: Bill, touch: Touch) -> bool:
    return bill.module.scope(touch.scope).storage is ir.Storage.EMBEDDED
