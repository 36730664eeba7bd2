# SPDX-License-Identifier: BSD-3-Clause
"""Locks that lcores share, as processes: how they are taken, and what a release sets going."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from .coherence import NOBODY, Line
from .core import Core
from .events import Attempt, Process, Signal


class Lock(Protocol):
    """A lock. `taken` counts how often it was."""

    taken: int

    def attempt(self, core: Core) -> Attempt:
        """Try for it once, whether it was free."""

    def acquire(self, core: Core) -> Process:
        """Take it, and wait for it if need be."""

    def release(self, core: Core) -> Process:
        """Let it go, which others see when they have its line."""


@dataclass(slots=True)
class Spin:
    """Who waits looks at a copy of its line, with a pause between two looks, and tries for it with
    an atomic exchange when it is free, as others do: T. E. Anderson, IEEE TPDS 1, 1990."""

    line: Line
    holder: int = NOBODY
    taken: int = 0

    def attempt(self, core: Core) -> Attempt:
        """Try for it once."""
        yield from core.exchange(self.line, lambda: self.holder != NOBODY)
        free = self.holder == NOBODY
        if free:
            self.holder = core.number
        self.taken += free
        yield core.locked
        return free

    def acquire(self, core: Core) -> Process:
        """Take it."""
        while not (yield from self.attempt(core)):
            yield from self._watch(core)

    def _watch(self, core: Core) -> Process:
        """Look at the line until the lock is free."""
        loop, look = core.memory.loop, core.machine.pause + core.machine.caches[0].cycles
        while True:
            yield look
            yield from core.load(self.line)
            if self.holder == NOBODY:
                return
            if self.line.has(core.number, owns=False):
                start = loop.now
                yield self.line.gone()
                # Looks come one after the other: the next one sees that the copy is gone.
                yield look - (loop.now - start) % look

    def release(self, core: Core) -> Process:
        """Let it go, behind the stores to what it protects."""
        yield from _stored(core, self.line, self._let_go)

    def _let_go(self) -> None:
        self.holder = NOBODY


@dataclass(slots=True)
class Ticket:
    """Who comes takes a number with an atomic add, and looks at a copy of the line, on which the
    number is that is served: all look again after each release, and it is the turn of one."""

    line: Line
    next: int = 0
    serving: int = 0
    taken: int = 0

    def attempt(self, core: Core) -> Attempt:
        """Try for it once."""
        yield from core.exchange(self.line, lambda: self.next != self.serving)
        free = self.next == self.serving
        self.next += free
        self.taken += free
        yield core.locked
        return free

    def acquire(self, core: Core) -> Process:
        """Take it."""
        yield from core.exchange(self.line)
        number, self.next = self.next, self.next + 1
        yield core.locked
        loop, look = core.memory.loop, core.machine.pause + core.machine.caches[0].cycles
        while self.serving != number:
            yield from core.load(self.line)
            if self.serving != number and self.line.has(core.number, owns=False):
                start = loop.now
                yield self.line.gone()
                yield look - (loop.now - start) % look
        self.taken += 1

    def release(self, core: Core) -> Process:
        """Let it go."""
        yield from _stored(core, self.line, self._next)

    def _next(self) -> None:
        self.serving += 1


@dataclass(slots=True)
class Queue:
    """Each who waits looks at a line of its own, to which the one before writes: J. Mellor-Crummey
    and M. Scott, ACM TOCS 9, 1991. `line` says who was the last to come."""

    line: Line
    last: int = NOBODY
    taken: int = 0
    _own: dict[int, Line] = field(default_factory=dict)
    _behind: dict[int, int] = field(default_factory=dict)
    _turns: dict[int, Signal] = field(default_factory=dict)

    def attempt(self, core: Core) -> Attempt:
        """Try for it once."""
        yield from core.exchange(self.line, lambda: self.last != NOBODY)
        free = self.last == NOBODY
        if free:
            self.last = core.number
        self.taken += free
        yield core.locked
        return free

    def _node(self, core: int) -> Line:
        return self._own.setdefault(core, Line(owner=core))

    def acquire(self, core: Core) -> Process:
        """Take it."""
        me = core.number
        yield from core.exchange(self.line)
        before, self.last = self.last, me
        turn = self._turns[me] = Signal(done=before == NOBODY)
        yield core.locked
        if before != NOBODY:
            yield core.memory.get(self._node(before), me)
            self._behind[before] = me
            yield from core.load(self._node(me))
            yield turn
            yield from core.load(self._node(me))
        self.taken += 1

    def release(self, core: Core) -> Process:
        """Let it go: to who is behind, or by an exchange if nobody is."""
        me = core.number
        yield from core.drain()
        if self.last == me:
            yield from core.exchange(self.line)
            alone = self.last == me
            self.last = NOBODY if alone else self.last
            yield core.locked
            if alone:
                return
        while me not in self._behind:
            yield core.machine.pause + core.machine.caches[0].cycles
        yield from core.load(self._node(me))
        behind = self._behind.pop(me)
        yield core.memory.get(self._node(behind), me)
        self._turns[behind].fire()


def _stored(core: Core, line: Line, what: Callable[[], None]) -> Process:
    """Store to a line behind all stores before, which the core does not wait for."""
    before = [store.left for store in core.stores.values()]
    left = core.stored(-id(line))
    if core.exchanges:
        core.loads.append((left, core.place))

    def leave() -> Process:
        yield from before
        yield core.memory.get(line, core.number)
        what()
        left.fire()

    core.memory.loop.start(leave())
    yield 0.0
