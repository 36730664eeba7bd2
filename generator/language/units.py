# SPDX-License-Identifier: BSD-3-Clause
"""Durations, sizes, and text of a schema as plain values."""

from __future__ import annotations

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
    base = outer or ir.Requires()
    needs = needs or schema.Requires()
    propagation = (
        _scaled(needs.propagation, NANOSECONDS) if needs.propagation else base.propagation_ns
    )
    return ir.Requires(
        exact=base.exact if needs.exact is None else needs.exact,
        consistency=needs.consistency or base.consistency,
        reader=needs.reader or base.reader,
        writers=needs.writers or base.writers,
        propagation_ns=propagation,
        update_cycles=needs.update_cycles or base.update_cycles,
        memory=_scaled(needs.memory, OCTETS) if needs.memory else None,
        lcores=needs.lcores or base.lcores,
    )
