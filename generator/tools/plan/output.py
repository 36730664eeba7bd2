# SPDX-License-Identifier: BSD-3-Clause
"""A plan as text and JSON."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ...model.language.units import shown_size, shown_time
from ...model.strategies.catalogue import usual
from ...output.tables import COLUMNS, grid, wrapped
from ..bench.report.places import times
from .advice import Plan
from .estimate import budget_cycles
from .reading import NOTICEABLE
from .rows import Advice, Choice, Row, against

MOST = 120  # characters of the first line, at most
NOTHING = 0.5  # cycles of a packet below which a ratio says nothing
SHARE, UPDATE = 0.05, 15  # DPDK design book's budget: share of a packet's cycles, cycles an update


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; the first column and the last are not figures."""
    return grid(header, rows, range(1, len(header) - 1), COLUMNS)


def cycles(value: float) -> str:
    """Cycles with as many digits as mean anything."""
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def answer(plan: Plan, advice: Advice) -> str:
    """The recommendation, its cost and the cost of another: at most MOST characters."""
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
    """The cost of the usual strategy by these calls, or of the cheapest and why not."""
    rows = [one for one in advice.whole.ranked if one is not row and row.call in one.calls]
    if not rows or row.calls[row.call].packet < NOTHING:
        return ""
    other = next((one for one in rows if one.strategy == usual()), rows[0])
    ratio = other.calls[row.call].packet / row.calls[row.call].packet
    why = f", but {against(other, row)}" if ratio < 1 else ""
    return f"; {other.strategy} {times(ratio)}{why}"


def note(row: Row, plan: Plan, advice: Advice, best: Row | None) -> str:
    """Reasons for or against a strategy; `best` is the recommended one of this table."""
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
    """Mutual effects of snapshots and lcores."""
    if row.stops:
        return f"a snapshot stops lcores {shown_time(row.stops)}"
    more = row.cost.reading / max(1, row.cost.operations) if row.cost else 0.0
    return f"+{cycles(more)} cycles an update during snapshots" if more >= NOTICEABLE else ""


def count(value: float) -> str:
    """A large number with the unit that people use: `10M`."""
    for unit, scale in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= scale:
            return f"{value / scale:g}{unit}"
    return f"{value:g}"


def _lines(sentences: Iterable[str]) -> str:
    """Sentences as items of a list."""
    return "".join(wrapped(sentence, "* ") for sentence in sentences)


def _choices(plan: Plan, advice: Advice, choice: Choice) -> str:
    """The table of the cost of each strategy per packet, for all scopes or for one."""
    mixed = [advice.mixed] if advice.mixed and choice is advice.whole else []
    best = advice.taken if choice is advice.whole else choice.best
    rows = []
    for row in [*choice.ranked, *mixed]:
        each = [cycles(row.calls[a].packet) if a in row.calls else "unknown" for a in plan.apis]
        octets = map(shown_size, (row.memory, row.bytes_per_lcore))
        rows.append([row.strategy, *each, *octets, note(row, plan, advice, best)])
    calls = [api.capitalize() for api in plan.apis]
    return _table(["Strategy", *calls, "Memory", "Per lcore", "Note"], rows)


def _caption(plan: Plan) -> str:
    """Caption of the first table: meaning of its figures, and the deployment."""
    place = plan.deployment
    budget = f"{budget_cycles(place):,.0f} cycles"
    most = f"{budget} of other work for a packet"
    if place.pps is not None:
        most = f"{count(place.pps)} packets/s leave {budget} for each"
    flows = ""
    if place.flow_scope:
        flows = f", {place.flows:,} of scope {place.flow_scope} (affinity {place.affinity})"
    calls = f"{' and '.join(plan.apis)} calls" if len(plan.apis) < 3 else "the call that is used"
    return (
        f"Cycles of all updates of a packet by {calls}, estimated for {plan.machine.title}: "
        f"{place.lcores} lcore{'s' * (place.lcores > 1)}{flows}, {most}."
    )


def _warnings(plan: Plan) -> list[str]:
    place, lines = plan.deployment, list(plan.notes)
    if place.pps is not None and place.work is not None and place.work > budget_cycles(place):
        lines.append(f"the work of {place.work:,.0f} cycles alone is more than a packet has")
    if place.lcores > plan.machine.cores:
        lines.append(f"the machine has {plan.machine.cores} cores: lcores that take turns on one "
                     "are not modelled")  # fmt: skip
    return lines


def shown(plan: Plan, advice: Advice, style: str, verbose: bool = False) -> str:
    """The plan as `json`; or for people: the answer, the table, what else to know, the rest."""
    return _as_json(plan, advice) if style == "json" else _text(plan, advice, verbose)


def _text(plan: Plan, advice: Advice, verbose: bool) -> str:
    known = [*advice.lines[1:], *advice.caveats, *_warnings(plan)]
    if advice.taken and (functions := plan.functions(advice.taken)):
        known.insert(0, f"{advice.taken.call} calls: {functions}")
    if not verbose:
        known.append("--verbose: each scope alone, reasons; `ctrgen bench` measures this machine")
    parts = [answer(plan, advice) + "\n"]
    if advice.whole.rows:
        parts += [wrapped(_caption(plan)), _choices(plan, advice, advice.whole)]
    parts += [_lines(known)] if known else []
    if verbose:
        if advice.whole.rows:
            why = _lines(advice.lines[:1] + advice.whole.reasons[1:])
            parts.append(f"Why\n\n{why}")
        for choice in advice.scopes:
            alone = _choices(plan, advice, choice)
            reasons = _lines(choice.reasons)
            parts.append(f"Scope {choice.scope} alone\n\n{alone}\n{reasons}")
    return "\n".join(parts)


def _as_json(plan: Plan, advice: Advice) -> str:
    """The plan for programs. Cycles are null where they are not known."""
    machine, budget = plan.machine, budget_cycles(plan.deployment)
    data = {
        "module": plan.module.name,
        "deployment": asdict(plan.deployment),
        "machine": asdict(machine),
        "budget": {"packet": budget, "share": SHARE, "update": UPDATE},
        "all": _choice(advice.whole, budget),
        "scopes": {c.scope: _choice(c, budget) for c in advice.scopes},
        "mixed": _data(advice.mixed, budget) if advice.mixed else None,
        "recommendation": advice.summary,
        "notes": plan.notes,
    }  # fmt: skip
    return json.dumps(data, indent=2) + "\n"


def _choice(choice: Choice, budget: float) -> dict[str, Any]:
    return {
        "strategy": choice.strategy or None,
        "reasons": choice.reasons + choice.left,
        "strategies": [_data(row, budget) for row in choice.rows],
    }


def _data(row: Row, budget: float) -> dict[str, Any]:
    keys = ("strategy", "memory", "bytes_per_instance", "bytes_per_lcore", "broken")
    data: dict[str, Any] = {key: getattr(row, key) for key in keys}
    cost = row.cost
    if cost is None:
        return data | {"cycles_per_update": None, "cycles_per_packet": None}
    return data | {
        "call": row.call,
        "calls": {api: round(each.update, 3) for api, each in row.calls.items()},
        "reader": {
            "stops_seconds": row.stops,
            "cycles_per_update": round(cost.reading / max(1, cost.operations), 3),
        },
        "cycles_per_update": round(cost.update, 3),
        "cycles_per_packet": round(cost.packet, 3),
        "share": round(cost.packet / budget, 5) if budget else None,
        "lines": cost.lines,
        "transactions": cost.transactions,
        "working_set": cost.working_set,
        "parts": {
            part: round(getattr(cost, part), 3)
            for part in ("instructions", "sync", "misses", "waiting")
        },
    }
