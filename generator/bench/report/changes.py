# SPDX-License-Identifier: BSD-3-Clause
"""A comparison of two runs as text, Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict

from ..compare import Change, Comparison
from ..result import At
from . import markdown, places
from .tables import NONE, UNIT, Table
from .terminal import section, wrapped

_TAILS = {"p50": "p50", "p99": "p99", "p999": "p99.9", "max": "max"}


def verdict(change: Change) -> str:
    """`slower`, `faster`, nothing to speak of, or not judged."""
    if change.probability is None:
        return "not judged"
    if not change.significant:
        return "no change seen"
    return "SLOWER" if change.change > 0 else "faster"


def tables(found: Comparison) -> Iterable[Table]:
    """A table of costs for each place, then of latencies."""
    known = [change.at for change in found.changes]
    usual = _usual(known)
    for at in dict.fromkeys(known):
        rows = [_row(change) for change in found.changes if change.at == at]
        title = f"{places.place(at, usual)}: overhead in {UNIT}"
        head = ("strategy", "before", "after", "change", "95 % between", "verdict")
        yield Table(title, head, tuple(rows))
    for at in dict.fromkeys(tail.at for tail in found.tails):
        cells: dict[str, list[str]] = {}
        for tail in found.tails:
            if tail.at == at:
                text = f"{tail.before:,.0f} -> {tail.after:,.0f}"
                cells.setdefault(tail.strategy, []).append(text)
        rows = [(name, *values) for name, values in cells.items()]
        title = f"{places.place(at, usual)}: latency in cycles, not judged"
        yield Table(title, ("strategy", *_TAILS.values()), tuple(rows))


def _usual(known: list[At]) -> At | None:
    """The family that most figures are of."""
    families = [places.family(at) for at in known]
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


def conclusions(found: Comparison) -> list[str]:
    """What the tables come to."""
    slower = sum(c.significant and c.change > 0 for c in found.changes)
    faster = sum(c.significant and c.change < 0 for c in found.changes)
    judged = sum(c.probability is not None for c in found.changes)
    said = [f"{name} loses updates now, and did not before." for name in found.losing]
    if not found.changes:
        said.append("The runs have no figure in common.")
    elif not slower and not faster:
        said.append(f"None of {judged} figures changed significantly.")
    else:
        said.append(
            f"Of {judged} figures, {slower} got significantly slower and {faster} faster. By "
            "chance alone, 1 comparison in 20 would say so of any figure."
        )
    return [*said, *found.notes]


def text(found: Comparison) -> str:
    """For a terminal."""
    parts = ["".join(wrapped(line, "differs: ") for line in found.differs)]
    parts += [section(table) for table in tables(found)]
    parts.append("".join(wrapped(line, "* ") for line in conclusions(found)))
    return "\n".join(part for part in parts if part)


def as_markdown(found: Comparison) -> str:
    """To paste into a review."""
    parts = ["# Before and after\n"]
    if found.differs:
        parts.append("".join(f"* differs: {markdown.safe(line)}\n" for line in found.differs))
    parts.append("".join(f"* {markdown.safe(line)}\n" for line in conclusions(found)))
    return "\n".join([*parts, *(markdown.section(table) for table in tables(found))])


def as_json(found: Comparison) -> str:
    """For programs: docs/bench-format.md lists the keys."""
    changes = [
        {
            **asdict(change),
            "at": change.at.model_dump(),
            "significant": change.significant,
        }
        for change in found.changes
    ]
    tails = [{**asdict(tail), "at": tail.at.model_dump()} for tail in found.tails]
    data = {
        "worse": found.worse,
        "differs": found.differs,
        "changes": changes,
        "latency": tails,
        "losing": found.losing,
        "notes": found.notes,
    }
    return json.dumps(data, indent=2) + "\n"


STYLES: dict[str, Callable[[Comparison], str]] = {
    "text": text,
    "json": as_json,
    "markdown": as_markdown,
}
"""Every way to print a comparison; the values of `--format`."""
