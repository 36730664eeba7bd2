# SPDX-License-Identifier: BSD-3-Clause
"""What a module says and a schema has no words for: each is a note, at its line.

`ROWS` is all that there is of it; when schemas learn to say something, its row goes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .clauses import Body


class Row(NamedTuple):
    """A construct: the macros that it is in, the clause that it is (None for all of the
    definition), and what a note says of a name."""

    macros: frozenset[str]
    clause: re.Pattern[str] | None
    message: str


_OBJECT = frozenset(["OBJECT-TYPE"])
_SERVED = "is served for reading only"

ROWS = (
    Row(frozenset(["AGENT-CAPABILITIES"]), None, "the capabilities '{}' are not imported"),
    Row(
        _OBJECT, re.compile(r"\bACCESS\s+(?:read-write|read-create|write-only)\b"),
        f"'{{}}' can be written in the module, and {_SERVED}",
    ),
)  # fmt: skip
"""Every construct that is not imported."""


def report(bodies: Iterable[Body], note: Callable[[str, str, str], None]) -> None:
    """Say of each definition what of it is not imported."""
    for definition, _, body in bodies:
        for row in ROWS:
            if definition.macro in row.macros and (row.clause is None or row.clause.search(body)):
                name = definition.name
                note("import-not-imported", name, row.message.format(name))
