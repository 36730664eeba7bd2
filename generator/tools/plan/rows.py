# SPDX-License-Identifier: BSD-3-Clause
"""Rows of compared strategies, and the one to take."""

from collections.abc import Mapping
from dataclasses import dataclass

from ...model.language.units import shown_size
from ...model.strategies.catalogue import Strategy, all_strategies
from ..bench.places import ALIKE as ALIKE
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
    broken: dict[str, str]  # needs that it does not satisfy, with the reasons
    fragile: str = ""  # why it should not be taken even so
    stopped: bool = False  # whether its updates may wait for a whole snapshot

    @property
    def cost(self) -> Estimate | None:
        """Cost of the updates with the recommended call variant."""
        return self.calls.get(self.call)

    @property
    def _known(self) -> Strategy:
        return all_strategies()[self.strategy]

    @property
    def polls(self) -> bool:
        """Whether a control thread drains updates that lcores enqueue."""
        return self._known.polls

    @property
    def holds_back(self) -> bool:
        """Whether readers see a count later than its update returns."""
        return self._known.holds_back

    @property
    def cycles(self) -> float:
        """Cycles for each counter update; infinite when unknown."""
        return self.cost.update if self.cost else float("inf")


@dataclass(frozen=True, slots=True)
class Advice:
    """All strategies, the one to take ("" for none), its reasons, those against cheaper ones, and
    effects other than cost in cycles."""

    rows: tuple[Row, ...]
    strategy: str
    reasons: tuple[str, ...]
    left: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()

    @property
    def best(self) -> Row | None:
        """The row of the recommended strategy, or None."""
        return next((row for row in self.rows if row.strategy == self.strategy), None)

    @property
    def ranked(self) -> list[Row]:
        """The rows, the cheapest first."""
        return sorted(self.rows, key=lambda row: (row.cycles, row.strategy))

    @property
    def summary(self) -> str:
        """The recommendation with its first reason and the caveats."""
        taken = f"take {self.strategy} for all scopes: " if self.strategy else ""
        return "; ".join((f"{taken}{self.reasons[0]}", *self.caveats))


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
