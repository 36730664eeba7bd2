# SPDX-License-Identifier: BSD-3-Clause
"""The report of a benchmark: the result itself as JSON, one page, and text for a terminal."""

import json
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from ....output.render import environment, normalise
from ....output.staging import commit, locate, locked
from ....output.tables import grid, wrapped
from ..compare import Change, Comparison
from ..result import Result, dump
from . import places, sentences
from . import tables as figures
from .tables import UNIT, Table


class Report(NamedTuple):
    """Contents of every output: verdict, facts with labels, sentences, tables."""

    title: str
    facts: list[tuple[str, str]]
    sentences: list[str]
    tables: list[Table]
    verdict: tuple[str, ...] = ()


def summary(result: Result) -> Report:
    """The report of a run."""
    title = f"Benchmark of {result.schema_.module}"
    said = sentences.sentences(result)
    first = tuple(sentences.verdict(result))
    return Report(title, sentences.facts(result), said, figures.tables(result), first)


def terminal(report: Report, label: str = "{:10}  ") -> str:
    """The report without its title; `label` is the format of the labels of facts."""
    parts = ["".join(map(wrapped, report.verdict))]
    parts.append("".join(wrapped(fact, label.format(name)) for name, fact in report.facts))
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


def _tables(comparison: Comparison) -> Iterator[Table]:
    """A table of costs for each place."""
    head = ("strategy", "before", "after", "change", "counts from", "verdict")
    known = [change.at for change in comparison.changes]
    usual = statistics.mode(at.family for at in known) if known else None
    for at in dict.fromkeys(known):
        rows = tuple(_row(change) for change in comparison.changes if change.at == at)
        yield Table(f"{places.place(at, usual)}: overhead in {UNIT}", head, rows)


def _row(change: Change) -> tuple[str, ...]:
    share = f" ({change.change / change.before:+.0%})" if change.before >= 0.1 else ""
    cells = (places.cost(change.before), places.cost(change.after))
    shift = _signed(change.change) + share
    return (change.strategy, *cells, shift, places.number(change.limit), _verdict(change))


def _verdict(change: Change) -> str:
    if change.significant:
        return "SLOWER" if change.change > 0 else "faster"
    if change.probability is None:
        return "not judged"
    return "measure again" if abs(change.change) > change.limit else "no change seen"


def _signed(value: float) -> str:
    return f"{'+' if value >= 0 else '-'}{places.number(abs(value))}"


def _conclusions(comparison: Comparison) -> list[str]:
    significant = [change.change > 0 for change in comparison.changes if change.significant]
    slower, faster = significant.count(True), significant.count(False)
    judged = sum(change.probability is not None for change in comparison.changes)
    lines = [f"{name} loses updates now, and did not before." for name in comparison.losing]
    if not comparison.changes:
        lines.append("The runs have no figure in common.")
    elif not significant:
        lines.append(f"None of {judged} figures changed significantly.")
    else:
        lines.append(
            f"Of {judged} figures, {slower} got significantly slower and {faster} faster. By "
            "chance alone, 1 comparison in 20 would report such a change."
        )
    return [*lines, *comparison.notes]


def _report(comparison: Comparison) -> Report:
    differs = [("differs", line) for line in comparison.differs]
    return Report("Before and after", differs, _conclusions(comparison), list(_tables(comparison)))


def _json(comparison: Comparison) -> str:
    """For programs: docs/benchmark.md lists the keys."""
    data = TypeAdapter(Comparison).dump_python(comparison)
    for entry, change in zip(data["changes"], comparison.changes, strict=True):
        entry |= {"change": change.change, "significant": change.significant}
    return json.dumps({"worse": comparison.worse, **data}, indent=2) + "\n"


STYLES: dict[str, Callable[[Comparison], str]] = {
    "text": lambda comparison: terminal(_report(comparison), "{}: "),
    "json": _json,
}
"""Every way to print a comparison; the values of `--format`."""
