# SPDX-License-Identifier: BSD-3-Clause
"""A chart of a simulation: cycles of an update against lcores, a line for each strategy."""

from __future__ import annotations

import math
from pathlib import Path

from matplotlib import style

from ...bench.report.drawing import COLUMNS, MARKS, PAGE, SETTINGS, Drawing
from ..estimate import think
from ..output import cycles
from .curve import Curve, Point

LEAST = 1.0
"""Cycles of an update from which on the scale is logarithmic."""

HEIGHT = 520
LINES = ("-", "--", ":")


def draw(curve: Curve, path: Path) -> None:
    """Write the chart as SVG or PNG, by the end of the name. Raises OSError."""
    with style.context(["default", SETTINGS]):
        strategies = curve.strategies()
        canvas = Drawing(HEIGHT + 18 * math.ceil(len(strategies) / COLUMNS))
        for number, (name, points) in enumerate(reversed(strategies.items())):
            _line(canvas, number, name, points)
        axes = canvas.axes
        axes.set_xscale("log", base=2)
        axes.set_xticks(curve.lcores, [str(count) for count in curve.lcores])
        axes.minorticks_off()
        axes.set_xlabel("lcores (logarithmic)")
        canvas.scale("y", "cycles of an update, simulated", LEAST)
        canvas.figure.legend(loc="outside upper left", ncols=COLUMNS)
        canvas.figure.suptitle(_title(curve), fontsize=12, x=0.01, ha="left")
        canvas.figure.savefig(path, facecolor=PAGE, metadata={"Date": None} if _svg(path) else {})


def _svg(path: Path) -> bool:
    return path.suffix == ".svg"


def _line(canvas: Drawing, number: int, name: str, points: list[Point]) -> None:
    """The line of a strategy. A mark is hollow where the formulas differ much."""
    counts, values = [p.lcores for p in points], [p.simulated.update for p in points]
    told = [f"{name}, {p.lcores}: {cycles(p.simulated.update)}" for p in points]
    dashes = LINES[number // len(MARKS) % len(LINES)]
    canvas.marks(number % len(MARKS), name, counts, values, told, linestyle=dashes)
    apart = [p for p in points if p.apart]
    canvas.axes.plot(
        [p.lcores for p in apart], [p.simulated.update for p in apart], "o", color=PAGE,
        markersize=4, zorder=5,
    )  # fmt: skip


def _title(curve: Curve) -> str:
    place = curve.plan.deployment
    work = f"{think(place):,.0f} cycles of other work"
    if place.pps is not None:
        work = f"{place.pps:,.0f} packets/s"
    return (
        f"Simulated: {curve.plan.module.name}, {place.flows:,} flows, {work}; "
        f"latencies of {curve.plan.machine.name}, {curve.sockets} socket"
        f"{'s' * (curve.sockets > 1)}"
    )
