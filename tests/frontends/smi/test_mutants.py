# SPDX-License-Identifier: BSD-3-Clause
"""10,000 mutated modules: each import ends, without a traceback, with an error or a schema that
`check` accepts. A few dozen in every run, all with --long."""

from pathlib import Path

import pytest

from ctrgen.frontends.smi import smidump
from tests.frontends.smi import mutants
from tests.support.capabilities import needs_base_mibs, needs_smidump

pytestmark = [needs_smidump, needs_base_mibs]

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
