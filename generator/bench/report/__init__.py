# SPDX-License-Identifier: BSD-3-Clause
"""The report of a benchmark: the result itself as JSON, and one page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...output.staging import commit, locate, locked
from ..result import Result, dump
from . import plots
from .drawing import COLOURS, escaped
from .sentences import summary


def page(result: Result) -> str:
    """The report as one HTML page that needs nothing else: plots as SVG, tables beside them."""
    drawn, report = plots.plots(result), summary(result)
    titles = {plot.table.title for plot in drawn if plot.table}
    tables = [table for table in report.tables if table.title not in titles]
    return escaped(
        "report/page.html.j2", report=report, palette=COLOURS, plots=drawn, tables=tables
    )


FILES: dict[str, Callable[[Result], str]] = {
    "bench.json": dump,
    "bench.html": page,
}
"""Every file that a run leaves behind, and what makes its text."""


def write(result: Result, folder: str | Path) -> list[Path]:
    """Write all of FILES into `folder`, or none; their paths.

    Raises staging.OutputError when the folder cannot be written.
    """
    place = Path(folder)
    texts = {locate(place, name): make(result) for name, make in FILES.items()}
    with locked(place):
        commit(place, texts)
    return list(texts)
