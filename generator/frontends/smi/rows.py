# SPDX-License-Identifier: BSD-3-Clause
"""Rows without an INDEX, as the first SMI had them: smidump gives them only with one."""

from __future__ import annotations

import re

from .source import Source, blank

_INDEX = re.compile(r"\b(?:INDEX|AUGMENTS)\s*\{")
_END = re.compile(r"::=\s*\{")
_FIRST = re.compile(r"::=\s*SEQUENCE\s*\{\s*([a-z][\w-]*)")


def completed(source: Source) -> tuple[str, set[str]]:
    """The text of a module with an INDEX in every row, the first column; and rows without one.

    Every definition stays on its line.
    """
    text = blank(source.text[: source.end])
    definitions = sorted(source.definitions.values(), key=lambda definition: definition.start)
    ends = [*(definition.start for definition in definitions[1:]), source.end]
    bodies = {
        definition.name: text[definition.start : end]
        for definition, end in zip(definitions, ends, strict=False)
    }
    parts, rows, done = [], set(), 0
    for row in definitions:
        body, sequence = bodies[row.name], bodies.get(row.syntax, "")
        column, end = _FIRST.search(sequence), _END.search(body)
        if row.macro != "OBJECT-TYPE" or not column or not end or _INDEX.search(body):
            continue
        at = row.start + end.start()
        parts.append(f"{source.text[done:at]}INDEX {{ {column[1]} }} ")
        rows.add(row.name)
        done = at
    return "".join([*parts, source.text[done : source.end]]), rows
