# SPDX-License-Identifier: BSD-3-Clause
"""The first line of a plan, and what stands behind each strategy in its table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..bench.report.places import times
from ..language.units import shown_size, shown_time
from ..strategies.catalogue import usual
from .advice import Plan
from .estimate import budget_cycles
from .hazards import NOTICEABLE, OFTEN
from .reasons import against
from .rows import Advice, Row

MOST = 120
"""Characters of the first line, at most."""

NOTHING = 0.5
"""Cycles of a packet below which a ratio says nothing."""


def cycles(value: float) -> str:
    """Cycles with as many digits as mean anything."""
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def answer(plan: Plan, advice: Advice) -> str:
    """What to take, what it costs, and what another strategy costs: at most MOST characters."""
    row = advice.taken
    if row is None:
        alone = {choice.scope: choice.strategy for choice in advice.scopes if choice.strategy}
        why = advice.lines[0] if advice.whole.rows or not alone else _picked(alone)
        return _fitting([why, "nothing is recommended: see the table"])
    cost = row.cost
    if cost is None or cost.operations == 0:
        return _fitting([f"{row.strategy}: {advice.whole.reasons[0]}", row.strategy])
    lcores = plan.deployment.lcores
    octets = f"{shown_size(row.memory)} for {lcores} lcore{'s' * (lcores > 1)}"
    said = f"{cycles(cost.packet)} cycles a packet by {row.call} calls, {octets}"
    other = _other(advice, row)
    several = sorted(set(advice.picks.values()))
    names = [_picked(advice.picks), f"a mix of {', '.join(several)}", f"{len(several)} strategies"]
    if row is advice.whole.best:
        names = [row.strategy]
    return _fitting([f"{name}: {said}{end}" for end in (other, "") for name in names])


def _fitting(lines: Iterable[str]) -> str:
    """The first of some lines that is short enough, or what there is room for of the last."""
    every = list(lines)
    return next((line for line in every if len(line) <= MOST), every[-1][: MOST - 3] + "...")


def _picked(picks: Mapping[str, str]) -> str:
    """Scopes by strategy: `per_core for a, b; shared_atomic for c`."""
    scopes: dict[str, list[str]] = {}
    for scope, strategy in picks.items():
        scopes.setdefault(strategy, []).append(scope)
    return "; ".join(f"{name} for {', '.join(of)}" for name, of in scopes.items())


def _other(advice: Advice, row: Row) -> str:
    """What the usual one costs by the same calls; or the cheapest of all, where that is taken,
    and why it is not."""
    rows = [one for one in advice.whole.ranked if one is not row and row.call in one.calls]
    if not rows or row.calls[row.call].packet < NOTHING:
        return ""
    other = next((one for one in rows if one.strategy == usual()), rows[0])
    ratio = other.calls[row.call].packet / row.calls[row.call].packet
    why = f", but {against(other, row)}" if ratio < 1 else ""
    return f"; {other.strategy} {times(ratio)}{why}"


def note(row: Row, plan: Plan, advice: Advice, best: Row | None) -> str:
    """What speaks for a strategy or against it; `best` is the one to take of this table."""
    picked = f": {_picked(advice.picks)}" if row is advice.mixed else ""
    if row is best:
        return f"recommended{picked}"
    if row.broken:
        return f"no: {'; '.join(row.broken.values())}"
    if row.cost is None:
        return "says too little of itself"
    if row is advice.mixed:
        return "a mix gains too little"
    said = [against(row, best)] if best and row.cycles < best.cycles else []
    if row.cost.packet > budget_cycles(plan.deployment) > 0:
        said.append("more cycles than a packet has")
    said.append(reader(row))
    return "; ".join(filter(None, said))


def reader(row: Row) -> str:
    """What a snapshot does to lcores: stops them, or makes an update so much longer meanwhile; and
    what they do to it."""
    if row.stops:
        return f"a snapshot stops lcores {shown_time(row.stops)}"
    more = row.cost.reading / max(1, row.cost.operations) if row.cost else 0.0
    says = [f"+{cycles(more)} cycles an update during snapshots"] if more >= NOTICEABLE else []
    if row.reader and not row.reader.finished:
        says.append("snapshots give up")
    elif row.reader and row.reader.tries >= OFTEN:
        says.append(f"snapshots try {row.reader.tries:.0f} times")
    return ", ".join(says)
