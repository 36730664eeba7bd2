# SPDX-License-Identifier: BSD-3-Clause
"""Rows of compared strategies, and the choice between them."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...model import ir
from ...model.language.units import shown_size
from ...model.strategies.catalogue import Strategy, all_strategies
from ..bench.report.places import ALIKE as ALIKE
from .estimate import Estimate


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy: memory, cost, and reasons against it."""

    strategy: str
    memory: int
    bytes_per_instance: int
    bytes_per_lcore: int
    calls: Mapping[str, Estimate]  # costs by call; none where the strategy says too little
    call: str  # the call to use: the first of the cheapest
    stops: float  # seconds for which a snapshot stops lcores
    broken: dict[str, str]  # needs that it does not satisfy, with the reasons
    fragile: str = ""  # why it should not be taken even so

    @property
    def cost(self) -> Estimate | None:
        """Cost of the updates with the recommended call variant."""
        return self.calls.get(self.call)

    @property
    def _known(self) -> Strategy | None:
        """The strategy; None for a mix."""
        return all_strategies().get(self.strategy)

    @property
    def polls(self) -> bool:
        """Whether a control thread drains updates that lcores enqueue."""
        return self._known is not None and self._known.polls

    @property
    def holds_back(self) -> bool:
        """Whether readers see a count later than its update returns."""
        return self._known is not None and self._known.holds_back

    @property
    def cycles(self) -> float:
        """Cycles for each counter update; infinite when unknown."""
        return self.cost.update if self.cost else float("inf")


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice for one scope ("": all), its reasons, and reasons against cheaper ones."""

    scope: str
    rows: tuple[Row, ...]
    strategy: str
    reasons: tuple[str, ...]
    left: tuple[str, ...] = ()

    @property
    def best(self) -> Row | None:
        """The row of the recommended strategy, or None."""
        return next((row for row in self.rows if row.strategy == self.strategy), None)

    @property
    def ranked(self) -> list[Row]:
        """The rows, the cheapest first."""
        return sorted(self.rows, key=lambda row: (row.cycles, row.strategy))


@dataclass(frozen=True, slots=True)
class Advice:
    """The table over all scopes together, one for each scope, and the recommendation."""

    whole: Choice
    scopes: tuple[Choice, ...]
    mixed: Row | None
    taken: Row | None  # what is recommended
    lines: tuple[str, ...]  # the recommendation and its reasons
    caveats: tuple[str, ...]  # effects other than cost in cycles
    picks: Mapping[str, str]  # strategies by scope, without embedded scopes that have no choice

    @property
    def summary(self) -> tuple[str, ...]:
        """The lines, the first with the caveats."""
        return "; ".join((self.lines[0], *self.caveats)), *self.lines[1:]


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
    if row.polls and not best.polls:
        return "the time of its control thread is not in the figure"
    if row.holds_back and not best.holds_back:
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
    """Effect of mixed strategies on transactions."""
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
