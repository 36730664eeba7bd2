# SPDX-License-Identifier: BSD-3-Clause
"""What docs/design.md has of the verdicts of GenMC, and of the catalogue."""

import re
from collections.abc import Iterable
from pathlib import Path

from tests.models.cases import IMM, RC11
from tests.models.catalogue import CASES, UNSEEN, VERDICTS
from tests.support.paths import DOCS

PAGE = DOCS / "design.md"
RECORD = Path(__file__).parent / "unchecked.txt"
HEAD = """\
# SPDX-License-Identifier: BSD-3-Clause
# Cases of which GenMC {} has given no verdict since their text changed. All others have the one
# that is demanded. `./dev models` writes this file; a case that is new or changed is added by hand.
"""
BUGS = [case for case in CASES if case.bug]


def unchecked() -> list[str]:
    """The cases without a verdict."""
    return [line for line in RECORD.read_text("utf-8").splitlines() if not line.startswith("#")]


def record(version: str, names: Iterable[str]) -> None:
    """Keep the cases that have no verdict, one a line."""
    RECORD.write_text(HEAD.format(version) + "".join(f"{name}\n" for name in names), "utf-8")


def summary() -> str:
    """What was run, in a sentence."""
    version = re.search(r"GenMC (\S+)", RECORD.read_text("utf-8"))
    left = unchecked()
    cases = [case for case in VERDICTS if case.name not in left]
    under = [case.memory for case in cases if not case.bug]
    planted = sum(case.bug is not None for case in cases)
    return (
        f"GenMC {version[1] if version else '?'}: {under.count(RC11)} models hold under the "
        f"memory model RC11, {under.count(IMM)} of them under IMM too, "
        f"{planted} planted bugs are seen. Of {len(left)} other cases there is no verdict: "
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
