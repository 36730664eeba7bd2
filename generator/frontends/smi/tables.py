# SPDX-License-Identifier: BSD-3-Clause
"""Tables that a module writes as nodes (`OBJECT IDENTIFIER`), and rows of no table that have no
INDEX: the tools read no columns of them. The columns of such a row are read as scalars."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .source import Definition, Source
from .written import Change, changed, values

_NODE = re.compile(r"[A-Za-z][\w-]*\s+(OBJECT\s+IDENTIFIER|OBJECT-IDENTITY)")
_SEQUENCE = re.compile(r"[A-Za-z][\w-]*\s*::=\s*SEQUENCE\b")
_INDEX = re.compile(r"\b(?:INDEX|AUGMENTS)\b")
_NO_LINE = re.compile(r"[^\n]")
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
    changes += _bare(source, said)
    return changed(source.text, changes)


def _tables(source: Source) -> Iterator[tuple[Definition, Definition]]:
    """The nodes that are tables, each with its row."""
    below: dict[str, list[Definition]] = {}
    for one in source.definitions.values():
        below.setdefault(one.above, []).append(one)
    for node in source.definitions.values():
        inside = below.get(node.name, []) if node.macro in _NODES else []
        if len(inside) == 1 and is_row(source, inside[0]):
            yield node, inside[0]


def _bare(source: Source, said: Said) -> Iterator[Change]:
    """Make nodes of rows without an INDEX below a node with other things in it."""
    tables = {row.name for _, row in _tables(source)}
    rows = [one for one in source.definitions.values() if is_row(source, one)]
    above = {one.name: source.definitions.get(one.above) for one in rows}
    roots = (*_NODES, "MODULE-IDENTITY")
    bare = {name for name, node in above.items() if node is None or node.macro in roots} - tables
    for value in values(source) if bare else ():
        definition, end = value.definition, value.body.find("::=")
        macro = value.body.find("OBJECT-TYPE")
        if definition.name not in bare or end < 0 or _INDEX.search(value.body, 0, end):
            continue
        message = f"'{definition.name}' is the row of no table: it is read as a node"
        said(definition.start, len(definition.name), message)
        start = definition.start + macro
        new = f"OBJECT IDENTIFIER{_NO_LINE.sub('', value.body[macro:end])}"
        yield Change(start, end - macro, new)


def is_row(source: Source, definition: Definition) -> bool:
    """Whether an object is a row: its type is a SEQUENCE of the module."""
    sequence = source.definitions.get(definition.syntax)
    if definition.macro != "OBJECT-TYPE" or sequence is None:
        return False
    return _SEQUENCE.match(source.text, sequence.start) is not None
