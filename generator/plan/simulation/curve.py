# SPDX-License-Identifier: BSD-3-Clause
"""Cycles against lcores: every strategy that fits, simulated with 1, 2, 4, ... lcores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ...findings.usage import UsageError
from ...model import ir
from ..advice import Plan, under
from ..comparison import published_places
from ..machine import Machine, over_sockets
from ..model import estimate
from .run import Simulated, simulate
from .validation import TOLD

LEAST = 0.5
"""Cycles of an update that say nothing of a difference."""

USUAL = 128
"""Lcores if the command line says none."""


@dataclass(frozen=True, slots=True)
class Point:
    """What a strategy costs with so many lcores: simulated, and an update by the formulas."""

    strategy: str
    lcores: int
    simulated: Simulated
    model: float

    @property
    def apart(self) -> bool:
        """Whether the two differ by so much that it has to be told."""
        low, high = sorted((self.simulated.update, self.model))
        return high >= LEAST and high > TOLD * low


@dataclass(frozen=True, slots=True)
class Curve:
    """All points of a plan, strategy by strategy; `left` says why others are not among them."""

    plan: Plan
    sockets: int
    lcores: tuple[int, ...]
    points: tuple[Point, ...]
    left: dict[str, str]

    def strategies(self) -> dict[str, list[Point]]:
        """The points of each strategy, the cheapest with most lcores first."""
        found: dict[str, list[Point]] = {}
        for point in self.points:
            found.setdefault(point.strategy, []).append(point)
        return dict(sorted(found.items(), key=lambda pair: pair[1][-1].simulated.update))


def steps(most: int) -> tuple[int, ...]:
    """1, 2, 4, ... and the most."""
    return (*(1 << bit for bit in range((most - 1).bit_length())), most)


def curve(plan: Plan, sockets: int) -> Curve:
    """Simulate all that fit. `plan.machine` is that of one socket. Raises UsageError."""
    counts = steps(plan.deployment.lcores)
    whole = plan.advice().whole
    left = {
        row.strategy: ", ".join(row.broken) if row.broken else "does not say what it does"
        for row in whole.rows
        if row.broken or row.cost is None
    }
    points: list[Point] = []
    for row in whole.rows:
        if row.strategy not in left:
            free = (s.name for s in plan.module.scopes if s.storage is not ir.Storage.EMBEDDED)
            module = under(plan.module, dict.fromkeys(free, row.strategy))
            found = list(_points(plan, module, row.strategy, counts, sockets))
            points += found
            if not found:
                left[row.strategy] = "its control thread is not simulated"
    if not points:
        raise UsageError("no strategy fits, so there is nothing to simulate",
                         "`ctrgen plan` without --simulate says why")  # fmt: skip
    return Curve(plan, sockets, counts, tuple(points), left)


def _points(
    plan: Plan, module: ir.Module, name: str, counts: tuple[int, ...], sockets: int
) -> Iterator[Point]:
    for lcores in counts:
        place = replace(plan.deployment, lcores=lcores)
        over = min(sockets, lcores)
        found = simulate(module, place, plan.machine, over)
        cost = estimate(module, place, over_sockets(plan.machine, over))
        if found is not None and cost is not None:
            yield Point(name, lcores, found, cost.update)


def chapter_points(machine: Machine) -> tuple[dict[str, list[Point]], dict[str, dict[int, float]]]:
    """The points of the chapter's example on a machine, up to the most lcores of the published
    figures, and these figures: each by strategy."""
    lines: dict[str, list[Point]] = {}
    figures: dict[str, dict[int, float]] = {}
    for row, module, place in published_places():
        if row.machine == machine:
            figures.setdefault(row.strategy, {})[row.lcores] = row.actual
            plan = Plan(module, place, machine)
            counts = [n for n in steps(row.lcores) if n not in _known(lines, row.strategy)]
            lines.setdefault(row.strategy, []).extend(
                _points(plan, module, row.strategy, tuple(counts), 1)
            )
    return lines, figures


def _known(lines: dict[str, list[Point]], name: str) -> set[int]:
    return {point.lcores for point in lines.get(name, [])}
