# SPDX-License-Identifier: BSD-3-Clause
"""Every diagnostic has a case with its exact output, and every rule a diagnostic."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctrgen.findings.diagnostics import LINE_BREAK, RULES, Diagnostics
from ctrgen.findings.printers import PRINTERS, print_findings
from tests.diagnostics import cases

ELSEWHERE = ("output-", "backend-", "import-", "parent-oid")
"""Rules about output rather than about a schema (tests/output/test_emit.py has their cases), and
about SMI modules, which take smidump to find (tests/frontends/smi)."""


@pytest.mark.parametrize("name", cases.names())
def test_output_is_exactly_as_expected(name: str, tmp_path: Path) -> None:
    _, text = cases.run(name, tmp_path)
    expected = (cases.ROOT / name / "expected.txt").read_text("utf-8")
    assert text == expected, "if this is right, `./dev golden` writes the new text"


@pytest.mark.parametrize("name", cases.names())
def test_folder_is_named_after_a_rule_it_shows(name: str, tmp_path: Path) -> None:
    rule = name.partition(".")[0]
    if rule == "all-at-once":
        return
    cases.run(name, tmp_path)  # what is loaded only where it is needed has rules, too
    assert rule in RULES
    expected = (cases.ROOT / name / "expected.txt").read_text("utf-8")
    assert f"{RULES[rule].severity.value}[{rule}]: " in expected


def test_every_rule_has_a_case() -> None:
    shown = {name.partition(".")[0] for name in cases.names()}
    missing = {rule for rule in RULES if not rule.startswith(ELSEWHERE)} - shown
    assert not missing


def test_every_rule_is_documented_by_a_sentence() -> None:
    for rule in RULES.values():
        assert rule.sentence.endswith("."), rule.id
        assert rule.id == rule.id.lower().replace("_", "-")


@pytest.mark.parametrize("name", cases.names())
def test_spans_are_inside_the_text(name: str, tmp_path: Path) -> None:
    diagnostics, _ = cases.run(name, tmp_path)
    for finding in diagnostics.findings:
        check_span(diagnostics, finding.span.path, finding.span)


def check_span(diagnostics: Diagnostics, path: str, span: object) -> None:
    from ctrgen.findings.diagnostics import Span

    assert isinstance(span, Span)
    assert 1 <= span.line <= span.end_line
    assert span.column >= 1
    assert (span.line, span.column) <= (span.end_line, span.end_column)
    line = diagnostics.line(path, span.line)
    if line is not None:
        assert span.column <= len(line) + 1
        assert not LINE_BREAK.search(line)


@pytest.mark.parametrize("style", sorted(PRINTERS))
def test_every_style_prints_every_case(style: str, tmp_path: Path) -> None:
    for name in cases.names():
        if name in cases.GENERATED:
            continue
        diagnostics, _ = cases.run(name, tmp_path)
        text = print_findings(diagnostics, style)
        assert text.endswith("\n")
        text.encode("utf-8")
        if style in ("json", "sarif"):
            json.loads(text)
        if style == "github":
            assert len(text.splitlines()) == len(diagnostics.findings)
