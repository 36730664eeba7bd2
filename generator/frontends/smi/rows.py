# SPDX-License-Identifier: BSD-3-Clause
"""Rows without an INDEX, as the first SMI had them: smidump gives them only with one."""

from __future__ import annotations

import re
from dataclasses import replace

from .model import Module
from .source import Definition, Source, blank

_INDEX = re.compile(r"\b(?:INDEX|AUGMENTS)\s*\{")
_END = re.compile(r"::=\s*\{")
_FIRST = re.compile(r"::=\s*SEQUENCE\s*\{\s*([a-z][\w-]*)")


def completed(source: Source) -> tuple[str, set[str]]:
    """The text of a module with an INDEX in every row, the first column; and rows without one.

    Every definition stays on its line.
    """
    text = blank(source.text[: source.end])
    definitions = sorted(source.definitions.values(), key=lambda definition: definition.start)
    ends = [definition.start for definition in definitions[1:]] + [source.end]
    bodies = {
        definition.name: text[definition.start : end]
        for definition, end in zip(definitions, ends, strict=False)
    }
    parts, rows, done = [], set(), 0
    for definition in definitions:
        column = _first_column(definition, bodies)
        end = _END.search(bodies[definition.name])
        if not column or end is None or _INDEX.search(bodies[definition.name]):
            continue
        at = definition.start + end.start()
        parts.append(f"{source.text[done:at]}INDEX {{ {column} }} ")
        rows.add(definition.name)
        done = at
    return "".join([*parts, source.text[done : source.end]]), rows


def _first_column(definition: Definition, bodies: dict[str, str]) -> str:
    match = (
        _FIRST.search(bodies.get(definition.syntax, ""))
        if definition.macro == "OBJECT-TYPE"
        else None
    )
    return match[1] if match else ""


def without_index(module: Module, rows: set[str]) -> Module:
    """The module as it was before `completed`."""
    module.tables = [
        replace(table, index=()) if table.entry in rows else table for table in module.tables
    ]
    return module
