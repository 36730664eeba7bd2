# SPDX-License-Identifier: BSD-3-Clause
"""What a module has to hold after any sequence of calls, by the documentation alone.

Calls are one after the other, so the only thing that is not certain is what write
buffers hold back: a counter then has a range, and a value once all are flushed.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from ctrgen.model import ir
from ctrgen.model.strategies.catalogue import all_strategies

Index = tuple[int, ...]
Key = tuple[str, Index, str]
"""Scope, indexes (or the number of an embedded object), item."""


@dataclass
class Counter:
    """Everything ever added, and what resets have returned."""

    total: int = 0
    taken: int = 0


@dataclass
class Model:
    """A module between `init` and `fini`."""

    module: ir.Module
    counters: defaultdict[Key, Counter] = field(default_factory=lambda: defaultdict(Counter))
    quantities: defaultdict[Key, int] = field(default_factory=lambda: defaultdict(int))
    states: dict[Key, int | bytes] = field(default_factory=dict)
    live: set[tuple[str, Index]] = field(default_factory=set)
    pending: defaultdict[int, defaultdict[Key, int]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(int))
    )
    """What the buffer of a thread may hold back."""
    former: defaultdict[Key, int] = field(default_factory=lambda: defaultdict(int))
    """What former instances have counted there."""
    drops: int = 0
    late: int = 0

    def scope(self, name: str) -> ir.Scope:
        return self.module.scope(name)

    def item(self, key: Key) -> ir.Item:
        return self.module.item(key[0], key[2])

    def buffered(self, scope: str) -> bool:
        """Whether updates show after a flush only."""
        strategy = all_strategies()[self.scope(scope).sync.strategy]
        return strategy.promises.propagation in ("flush", "drain")

    def flat(self, scope: ir.Scope, index: Index) -> int:
        at = 0
        for limit, one in zip(scope.maxima, index, strict=True):
            at = at * limit + one
        return at

    def in_range(self, scope: str, index: Index) -> bool:
        found = self.scope(scope)
        if found.storage is ir.Storage.EMBEDDED:
            return True
        return all(one < limit for one, limit in zip(index, found.maxima, strict=True))

    def exists(self, scope: str, index: Index) -> bool:
        """Whether an instance, whose index is in range, is there to be read."""
        return self.scope(scope).storage is not ir.Storage.DYNAMIC or (scope, index) in self.live

    # ---- what calls do ----

    def create(self, scope: str, index: Index) -> None:
        """A new instance begins at zero."""
        self.live.add((scope, index))
        self.forget(scope, index)

    def destroy(self, scope: str, index: Index) -> None:
        self.live.remove((scope, index))

    def forget(self, scope: str, index: Index) -> None:
        """Everything of an instance is zero."""
        for item in self.scope(scope).items:
            key = (scope, index, item.name)
            if key in self.counters:
                self.former[key] += self.counters.pop(key).total
            self.quantities.pop(key, None)
            self.states.pop(key, None)

    def accepts(self, targets: list[tuple[str, Index]]) -> bool:
        """Whether a call that updates all of them is applied; else it is dropped whole."""
        known = all(self.in_range(*one) for one in targets)
        there = known and all(self.exists(*one) for one in targets)
        self.drops += not known
        self.late += known and not there
        return there

    def add(self, thread: int, key: Key, amount: int) -> None:
        item = self.item(key)
        if not self.exists(key[0], key[1]):
            return  # late, for an instance that is gone: nobody sees it
        if self.buffered(key[0]):
            self.pending[thread][key] += abs(amount)
        if item.kind is ir.Kind.COUNTER:
            self.counters[key].total += amount
        else:
            self.quantities[key] += amount

    def set(self, thread: int, key: Key, value: int | bytes) -> None:
        if not self.exists(key[0], key[1]):
            return
        if self.item(key).kind is ir.Kind.GAUGE:
            assert isinstance(value, int)
            self.quantities[key] = value
            self.pending[thread].pop(key, None)
        else:
            self.states[key] = value

    def operate(self, thread: int, key: Key, verb: str, value: int) -> None:
        """One operation of an update."""
        if verb == "set":
            self.set(thread, key, value)
        else:
            self.add(thread, key, value if verb == "add" else -value)

    def flush(self, thread: int) -> None:
        self.pending.pop(thread, None)

    # ---- what reads show ----

    def uncertain(self, key: Key) -> int:
        """How much of it may be in buffers."""
        return sum(held.get(key, 0) for held in self.pending.values())

    def counter(self, key: Key) -> tuple[int, int]:
        """What a counter is when everything is applied, and how much it may lack."""
        found = self.counters[key]
        size = 1 << self.item(key).width
        return (found.total - found.taken) % size, self.uncertain(key)

    def counter_is(self, key: Key, value: int) -> bool:
        size = 1 << self.item(key).width
        whole, lack = self.counter(key)
        return 0 <= value < size and (whole - value) % size <= lack

    def lcores_are(self, key: Key, value: int) -> bool:
        """Whether the values of all lcores may add up to `value`: since the start, or the reset."""
        if self.scope(key[0]).reset_lcores:
            return self.counter_is(key, value)
        whole = self.counters[key].total + self.former[key]
        return (whole - value) % (1 << self.item(key).width) <= self.uncertain(key)

    def take(self, key: Key, value: int) -> None:
        """A reset has returned `value`."""
        self.counters[key].taken += value

    def other(self, key: Key) -> int | bytes | None:
        """What a gauge or state is; None when buffers may hold something of it."""
        item = self.item(key)
        if item.kind is ir.Kind.STATE:
            scalar = item.type not in ("string", "ipv6", "mac")
            empty = b"" if item.type == "string" else bytes(16 if item.type == "ipv6" else 6)
            return self.states.get(key, 0 if scalar else empty)
        if self.uncertain(key):
            return None
        low = item.minimum or 0
        high = (1 << item.width) - 1 if item.maximum is None else item.maximum
        return min(max(self.quantities[key], low), high)

    def keys(self, scope: str, index: Index) -> Iterator[tuple[ir.Item, Key]]:
        for item in self.scope(scope).items:
            yield item, (scope, index, item.name)
