# SPDX-License-Identifier: BSD-3-Clause
"""A report as plain text for a terminal."""

from __future__ import annotations

from typing import NamedTuple

from ...output.tables import grid, wrapped


class Table(NamedTuple):
    """A title, a head, rows of cells, and notes below. The first column is text."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


class Report(NamedTuple):
    """What every output has: labels with their facts, what is to be known, the figures; and first
    what they come to."""

    title: str
    facts: list[tuple[str, str]]
    sentences: list[str]
    tables: list[Table]
    verdict: tuple[str, ...] = ()


def terminal(report: Report, label: str = "{:10}  ") -> str:
    """The report without its title; `label` is the format of the labels of facts."""
    parts = ["".join(map(wrapped, report.verdict))]
    parts.append("".join(wrapped(fact, label.format(name)) for name, fact in report.facts))
    for table in report.tables:
        cells = grid(table.head, table.rows, range(1, len(table.head)))
        notes = "".join(wrapped(note, "  ") for note in table.notes)
        parts.append(f"{table.title}\n{cells}{notes}")
    parts.append("".join(wrapped(sentence, "* ") for sentence in report.sentences))
    return "\n".join(part for part in parts if part)
