# SPDX-License-Identifier: BSD-3-Clause
"""The table of what was measured: for a terminal, and for docs/field.md."""

from __future__ import annotations

import re
import statistics
from pathlib import Path

from rich import box
from rich.table import Table

from ctrgen.bench.machine import describe
from tests.field.measure import Cell
from tests.field.ports import HAND, ORIGINAL, PORT
from tests.field.sources import Package
from tests.support.paths import DOCS
from tests.support.process import succeed

PAGE = DOCS / "field.md"
BEGIN, END = "<!-- measured -->", "<!-- end measured -->"
HEAD = (
    "Example", "Ports", "Lcores", "Original", "Port", "Port / original", "By hand / original",
    "Port / by hand", "Counts",
)  # fmt: skip
LEAST = 0.98
"""A port that is slower than so much of its original is too slow."""


def quartiles(values: list[float]) -> tuple[float, float, float]:
    """The lower quartile, the median, the upper one."""
    if len(values) < 2:
        return (values[0],) * 3
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def _ratio(values: list[float]) -> str:
    if not values:
        return ""
    low, middle, high = quartiles(values)
    return f"{middle:.3f} ({low:.3f} to {high:.3f})"


def row(cell: Cell) -> list[str]:
    """The cells of a line of the table."""

    def speed(name: str) -> str:
        return f"{statistics.median(cell.rates[name]) * cell.hertz / 1e6:.2f}"

    return [
        cell.case.app, cell.case.driver, str(cell.case.workers), speed(ORIGINAL), speed(PORT),
        *(_ratio(cell.ratios.get(name, [])) for name in (PORT, HAND, f"{PORT}/{HAND}")),
        "differ" if cell.unequal else "equal",
    ]  # fmt: skip


def slow(cell: Cell) -> bool:
    """Whether the port is slower than it may be."""
    return quartiles(cell.ratios[PORT])[1] < LEAST


def table(cells: list[Cell]) -> Table:
    """For a terminal."""
    shown = Table(box=box.SIMPLE)
    for at, name in enumerate(HEAD):
        shown.add_column(name, justify="left" if at < 2 else "right")
    for cell in cells:
        shown.add_row(*row(cell), style="bold red" if cell.unequal or slow(cell) else None)
    return shown


def text(cells: list[Cell], package: Package, runs: int, seconds: float) -> str:
    """For the page: the table, and what it was made with."""
    machine = describe([0, 1], cells[0].hertz)
    compiler = succeed("gcc", "-dumpfullversion").strip()
    packets, resets = (sum(getattr(cell, name) for cell in cells) for name in ("packets", "resets"))
    return "\n".join((
        *(f"| {' | '.join(words)} |" for words in (HEAD, ["---"] * len(HEAD), *map(row, cells))),
        "",
        f"{machine.cpu} at {cells[0].hertz / 1e9:.1f} GHz (time stamp counter), two processors"
        f"{' of a virtual machine' if machine.virtual else ''}, Linux {machine.kernel}, "
        f"gcc {compiler}, "
        f"{package.name} {package.version}. {runs} runs of {seconds:g} s. "
        f"In all runs together ports sent {packets / 1e6:,.0f} million packets and were reset {resets:,} times meanwhile.",
    ))  # fmt: skip


def filled(page: str, made: str) -> str:
    """The page with what was measured."""
    between = re.compile(f"(?s){re.escape(BEGIN)}\n.*{re.escape(END)}")
    return between.sub(lambda _: f"{BEGIN}\n\n{made}\n\n{END}", page)


def write(made: str, page: Path = PAGE) -> None:
    """Put what was measured into the page."""
    page.write_text(filled(page.read_text("utf-8"), made), "utf-8")
