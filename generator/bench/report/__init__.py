# SPDX-License-Identifier: BSD-3-Clause
"""Reports of a benchmark: text for the terminal, Markdown, CSV, HTML, and the result itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...output.render import environment, normalise
from ...output.staging import commit, locate, locked
from .. import extra
from ..result import Result, dump
from . import csv, writers
from .sentences import summary


def page(result: Result) -> str:
    """The report as one HTML page that needs nothing else: plots as SVG, tables beside them."""
    from .drawing import COLOURS
    from .plots import plots

    drawn, report = plots(result), summary(result)
    titles = {plot.table.title for plot in drawn if plot.table}
    # Templates of this kind escape by themselves; compiled ones must not meet those that do not.
    escaping = environment().overlay(autoescape=True, bytecode_cache=None)
    text = escaping.get_template("report/page.html.j2").render(
        report=report,
        palette=COLOURS,
        plots=drawn,
        tables=[table for table in report.tables if table.title not in titles],
    )
    return normalise(text)


FILES: dict[str, Callable[[Result], str]] = {
    "bench.json": dump,
    "bench.csv": csv.text,
    "bench.md": lambda result: writers.markdown(summary(result)),
    "bench.html": page,
}
"""Every file that a run leaves behind, and what makes its text."""


def write(result: Result, folder: str | Path) -> list[Path]:
    """Write all of FILES into `folder`, or none; their paths.

    The page is left out, and an older one removed, where matplotlib is not installed.
    Raises staging.OutputError when the folder cannot be written.
    """
    place = Path(folder)
    texts: dict[Path, str | None] = {
        locate(place, name): None if make is page and extra.lacking(extra.PAGE) else make(result)
        for name, make in FILES.items()
    }
    with locked(place):
        commit(place, texts)
    return [path for path, text in texts.items() if text is not None]
