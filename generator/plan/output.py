# SPDX-License-Identifier: BSD-3-Clause
"""A plan as text, Markdown and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from ..findings.printers import visible
from ..language.units import shown_size, shown_time
from ..output.tables import grid, markdown
from .advice import Plan
from .against import summary
from .apply import Change
from .comparison import WANTED, WITHIN, Comparison, published
from .estimate import budget_cycles
from .hazards import NOTICEABLE, OFTEN
from .machine import Machine
from .rows import Advice, Choice, Row

SAME = "Nothing to change: each scope has the strategy that is recommended."

SHARE = 0.05
UPDATE = 15
"""The chapter's budget: this share of a packet's cycles, this many for an update."""


def header(apis: Sequence[str]) -> list[str]:
    """The heads of the columns: one of cycles for each call."""
    each = ["Cycles"] if len(apis) == 1 else [api.capitalize() for api in apis]
    return [
        "Strategy", "Memory", "Each", "Lcore", "Lines", "Set in", *each, "Packet", "Share",
        "Reader", "Keeps `requires`",
    ]  # fmt: skip


def table(style: str, header: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """A table as `text` or `markdown`; the first `texts` columns and the last are not figures."""
    write = markdown if style == "markdown" else grid
    return write(header, rows, range(texts, len(header) - 1))


def cycles(value: float) -> str:
    """Cycles with as many digits as mean anything."""
    return f"{value:,.1f}" if value < 100 else f"{value:,.0f}"


def count(value: float) -> str:
    """A large number with the unit that people use: `10M`."""
    for unit, scale in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= scale:
            return f"{value / scale:g}{unit}"
    return f"{value:g}"


def _line(row: Row, budget: float, apis: Sequence[str]) -> list[str]:
    octets = (row.memory, row.bytes_per_instance, row.bytes_per_lcore)
    estimated, verdict = ["?", "?", *["unknown"] * len(apis), "unknown", "?", "?"], "yes"
    if cost := row.cost:
        share = f"{cost.packet / budget:.1%}" if budget else "?"
        each = [cycles(row.calls[api].update) for api in apis]
        estimated = [str(cost.lines), row.level, *each, cycles(cost.packet), share, _reader(row)]
        if cost.packet > budget > 0:
            verdict = "yes, but more than all cycles"
        elif cost.update > UPDATE:
            verdict = f"yes, over {UPDATE} cycles"
    if row.broken:
        verdict = "no: " + ", ".join(row.broken)
    return [row.strategy, *map(shown_size, octets), *estimated, verdict]


def _reader(row: Row) -> str:
    """What a snapshot does to lcores: stops them, or makes an update so much longer meanwhile; and
    what they do to it."""
    if row.stops:
        return f"stops {shown_time(row.stops)}"
    more = row.cost.reading / max(1, row.cost.operations) if row.cost else 0.0
    says = [f"+{cycles(more)}"] if more >= NOTICEABLE else []
    if row.reader and not row.reader.finished:
        says.append("gives up")
    elif row.reader and row.reader.tries >= OFTEN:
        says.append(f"{row.reader.tries:.0f} tries")
    return ", ".join(says) or "-"


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
    budget = budget_cycles(place)
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
    lines.append(_latencies(machine))
    if len(plan.apis) > 1:
        each = f"{', '.join(plan.apis[:-1])} and {plan.apis[-1]}"
        lines.append(f"Cycles of an update by {each} calls; the rest is by the cheapest of them.")
    return [*lines, *plan.notes]


def _latencies(machine: Machine) -> str:
    """The latencies and whose they are."""
    known = ", ".join(f"L{c.level} {c.cycles:.0f}" for c in machine.caches)
    known += f", memory {machine.memory:.0f} cycles"
    if machine.chase:
        return f"Latencies: {known}, measured."
    hint = "`ctrgen bench` measures yours, for --bench."
    if machine.name == "measured":
        theirs = machine.sources[-1]
        whose = theirs[1] if "caches" in theirs[0] else "not as measured: the sizes are others"
        return f"Latencies: {known}: {whose}; {hint}"
    return f"Latencies: {known}, as published for {machine.name}; {hint}"


def shown(plan: Plan, advice: Advice, style: str, changes: Sequence[Change] | None = None) -> str:
    """The plan as `text`, `markdown` or `json`, and what was changed where it was applied."""
    if style == "json":
        return _as_json(plan, advice, changes)
    text = _text(plan, advice, style)
    if changes is None:
        return text
    item = "* " if style == "markdown" else ""
    lines = [f"{c.path}:{c.line}: {c.scope}: {c.old} -> {c.new}" for c in changes]
    return f"{text}\n" + "".join(f"{item}{visible(line)}\n" for line in lines or [SAME])


def _text(plan: Plan, advice: Advice, style: str) -> str:
    """The plan for people."""
    mark, item = ("## ", "* ") if style == "markdown" else ("", "  ")
    budget = budget_cycles(plan.deployment)
    parts = ["\n".join(_head(plan)) + "\n"]
    mixed = [advice.mixed] if advice.mixed else []
    head = header(plan.apis)
    lines = [_line(row, budget, plan.apis) for row in [*advice.whole.ranked, *mixed]]
    parts.append(f"{mark}All scopes\n\n{table(style, head, lines)}")
    for choice in advice.scopes:
        lines = [_line(row, budget, plan.apis) for row in choice.ranked]
        part = f"{mark}Scope {choice.scope} alone\n\n{table(style, head, lines)}"
        part += f"\n{choice.strategy or 'nothing'}:\n" if style == "text" else "\n"
        parts.append(part + "".join(f"{item}{reason}\n" for reason in choice.reasons))
    parts.append(f"{mark}Recommendation\n\n" + "".join(f"{item}{s}\n" for s in advice.summary))
    if plan.compared:
        parts.append(
            f"{mark}Model against measurement\n\n"
            + against_measured(plan.compared, plan.vague, style)
        )
    return "\n".join(parts)


def against_measured(rows: Sequence[Comparison], vague: int, style: str) -> str:
    """The table of the model against the measurements of a machine."""
    lines = [
        [r.strategy, r.what, str(r.lcores), f"{r.flows:,}", f"{r.work:,}", r.api, cycles(r.actual),
         cycles(r.modelled), f"{r.factor:.2f}"]
        for r in rows
    ]  # fmt: skip
    head = ("Strategy", "What", "Lcores", "Flows", "Work", "Calls", "Measured", "Model", "Factor")
    told = "".join(f"{line}.\n" for line in summary(rows, vague))
    return f"{table(style, head, lines, 2)}\n{told}"


def against_published(rows: Sequence[Comparison], style: str) -> str:
    """The table of the model against the published figures."""
    lines = [
        [r.strategy, r.machine.name, str(r.lcores), cycles(r.actual), cycles(r.modelled),
         f"{r.factor:.2f}", "" if r.within else "no"]
        for r in rows
    ]  # fmt: skip
    head = ("Strategy", "Machine", "Lcores", "Published", "Model", "Factor", "Within 2")
    return f"{table(style, head, lines, 2)}\n{_within(rows)} (wanted: {WANTED}).\n"


def _within(rows: Sequence[Comparison]) -> str:
    good = sum(row.within for row in rows)
    return f"{good} of {len(rows)} are within a factor of {WITHIN:g}"


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
        listed = "".join(f"{lead}{what}: {source}\n" for what, source in machine.sources)
        parts.append(f"{machine.name}: {machine.title}; {values}\n{gap}{listed}")
    return "\n".join(parts)


def _as_json(plan: Plan, advice: Advice, changes: Sequence[Change] | None) -> str:
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
    if changes is not None:
        data["applied"] = [asdict(change) for change in changes]
    return json.dumps(data, indent=2) + "\n"


def _choice(choice: Choice, budget: float) -> dict[str, Any]:
    return {
        "strategy": choice.strategy or None,
        "reasons": choice.reasons,
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
