# SPDX-License-Identifier: BSD-3-Clause
"""What a module says and a schema has no words for: each is a note, at its line.

`ROWS` is all that there is of it; when schemas learn to say something, its row goes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import NamedTuple

from .source import Definition, Source, blank


class Row(NamedTuple):
    """A construct: the macros that it is in, the clause that it is (None for all of the
    definition), and what a note says of a name."""

    macros: frozenset[str]
    clause: re.Pattern[str] | None
    message: str


_OBJECT = frozenset(["OBJECT-TYPE"])
_SERVED = "is served for reading only"

ROWS = (
    Row(frozenset(["NOTIFICATION-TYPE"]), None, "the notification '{}' is not imported"),
    Row(frozenset(["TRAP-TYPE"]), None, "the trap '{}' is not imported"),
    Row(
        frozenset(["OBJECT-GROUP", "NOTIFICATION-GROUP"]), None,
        "the group '{}' is not imported: the MIB has groups of its own",
    ),
    Row(frozenset(["MODULE-COMPLIANCE"]), None, "the compliance '{}' is not imported"),
    Row(frozenset(["AGENT-CAPABILITIES"]), None, "the capabilities '{}' are not imported"),
    Row(_OBJECT, re.compile(r"\bDEFVAL\s*\{"), "the DEFVAL of '{}' is not imported"),
    Row(
        frozenset(["OBJECT-IDENTITY"]), re.compile(r"\bREFERENCE\b"),
        "the REFERENCE of '{}' is not imported",
    ),
    Row(
        _OBJECT, re.compile(r"\bACCESS\s+(?:read-write|read-create|write-only)\b"),
        f"'{{}}' can be written in the module, and {_SERVED}",
    ),
)  # fmt: skip
"""Every construct that is not imported."""


def report(source: Source, note: Callable[[str, str, str], None]) -> None:
    """Say of each definition what of it is not imported."""
    for definition, body in _bodies(source):
        for row in ROWS:
            if definition.macro in row.macros and (row.clause is None or row.clause.search(body)):
                name = definition.name
                note("import-not-imported", name, row.message.format(name))


def _bodies(source: Source) -> Iterator[tuple[Definition, str]]:
    """The definitions of a module, each with its text, without comments and strings."""
    text = blank(source.text[: source.end])
    definitions = sorted(source.definitions.values(), key=attrgetter("start"))
    ends = [*(one.start for one in definitions[1:]), len(text)]
    for definition, end in zip(definitions, ends, strict=False):
        yield definition, text[definition.start : end]
