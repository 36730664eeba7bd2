# SPDX-License-Identifier: BSD-3-Clause
"""Mutated modules: each import ends with findings, or a module that is clean."""

import random
from pathlib import Path

import pytest

from ctrgen.findings.diagnostics import Severity
from ctrgen.findings.printers import print_findings
from ctrgen.frontends.smi import smidump
from ctrgen.pipeline.build import BuildRequest, build
from tests.frontends.smi import mutants
from tests.support import smi as smi_modules
from tests.support import smi_tools
from tests.support.capabilities import needs_base_mibs, needs_smidump

# ---- mutated modules ----

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


# ---- 10,000 mutated modules ----

USUAL, ALL, PARTS = 24, 10_000, 50


def _all_survive(
    seeds: range, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, least: float
) -> None:
    monkeypatch.setattr(smidump, "SECONDS", 5)
    schemas = 0
    for seed in seeds:
        try:
            schemas += mutants.survives(seed, tmp_path)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error
    assert schemas > least * len(seeds)


def test_some_mutants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _all_survive(range(USUAL), tmp_path, monkeypatch, 0.3)


@pytest.mark.deep
@pytest.mark.parametrize("part", range(PARTS))
def test_all_mutants(part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = ALL // PARTS
    _all_survive(range(part * size, (part + 1) * size), tmp_path, monkeypatch, 0.2)
