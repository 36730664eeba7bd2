# SPDX-License-Identifier: BSD-3-Clause
"""Durations, sizes, and text of a schema as plain values."""

from __future__ import annotations

import dataclasses
import string

from ..model import ir
from . import schema

NANOSECONDS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
OCTETS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "B": 1}


def _scaled(text: str, factors: dict[str, int]) -> int:
    number = text.rstrip(string.ascii_letters)
    return int(number) * factors[text[len(number) :]]


def shown_size(octets: int) -> str:
    """Octets as people write them: `12.5 MiB`."""
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        if octets >= OCTETS[unit]:
            return f"{octets / OCTETS[unit]:.1f} {unit}"
    return f"{octets} B"


def text(value: str | None) -> str:
    """Free text on one line: runs of white space become one space."""
    return " ".join((value or "").split())


def requires(needs: schema.Requires | None, outer: ir.Requires | None) -> ir.Requires:
    """Needs of a module (`outer` is None) or of a scope, whose keys override the module's.

    A memory budget is not inherited: the module's is for all scopes together.
    """
    written = needs.model_dump(exclude_none=True) if needs else {}
    if "propagation" in written:
        written["propagation_ns"] = _scaled(written.pop("propagation"), NANOSECONDS)
    memory = _scaled(written.pop("memory"), OCTETS) if "memory" in written else None
    return dataclasses.replace(outer or ir.Requires(), memory=memory, **written)
