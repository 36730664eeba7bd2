# SPDX-License-Identifier: BSD-3-Clause
"""What an update, a reader and a reset do under a strategy, in words, from its strategy.yaml."""

from collections.abc import Iterable
from typing import NamedTuple

from ctrgen.model.strategies.catalogue import Strategy
from ctrgen.model.strategies.costs import Steps, Use

_AROUND = {
    "lock_own": ("lock", "unlock"),
    "lock_shared": ("lock", "unlock"),
    "lock_queue": ("lock", "unlock"),
    "lock_element": ("lock", "unlock"),
    "sequence": ("sequence odd", "sequence even"),
    "section": ("begin a section", "end it"),
}
"""Primitives that begin and end a transaction: their words for that."""

_UNSAID = ("find_cpu", "find_one", "find_slot", "half_section", "lock_line", "reserve", "swap")
"""Primitives that touch nothing which other threads have."""

_GUARDS = {"lock": "lock", "sequence odd": "sequence"}
"""By the word for the begin of a transaction: what lies beside the counters for it."""


class Deeds(NamedTuple):
    """What is done: steps in their order, a few words each, and whole sentences."""

    update: tuple[str, ...]
    flush: tuple[str, ...]
    """What applies that which an lcore has held back; nothing where updates go straight."""
    guard: str
    """What lies beside the counters for updates: `lock`, `sequence` or nothing."""
    read: tuple[str, ...]
    reset: tuple[str, ...]
    sentences: tuple[tuple[str, str], ...]
    """Who, and the sentences about that."""


def _steps(strategy: Strategy, cost: Steps | None, own: str = "") -> tuple[str, ...]:
    """The steps of a transaction with default tunables; `own` are those of each operation."""
    if cost is None:
        return ("update",)
    settings = dict(strategy.settings())

    def said(uses: Iterable[Use]) -> list[str]:
        return [u.use for u in uses if u.applies(settings) and u.use not in _UNSAID]

    first = said(cost.transaction)
    around = [_AROUND[name] for name in first if name in _AROUND]
    plain = [name.replace("_", " ") for name in first if name not in _AROUND]
    inner = own or ", ".join(name.replace("_", " ") for name in said(cost.operation))
    middle = [*plain, *([inner] if inner else [])]
    begins, ends = [pair[0] for pair in around], [pair[1] for pair in reversed(around)]
    return (*begins, *middle, *ends)


def _read(strategy: Strategy) -> tuple[tuple[str, ...], str]:
    promised = strategy.promised()
    each = "shard after shard" if strategy.per_lcore else ""
    rest = (each,) if each else ()
    if promised.reader == "blocks-writers":
        if strategy.own_object:
            return ("load", "under its lock"), "loads the counters under the application's lock."
        who = "Flushes" if strategy.holds_back else "All updates"
        says = f"takes the lock and loads the counters. {who} wait"
        return ("lock, load, unlock", *rest), f"{says}, longer if it is preempted."
    if promised.reader == "stalls-lcore":
        says = "takes the lock of one shard after another and adds up."
        return ("lock, load, unlock", *rest), f"{says} One lcore at a time may wait."
    if promised.consistency == "update":
        says = "loads the counters of a shard; retries if the sequence was odd or has changed"
        return ("load, again if", "the sequence moved"), f"{says}. No thread waits."
    if strategy.sums:
        says = "adds up all shards and the wide word; retries if more was carried"
        return ("load, again if", "more moved"), f"{says}. No thread waits."
    says = "loads each counter of each shard and adds up" if each else "loads each counter"
    return ("load", *rest), f"{says}. No thread waits."


def _reset(strategy: Strategy) -> tuple[tuple[str, ...], str]:
    promised = strategy.promised()
    if strategy.per_lcore:
        return ("keep the sums",), "stores the sums as baselines, and writes no counter."
    if strategy.own_object:
        return ("store 0", "under its lock"), "stores 0 under the application's lock."
    if promised.reader == "blocks-writers":
        return ("lock, take,", "store 0, unlock"), "takes the lock and the counts, stores 0."
    if promised.reset == "lossy":
        says = "loads each counter and stores 0; updates in between are lost."
        return ("load,", "store 0"), says
    return ("exchange", "with 0"), "exchanges each counter with 0."


def _update(strategy: Strategy, steps: tuple[str, ...], flush: tuple[str, ...]) -> str:
    done = ", ".join(steps)
    if strategy.own_object:
        return f"touches the application's object, under its own lock: {done}."
    if flush:
        first = f"touches the lcore's buffer: {done}."
        by = "A drain" if strategy.polls else "A flush"
        apply = "An eviction or a flush" if strategy.held else by
        return f"{first} {apply} touches the one instance: {', '.join(flush)}."
    if strategy.by_cpu:
        says = f"touches the shard of the CPU that its thread runs on: {done}."
        return f"{says} A preempted one finishes on one more shard, atomically."
    if strategy.per_lcore:
        says = f"touches the shard of its lcore: {done}."
        if strategy.sums:
            says += " What overflows is carried to the one wide word."
        return says
    says = f"touches the one instance: {done}."
    lost = "" if strategy.promised().exact else " Of two concurrent updates one may be lost."
    return f"{says} Its cache line moves to the lcore that updates.{lost}"


def deeds(strategy: Strategy) -> Deeds:
    """What is done under a strategy with its default tunables."""
    cost = strategy.cost
    update = _steps(strategy, cost)
    if cost is not None and cost.evict is not None:
        update = tuple(use.use.replace("_", " ") for use in cost.evict.find) + update
    flush: tuple[str, ...] = ()
    if cost is not None and cost.flush is not None:
        flush = _steps(strategy, cost.flush, own="add each")
    elif cost is not None and cost.evict is not None:
        flush = _steps(strategy, cost.evict)
    elif strategy.polls:
        flush = ("atomic add",)
    elif strategy.held or strategy.holds_back:
        flush = ("flush",)
    guard = next((_GUARDS[step] for step in (*update, *flush) if step in _GUARDS), "")
    (read, reader), (reset, resetter) = _read(strategy), _reset(strategy)
    sentences = (
        ("An update", _update(strategy, update, flush)),
        ("A reader", reader),
        ("A reset", resetter),
    )
    return Deeds(update, flush, guard, read, reset, sentences)
