# SPDX-License-Identifier: BSD-3-Clause
"""A comparison of two runs as text, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict

from ..compare import Change, Comparison
from ..result import At
from . import markdown, places
from .tables import NONE, PERCENTILES, UNIT, Table
from .terminal import section, wrapped


def verdict(change: Change) -> str:
    """`slower`, `faster`, nothing to speak of, or not judged."""
    if change.probability is None:
        return "not judged"
    if not change.significant:
        return "no change seen"
    return "SLOWER" if change.change > 0 else "faster"


def tables(comparison: Comparison) -> Iterable[Table]:
    """A table of costs for each place, then of latencies."""
    known = [change.at for change in comparison.changes]
    usual = _usual(known)
    for at in dict.fromkeys(known):
        rows = [_row(change) for change in comparison.changes if change.at == at]
        title = f"{places.place(at, usual)}: overhead in {UNIT}"
        head = ("strategy", "before", "after", "change", "95 % between", "verdict")
        yield Table(title, head, tuple(rows))
    for at in dict.fromkeys(tail.at for tail in comparison.tails):
        cells: dict[str, list[str]] = {}
        for tail in comparison.tails:
            if tail.at == at:
                text = f"{tail.before:,.0f} -> {tail.after:,.0f}"
                cells.setdefault(tail.strategy, []).append(text)
        rows = [(name, *values) for name, values in cells.items()]
        title = f"{places.place(at, usual)}: latency in cycles, not judged"
        yield Table(title, ("strategy", *PERCENTILES.values()), tuple(rows))


def _usual(known: list[At]) -> At | None:
    """The family that most figures are of."""
    families = [at.family for at in known]
    return max(families, key=families.count, default=None)


def _row(change: Change) -> tuple[str, ...]:
    share = f" ({change.change / change.before:+.0%})" if change.before >= 0.1 else ""
    between = NONE
    if change.low is not None and change.high is not None:
        between = f"{_signed(change.low)} .. {_signed(change.high)}"
    cells = (places.number(change.before), places.number(change.after))
    return (change.strategy, *cells, _signed(change.change) + share, between, verdict(change))


def _signed(value: float) -> str:
    return f"{'+' if value >= 0 else '-'}{places.number(abs(value))}"


def conclusions(comparison: Comparison) -> list[str]:
    """What the tables come to."""
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
            "chance alone, 1 comparison in 20 would say so of any figure."
        )
    return [*lines, *comparison.notes]


def text(comparison: Comparison) -> str:
    """For a terminal."""
    parts = ["".join(wrapped(line, "differs: ") for line in comparison.differs)]
    parts += [section(table) for table in tables(comparison)]
    parts.append("".join(wrapped(line, "* ") for line in conclusions(comparison)))
    return "\n".join(part for part in parts if part)


def as_markdown(comparison: Comparison) -> str:
    """To paste into a review."""
    parts = ["# Before and after\n"]
    if comparison.differs:
        lines = (f"* differs: {markdown.safe(line)}\n" for line in comparison.differs)
        parts.append("".join(lines))
    parts.append("".join(f"* {markdown.safe(line)}\n" for line in conclusions(comparison)))
    return "\n".join([*parts, *(markdown.section(table) for table in tables(comparison))])


def as_json(comparison: Comparison) -> str:
    """For programs: docs/bench-format.md lists the keys."""
    data = asdict(comparison)
    for part in (*data["changes"], *data["tails"]):
        part["at"] = part["at"].model_dump()
    for part, change in zip(data["changes"], comparison.changes, strict=True):
        part["significant"] = change.significant
    data["latency"] = data.pop("tails")
    keys = ("worse", "differs", "changes", "latency", "losing", "notes")
    data["worse"] = comparison.worse
    return json.dumps({key: data[key] for key in keys}, indent=2) + "\n"


STYLES: dict[str, Callable[[Comparison], str]] = {
    "text": text,
    "json": as_json,
    "markdown": as_markdown,
}
"""Every way to print a comparison; the values of `--format`."""
