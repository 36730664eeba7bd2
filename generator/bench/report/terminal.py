# SPDX-License-Identifier: BSD-3-Clause
"""A report as plain text for a terminal."""

from __future__ import annotations

import textwrap

from ...output.tables import grid
from ..result import Result
from .sentences import facts, sentences
from .tables import Table, tables

COLUMNS = 100
"""Width that sentences are wrapped to."""


def text(result: Result) -> str:
    """The whole report: the machine, the tables, and what to make of them."""
    labelled = facts(result)
    width = max(len(label) for label, _ in labelled)
    parts = ["".join(wrapped(fact, f"{label:{width}}  ") for label, fact in labelled)]
    parts += [section(table) for table in tables(result)]
    parts.append("".join(wrapped(sentence, "* ") for sentence in sentences(result)))
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


def section(table: Table) -> str:
    """A table below its title: the first column to the left, the others to the right."""
    cells = grid(table.head, table.rows, range(1, len(table.head)))
    return f"{table.title}\n{cells}" + "".join(wrapped(note, "  ") for note in table.notes)
