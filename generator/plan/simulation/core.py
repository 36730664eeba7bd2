# SPDX-License-Identifier: BSD-3-Clause
"""A core: its window of instructions, its stores that wait for their lines, atomic instructions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from ..machine import Machine
from .coherence import Line, Memory
from .events import Process, Signal


@dataclass(slots=True)
class Store:
    """Stores to a line that wait for it: so many `entries` of the buffer, until they have left."""

    left: Signal
    entries: int


@dataclass(slots=True)
class Core:
    """Core `number`. It goes on behind a load that is on its way as far as its window reaches, and
    behind a store while its buffer has room; not behind an atomic instruction, unless the machine
    `passes` these or makes `pairs` of them. Of an atomic instruction the share `exposed` is seen.
    With `exchanges` the release of a lock is one, behind which only other work comes.

    `loads` are what is on its way, each with the instruction that waits for it, `stores` what waits
    to leave by its line; `place` is the instruction that the core has come to.
    """

    number: int
    memory: Memory
    machine: Machine
    exposed: float = 1.0
    exchanges: bool = False
    loads: deque[tuple[Signal, float]] = field(default_factory=deque)
    stores: dict[int, Store] = field(default_factory=dict)
    place: float = 0.0

    def go(self, cycles: float, rate: float) -> Process:
        """Execute for so many cycles, `rate` instructions in each."""
        loads = self.loads
        while cycles > 0:
            while loads and loads[0][0].done:
                loads.popleft()
            step = cycles
            if loads:
                signal, place = loads[0]
                step = min(cycles, (place + self.machine.window - self.place) / rate)
                if step <= 0:
                    yield signal
                    continue
            yield step
            self.place += step * rate
            cycles -= step

    def add(self, line: Line, times: int, less: float = 0.0) -> Process:
        """Load from a line, and store to it so many times. A load that finds no copy is waited for
        sooner or later; stores wait for the line to be this core's, and loads behind them find what
        they have left."""
        if not line.busy and line.owner == self.number:
            return
        while len(self.loads) >= self.machine.fills:
            yield self.loads.popleft()[0]
        waiting = self.stores.get(id(line))
        while self.stores and self._entries() + times > self.machine.stores:
            yield next(iter(self.stores.values())).left
        if waiting is not None and not waiting.left.done:
            waiting.entries += times
            return
        loaded = self.memory.get(line, self.number, owns=False, less=less)
        if not loaded.done:
            self.loads.append((loaded, self.place))
        left = self.stored(id(line), times)
        loaded.then(lambda: self.memory.get(line, self.number).then(left.fire))

    def stored(self, key: int, times: int = 1) -> Signal:
        """A store that waits to leave: what to fire when it has."""
        left = Signal()
        self.stores[key] = store = Store(left, times)
        left.then(lambda: self._gone(key, store))
        return left

    def _gone(self, key: int, store: Store) -> None:
        if self.stores.get(key) is store:
            del self.stores[key]

    def _entries(self) -> int:
        return sum(store.entries for store in self.stores.values())

    def drain(self) -> Process:
        """Wait until stores have left, and loads have come unless later ones may pass."""
        if self.machine.pairs:
            return
        while self.loads and not self.machine.passes:
            yield self.loads.popleft()[0]
        while self.stores:
            yield next(iter(self.stores.values())).left

    def rmw(self, line: Line, times: float, less: float = 0.0) -> Process:
        """Execute so many atomic read-modify-writes one after the other. Nobody gets the line
        between them."""
        yield from self.drain()
        cycles = times * self.machine.locked
        if self.machine.pairs:
            yield self.memory.get(line, self.number, owns=False, less=less)
        yield self.memory.get(line, self.number, hold=cycles, less=less)
        yield self._seen(cycles)
        self.place += self.machine.window  # nothing behind them was begun before

    def ask(self, line: Line, less: float = 0.0) -> None:
        """Ask for a line ahead of what needs it."""
        self.memory.get(line, self.number, less=less)

    def exchange(self, line: Line, taken: Callable[[], bool] = bool) -> Process:
        """Get a line for an atomic instruction that is not over yet when this is: `locked` is. The
        load of a pair says whether it is `taken`, and there is no store then."""
        yield from self.drain()
        if self.machine.pairs:
            yield self.memory.get(line, self.number, owns=False)
            if taken():
                return
        yield self.memory.get(line, self.number, hold=self.machine.locked)

    @property
    def locked(self) -> float:
        """Cycles that are seen of an atomic instruction."""
        return self._seen(self.machine.locked)

    def _seen(self, cycles: float) -> float:
        if self.machine.pairs:
            return max(0.0, cycles - self.machine.hidden)
        return cycles * self.exposed

    def load(self, line: Line) -> Process:
        """Load from a line and wait for what it says."""
        yield self.memory.get(line, self.number, owns=False)
