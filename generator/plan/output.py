# SPDX-License-Identifier: BSD-3-Clause
"""A plan as text, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from ..language.units import shown_size
from ..output.tables import COLUMNS, grid, markdown, wrapped
from .advice import Plan
from .against import summary
from .answer import answer, cycles, note, reader
from .comparison import WANTED, WITHIN, Comparison, published
from .estimate import budget_cycles
from .machine import Machine
from .rows import Advice, Choice, Row

SHARE = 0.05
UPDATE = 15
"""The chapter's budget: this share of a packet's cycles, this many for an update."""


def table(style: str, header: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """A table as `text` or `markdown`; the first `texts` columns and the last are not figures."""
    numbers = range(texts, len(header) - 1)
    if style == "markdown":
        return markdown(header, rows, numbers)
    return grid(header, rows, numbers, COLUMNS)


def count(value: float) -> str:
    """A large number with the unit that people use: `10M`."""
    for unit, scale in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= scale:
            return f"{value / scale:g}{unit}"
    return f"{value:g}"


def _lines(style: str, sentences: Iterable[str], item: str = "* ") -> str:
    """Sentences as items of a list, wrapped where that is for people."""
    if style == "markdown":
        return "".join(f"{item}{sentence}\n" for sentence in sentences)
    return "".join(wrapped(sentence, item) for sentence in sentences)


def _choices(plan: Plan, advice: Advice, choice: Choice, style: str) -> str:
    """The table of what each strategy costs a packet, for all scopes or for one."""
    mixed = [advice.mixed] if advice.mixed and choice is advice.whole else []
    best = advice.taken if choice is advice.whole else choice.best
    rows = []
    for row in [*choice.ranked, *mixed]:
        each = [cycles(row.calls[a].packet) if a in row.calls else "unknown" for a in plan.apis]
        octets = map(shown_size, (row.memory, row.bytes_per_lcore))
        rows.append([row.strategy, *each, *octets, note(row, plan, advice, best)])
    calls = [api.capitalize() for api in plan.apis]
    return table(style, ["Strategy", *calls, "Memory", "Per lcore", "Note"], rows)


def _further(choice: Choice, budget: float, style: str) -> str:
    """What else there is to say of each strategy; cycles are those of the cheapest calls."""
    rows = []
    for row in choice.ranked:
        share = f"{row.cost.packet / budget:.1%}" if row.cost and budget else "?"
        each = [cycles(row.cost.update), share, str(row.cost.lines)] if row.cost else ["?"] * 3
        fits = [shown_size(row.bytes_per_instance), row.level or "?"]
        rows.append([row.strategy, *each, *fits, reader(row) or "-"])
    head = ("Strategy", "Update", "Share", "Lines", "Each", "Set in", "Readers")
    return table(style, head, rows)


def _caption(plan: Plan) -> str:
    """What the figures of the first table are, and for which deployment."""
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


def _about(plan: Plan) -> list[str]:
    """The machine and the budgets."""
    place, machine = plan.deployment, plan.machine
    lines = [
        f"clock {count(machine.hz)}Hz, "
        + ", ".join(f"L{c.level} {shown_size(c.size)}" for c in machine.caches)
        + f", {machine.transfer:.0f} cycles to get a line that another core wrote",
        _latencies(machine),
        f"{SHARE:.0%} of a packet's cycles are {SHARE * budget_cycles(place):,.0f}; the rule is "
        f"{UPDATE} for an update",
    ]
    return lines


def _warnings(plan: Plan) -> list[str]:
    place, lines = plan.deployment, list(plan.notes)
    if plan.compared:
        known = next(summary(plan.compared, plan.vague))
        lines.append(f"the model against these measurements: {known}")
    if place.pps is not None and place.work is not None and place.work > budget_cycles(place):
        lines.append(f"the work of {place.work:,.0f} cycles alone is more than a packet has")
    if place.lcores > plan.machine.cores:
        lines.append(f"the machine has {plan.machine.cores} cores: lcores that take turns on one "
                     "are not modelled")  # fmt: skip
    return lines


def _latencies(machine: Machine) -> str:
    """The latencies and whose they are."""
    known = ", ".join(f"L{c.level} {c.cycles:.0f}" for c in machine.caches)
    known = f"latencies {known}, memory {machine.memory:.0f} cycles"
    if machine.chase:
        return f"{known}, measured"
    whose = f"as published for {machine.name}"
    if machine.name == "measured":
        whose = machine.sources[-1][1]
    return f"{known}, {whose}; `ctrgen bench` measures yours, for --bench"


def shown(plan: Plan, advice: Advice, style: str, verbose: bool = False) -> str:
    """The plan as `json`; or for people: the answer, the table, what else to know, the rest."""
    return _as_json(plan, advice) if style == "json" else _text(plan, advice, style, verbose)


def _text(plan: Plan, advice: Advice, style: str, verbose: bool) -> str:
    mark = "## " if style == "markdown" else ""
    known = [*advice.lines[1:], *advice.caveats, *_warnings(plan)]
    if advice.taken and (functions := plan.functions(advice.taken)):
        known.insert(0, f"{advice.taken.call} calls: {functions}")
    if not verbose:
        more = "--verbose: each scope alone, reasons, readers, latencies"
        hint = (
            "" if plan.machine.chase else "; --bench: your machine, as `ctrgen bench` measured it"
        )
        known.append(more + hint)
    parts = [answer(plan, advice) + "\n"]
    if advice.whole.rows:
        parts += [wrapped(_caption(plan)), _choices(plan, advice, advice.whole, style)]
    parts += [_lines(style, known)] if known else []
    if verbose:
        if advice.whole.rows:
            why = _lines(style, advice.lines[:1] + advice.whole.reasons[1:])
            parts.append(f"{mark}Why\n\n{why}")
            further = _further(advice.whole, budget_cycles(plan.deployment), style)
            parts.append(f"{mark}More of each strategy, by its cheapest calls\n\n{further}")
        for choice in advice.scopes:
            alone = _choices(plan, advice, choice, style)
            reasons = _lines(style, choice.reasons)
            parts.append(f"{mark}Scope {choice.scope} alone\n\n{alone}\n{reasons}")
        if plan.compared:
            against = _measured(plan.compared, style)
            said = _lines(style, summary(plan.compared, plan.vague))
            parts.append(f"{mark}Model against measurement\n\n{against}\n{said}")
        parts.append(f"{mark}Machine\n\n{_lines(style, _about(plan))}")
    return "\n".join(parts)


def _measured(rows: Sequence[Comparison], style: str) -> str:
    """The table of the model against the measurements of a machine."""
    lines = [
        [r.strategy, r.what, f"{r.lcores} lcores, {r.flows:,} flows, {r.work:,} of work, {r.api}",
         cycles(r.actual), cycles(r.modelled), f"{r.factor:.2f}", ""]
        for r in rows
    ]  # fmt: skip
    head = ("Strategy", "What", "Where", "Measured", "Model", "Factor", "")
    return table(style, head, lines, 3)


def against_published(rows: Sequence[Comparison], style: str) -> str:
    """The table of the model against the published figures."""
    lines = [
        [r.strategy, r.machine.name, str(r.lcores), cycles(r.actual), cycles(r.modelled),
         f"{r.factor:.2f}", "" if r.within else "no"]
        for r in rows
    ]  # fmt: skip
    head = ("Strategy", "Machine", "Lcores", "Published", "Model", "Factor", "Within 2")
    good = sum(row.within for row in rows)
    within = f"{good} of {len(rows)} are within a factor of {WITHIN:g} (wanted: {WANTED}).\n"
    return f"{table(style, head, lines, 2)}\n{within}"


def validation(style: str) -> str:
    """The model against the published figures, as `text`, `markdown` or `json`."""
    rows = list(published())
    if style == "json":
        data = [
            {"strategy": r.strategy, "machine": r.machine.name, "lcores": r.lcores,
             "published": r.actual, "model": round(r.modelled, 3), "factor": round(r.factor, 3),
             "within": r.within}
            for r in rows
        ]  # fmt: skip
        return json.dumps(data, indent=2) + "\n"
    machines = dict.fromkeys(row.machine for row in rows)
    return f"{against_published(rows, style)}\n{parameters(machines, style)}"


def parameters(machines: Iterable[Machine], style: str) -> str:
    """The figures of machines and where each is from."""
    lead, gap = ("* ", "\n") if style == "markdown" else ("  ", "")
    parts = []
    for machine in machines:
        values = (
            f"width {machine.width:g}, window {machine.window}, fills {machine.fills}, "
            f"stores {machine.stores}, "
            f"locked {machine.locked:g}, fence {machine.fence:g}, pause {machine.pause:g}, "
            + ", ".join(f"L{c.level} {c.cycles:g}" for c in machine.caches)
            + f", memory {machine.memory:g}, transfer {machine.transfer:g} cycles"
        )
        listed = _lines(style, (f"{what}: {source}" for what, source in machine.sources), lead)
        about = _lines(style, [f"{machine.name}: {machine.title}; {values}"], "")
        parts.append(f"{about}{gap}{listed}")
    return "\n".join(parts)


def _as_json(plan: Plan, advice: Advice) -> str:
    """The plan for programs. Cycles are null where they are not known."""
    machine, budget = plan.machine, budget_cycles(plan.deployment)
    data = {
        "module": plan.module.name,
        "deployment": asdict(plan.deployment),
        "machine": {
            "name": machine.name, "title": machine.title, "transfer": machine.transfer,
            "locked": machine.locked, "memory": machine.memory,
            "caches": [
                {"level": c.level, "bytes": c.size, "cycles": c.cycles} for c in machine.caches
            ],
            "chase": [{"bytes": size, "cycles": round(c, 1)} for size, c in machine.chase],
            "sources": dict(machine.sources),
        },
        "budget": {"packet": budget, "share": SHARE, "update": UPDATE},
        "all": _choice(advice.whole, budget),
        "scopes": {c.scope: _choice(c, budget) for c in advice.scopes},
        "mixed": _data(advice.mixed, budget) if advice.mixed else None,
        "recommendation": advice.summary,
        "notes": plan.notes,
        "measured": [
            {"strategy": c.strategy, "lcores": c.lcores, "flows": c.flows, "work": c.work,
             "api": c.api, "what": c.what, "measured": c.actual, "model": round(c.modelled, 3)}
            for c in plan.compared
        ],
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
            **(asdict(row.reader) if row.reader else {}),
        },
        "cycles_per_update": round(cost.update, 3),
        "cycles_per_packet": round(cost.packet, 3),
        "share": round(cost.packet / budget, 5) if budget else None,
        "lines": cost.lines,
        "transactions": cost.transactions,
        "working_set": cost.working_set.each,
        "fits": row.level,
        "parts": {
            part: round(getattr(cost, part), 3)
            for part in ("instructions", "sync", "misses", "waiting")
        },
    }
