# SPDX-License-Identifier: BSD-3-Clause
"""Nodes that a module defines at the OID of a table: the tools take the node and lose the table."""

from __future__ import annotations

import re
from collections.abc import Callable

from .source import Source
from .written import Change, Known, changed, values

_MARKS = re.compile(r"[^\n]")
_NODE = "OBJECT IDENTIFIER"

Said = Callable[[int, int, str], None]
"""Reports a finding: where (in characters), of what length, the message."""


def merged(source: Source, said: Said) -> str:
    """The text of a module in which such a node is not there, and the table stands for it."""
    definitions = source.definitions.values()
    tables = [one for one in definitions if one.syntax == "SEQUENCE" and one.macro == "OBJECT-TYPE"]
    above = {one.above for one in tables}
    if not any(one.macro == _NODE and one.above in above for one in definitions):
        return source.text
    all_ = values(source)
    known = Known(all_)
    at = {known.oid(one.name): one.name for one in tables}
    instead: dict[str, str] = {}
    changes = []
    for value in all_:
        definition = value.definition
        table = at.get(known.oid(definition.name))
        if definition.macro == _NODE and value.arcs and table is not None:
            instead[definition.name] = table
            message = f"the node '{definition.name}' is the table '{table}': it is left out"
            said(definition.start, len(definition.name), message)
            end = value.body.find("}") + 1
            blanks = _MARKS.sub(" ", value.body[:end])
            changes.append(Change(definition.start, end, blanks))
    for value in all_:
        if value.above in instead and value.definition.name not in instead:
            changes.append(Change(value.at, len(value.above), instead[value.above]))
    return changed(source.text, changes)
