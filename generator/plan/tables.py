# SPDX-License-Identifier: BSD-3-Clause
"""Tables of a plan, and how its figures are written."""

from __future__ import annotations

from collections.abc import Sequence

from ..output.tables import grid, markdown


def table(style: str, header: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """A table as `text` or `markdown`; the first `texts` columns and the last are not figures."""
    write = markdown if style == "markdown" else grid
    return write(header, rows, range(texts, len(header) - 1))


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
