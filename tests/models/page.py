# SPDX-License-Identifier: BSD-3-Clause
"""The tables of docs/models.md, from the verdicts that were recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from tests.models.cases import IMM, Case
from tests.models.catalogue import CASES, MODELS
from tests.models.genmc import Verdict
from tests.support.paths import DOCS

PAGE = DOCS / "models.md"
RECORD = Path(__file__).parent / "verdicts.json"


def recorded() -> dict[str, Verdict]:
    """The verdicts when they were last taken."""
    found = json.loads(RECORD.read_text("utf-8"))["verdicts"]
    return {name: Verdict(*values) for name, values in found.items()}


def record(version: str, verdicts: Mapping[str, Verdict]) -> None:
    """Keep verdicts, one a line."""
    lines = [
        f"  {json.dumps(name)}: {json.dumps([v.says, v.executions, v.seconds])}"
        for name, v in sorted(verdicts.items())
    ]
    text = ",\n".join(lines)
    RECORD.write_text(
        f'{{\n "genmc": {json.dumps(version)},\n "verdicts": {{\n{text}\n }}\n}}\n', "utf-8"
    )


def summary() -> str:
    """What was run, in a sentence."""
    version = json.loads(RECORD.read_text("utf-8"))["genmc"]
    taken = recorded()
    planted = sum(case.bug is not None for case in CASES)
    seconds = sum(verdict.seconds for verdict in taken.values())
    return (
        f"GenMC {version}: {len(MODELS)} models hold under the memory model RC11, "
        f"{sum(model.imm for model in MODELS)} of them under IMM too, "
        f"{planted} planted bugs are seen; {seconds:.0f} seconds in all."
    )


def figures(verdict: Verdict, between: str) -> str:
    """A verdict, executions and seconds."""
    return between.join([verdict.says, str(verdict.executions), str(verdict.seconds)])


def verdicts() -> str:
    """A row for each model and each bug."""
    taken = recorded()
    lines = [
        "| Model | Strategy, macros | Shows, or the bug planted "
        "| Verdict | Executions | Seconds | Under IMM |",
        "|---|---|---|---|---|---|---|",
    ]
    for model in MODELS:
        for bug in (None, *model.bugs):
            verdict = taken[Case(model, bug).name]
            under = " ".join(f"`{word}`" for word in model.under if word)
            first = f"`{model.source}` | {under}" if not bug else " | "
            what = f"bug: {bug.name}" if bug else model.shows
            both = model.imm and not bug
            weaker = figures(taken[Case(model, memory=IMM).name], ", ") if both else ""
            lines.append(f"| {first} | {what} | {figures(verdict, ' | ')} | {weaker} |")
    return "\n".join(lines)


PARTS = {"models": summary, "verdicts": verdicts}
