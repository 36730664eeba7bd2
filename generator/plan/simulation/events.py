# SPDX-License-Identifier: BSD-3-Clause
"""Events in the order of their time, and processes that wait for them.

A process is a generator that yields how many cycles it waits, or a signal that it waits for. Events
of the same time happen in the order in which they were asked for, so a run can be repeated.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Generator
from typing import TypeAlias


class Signal:
    """Something that happens once. Who waits for it goes on then."""

    __slots__ = ("_waiting", "done")

    def __init__(self, done: bool = False) -> None:
        self.done = done
        self._waiting: list[Callable[[], None]] = []

    def then(self, what: Callable[[], None]) -> None:
        """Do something as soon as it has happened, which may be at once."""
        if self.done:
            what()
        else:
            self._waiting.append(what)

    def fire(self) -> None:
        """It happens."""
        self.done = True
        waiting, self._waiting = self._waiting, []
        for what in waiting:
            what()


Process: TypeAlias = Generator["float | Signal", None, None]
"""Yields cycles to wait, or a signal to wait for."""

Attempt: TypeAlias = Generator["float | Signal", None, bool]
"""The same, which says at its end whether it had what it wanted."""


class Loop:
    """Runs events until it is stopped, none is left, or there were enough: so it ends always.

    `now` is the time in cycles, which never goes back; `count` how many events have been.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.count = 0
        self.stopped = False
        self._heap: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()

    def after(self, cycles: float, what: Callable[[], None]) -> None:
        """Do something so many cycles from now. Raises ValueError for a time that is over."""
        if cycles < 0:
            raise ValueError(f"{cycles} cycles from now is over")
        heapq.heappush(self._heap, (self.now + cycles, next(self._numbers), what))

    def start(self, process: Process, cycles: float = 0.0) -> None:
        """Let a process run, so many cycles from now."""

        def step() -> None:
            for wait in process:
                if not isinstance(wait, Signal):
                    self.after(wait, step)
                    return
                if not wait.done:
                    wait.then(lambda: self.after(0.0, step))
                    return

        self.after(cycles, step)

    def run(self, most: int) -> None:
        """Run until it is stopped, or so many events have been altogether."""
        self.stopped = False
        while self._heap and not self.stopped and self.count < most:
            self.now, _, what = heapq.heappop(self._heap)
            self.count += 1
            what()
