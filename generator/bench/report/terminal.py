# SPDX-License-Identifier: BSD-3-Clause
"""A report as plain text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from ..result import Result
from .sentences import facts, sentences
from .tables import Table, tables

COLUMNS = 100
"""Width that sentences are wrapped to."""


def table(result: Result) -> str:
    """The whole report: the machine, the tables, and what to make of them."""
    found = facts(result)
    width = max(len(label) for label, _ in found)
    parts = ["".join(wrapped(text, f"{label:{width}}  ") for label, text in found)]
    parts += [grid(one) for one in tables(result)]
    parts.append("".join(wrapped(text, "* ") for text in sentences(result)))
    return "\n".join(parts)


def wrapped(text: str, first: str) -> str:
    """Lines of text, the first behind `first`, the others as far in."""
    lines = textwrap.wrap(
        text,
        COLUMNS,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
    )
    return "\n".join(lines) + "\n"


def grid(one: Table) -> str:
    """A table: the first column to the left, the others to the right."""
    columns = list(zip(one.head, *one.rows, strict=True))
    widths = [max(len(cell) for cell in column) for column in columns]
    lines = [one.title, _row(one.head, widths), "  ".join("-" * width for width in widths)]
    lines += [_row(row, widths) for row in one.rows]
    notes = [wrapped(note, "  ").rstrip("\n") for note in one.notes]
    return "".join(f"{line}\n" for line in [*lines, *notes])


def _row(cells: Iterable[str], widths: list[int]) -> str:
    first, *others = zip(cells, widths, strict=True)
    text = [f"{first[0]:<{first[1]}}", *(f"{cell:>{width}}" for cell, width in others)]
    return "  ".join(text).rstrip()
