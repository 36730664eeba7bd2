# SPDX-License-Identifier: BSD-3-Clause
"""Pieces of Markdown that generated pages are made of."""

from __future__ import annotations

from typing import Any


def yaml(value: Any) -> str:
    """A value as a schema has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def number(value: int | None) -> str:
    """A bound; one next to a power of two is written as that."""
    if value is None:
        return "any"
    for power in (31, 32, 63, 64):
        for plus in (0, -1):
            if abs(value) == 2**power + plus:
                sign = "-" if value < 0 else ""
                return f"{sign}2^{power}" + ("-1" if plus else "")
    return str(value)
