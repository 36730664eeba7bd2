# SPDX-License-Identifier: BSD-3-Clause
"""The page of the exporter, and the values that it shows."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from importlib import resources

from .model import LiveError, Source, Value
from .server import Answer
from .watch import MOST_SPREAD, Row, Watch, as_json

FRESH = 0.9
"""Seconds for which values are shown again: many pages cost as much as one."""

MOST_EXACT = 2**53
"""The greatest number up to which JavaScript has all (ECMA-262, Number.MAX_SAFE_INTEGER)."""

MOST_SHOWN = 500
"""Instances of a scope that a page gets."""


def page(accept: str) -> Answer:
    """The page, which asks for the values itself."""
    del accept
    text = resources.files("ctrgen.templates").joinpath("live/page.html").read_bytes()
    return Answer("text/html; charset=utf-8", text)


class Values:
    """Values of all applications as JSON. Not for several threads at a time."""

    def __init__(self, sources: Callable[[], Iterable[tuple[str, Source | LiveError]]]) -> None:
        self._sources, self._watch = sources, Watch(MOST_SHOWN, MOST_SPREAD)
        self._made, self._answer = 0.0, Answer("", b"")

    def __call__(self, accept: str) -> Answer:
        """The values of now, or of a moment ago."""
        del accept
        if not self._answer.body or time.monotonic() - self._made >= FRESH:
            rows = [_exact(row) for row in self._watch.look(self._sources())]
            text = json.dumps(as_json(rows, self._watch), separators=(",", ":"))
            self._answer = Answer("application/json", text.encode())
            self._made = time.monotonic()
        return self._answer


def _exact(row: Row) -> Row:
    """A row whose value a browser reads as it is: as text, if it has no such number."""
    lcores = {
        lcore: share._replace(value=_fits(share.value)) for lcore, share in row.lcores.items()
    }
    return row._replace(value=_fits(row.value), lcores=lcores)


def _fits(value: Value) -> Value:
    if isinstance(value, int) and abs(value) > MOST_EXACT:
        return f"{value:,}"
    return value
