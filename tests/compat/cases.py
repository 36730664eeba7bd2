# SPDX-License-Identifier: BSD-3-Clause
"""A case per rule: old.yaml, new.yaml, and what `ctrgen breaking` prints, as
tests/support/casefile.py reads them; most are written as what differs from base.yaml.

A case is named after the rule, with a suffix for further cases of it.
`./dev golden` (or `python -m tests.compat.cases`) writes every expected text again.
"""

from pathlib import Path

from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.findings.printers import print_findings
from ctrgen.tools import compat
from tests.support import casefile
from tests.support.process import inside

CASES = casefile.Cases(Path(__file__).parent, "old.yaml")
"""Every case."""


def run(name: str) -> tuple[Diagnostics, str]:
    """The findings of one case, and what is expected of them: exit code and text."""
    with inside(CASES.folder(name)):
        exit_code, diagnostics = compat.run("new.yaml", "old.yaml")
    return diagnostics, f"{print_findings(diagnostics, 'text')}exit {exit_code}\n"


def update() -> None:
    """Write the expected text of every case."""
    CASES.write({name: run(name)[1] for name in CASES.names()})


if __name__ == "__main__":
    update()
