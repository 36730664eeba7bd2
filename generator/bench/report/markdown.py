# SPDX-License-Identifier: BSD-3-Clause
"""A report as Markdown, to paste into a decision or a page of docs/."""

from __future__ import annotations

import re

from ...output.tables import markdown
from ..result import Result
from .sentences import facts, sentences
from .tables import Table, tables


def text(result: Result) -> str:
    """The whole report."""
    parts = [f"# Benchmark of {safe(result.schema_.module)}\n"]
    parts.append("".join(f"* {label}: {safe(fact)}\n" for label, fact in facts(result)))
    parts.append("".join(f"* {safe(sentence)}\n" for sentence in sentences(result)))
    parts += [section(table) for table in tables(result)]
    return "\n".join(parts)


def section(table: Table) -> str:
    """A table under a heading."""
    rows = [map(safe, row) for row in table.rows]
    lines = markdown(map(safe, table.head), rows, range(1, len(table.head)))
    notes = "".join(f"\n{safe(note)}\n" for note in table.notes)
    return f"## {safe(table.title)}\n\n{lines}{notes}"


def safe(text: str) -> str:
    """Free text that Markdown takes as such: no markup, no line breaks."""
    return re.sub(r"([\\`*_<>\[\]~])", r"\\\1", " ".join(text.split()))
