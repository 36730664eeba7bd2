# SPDX-License-Identifier: BSD-3-Clause
"""Mutated modules: findings, or a module that is clean as far as nothing else was said."""

import random
from pathlib import Path

import pytest

from ctrgen.findings.diagnostics import Severity
from ctrgen.findings.printers import print_findings
from ctrgen.frontends.smi import smidump
from ctrgen.pipeline.build import BuildRequest, build
from tests.support import smi as smi_modules
from tests.support import smi_tools
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]

ROUNDS = 1000
ORIGINAL = (smi_modules.OWN / "SHELF-MIB.txt").read_text()
WORDS = ORIGINAL.split()


def mutated(chance: random.Random) -> str:
    """The module with one to three parts cut out, or something put there."""
    text = ORIGINAL
    for _ in range(chance.randrange(1, 4)):
        start = chance.randrange(len(text))
        end = start + chance.choice((0, 1, 5, 40, 300))
        text = text[:start] + chance.choice(("", " ", '"', "{", "}", *WORDS)) + text[end:]
    return text


@pytest.mark.slow
@pytest.mark.deep
@pytest.mark.parametrize("part", range(10))
def test_mutated_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    monkeypatch.setattr(smidump, "SECONDS", 2)
    monkeypatch.setenv("SMIPATH", ":".join(smi_modules.base_path()))
    chance = random.Random(part)
    built = 0
    for number in range(ROUNDS // 10):
        file = tmp_path / "SHELF-MIB"
        file.write_text(mutated(chance))
        output = tmp_path / f"out{number}"
        result = build(BuildRequest(str(file), str(output), only=("mib",)))
        for lock in tmp_path.glob("*.lock"):
            assert not result.exit_code
            lock.unlink()
        if result.exit_code:
            assert any(f.severity is Severity.ERROR for f in result.diagnostics.findings)
            assert not output.exists()
            continue
        (module,) = output.glob("*.txt")
        built += 1
        shown = file.read_text() + print_findings(result.diagnostics)
        assert smi_tools.unsaid(module, result.diagnostics) == [], shown
    assert built > 10
