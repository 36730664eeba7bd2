# SPDX-License-Identifier: BSD-3-Clause
"""Reports of a benchmark: text for the terminal, Markdown, CSV, HTML, and the result itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ...output.staging import commit, locked
from .. import extra
from ..result import Result, dump
from . import csv, writers
from .sentences import summary


def _page(result: Result) -> str:
    from . import html

    return html.text(result)


FILES: dict[str, Callable[[Result], str]] = {
    "bench.json": dump,
    "bench.csv": csv.text,
    "bench.md": lambda result: writers.markdown(summary(result)),
    "bench.html": _page,
}
"""Every file that a run leaves behind, and what makes its text."""


def write(result: Result, folder: str | Path) -> list[Path]:
    """Write all of FILES into `folder`, or none; their paths.

    The page is left out, and an older one removed, where matplotlib is not installed.
    Raises staging.OutputError when the folder cannot be written.
    """
    place = Path(folder)
    texts: dict[str, str | None] = {
        name: None if make is _page and extra.lacking(extra.PAGE) else make(result)
        for name, make in FILES.items()
    }
    with locked(place):
        commit(place, texts)
    return [place / name for name, text in texts.items() if text is not None]
