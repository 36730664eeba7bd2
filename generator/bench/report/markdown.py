# SPDX-License-Identifier: BSD-3-Clause
"""A report as Markdown, to paste into a decision or a page of docs/."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..result import Result
from .sentences import facts, sentences
from .tables import Table, tables


def text(result: Result) -> str:
    """The whole report."""
    parts = [f"# Benchmark of {safe(result.schema_.module)}\n"]
    parts.append("".join(f"* {label}: {safe(said)}\n" for label, said in facts(result)))
    parts.append("".join(f"* {safe(said)}\n" for said in sentences(result)))
    parts += [section(one) for one in tables(result)]
    return "\n".join(parts)


def section(one: Table) -> str:
    """A table under a heading."""
    aligned = ["---", *["---:"] * (len(one.head) - 1)]
    lines = [_row(one.head), _row(aligned), *(_row(row) for row in one.rows)]
    notes = "".join(f"\n{safe(note)}\n" for note in one.notes)
    return f"## {safe(one.title)}\n\n" + "\n".join(lines) + "\n" + notes


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(safe(cell).replace("|", "\\|") for cell in cells) + " |"


def safe(said: str) -> str:
    """Free text that Markdown takes as such: no markup, no line breaks."""
    return re.sub(r"([\\`*_<>\[\]~])", r"\\\1", " ".join(said.split()))
