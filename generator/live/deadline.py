# SPDX-License-Identifier: BSD-3-Clause
"""The deadline of the thread that reads an application. All that waits or repeats checks it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from .model import LiveError

_thread = threading.local()


@contextmanager
def within(end: float) -> Iterator[None]:
    """The body, in which remaining() counts down to `end`, a time of time.monotonic()."""
    _thread.end = end
    try:
        yield
    finally:
        del _thread.end


def remaining() -> float:
    """Seconds until the deadline of this thread, infinite without one. Raises LiveError behind
    it."""
    left = float(getattr(_thread, "end", math.inf)) - time.monotonic()
    if left <= 0:
        raise LiveError("reading the application takes too long")
    return left
