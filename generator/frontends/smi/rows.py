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
    found = sorted(source.definitions.values(), key=lambda one: one.start)
    ends = [one.start for one in found[1:]] + [source.end]
    bodies = {one.name: text[one.start : end] for one, end in zip(found, ends, strict=False)}
    parts, rows, done = [], set(), 0
    for one in found:
        column = _first_column(one, bodies)
        end = _END.search(bodies[one.name])
        if not column or end is None or _INDEX.search(bodies[one.name]):
            continue
        at = one.start + end.start()
        parts.append(f"{source.text[done:at]}INDEX {{ {column} }} ")
        rows.add(one.name)
        done = at
    return "".join([*parts, source.text[done : source.end]]), rows


def _first_column(one: Definition, bodies: dict[str, str]) -> str:
    match = _FIRST.search(bodies.get(one.syntax, "")) if one.macro == "OBJECT-TYPE" else None
    return match[1] if match else ""


def without_index(module: Module, rows: set[str]) -> Module:
    """The module as it was before `completed`."""
    module.tables = [
        replace(table, index=()) if table.entry in rows else table for table in module.tables
    ]
    return module
