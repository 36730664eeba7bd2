# SPDX-License-Identifier: BSD-3-Clause
"""A plan as text, Markdown and JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from ..language.units import shown_size
from ..model import ir
from ..model.workload import Deployment
from .advice import Advice, Choice, Row
from .machine import Machine
from .measured import Compared
from .model import Estimate, budget_cycles, think
from .published import WANTED, WITHIN
from .published import Row as Published
from .tables import count, cycles, table

SHARE = 0.05
UPDATE = 15
"""The chapter's budget: this share of a packet's cycles, this many for an update."""

HEADER = ("Strategy", "Memory", "Each", "Lcore", "Lines", "Set in", "Cycles", "Packet", "Share")


@dataclass(frozen=True, slots=True)
class Plan:
    """All that there is to say about a schema in a deployment."""

    module: ir.Module
    deployment: Deployment
    machine: Machine
    advice: Advice
    compared: tuple[Compared, ...] = ()
    notes: tuple[str, ...] = ()


def _budget(plan: Plan) -> float:
    """Cycles for a packet, statistics included."""
    budget = budget_cycles(plan.deployment, plan.machine)
    return budget if budget is not None else think(plan.deployment, plan.machine)


def _line(row: Row, budget: float) -> list[str]:
    cost = row.cost
    lines = str(cost.lines) if cost else "?"
    share = f"{cost.packet / budget:.1%}" if cost and budget else "?"
    return [
        row.strategy,
        shown_size(row.memory),
        shown_size(row.each),
        shown_size(row.lcore),
        lines,
        row.level if cost else "?",
        cycles(cost.update if cost else None),
        cycles(cost.packet if cost else None),
        share,
        _promises(row, budget),
    ]


def _promises(row: Row, budget: float) -> str:
    if not row.broken:
        cost = row.cost
        if cost is not None and cost.packet > budget > 0:
            return "yes, but more than all cycles"
        over = cost is not None and cost.update > UPDATE
        return f"yes, over {UPDATE} cycles" if over else "yes"
    return "no: " + ", ".join(row.broken)


def _estimates(choice: Choice, plan: Plan, style: str, mixed: Row | None = None) -> str:
    rows = sorted(choice.rows, key=lambda row: (row.cycles, row.strategy))
    rows += [mixed] if mixed else []
    lines = [_line(row, _budget(plan)) for row in rows]
    return table(style, (*HEADER, "Keeps `requires`"), lines)


def _head(plan: Plan) -> list[str]:
    place, machine = plan.deployment, plan.machine
    flows = ""
    if place.flow_scope:
        flows = f", {place.flows:,} of scope {place.flow_scope} in use (affinity {place.affinity})"
    lines = [
        f"Module {plan.module.name} on {place.lcores} lcores{flows}.",
        f"Machine: {machine.title}, clock {count(machine.hz)}Hz, "
        + ", ".join(f"L{c.level} {shown_size(c.size)}" for c in machine.caches)
        + f", {machine.transfer:.0f} cycles to get a line that another core wrote.",
    ]
    budget = _budget(plan)
    each = f"{SHARE:.0%} of them are {SHARE * budget:,.0f}; the rule is {UPDATE} for an update."
    if place.pps is not None:
        lines.append(f"{count(place.pps)} packets/s leave {budget:,.0f} cycles for one; {each}")
        if place.work is not None and place.work > budget:
            lines.append(f"The work of {place.work:,.0f} cycles alone is more than that.")
    else:
        lines.append(f"{budget:,.0f} cycles of other work for a packet; {each}")
    if place.lcores > machine.cores:
        lines.append(f"The machine has {machine.cores} cores: lcores that take turns on one "
                     "are not modelled.")  # fmt: skip
    return [*lines, *plan.notes]


def text(plan: Plan, style: str = "text") -> str:
    """The plan for people, as `text` or `markdown`."""
    mark = "## " if style == "markdown" else ""
    item = "* " if style == "markdown" else "  "
    parts = ["\n".join(_head(plan)) + "\n"]
    parts.append(
        f"{mark}All scopes\n\n" + _estimates(plan.advice.whole, plan, style, plan.advice.mixed)
    )
    for choice in plan.advice.scopes:
        part = f"{mark}Scope {choice.scope} alone\n\n" + _estimates(choice, plan, style)
        part += f"\n{choice.strategy or 'nothing'}:\n" if style == "text" else "\n"
        parts.append(part + "".join(f"{item}{reason}\n" for reason in choice.reasons))
    parts.append(f"{mark}Recommendation\n\n" + "".join(f"{item}{s}\n" for s in plan.advice.summary))
    if plan.compared:
        parts.append(f"{mark}Model against measurement\n\n" + against(plan.compared, style))
    return "\n".join(parts)


def against(compared: tuple[Compared, ...], style: str = "text") -> str:
    """The model against the measurements of a machine."""
    lines = [
        [c.strategy, str(c.lcores), f"{c.flows:,}", f"{c.work:,}", cycles(c.measured),
         cycles(c.modelled), f"{c.factor:.2f}"]
        for c in compared
    ]  # fmt: skip
    good = sum(1 / WITHIN < c.factor < WITHIN for c in compared)
    header = ("Strategy", "Lcores", "Flows", "Work", "Measured", "Model", "Factor")
    verdict = f"{good} of {len(compared)} are within a factor of {WITHIN:g}."
    return f"{table(style, header, lines)}\n{verdict}\n"


def validation(rows: list[Published], style: str = "text") -> str:
    """The model against the published figures, as `text`, `markdown` or `json`."""
    if style == "json":
        return json.dumps([_published(row) for row in rows], indent=2) + "\n"
    machines = tuple({row.machine: None for row in rows})
    return f"{against_published(rows, style)}\n{parameters(machines, style)}"


def against_published(rows: list[Published], style: str = "text") -> str:
    """The table of that, and how many estimates are good enough."""
    lines = [
        [r.strategy, r.machine.name, str(r.lcores), cycles(r.published), cycles(r.modelled),
         f"{r.factor:.2f}", "" if r.within else "no"]
        for r in rows
    ]  # fmt: skip
    header = ("Strategy", "Machine", "Lcores", "Published", "Model", "Factor", "Within 2")
    good = sum(row.within for row in rows)
    wanted = f"{good} of {len(rows)} are within a factor of {WITHIN:g} (wanted: {WANTED})."
    return f"{table(style, header, lines, 2)}\n{wanted}\n"


def parameters(machines: tuple[Machine, ...], style: str = "text") -> str:
    """The figures of machines and where each is from."""
    parts = []
    for machine in machines:
        values = (
            f"instruction {machine.instruction:.2f}, window {machine.window}, "
            f"locked {machine.locked:g}, fence {machine.fence:g}, "
            + ", ".join(f"L{c.level} {c.cycles:g}" for c in machine.caches)
            + f", memory {machine.memory:g}, transfer {machine.transfer:g} cycles"
        )
        lead = "* " if style == "markdown" else "  "
        listed = "".join(f"{lead}{what}: {source}\n" for what, source in machine.sources)
        gap = "\n" if style == "markdown" else ""
        parts.append(f"{machine.name}: {machine.title}; {values}\n{gap}{listed}")
    return "\n".join(parts)


def _published(row: Published) -> dict[str, Any]:
    return {
        "strategy": row.strategy,
        "machine": row.machine.name,
        "lcores": row.lcores,
        "published": row.published,
        "model": round(row.modelled, 3),
        "factor": round(row.factor, 3),
        "within": row.within,
    }


def as_json(plan: Plan) -> str:
    """The plan for programs. Cycles are null where they are not known."""
    place, machine = plan.deployment, plan.machine
    data = {
        "module": plan.module.name,
        "deployment": asdict(place),
        "machine": {
            "name": machine.name, "title": machine.title, "transfer": machine.transfer,
            "locked": machine.locked, "memory": machine.memory,
            "caches": [
                {"level": c.level, "bytes": c.size, "cycles": c.cycles} for c in machine.caches
            ],
            "sources": dict(machine.sources),
        },
        "budget": {"packet": _budget(plan), "share": SHARE, "update": UPDATE},
        "all": _choice(plan.advice.whole, plan),
        "scopes": {c.scope: _choice(c, plan) for c in plan.advice.scopes},
        "mixed": _data(plan.advice.mixed, plan) if plan.advice.mixed else None,
        "recommendation": list(plan.advice.summary),
        "notes": list(plan.notes),
        "measured": [
            {"strategy": c.strategy, "lcores": c.lcores, "flows": c.flows, "work": c.work,
             "measured": c.measured, "model": round(c.modelled, 3)}
            for c in plan.compared
        ],
    }  # fmt: skip
    return json.dumps(data, indent=2) + "\n"


def _choice(choice: Choice, plan: Plan) -> dict[str, Any]:
    return {
        "strategy": choice.strategy or None,
        "reasons": list(choice.reasons),
        "strategies": [_data(row, plan) for row in choice.rows],
    }


def _data(row: Row, plan: Plan) -> dict[str, Any]:
    data: dict[str, Any] = {
        "strategy": row.strategy,
        "memory": row.memory,
        "bytes_per_instance": row.each,
        "bytes_per_lcore": row.lcore,
        "broken": row.broken,
    }
    cost: Estimate | None = row.cost
    if cost is None:
        return {**data, "cycles_per_update": None, "cycles_per_packet": None}
    return {
        **data,
        "cycles_per_update": round(cost.update, 3),
        "cycles_per_packet": round(cost.packet, 3),
        "share": round(cost.packet / _budget(plan), 5) if _budget(plan) else None,
        "lines": cost.lines,
        "transactions": cost.transactions,
        "working_set": cost.working_set.each,
        "fits": row.level,
        "parts": {
            part: round(getattr(cost, part), 3)
            for part in ("instructions", "sync", "misses", "waiting")
        },
    }
