# SPDX-License-Identifier: BSD-3-Clause
"""The report of a benchmark: text for a terminal."""

from ....output.tables import grid, wrapped
from ..result import Result
from . import sentences, tables


def text(result: Result) -> str:
    """Verdict, facts with labels, tables, sentences."""
    parts = ["".join(map(wrapped, sentences.verdict(result)))]
    parts.append("".join(wrapped(fact, f"{name:10}  ") for name, fact in sentences.facts(result)))
    for table in tables.tables(result):
        cells = grid(table.head, table.rows, range(1, len(table.head)))
        notes = "".join(wrapped(note, "  ") for note in table.notes)
        parts.append(f"{table.title}\n{cells}{notes}")
    parts.append("".join(wrapped(said, "* ") for said in sentences.sentences(result)))
    return "\n".join(part for part in parts if part)
