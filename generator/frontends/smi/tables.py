# SPDX-License-Identifier: BSD-3-Clause
"""Tables that a module writes as nodes (`OBJECT IDENTIFIER`) or as rows, and rows of no table: the
tools read no columns of these. A row with an INDEX gets a table; columns of others are scalars."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .source import Definition, Source
from .written import NO_LINE, Change, Said, changed, values

_NODE = re.compile(r"[A-Za-z][\w-]*\s+(OBJECT\s+IDENTIFIER|OBJECT-IDENTITY)")
_SEQUENCE = re.compile(r"[A-Za-z][\w-]*\s*::=\s*SEQUENCE\b")
_INDEX = re.compile(r"\b(?:INDEX|AUGMENTS)\b")
_SYNTAX = re.compile(r"\bSYNTAX\s+")
_FIRST = re.compile(r"::=\s*SEQUENCE\s*\{\s*([a-z][\w-]*)")
_NODES = ("OBJECT IDENTIFIER", "OBJECT-IDENTITY")


def typed(source: Source, said: Said) -> str:
    """The text of a module in which a node with nothing but a row below it is a table."""
    changes = []
    for node, row in _tables(source):
        found = _NODE.match(source.text, node.start)
        if found is None or "\n" in found[1]:
            continue
        said(node.start, len(node.name), f"'{node.name}' has a row below it: it is read as a table")
        new = _table(row.syntax, node.name if node.macro == "OBJECT IDENTIFIER" else "")
        changes.append(Change(found.start(1), len(found[1]), new))
    changes += _alone(source, said)
    return changed(source.text, changes)


def _tables(source: Source) -> Iterator[tuple[Definition, Definition]]:
    """The nodes that are tables, each with its row."""
    below: dict[str, list[Definition]] = {}
    for one in (*source.definitions.values(), *source.twice):
        below.setdefault(one.above, []).append(one)
    for node in source.definitions.values():
        inside = below.get(node.name, []) if node.macro in _NODES else []
        if len(inside) == 1 and is_row(source, inside[0]):
            yield node, inside[0]


def _alone(source: Source, said: Said) -> Iterator[Change]:
    """Make tables of rows with a row of their type below them, and for rows with an INDEX below a
    node with other things in it; those without one become nodes."""
    tables = {row.name for _, row in _tables(source)}
    rows = [one for one in source.definitions.values() if is_row(source, one)]
    above = {one.name: source.definitions.get(one.above) for one in rows}
    double = {up.name for row in rows if (up := above[row.name]) and up.syntax == row.syntax}
    alone = {name for name, up in above.items() if up is None or up.macro != "OBJECT-TYPE"} - tables
    for value in values(source) if alone else ():
        definition, end = value.definition, value.body.find("::=")
        name, start, syntax = definition.name, definition.start, _SYNTAX.search(value.body)
        if name not in alone or end < 0 or syntax is None:
            continue
        if name in double:
            message = f"'{name}' has rows: it is read as a table"
            change = Change(start + syntax.end(), 0, "SEQUENCE OF ")
        elif _INDEX.search(value.body, 0, end) and value.arcs:
            table = f"{name.removesuffix('Entry')}Table"
            table += "V2" if table in source.definitions else ""
            message = f"'{name}' is the row of no table: it is read as that of '{table}'"
            old = value.body[value.at - start : value.body.index("}", value.at - start)]
            new = f"{table} {_table(definition.syntax, table)} ::= {{ {old}"
            change = Change(value.at, len(old), f"{table} 1 }} {new}")
        else:
            message = f"'{name}' is the row of no table: it is read as a node"
            macro = value.body.find("OBJECT-TYPE")
            new = f"OBJECT IDENTIFIER{NO_LINE.sub('', value.body[macro:end])}"
            change = Change(start + macro, end - macro, new)
        said(start, len(name), message)
        yield change


def _table(row: str, name: str = "") -> str:
    """What defines a table of rows of some type, but for its texts where it has them itself."""
    texts = f' STATUS current DESCRIPTION "Rows of {name}."' if name else ""
    return f"OBJECT-TYPE SYNTAX SEQUENCE OF {row} MAX-ACCESS not-accessible{texts}"


def with_index(source: Source) -> tuple[str, set[str]]:
    """The text of a module with an INDEX in every row, the first column; and rows without one.

    The first SMI had none, and smidump gives rows only with one.
    """
    all_, rows, changes = values(source), set[str](), list[Change]()
    bodies = {value.definition.name: value.body for value in all_}
    for row, body, *_ in all_:
        column, end = _FIRST.search(bodies.get(row.syntax, "")), body.find("::=")
        if row.macro == "OBJECT-TYPE" and column and end > 0 and not _INDEX.search(body):
            changes.append(Change(row.start + end, 0, f"INDEX {{ {column[1]} }} "))
            rows.add(row.name)
    return changed(source.text[: source.end], changes), rows


def is_row(source: Source, definition: Definition) -> bool:
    """Whether an object is a row: its type is a SEQUENCE of the module."""
    sequence = source.definitions.get(definition.syntax)
    if definition.macro != "OBJECT-TYPE" or sequence is None:
        return False
    return _SEQUENCE.match(source.text, sequence.start) is not None
