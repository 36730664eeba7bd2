# SPDX-License-Identifier: BSD-3-Clause
"""One folder per rule: old.yaml, new.yaml, and expected.txt with what `ctrgen breaking` prints.

A folder is named after the rule, with a suffix for further cases of it.
`./dev golden` (or `python -m tests.compat.cases`) writes every expected.txt again.
"""

from __future__ import annotations

from pathlib import Path

from ctrgen import compat
from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.findings.printers import print_findings
from tests.support.process import inside

ROOT = Path(__file__).parent
"""The folder that holds the cases."""

HISTORY = "history"
"""The folder of a schema's revisions, which is no case."""


def names() -> list[str]:
    """Every case, sorted."""
    found = {path.name for path in ROOT.iterdir() if (path / "new.yaml").is_file()}
    return sorted(found)


def run(name: str) -> tuple[Diagnostics, str]:
    """The findings of one case, and what is expected of them: exit code and text."""
    with inside(ROOT / name):
        exit_code, diagnostics = compat.run("new.yaml", "old.yaml")
    return diagnostics, f"{print_findings(diagnostics, 'text')}exit {exit_code}\n"


def update() -> None:
    """Write expected.txt of every case."""
    for name in names():
        (ROOT / name / "expected.txt").write_text(run(name)[1], encoding="utf-8")


if __name__ == "__main__":
    update()
