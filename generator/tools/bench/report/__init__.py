# SPDX-License-Identifier: BSD-3-Clause
"""The report of a benchmark: the result itself as JSON, one page, and text for a terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ....output.render import environment, normalise
from ....output.staging import commit, locate, locked
from ....output.tables import grid, wrapped
from ..result import Result, dump
from . import sentences
from . import tables as figures
from .tables import Table


class Report(NamedTuple):
    """Contents of every output: verdict, facts with labels, sentences, tables."""

    title: str
    facts: list[tuple[str, str]]
    sentences: list[str]
    tables: list[Table]
    verdict: tuple[str, ...]


def summary(result: Result) -> Report:
    """The report of a run."""
    title = f"Benchmark of {result.schema_.module}"
    said = sentences.sentences(result)
    first = tuple(sentences.verdict(result))
    return Report(title, sentences.facts(result), said, figures.tables(result), first)


def terminal(report: Report) -> str:
    """The report without its title."""
    parts = ["".join(map(wrapped, report.verdict))]
    parts.append("".join(wrapped(fact, f"{name:10}  ") for name, fact in report.facts))
    for table in report.tables:
        cells = grid(table.head, table.rows, range(1, len(table.head)))
        notes = "".join(wrapped(note, "  ") for note in table.notes)
        parts.append(f"{table.title}\n{cells}{notes}")
    parts.append("".join(wrapped(sentence, "* ") for sentence in report.sentences))
    return "\n".join(part for part in parts if part)


def page(result: Result) -> str:
    """The report as one HTML page that needs nothing else."""
    # A compiled template that escapes must not be taken for one that does not.
    escaping = environment().overlay(autoescape=True, bytecode_cache=None)
    return normalise(escaping.get_template("report/page.html.j2").render(report=summary(result)))


FILES: dict[str, Callable[[Result], str]] = {"bench.json": dump, "bench.html": page}
"""Output files of a run, and the functions that make their text."""


def write(result: Result, folder: str | Path) -> list[Path]:
    """Write all of FILES into `folder`, or none; their paths. Raises staging.OutputError."""
    place = Path(folder)
    texts = {locate(place, name): make(result) for name, make in FILES.items()}
    with locked(place):
        commit(place, texts)
    return list(texts)
