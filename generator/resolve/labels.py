# SPDX-License-Identifier: BSD-3-Clause
"""The labels of enumerations."""

from __future__ import annotations

import itertools

from ..model import ir


def labels(written: dict[str, int] | list[str]) -> tuple[ir.Label, ...]:
    """The labels of an enum, those of a list numbered from 1."""
    values = written.items() if isinstance(written, dict) else zip(written, itertools.count(1))
    return tuple(ir.Label(name, value) for name, value in values)
