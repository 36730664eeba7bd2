# SPDX-License-Identifier: BSD-3-Clause
"""A report as one HTML page that needs nothing else: plots as SVG, tables beside them."""

from __future__ import annotations

from ...output.render import environment, normalise
from ..result import Result
from .drawing import COLOURS
from .plots import Plot, plots
from .sentences import summary


def text(result: Result) -> str:
    """The whole page."""
    entries, whole = plots(result), summary(result)
    drawn = [entry for entry in entries if isinstance(entry, Plot)]
    titles = {plot.table.title for plot in drawn}
    # Templates of this kind escape by themselves; compiled ones must not meet those that do not.
    escaping = environment().overlay(autoescape=True, bytecode_cache=None)
    page = escaping.get_template("report/page.html.j2").render(
        report=whole,
        palette=COLOURS,
        plots=drawn,
        absent=[entry for entry in entries if not isinstance(entry, Plot)],
        tables=[table for table in whole.tables if table.title not in titles],
    )
    return normalise(page)
