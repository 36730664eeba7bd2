# SPDX-License-Identifier: BSD-3-Clause
"""The sentences of an advice: why a strategy is taken, and what a mix of strategies does."""

from __future__ import annotations

from collections.abc import Collection

from ..language.units import shown_size
from ..model import ir
from ..strategies.catalogue import all_strategies
from .rows import ALIKE, Choice, Row


def unsplit(names: Collection[str]) -> str:
    return f"{', '.join(names)} keep one strategy: `requires: {{consistency: update}}` spans them"


def reasons(best: Row, cheapest: Row, fit: list[Row]) -> list[str]:
    """Why a strategy is taken, of those that `fit`."""
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
    return reasons


def against(row: Row, best: Row) -> str:
    """Why a strategy is not taken that is as cheap as the best, or cheaper."""
    if row.broken:
        return "; ".join(row.broken.values())
    if row.fragile:
        return row.fragile
    known, taken = all_strategies()[row.strategy], all_strategies().get(best.strategy)
    if known.polls and not (taken and taken.polls):
        return "the time of its control thread is not in the figure"
    if known.holds_back and not (taken and taken.holds_back):
        return f"as cheap within {ALIKE - 1:.0%}, with counts that are visible later"
    return f"as cheap within {ALIKE - 1:.0%}, and larger"


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
    parts = []
    for update in module.updates:
        groups: dict[ir.Sync, list[str]] = {}
        for name in update.scopes:
            groups.setdefault(module.scope(name).sync, []).append(name)
        if len(groups) > 1:
            named = " and ".join(", ".join(names) for names in groups.values())
            parts.append(f"'{update.name}' is then {len(groups)} transactions ({named})")
    if not parts:
        return []
    return [
        f"update {', '.join(parts)}: a reader may see one without the other, and no read section "
        "spans them"
    ]
