# SPDX-License-Identifier: BSD-3-Clause
"""A chart of a simulation as SVG: cycles of an update against lcores, a line for each strategy."""

from __future__ import annotations

import math

from ...bench.report.drawing import COLUMNS, CROSS, HOLLOW, LINE, MARKS, Drawing, alone
from ..answer import cycles
from ..estimate import think
from ..machine import CASCADE_LAKE
from .curve import Curve, Point, chapter_points
from .validation import TOLD

DASHES = ("", "7 4", "2 3")


def drawn(curve: Curve) -> str:
    """The chart of a simulation. A mark is hollow where the formulas differ much."""
    place, machine = curve.plan.deployment, curve.plan.machine.name
    work = f"{think(place):,.0f} cycles of other work"
    if place.pps is not None:
        work = f"{place.pps:,.0f} packets/s"
    sockets = f"{curve.sockets} socket{'s' * (curve.sockets > 1)}"
    heading = (
        f"{curve.plan.module.name}, {place.flows:,} flows, {work}; latencies of {machine}, "
        f"{sockets}. Hollow: formulas differ by more than {TOLD:g}."
    )
    return _drawn(curve.strategies(), {}, heading)


def drawn_published() -> str:
    """A chart of the chapter's example with the published figures."""
    lines, crosses = chapter_points(CASCADE_LAKE)
    heading = f"the chapter's example on {CASCADE_LAKE.name}. Crosses: published."
    return _drawn(lines, crosses, heading)


def _drawn(
    lines: dict[str, list[Point]], crosses: dict[str, dict[int, float]], heading: str
) -> str:
    canvas = Drawing(520 + LINE * math.ceil(len(lines) / COLUMNS), heading=f"Simulated: {heading}")
    for number, (name, points) in enumerate(reversed(lines.items())):
        counts, values = [p.lcores for p in points], [p.simulated.update for p in points]
        tips = [f"{name}, {p.lcores}: {cycles(p.simulated.update)}" for p in points]
        dashes = DASHES[number // len(MARKS) % len(DASHES)]
        canvas.marks(number, name, counts, values, tips, dashes=dashes)
        apart = {p.lcores: p.simulated.update for p in points if p.apart and not crosses}
        for shape, found in ((HOLLOW, apart), (CROSS, crosses.get(name, {}))):
            tips = [f"{name}, {lcores}: {cycles(value)}" for lcores, value in found.items()]
            canvas.marks(number, "", [*found], [*found.values()], tips, shape=shape)
    counts = sorted({p.lcores for points in lines.values() for p in points})
    canvas.scale("x", "lcores", 1.0, counts)
    canvas.scale("y", "cycles of an update, simulated", 1.0)
    return alone(canvas.svg("simulated", "Simulated cycles by lcores", heading))
