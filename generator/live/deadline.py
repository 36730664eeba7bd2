# SPDX-License-Identifier: BSD-3-Clause
"""The bounds of a thread that reads an application: a deadline, which all that waits or repeats
checks, and octets that the application may send until then."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .model import LiveError

MOST_OCTETS = 256 << 20  # octets of replies that an application may send each time that it is read

_thread = threading.local()


@contextmanager
def within(end: float) -> Iterator[None]:
    """The body, in which remaining() counts down to `end`, a time of time.monotonic(), and spend()
    to 0."""
    _thread.end, _thread.octets = end, MOST_OCTETS
    try:
        yield
    finally:
        del _thread.end, _thread.octets


def remaining() -> float:
    """Seconds until the deadline of this thread, infinite without one. Raises LiveError behind
    it."""
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
