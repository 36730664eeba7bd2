# SPDX-License-Identifier: BSD-3-Clause
"""What docs/design.md has of the verdicts that were recorded, and of the catalogue."""

import json
from collections.abc import Mapping
from pathlib import Path

from tests.models.cases import IMM, RC11
from tests.models.catalogue import CASES, UNSEEN, VERDICTS
from tests.models.genmc import Verdict
from tests.support.paths import DOCS

PAGE = DOCS / "design.md"
RECORD = Path(__file__).parent / "verdicts.json"
BUGS = [case for case in CASES if case.bug]


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
    cases = [case for case in VERDICTS if case.name in taken]
    under = [case.memory for case in cases if not case.bug]
    planted = sum(case.bug is not None for case in cases)
    seconds = sum(verdict.seconds for verdict in taken.values())
    return (
        f"GenMC {version}: {under.count(RC11)} models hold under the memory model RC11, "
        f"{under.count(IMM)} of them under IMM too, "
        f"{planted} planted bugs are seen; {seconds:.0f} seconds in all. "
        f"Of {len(VERDICTS) - len(cases)} other cases there is no verdict: "
        "none was taken since their text changed."
    )


def bugs() -> str:
    """Which bugs which checker sees."""
    alone = [case.name for case in BUGS if not case.model.genmc]
    both = len(BUGS) - len(UNSEEN) - len(alone)
    rows = [
        f"| {both} | seen | seen |",
        *(f"| `{name}` | seen | not seen |" for name in UNSEEN),
        *(f"| `{name}` | not run | seen |" for name in alone),
    ]
    return "\n".join(["| Planted bugs | GenMC | explore.c |", "|---|---|---|", *rows])


PARTS = {"models": summary, "bugs": bugs}
