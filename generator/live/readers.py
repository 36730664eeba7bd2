# SPDX-License-Identifier: BSD-3-Clause
"""Reads applications concurrently, each in a thread and within a deadline: one that hangs, or that
answers without end, delays no other."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from .deadline import within
from .model import LiveError, Source

T = TypeVar("T")
Sources = Callable[[], Iterable[tuple[str, Source | LiveError]]]
"""Finds applications: the name of each, and how it is read or why it cannot be."""

_GRACE = 1.0
"""Seconds after the deadline for which a thread is awaited: it ends by itself, unless it is in a
system call that has no timeout."""


@dataclass(frozen=True)
class Limits:
    """Bounds for an application: `seconds` that reading it may take, and seconds after which one
    that published in its segment and does no longer is taken for hung (`stale`)."""

    seconds: float = 8.0
    stale: float = 60.0


@dataclass
class Reading(Generic[T]):
    """The result of reading an application, or why there is none. `late`: the deadline passed.
    `age` is the time since the last publication, in seconds, of one with a segment."""

    name: str
    result: T | None = None
    error: LiveError | None = None
    late: bool = False
    age: float | None = None


class Readers:
    """Reads applications again and again. All that read the same `Targets` share one, so that no
    source is read by two threads. Not for several threads at a time."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._running: dict[str, threading.Thread] = {}

    def read(
        self, sources: Iterable[tuple[str, Source | LiveError]], work: Callable[[str, Source], T]
    ) -> Iterator[Reading[T]]:
        """The results of `work(name, source)` in the order of the sources. Each call runs in a
        thread of its own, and must leave alone what it shares with others. A source whose thread
        from an earlier call still runs is late without a new one."""
        end = time.monotonic() + self._limits.seconds
        self._running = {name: old for name, old in self._running.items() if old.is_alive()}
        tasks = [_Task(name, source, work, self._limits, end) for name, source in sources]
        for task in tasks:
            if task.reading.name not in self._running:
                self._running[task.reading.name] = task
                task.start()
        for task in tasks:
            yield task.outcome()


class _Task(threading.Thread, Generic[T]):
    """Reads one application once."""

    def __init__(
        self, name: str, source: Source | LiveError, work: Callable[[str, Source], T],
        limits: Limits, end: float,
    ) -> None:  # fmt: skip
        super().__init__(daemon=True)
        self.reading = Reading[T](name)
        self._source, self._work, self._limits, self._end = source, work, limits, end
        self._bug: Exception | None = None

    def run(self) -> None:
        """Read it; the outcome is in `reading`."""
        try:
            with within(self._end):
                self._read(self.reading)
        except LiveError as error:
            self.reading.error = error
            self.reading.late = time.monotonic() >= self._end
        except Exception as error:
            self._bug = error

    def _read(self, reading: Reading[T]) -> None:
        source = self._source
        if isinstance(source, LiveError):
            raise source
        reading.age = source.age()
        if reading.age is not None and reading.age > self._limits.stale:
            raise LiveError(f"stale for {reading.age:.0f} s: the application does not publish")
        reading.result = self._work(reading.name, source)

    def outcome(self) -> Reading[T]:
        """Wait for it up to the deadline. Raises what is no LiveError."""
        if self.ident is not None:
            self.join(max(0.0, self._end - time.monotonic()) + _GRACE)
            if not self.is_alive():
                if self._bug is not None:
                    raise self._bug
                return self.reading
        error = LiveError(f"reading it takes longer than {self._limits.seconds:g} s")
        return Reading(self.reading.name, None, error, late=True)
