# SPDX-License-Identifier: BSD-3-Clause
"""A report as plain text for a terminal, and as Markdown for a review or a page of docs/."""

from __future__ import annotations

import re
from typing import NamedTuple

from ...output.tables import grid, wrapped
from ...output.tables import markdown as markdown_table


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


def markdown(report: Report) -> str:
    """The report, every table under a heading."""
    parts = [f"# {_safe(report.title)}\n"]
    parts += [f"{_safe(line)}\n" for line in report.verdict]
    parts.append("".join(f"* {label}: {_safe(fact)}\n" for label, fact in report.facts))
    parts.append("".join(f"* {_safe(sentence)}\n" for sentence in report.sentences))
    for table in report.tables:
        rows = [map(_safe, row) for row in table.rows]
        cells = markdown_table(map(_safe, table.head), rows, range(1, len(table.head)))
        notes = "".join(f"\n{_safe(note)}\n" for note in table.notes)
        parts.append(f"## {_safe(table.title)}\n\n{cells}{notes}")
    return "\n".join(part for part in parts if part)


def _safe(text: str) -> str:
    """Free text that Markdown takes as such: no markup, no line breaks."""
    return re.sub(r"([\\`*_<>\[\]~])", r"\\\1", " ".join(text.split()))
