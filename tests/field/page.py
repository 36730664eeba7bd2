# SPDX-License-Identifier: BSD-3-Clause
"""The table of what was measured: for a terminal, and for results.md."""

import re
import statistics
from collections.abc import Sequence
from pathlib import Path

from rich import box
from rich.table import Table

from ctrgen.tools.bench.machine import describe
from tests.field.measure import TWIN, Cell
from tests.field.ports import HAND, ORIGINAL, PORT
from tests.support.process import succeed

PAGE = Path(__file__).with_name("results.md")
BEGIN, END = "<!-- measured -->", "<!-- end measured -->"
HEAD = (
    "Example", "Ports", "Lcores", "Original", "Port", "Port / original",
    "Original / itself", "By hand / original", "Port / by hand", "Counts",
)  # fmt: skip
COUNTED = ("Example", "Original", "Port", "By hand")
LEAST = 0.98
"""A port that is slower than so much of its original is too slow."""
CHANCE = 0.05
"""With which something that differs from itself alone is taken for slower."""


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
        *(_ratio(cell.ratios.get(name, [])) for name in (PORT, TWIN, HAND, f"{PORT}/{HAND}")),
        "differ" if cell.unequal else "equal",
    ]  # fmt: skip


def slow(cell: Cell) -> bool:
    """Whether the port is slower than it may be, by more than the original differs from itself:
    its median is less than LEAST and less than three quarters of the original's ratios to itself;
    or by Mann and Whitney's test of the ratios of runs, as these have tails (Annals of Mathematical
    Statistics 18, 1947)."""
    port, itself = ([*cell.ratios[name]] for name in (PORT, TWIN))
    if statistics.median(port) < min(LEAST, quartiles(itself)[0]):
        return True
    from scipy.stats import mannwhitneyu  # takes a second

    raised = [ratio / LEAST for ratio in port]
    return bool(mannwhitneyu(raised, itself, alternative="less").pvalue < CHANCE)


def rich_table(head: Sequence[str], rows: list[list[str]]) -> Table:
    """For a terminal."""
    shown = Table(*head, box=box.SIMPLE)
    for words in rows:
        shown.add_row(*words)
    return shown


def table(cells: list[Cell]) -> Table:
    """What was measured, for a terminal; red is what should be otherwise."""
    shown = rich_table(HEAD, [row(cell) for cell in cells])
    for line, cell in zip(shown.rows, cells, strict=True):
        line.style = "bold red" if cell.unequal or slow(cell) else None
    return shown


def _lines(head: Sequence[str], rows: list[list[str]]) -> str:
    """A table of a page."""
    return "\n".join(f"| {' | '.join(words)} |" for words in (head, ["---"] * len(head), *rows))


def text(
    cells: list[Cell], counted: list[list[str]], package: str, runs: int, seconds: float
) -> str:
    """For the page: the tables, and what they were made with; `package`: the source package
    in words."""
    machine = describe([0, 1], cells[0].hertz)
    compiler = succeed("gcc", "-dumpfullversion").strip()
    packets, resets = (sum(getattr(cell, name) for cell in cells) for name in ("packets", "resets"))
    whose = " of a virtual machine" if machine.virtual else ""
    said = (
        f"{machine.cpu} at {cells[0].hertz / 1e9:.1f} GHz (time stamp counter), "
        f"two processors{whose}, Linux {machine.kernel}, gcc {compiler}, {package}. "
        f"{runs} runs of {seconds:g} s. In all runs together ports sent "
        f"{packets / 1e6:,.0f} million packets and were reset {resets:,} times meanwhile."
    )
    lines = [words + [""] * (len(COUNTED) - len(words)) for words in counted]
    parts = [_lines(HEAD, [row(cell) for cell in cells]), said]
    if lines:
        parts += ["Instructions of a packet, on one lcore:", _lines(COUNTED, lines)]
    return "\n\n".join(parts)


def filled(page: str, made: str) -> str:
    """The page with what was measured."""
    between = re.compile(f"(?s){BEGIN}\n.*{END}")
    return between.sub(lambda _: f"{BEGIN}\n\n{made}\n\n{END}", page)


def write(
    cells: list[Cell], counted: list[list[str]], package: str, runs: int, seconds: float
) -> None:
    """Put what was measured into the page."""
    made = text(cells, counted, package, runs, seconds)
    PAGE.write_text(filled(PAGE.read_text("utf-8"), made), "utf-8")
