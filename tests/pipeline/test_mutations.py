# SPDX-License-Identifier: BSD-3-Clause
"""Mutated schemas: never a traceback, always an exit code, findings inside the text."""

import functools
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ctrgen.findings.printers import print_findings
from ctrgen.pipeline.check import Checked, check
from tests.support.paths import ROOT
from tests.support.random_schemas import INLINE, mutate


@functools.cache
def _samples() -> list[str]:
    files = [*sorted((ROOT / "schemas").glob("*.yaml")), ROOT / "templates/init/stats.yaml"]
    return [INLINE, *(file.read_text("utf-8") for file in files)]


def assert_sane(checked: Checked) -> None:
    diagnostics = checked.diagnostics
    assert checked.diagnostics.exit_code in (0, 1)
    assert (checked.module is None) == (checked.diagnostics.exit_code == 1)
    for finding in diagnostics.findings:
        span = finding.span
        assert (1, 1) <= (span.line, span.column) <= (span.end_line, span.end_column)
        line = diagnostics.line(span.path, span.line)
        assert line is not None
        assert span.column <= len(line) + 1
        assert finding.message
    for style in ("text", "json", "github"):
        print_findings(diagnostics, style).encode("utf-8")


@pytest.mark.deep
@settings(max_examples=1000, deadline=None, suppress_health_check=list(HealthCheck))
@given(which=st.integers(0, 100), seed=st.integers(0, 2**32))
def test_mutated_schemas(tmp_path: Path, which: int, seed: int) -> None:
    random_ = random.Random(seed)
    samples = _samples()
    path = tmp_path / "schema.yaml"
    path.write_text(mutate(samples[which % len(samples)], random_), encoding="utf-8")
    assert_sane(check(str(path)))


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.binary(max_size=300))
def test_any_bytes(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "schema.yaml"
    path.write_bytes(data)
    checked = check(str(path))
    assert checked.diagnostics.exit_code in (0, 1)
    print_findings(checked.diagnostics)


@pytest.mark.parametrize("number", range(len(_samples())))
def test_samples_are_clean_before_mutation(number: int, tmp_path: Path) -> None:
    path = tmp_path / "schema.yaml"
    text = _samples()[number]
    if "include:" in text:
        pytest.skip("includes other files")
    path.write_text(text, encoding="utf-8")
    checked = check(str(path))
    assert not checked.diagnostics.failed, print_findings(checked.diagnostics)
