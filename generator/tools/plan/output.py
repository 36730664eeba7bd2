# SPDX-License-Identifier: BSD-3-Clause
"""A plan as text and JSON."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from ...model.language.units import shown_size
from ...model.strategies.catalogue import DELAYS, usual
from ...output.tables import COLUMNS, grid, wrapped
from ..bench.figures import times
from .advice import Advice, Plan, Row, against
from .estimate import budget_cycles

MOST = 120  # characters of the first line, at most
NOTHING = 0.5  # cycles of a packet below which a ratio says nothing


def cycles(value: float) -> str:
    """Cycles with as many digits as mean anything."""
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def answer(plan: Plan, advice: Advice) -> str:
    """The recommendation, its cost and the cost of another: at most MOST characters."""
    row = advice.best
    if row is None:
        return _fitting([advice.reasons[0], "nothing is recommended: see the table"])
    cost = row.cost
    if cost is None or cost.operations == 0:
        return _fitting([f"{row.strategy}: {advice.reasons[0]}", row.strategy])
    lcores = plan.deployment.lcores
    octets = f"{shown_size(row.memory)} for {lcores} lcore{'s' * (lcores > 1)}"
    summary = f"{row.strategy}: {cycles(cost.packet)} cycles a packet by {row.call} calls, {octets}"
    return _fitting([summary + _other(advice, row), summary])


def _fitting(lines: Iterable[str]) -> str:
    """The first of some lines that is short enough, or what there is room for of the last."""
    every = list(lines)
    return next((line for line in every if len(line) <= MOST), every[-1][: MOST - 3] + "...")


def _other(advice: Advice, row: Row) -> str:
    """The cost of the usual strategy by these calls, or of the cheapest and why not."""
    rows = [one for one in advice.ranked if one is not row and row.call in one.calls]
    if not rows or row.calls[row.call].packet < NOTHING:
        return ""
    other = next((one for one in rows if one.strategy == usual()), rows[0])
    ratio = other.calls[row.call].packet / row.calls[row.call].packet
    why = f", but {against(other, row)}" if ratio < 1 else ""
    return f"; {other.strategy} {times(ratio)}{why}"


def note(row: Row, plan: Plan, best: Row | None) -> str:
    """Reasons for or against a strategy; `best` is the recommended one."""
    if row.broken:
        return f"no: {'; '.join(row.broken.values())}"
    if row.cost is None:
        return "says too little of itself"
    remarks = ["recommended"] if row is best else []
    if best and row.cycles < best.cycles:
        remarks.append(against(row, best))
    if row.cost.packet > budget_cycles(plan.deployment) > 0:
        remarks.append("more cycles than a packet has")
    if row.stopped and row is not best:
        remarks.append(DELAYS["snapshot"])
    return "; ".join(remarks)


def count(value: float) -> str:
    """A large number with the unit that people use: `10M`."""
    for unit, scale in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= scale:
            return f"{value / scale:g}{unit}"
    return f"{value:g}"


def _strategies(plan: Plan, advice: Advice) -> str:
    """The table of the cost of each strategy per packet."""
    rows = []
    for row in advice.ranked:
        each = [cycles(row.calls[a].packet) if a in row.calls else "unknown" for a in plan.apis]
        octets = map(shown_size, (row.memory, row.bytes_per_lcore))
        rows.append([row.strategy, *each, *octets, note(row, plan, advice.best)])
    header = ["Strategy", *map(str.capitalize, plan.apis), "Memory", "Per lcore", "Note"]
    # The first column and the last are not figures.
    return grid(header, rows, range(1, len(header) - 1), COLUMNS)


def _caption(plan: Plan) -> str:
    """Caption of the table: meaning of its figures, and the deployment."""
    place = plan.deployment
    budget = f"{budget_cycles(place):,.0f} cycles"
    most = f"{budget} of other work for a packet"
    if place.pps is not None:
        most = f"{count(place.pps)} packets/s leave {budget} for each"
    flows = ""
    if place.flow_scope:
        flows = f", {place.flows:,} of scope {place.flow_scope} (affinity {place.affinity})"
    return (
        f"Cycles of all updates of a packet by {' and '.join(plan.apis)} calls, estimated for "
        f"{plan.machine.title}: "
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


def as_text(plan: Plan, advice: Advice) -> str:
    """The plan for people: the answer, the table, what else to know."""
    known = [*advice.caveats, *_warnings(plan)]
    if advice.best and (functions := plan.functions(advice.best)):
        known.insert(0, f"{advice.best.call} calls: {functions}")
    known.append("--format json: reasons; `ctrgen bench` measures this machine")
    parts = [answer(plan, advice) + "\n"]
    if advice.rows:
        parts += [wrapped(_caption(plan)), _strategies(plan, advice)]
    return "\n".join([*parts, "".join(wrapped(sentence, "* ") for sentence in known)])


def as_json(plan: Plan, advice: Advice) -> str:
    """The plan for programs. Cycles are null where they are not known."""
    budget = budget_cycles(plan.deployment)
    data = {
        "module": plan.module.name,
        "deployment": asdict(plan.deployment),
        "machine": asdict(plan.machine),
        "budget": {"packet": budget},
        "all": {
            "strategy": advice.strategy or None,
            "reasons": advice.reasons + advice.left,
            "strategies": [_data(row, budget) for row in advice.rows],
        },
        "recommendation": [advice.summary],
        "notes": plan.notes,
    }
    return json.dumps(data, indent=2) + "\n"


def _data(row: Row, budget: float) -> dict[str, Any]:
    keys = ("strategy", "memory", "bytes_per_instance", "bytes_per_lcore", "broken")
    data: dict[str, Any] = {key: getattr(row, key) for key in keys}
    cost = row.cost
    if cost is None:
        return data | {"cycles_per_update": None, "cycles_per_packet": None}
    return data | {
        "call": row.call,
        "calls": {api: round(each.update, 3) for api, each in row.calls.items()},
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
