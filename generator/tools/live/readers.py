# SPDX-License-Identifier: BSD-3-Clause
"""Reads applications one after the other, each within a deadline."""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Generic, TypeVar

from .model import LiveError, Source

T = TypeVar("T")
Sources = Callable[[], Iterable[tuple[str, Source]]]
"""Finds applications: the name of each, and how it is read."""

_deadline = ContextVar("_deadline", default=math.inf)  # time.monotonic() at the end of a read


def in_time() -> None:
    """Raises LiveError after the deadline of what is being read."""
    if time.monotonic() >= _deadline.get():
        raise LiveError("reading the application takes too long")


@dataclass(frozen=True)
class Limits:
    """Bounds for an application: seconds to read it, and since its publication (`stale`)."""

    seconds: float = 8.0
    stale: float = 60.0


@dataclass
class Reading(Generic[T]):
    """The result of reading an application, or why there is none. `late`: the deadline passed.
    `age` is the time since the last publication, in seconds."""

    name: str
    result: T | None = None
    error: LiveError | None = None
    late: bool = False
    age: float | None = None


def read_each(
    sources: Iterable[tuple[str, Source]], work: Callable[[str, Source], T], limits: Limits
) -> Iterator[Reading[T]]:
    """The results of `work(name, source)` in the order of the sources."""
    for name, source in sources:
        reading = Reading[T](name)
        end = time.monotonic() + limits.seconds
        token = _deadline.set(end)
        try:
            reading.age = source.age()
            if reading.age > limits.stale:
                raise LiveError(f"stale for {reading.age:.0f} s: the application does not publish")
            reading.result = work(name, source)
        except LiveError as error:
            reading.error, reading.late = error, time.monotonic() >= end
        finally:
            _deadline.reset(token)
        yield reading
