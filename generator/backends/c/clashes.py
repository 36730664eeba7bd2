# SPDX-License-Identifier: BSD-3-Clause
"""Which updates a batch may not hold back at the same time."""

from __future__ import annotations

from collections.abc import Sequence

from .updates import UpdateView


def clashes(updates: Sequence[UpdateView]) -> dict[str, list[UpdateView]]:
    """For each update, by name, the others that a batch may hold back and whose order with it
    matters: those with an item in common that one of the two sets."""
    touching: dict[tuple[str, str], dict[int, None]] = {}
    setting: dict[tuple[str, str], dict[int, None]] = {}
    for number, update in enumerate(updates):
        for op in update.ir.operations:
            if update.deferrable:
                touching.setdefault((op.scope, op.item), {})[number] = None
                if op.verb == "set":
                    setting.setdefault((op.scope, op.item), {})[number] = None
    result = {}
    for number, update in enumerate(updates):
        others = {
            other
            for op in update.ir.operations
            for other in (touching if op.verb == "set" else setting).get((op.scope, op.item), ())
        }
        result[update.name] = [updates[other] for other in sorted(others - {number})]
    return result
