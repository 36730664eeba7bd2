# SPDX-License-Identifier: BSD-3-Clause
"""A chart of a simulation: cycles of an update against lcores, a line for each strategy."""

from __future__ import annotations

import math
from pathlib import Path

from matplotlib import style

from ...bench.report.drawing import COLUMNS, MARKS, PAGE, SETTINGS, Drawing
from ..estimate import think
from ..machine import CASCADE_LAKE
from ..output import cycles
from .curve import Curve, Point, chapter_points
from .validation import TOLD

LEAST = 1.0
"""Cycles of an update from which on the scale is logarithmic."""

HEIGHT = 520
LINES = ("-", "--", ":")


def draw(curve: Curve, path: Path) -> None:
    """Write the chart as SVG or PNG, by the end of the name. Raises OSError."""
    place, machine = curve.plan.deployment, curve.plan.machine.name
    work = f"{think(place):,.0f} cycles of other work"
    if place.pps is not None:
        work = f"{place.pps:,.0f} packets/s"
    sockets = f"{curve.sockets} socket{'s' * (curve.sockets > 1)}"
    title = (
        f"{curve.plan.module.name}, {place.flows:,} flows, {work}; latencies of {machine}, "
        f"{sockets}. Hollow: formulas differ by more than {TOLD:g}."
    )
    _draw(curve.strategies(), {}, title, path)


def draw_published(path: Path) -> None:
    """Write a chart of the chapter's example with the published figures. Raises OSError."""
    lines, crosses = chapter_points(CASCADE_LAKE)
    title = f"the chapter's example on {CASCADE_LAKE.name}. Crosses: published."
    _draw(lines, crosses, title, path)


def _draw(
    lines: dict[str, list[Point]], crosses: dict[str, dict[int, float]], title: str, path: Path
) -> None:
    with style.context(["default", SETTINGS]):
        canvas = Drawing(HEIGHT + 18 * math.ceil(len(lines) / COLUMNS))
        for number, (name, points) in enumerate(reversed(lines.items())):
            _line(canvas, number, name, points, crosses.get(name, {}))
        axes, counts = canvas.axes, sorted({p.lcores for points in lines.values() for p in points})
        axes.set_xscale("log", base=2)
        axes.set_xticks(counts, [str(count) for count in counts])
        axes.set_xlabel("lcores (logarithmic)")
        canvas.scale("y", "cycles of an update, simulated", LEAST)
        axes.minorticks_off()
        canvas.figure.legend(
            loc="outside upper left", ncols=COLUMNS, title=f"Simulated: {title}", alignment="left"
        )
        metadata = dict.fromkeys(("Creator", "Date")) if path.suffix == ".svg" else {}
        canvas.figure.savefig(path, facecolor=PAGE, metadata=metadata)


def _line(
    canvas: Drawing, number: int, name: str, points: list[Point], crosses: dict[int, float]
) -> None:
    """The line of a strategy. A mark is hollow where the formulas differ much."""
    counts, values = [p.lcores for p in points], [p.simulated.update for p in points]
    told = [f"{name}, {p.lcores}: {cycles(p.simulated.update)}" for p in points]
    dashes = LINES[number // len(MARKS) % len(LINES)]
    canvas.marks(number % len(MARKS), name, counts, values, told, linestyle=dashes)
    axes, apart = canvas.axes, [p for p in points if p.apart and not crosses]
    there = [p.lcores for p in apart], [p.simulated.update for p in apart]
    axes.plot(*there, "o", color=PAGE, markersize=4, zorder=5)
    colour = f"C{number % len(MARKS)}"
    axes.plot(list(crosses), list(crosses.values()), "x", color=colour, markeredgecolor=colour,
              markersize=13, markeredgewidth=2.5, zorder=6)  # fmt: skip
