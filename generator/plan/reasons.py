# SPDX-License-Identifier: BSD-3-Clause
"""The sentences of an advice: why a strategy is taken, and what a mix of strategies does."""

from __future__ import annotations

from collections.abc import Collection

from ..language.units import shown_size
from ..model import ir
from .rows import ALIKE, Choice, Row


def unsplit(names: Collection[str]) -> str:
    return f"{', '.join(names)} keep one strategy: `requires: {{consistency: update}}` spans them"


def reasons(best: Row, cheapest: Row, rows: tuple[Row, ...], fit: list[Row]) -> list[str]:
    reasons = []
    if best is not cheapest:
        reasons.append(
            f"as cheap as {cheapest.strategy} within {ALIKE - 1:.0%}, with "
            f"{shown_size(best.memory)} instead of {shown_size(cheapest.memory)}"
        )
    others = sorted((row for row in fit if row is not best), key=lambda row: row.cycles)
    if others:
        reasons.append(f"next is {others[0].strategy} with {others[0].cycles:.1f}")
    smaller = [row for row in fit if row.memory < best.memory / ALIKE]
    if smaller:
        least = min(smaller, key=lambda row: (row.memory, row.cycles))
        reasons.append(
            f"it takes {shown_size(best.memory)}; the least is {shown_size(least.memory)}, with "
            f"{least.strategy} and {least.cycles:.1f} cycles"
        )
    out = [row for row in rows if row.broken and row.cycles < best.cycles]
    reasons += [f"{row.strategy} is cheaper, but {'; '.join(row.broken.values())}" for row in out]
    risky = [row for row in rows if row.fragile and not row.broken and row.cycles < best.cycles]
    reasons += [f"{row.strategy} is cheaper, but {row.fragile}" for row in risky]
    return reasons


def mixed_summary(
    module: ir.Module, picks: dict[str, str], whole: Choice, mixed: Row, called: str
) -> list[str]:
    uniform = whole.best
    listed = ", ".join(f"{name} for {scope}" for scope, name in picks.items())
    if uniform is None and mixed.broken:
        return [
            "no strategy keeps all of `requires`, and neither does the mix of the cheapest "
            f"({listed}): {'; '.join(mixed.broken.values())}"
        ]
    if uniform is not None and not prefers_mix(whole, mixed):
        fault = f"{listed}; {mixed.cycles:.1f} cycles) gains too little"
        if mixed.broken:
            fault = f"{listed}) does not keep {', '.join(mixed.broken)}"
        return [f"take {whole.strategy} for all scopes, {whole.reasons[0]}: a mix ({fault}"]
    cycles = f"{mixed.cycles:.1f} cycles for an update{called}"
    summary = [f"take {listed}: {cycles}; {shown_size(mixed.memory)}"]
    if uniform is not None:
        cycles = f"{uniform.cycles:.1f} cycles, {shown_size(uniform.memory)}"
        summary.append(f"one strategy for all is {uniform.strategy} with {cycles}")
    return summary + _split(module)


def prefers_mix(whole: Choice, mixed: Row) -> bool:
    """Whether a mix is cheaper than one strategy for all, or as cheap and smaller."""
    uniform = whole.best
    if uniform is None or mixed.broken:
        return uniform is None
    if mixed.cycles * ALIKE < uniform.cycles:
        return True
    return mixed.cycles <= uniform.cycles * ALIKE and mixed.memory * ALIKE < uniform.memory


def _split(module: ir.Module) -> list[str]:
    """What mixing strategies does to transactions."""
    warnings = []
    for update in module.updates:
        groups: dict[ir.Sync, list[str]] = {}
        for name in update.scopes:
            groups.setdefault(module.scope(name).sync, []).append(name)
        if len(groups) > 1:
            parts = " and ".join(", ".join(names) for names in groups.values())
            warnings.append(
                f"update '{update.name}' is then {len(groups)} transactions ({parts}): a reader "
                "may see one without the other, and no read section spans them"
            )
    return warnings
