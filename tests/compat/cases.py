# SPDX-License-Identifier: BSD-3-Clause
"""One file per rule: old.yaml, new.yaml, and expected.txt with what `ctrgen breaking` prints, as
tests/support/casefile.py reads them; most are written as what differs from base.yaml.

A file is named after the rule, with a suffix for further cases of it.
`./dev golden` (or `python -m tests.compat.cases`) writes every expected.txt again.
"""

from __future__ import annotations

from pathlib import Path

from ctrgen import compat
from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.findings.printers import print_findings
from tests.support import casefile
from tests.support.process import inside

ROOT = Path(__file__).parent
"""The folder that holds the cases."""

BASES = {
    "old.yaml": "base.yaml",
    "new.yaml": "old.yaml",
    "old.ctrgen.lock": "base.ctrgen.lock",
    "new.ctrgen.lock": "old.ctrgen.lock",
}
"""What a file of a case is compared with."""

HISTORY = "history"
"""The folder of a schema's revisions, which is no case."""


def names() -> list[str]:
    """Every case, sorted."""
    return sorted(path.name.removesuffix(".case") for path in ROOT.glob("*.case"))


def folder(name: str) -> Path:
    """A folder with the files of a case, not to be changed."""
    return casefile.folder(ROOT / f"{name}.case")


def expected(name: str) -> str:
    """What `ctrgen breaking` is to print of a case, and its exit code."""
    return casefile.read(ROOT / f"{name}.case")[casefile.EXPECTED]


def run(name: str) -> tuple[Diagnostics, str]:
    """The findings of one case, and what is expected of them: exit code and text."""
    with inside(folder(name)):
        exit_code, diagnostics = compat.run("new.yaml", "old.yaml")
    return diagnostics, f"{print_findings(diagnostics, 'text')}exit {exit_code}\n"


def update() -> None:
    """Write expected.txt of every case."""
    for name in names():
        path = ROOT / f"{name}.case"
        parts = {**casefile.read(path), casefile.EXPECTED: run(name)[1]}
        casefile.write(path, parts, BASES)


if __name__ == "__main__":
    update()
