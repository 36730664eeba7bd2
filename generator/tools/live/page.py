# SPDX-License-Identifier: BSD-3-Clause
"""The page of the exporter, and the values that it shows."""

import heapq
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from importlib import resources

from .readers import Limits, Sources
from .server import Answer, Edition, always
from .watch import Row, Rows, Watch, as_json, watched

FRESH = 0.9  # seconds for which values are shown again: many pages cost as much as one
MOST_EXACT = 2**53  # the greatest whole number of JavaScript (Number.MAX_SAFE_INTEGER)
MOST_SHOWN = 500  # limit of instances of a scope in a page: the fastest ones
Place = tuple[str, str, str]  # a scope: application, module, scope


def page() -> Edition:
    """The page, which asks for the values itself."""
    text = resources.files("ctrgen.templates").joinpath("live/page.html").read_bytes()
    answer = Answer("text/html; charset=utf-8", text)
    return always(answer)


class Values:
    """Values of all applications as JSON. Not for several threads at a time."""

    def __init__(self, sources: Sources, limits: Limits | None = None) -> None:
        self._sources, self._watch = sources, Watch(limits=limits)
        self._made, self._answer = 0.0, Answer("", b"")

    def __call__(self) -> Edition:
        """The values of now, or of a moment ago."""
        if not self._answer.body or time.monotonic() - self._made >= FRESH:
            found, slower = fastest(self._watch.look(self._sources()), MOST_SHOWN)
            document = as_json(([_exact(row) for row in rows] for rows in found), self._watch)
            for (application, module, scope), more in slower.items():
                modules = document["applications"][application]["modules"]
                modules[module]["scopes"][scope]["more"] = more
            text = json.dumps(document, separators=(",", ":"))
            self._answer = Answer("application/json", text.encode())
            self._made = time.monotonic()
        return always(self._answer)


def fastest(instances: Sequence[Rows], most: int) -> tuple[list[Rows], dict[Place, int]]:
    """The `most` instances of each scope whose first counter is fastest, or largest; and the number
    of the others."""
    places: dict[Place, list[Rows]] = defaultdict(list)
    for rows in instances:
        places[rows[0].application, rows[0].module.name, rows[0].scope.name].append(rows)
    left: list[Rows] = []
    for found in places.values():
        best = {id(rows) for rows in heapq.nlargest(most, found, key=_speed)}
        left += [rows for rows in found if id(rows) in best]
    return left, {p: len(found) - most for p, found in places.items() if len(found) > most}


def _speed(rows: Rows) -> tuple[float, int]:
    row = next(row for row in rows if row.item is watched(row.scope))
    return row.rate or 0.0, row.value if isinstance(row.value, int) else 0


def _exact(row: Row) -> Row:
    """A row whose value a browser reads as it is: as text, if it has no such number."""
    if isinstance(row.value, int) and abs(row.value) > MOST_EXACT:
        return row._replace(value=f"{row.value:,}")
    return row
