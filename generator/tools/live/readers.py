# SPDX-License-Identifier: BSD-3-Clause
"""Reads applications concurrently, each in a thread and within a deadline: one that hangs, or that
answers without end, delays no other."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .model import LiveError, Source

T = TypeVar("T")
Sources = Callable[[], Iterable[tuple[str, Source | LiveError]]]
"""Finds applications: the name of each, and how it is read or why it cannot be."""

MOST_THREADS = 32  # applications that are read at a time
MOST_RETRIED = 8  # applications that were slow and failed, and are read again behind a call
_BRIEF = 0.5  # seconds after which a failure is slow
_NEW = 0.1  # seconds that new applications have at least, next to others
_GRACE = 1.0  # seconds after the deadline for which threads are awaited: they exit by themselves


MOST_OCTETS = 256 << 20  # octets of replies that an application may send each time that it is read

_thread = threading.local()


@contextmanager
def within(end: float) -> Iterator[None]:
    """The body, in which remaining() counts down to `end` (time.monotonic()) and spend() to 0."""
    _thread.end, _thread.octets = end, MOST_OCTETS
    try:
        yield
    finally:
        del _thread.end, _thread.octets


def remaining() -> float:
    """Seconds until the deadline of this thread, or infinite. Raises LiveError after it."""
    left = float(getattr(_thread, "end", math.inf)) - time.monotonic()
    if left <= 0:
        raise LiveError("reading the application takes too long")
    return left


def spend(octets: int) -> None:
    """Count octets of a reply. Raises LiveError if they are too many for this thread."""
    if hasattr(_thread, "octets"):
        _thread.octets -= octets
        if _thread.octets < 0:
            raise LiveError("the application sends too much")


@dataclass(frozen=True)
class Limits:
    """Bounds for an application: seconds to read it, and since its publication (`stale`)."""

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
    source is read by two threads. Not for several threads at a time.

    An application that failed and took long for that, such as one that hangs, is not waited for
    again: up to `MOST_RETRIED` of them are read behind each call, those first that were tried least
    recently, and the next call reads and awaits those that have answered. New applications are read
    after the others, and delay them by half as much time as these took; what takes longer is shown
    from the next call on.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self._running: dict[str, _Task[Any]] = {}
        self._proven: set[str] = set()
        self._slow: dict[str, Reading[Any]] = {}

    def read(
        self, sources: Iterable[tuple[str, Source | LiveError]], work: Callable[[str, Source], T]
    ) -> Iterator[Reading[T]]:
        """The results of `work(name, source)` in the order of the sources. Each call runs in a
        thread, of which there are up to `MOST_THREADS`, and must leave alone what it shares with
        others. A source whose thread from an earlier call still runs is late without a new one, and
        so is one for which no thread was free in time."""
        begin = time.monotonic()
        end = begin + self._limits.seconds
        tasks = [_Task(name, source, work, self._limits) for name, source in sources]
        self._judge({task.reading.name for task in tasks})
        awaited = [task for task in tasks if task.reading.name not in self._slow]
        known = [task for task in awaited if task.reading.name in self._proven]
        new = [task for task in awaited if task.reading.name not in self._proven]
        until = last = end + _GRACE
        self._await_all(known, end, last)
        if known:
            until = min(last, time.monotonic() + max(_NEW, (time.monotonic() - begin) / 2))
        self._await_all(new, end, until)
        shown = [task for task in tasks if until == last or task not in new or task.has_ended]
        for task in shown:
            yield self._slow.get(task.reading.name, task.reading)
        self._retry(tasks)

    def _await_all(self, tasks: list[_Task[Any]], end: float, until: float) -> None:
        """Begin tasks, whose deadline is `end`, as threads are free, and wait for them."""
        free = threading.Semaphore(MOST_THREADS)
        for task in tasks:
            if free.acquire(timeout=max(0.0, min(end, until) - time.monotonic())):
                self._begin(task, end, free)
        for task in tasks:
            self._await(task, until)

    def _begin(self, task: _Task[Any], end: float, free: threading.Semaphore) -> None:
        self._running[task.reading.name] = task
        task.begin(end, free)

    def _await(self, task: _Task[Any], until: float) -> None:
        """Wait for a task. Re-raises its exception unless a LiveError."""
        name = task.reading.name
        if task.ident is not None:
            task.join(max(0.0, until - time.monotonic()))
        if not task.has_ended:
            self._slow[name] = self._late(name)
            return
        self._ended(name)
        if task.bug is not None:
            raise task.bug

    def _ended(self, name: str) -> None:
        """Note whether a task has read its application, or was slow to fail."""
        task = self._running.pop(name)
        self._slow.pop(name, None)
        if task.is_slow:
            self._slow[name] = task.reading
            self._proven.discard(name)
        elif task.reading.error is None:
            self._proven.add(name)

    def _late(self, name: str) -> Reading[Any]:
        error = LiveError(f"reading it takes longer than {self._limits.seconds:g} s")
        return Reading(name, None, error, late=True)

    def _judge(self, names: set[str]) -> None:
        """Note which of those that were slow are so no longer, and forget which are not there."""
        for name, task in list(self._running.items()):
            if task.has_ended:
                self._ended(name)
            else:
                self._slow.setdefault(name, self._late(name))
        self._slow = {name: old for name, old in self._slow.items() if name in names}
        self._proven &= names

    def _retry(self, tasks: Iterable[_Task[Any]]) -> None:
        """Read some of those that were slow, without waiting for them."""
        end, free = time.monotonic() + self._limits.seconds, threading.Semaphore(0)
        left = {task.reading.name: task for task in tasks if task.ident is None}
        room = min(MOST_RETRIED, MOST_THREADS - len(self._running))
        names = [name for name in self._slow if name in left and name not in self._running]
        for name in names[: max(0, room)]:
            self._slow[name] = self._slow.pop(name)  # behind all others
            self._begin(left[name], end, free)


class _Task(threading.Thread, Generic[T]):
    """Reads one application once."""

    def __init__(
        self, name: str, source: Source | LiveError, work: Callable[[str, Source], T],
        limits: Limits,
    ) -> None:  # fmt: skip
        super().__init__(daemon=True)
        self.reading = Reading[T](name)
        self.bug: Exception | None = None
        self.is_slow = False
        self._source, self._work, self._limits = source, work, limits

    @property
    def has_ended(self) -> bool:
        """Whether it was begun, and has come to an end."""
        return self.ident is not None and not self.is_alive()

    def begin(self, end: float, free: threading.Semaphore) -> None:
        """Start; at the end one more thread is `free`."""
        self._end, self._free = end, free
        self.start()

    def run(self) -> None:
        """Read it; the outcome is in `reading`."""
        begun = time.monotonic()
        try:
            with within(self._end):
                self._read(self.reading)
        except LiveError as error:
            now = time.monotonic()
            self.reading.error = error
            self.reading.late = now >= self._end
            self.is_slow = self.reading.late or now - begun > _BRIEF
        except Exception as error:
            self.bug = error
        finally:
            self._free.release()

    def _read(self, reading: Reading[T]) -> None:
        source = self._source
        if isinstance(source, LiveError):
            raise source
        reading.age = source.age()
        if reading.age is not None and reading.age > self._limits.stale:
            raise LiveError(f"stale for {reading.age:.0f} s: the application does not publish")
        reading.result = self._work(reading.name, source)
