# SPDX-License-Identifier: BSD-3-Clause
"""A simulation as text, Markdown and JSON, and the simulation against published figures."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from ...output.tables import wrapped
from ..answer import cycles
from ..estimate import think
from ..machine import MACHINES
from ..output import table
from .curve import Curve, Point
from .run import SEED, latencies
from .validation import CLOSE, FAR, TOLD, WANTED, Published, half_round, published

MARK = "*"


def shown(curve: Curve, style: str) -> str:
    """A simulation as `text`, `markdown` or `json`."""
    if style == "json":
        return _as_json(curve)
    item = "* " if style == "markdown" else "  "
    rows = [
        [name, *(_cell(point) for point in points), ""]
        for name, points in curve.strategies().items()
    ]
    head = ["Cycles of an update, by lcores", *map(str, curve.lcores), ""]
    parts = ["".join(map(wrapped, _head(curve))), table(style, head, rows)]
    apart = [point for point in curve.points if point.apart]
    if apart:
        told = f"{MARK} The cost model's formulas differ by more than {TOLD:g}:\n"
        parts.append(told + "".join(f"{item}{_apart(point)}\n" for point in apart))
    if curve.left:
        told = "".join(f"{item}{name}: {why}\n" for name, why in curve.left.items())
        parts.append(f"Not simulated:\n{told}")
    return "\n".join(parts)


def _cell(point: Point) -> str:
    return cycles(point.simulated.update) + (MARK if point.apart else "")


def _apart(point: Point) -> str:
    lcores = f"{point.lcores} lcore{'s' * (point.lcores > 1)}"
    return (
        f"{point.strategy}, {lcores}: {cycles(point.simulated.update)} simulated, "
        f"{cycles(point.model)} by formulas"
    )


def _head(curve: Curve) -> list[str]:
    place, machine = curve.plan.deployment, curve.plan.machine
    flows = ""
    if place.flow_scope:
        flows = f", {place.flows:,} of scope {place.flow_scope} in use (affinity {place.affinity})"
    ways = latencies(machine, curve.sockets)
    far = f", {ways.far:.0f} from another socket" if curve.sockets > 1 else ""
    lines = [
        "A simulation of cache lines, locks and lcores; nothing was measured.",
        f"Module {curve.plan.module.name}, single calls{flows}.",
        f"Machine: {machine.title}, as if it had so many cores: a line takes {ways.near:.0f} "
        f"cycles from another core{far}, {ways.copy:.0f} as a copy.",
    ]
    if place.pps is None:
        lines.append(f"{think(place):,.0f} cycles of other work for a packet.")
    return [*lines, *curve.plan.notes]


def _as_json(curve: Curve) -> str:
    """The simulation for programs."""
    machine = curve.plan.machine
    data = {
        "module": curve.plan.module.name,
        "deployment": asdict(curve.plan.deployment),
        "machine": {"name": machine.name, "title": machine.title},
        "latencies": asdict(latencies(machine, curve.sockets)),
        "seed": SEED,
        "simulated": [
            {"strategy": p.strategy, "lcores": p.lcores,
             "cycles_per_update": round(p.simulated.update, 3),
             "cycles_per_packet": round(p.simulated.packet, 3), "model": round(p.model, 3),
             "apart": p.apart, "packets": p.simulated.packets, "events": p.simulated.events,
             "lines_per_packet": round(p.simulated.transfers, 3)}
            for p in curve.points
        ],
        "left_out": curve.left,
        "notes": curve.plan.notes,
    }  # fmt: skip
    return json.dumps(data, indent=2) + "\n"


def validation(style: str) -> str:
    """The simulation against published figures and latencies, as `text`, `markdown` or `json`."""
    rows = published()
    if style != "json":
        return f"{against_published(rows, style)}\n{against_latencies(style)}"
    data = [
        {"strategy": r.model.strategy, "machine": r.model.machine.name, "lcores": r.model.lcores,
         "published": r.model.actual, "model": round(r.model.modelled, 3),
         "simulated": round(r.simulated, 3), "factor": round(r.factor, 3)}
        for r in rows
    ]  # fmt: skip
    return json.dumps(data, indent=2) + "\n"


def against_published(rows: Sequence[Published], style: str) -> str:
    """The table of the simulation against the chapter's figures."""
    lines = [
        [r.model.strategy, r.model.machine.name, str(r.model.lcores), cycles(r.model.actual),
         cycles(r.model.modelled), cycles(r.simulated), f"{r.factor:.2f}", _verdict(r)]
        for r in rows
    ]  # fmt: skip
    head = ("Strategy", "Machine", "Lcores", "Published", "Formulas", "Simulated", "Factor", "")
    close, far = (sum(row.off <= factor for row in rows) for factor in (CLOSE, FAR))
    told = (
        f"Simulated: {close} of {len(rows)} are within a factor of {CLOSE:g} (wanted: {WANTED}), "
        f"{far} within {FAR:g} (wanted: all).\n"
    )
    return f"{table(style, head, lines, 2)}\n{told}"


def _verdict(row: Published) -> str:
    """What there is to say of a figure that is off."""
    if row.off > TOLD:
        return f"differs by more than {TOLD:g}"
    return f"beyond {CLOSE:g}" if row.off > CLOSE else ""


def against_latencies(style: str) -> str:
    """Half a round trip of a line between two cores, simulated, and as published."""
    lines = [
        [m.name, cycles(m.transfer), cycles(half := half_round(m)), f"{half / m.transfer:.2f}", ""]
        for m in MACHINES.values()
    ]
    return table(style, ("Half a round trip", "Published", "Simulated", "Factor", ""), lines)
