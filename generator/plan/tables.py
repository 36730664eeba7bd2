# SPDX-License-Identifier: BSD-3-Clause
"""Tables as aligned text and as Markdown, and how figures are written."""

from __future__ import annotations

from collections.abc import Sequence


def text(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """Columns aligned with spaces; the first `left` to the left, and the last one."""
    lines = [list(header), *(list(row) for row in rows)]
    last = len(header) - 1
    widths = [max(len(line[at]) for line in lines) for at in range(last + 1)]
    made = []
    for line in lines:
        cells = [
            cell.ljust(width) if at < left or at == last else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        made.append("  ".join(cells).rstrip())
    return "".join(f"{line}\n" for line in made)


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A table of Markdown."""
    last = len(header) - 1
    rule = ["---" if at < left or at == last else "---:" for at in range(last + 1)]
    lines = [list(header), rule, *(list(row) for row in rows)]
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "".join("| " + " | ".join(line) + " |\n" for line in cells)


TABLES = {"text": text, "markdown": markdown}
"""How a table can be written."""


def cycles(value: float | None) -> str:
    """Cycles with as many digits as mean anything."""
    if value is None or value == float("inf"):
        return "unknown"
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def count(value: float) -> str:
    """A large number with the unit that people use: `10M`."""
    for unit, scale in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= scale:
            return f"{value / scale:g}{unit}"
    return f"{value:g}"
