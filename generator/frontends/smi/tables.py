# SPDX-License-Identifier: BSD-3-Clause
"""Tables that a module writes as nodes (`OBJECT IDENTIFIER`): the tools read no columns of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .source import Definition, Source
from .written import Change, changed

_NODE = re.compile(r"[A-Za-z][\w-]*\s+(OBJECT\s+IDENTIFIER|OBJECT-IDENTITY)")
_SEQUENCE = re.compile(r"[A-Za-z][\w-]*\s*::=\s*SEQUENCE\b")
_NODES = ("OBJECT IDENTIFIER", "OBJECT-IDENTITY")

Said = Callable[[int, int, str], None]
"""Reports a finding: where (in characters), of what length, the message."""


def typed(source: Source, said: Said) -> str:
    """The text of a module in which a node with nothing but a row below it is a table."""
    changes = []
    for node, row in _tables(source):
        found = _NODE.match(source.text, node.start)
        if found is None or "\n" in found[1]:
            continue
        said(node.start, len(node.name), f"'{node.name}' has a row below it: it is read as a table")
        new = f"OBJECT-TYPE SYNTAX SEQUENCE OF {row.syntax} MAX-ACCESS not-accessible"
        if node.macro == "OBJECT IDENTIFIER":
            new = f'{new} STATUS current DESCRIPTION "Rows of {node.name}."'
        changes.append(Change(found.start(1), len(found[1]), new))
    return changed(source.text, changes)


def _tables(source: Source) -> Iterator[tuple[Definition, Definition]]:
    """The nodes that are tables, each with its row."""
    below: dict[str, list[Definition]] = {}
    for one in source.definitions.values():
        below.setdefault(one.above, []).append(one)
    for node in source.definitions.values():
        inside = below.get(node.name, []) if node.macro in _NODES else []
        if len(inside) == 1 and _is_row(source, inside[0]):
            yield node, inside[0]


def _is_row(source: Source, definition: Definition) -> bool:
    sequence = source.definitions.get(definition.syntax)
    if definition.macro != "OBJECT-TYPE" or sequence is None:
        return False
    return _SEQUENCE.match(source.text, sequence.start) is not None
