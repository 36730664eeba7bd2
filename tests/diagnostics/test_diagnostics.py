# SPDX-License-Identifier: BSD-3-Clause
"""Every diagnostic has a case with its exact output, and every rule a diagnostic."""

import json
from pathlib import Path

import pytest

from ctrgen.findings.diagnostics import LINE_BREAK, RULES, Diagnostics, Span
from ctrgen.findings.printers import PRINTERS, print_findings
from tests.diagnostics import cases
from tests.diagnostics.cases import CASES

ELSEWHERE = ("output-", "backend-", "import-", "parent-oid")
"""Rules about output rather than about a schema (tests/output/test_emit.py has their cases), and
about SMI modules, which take smidump to find (tests/frontends/smi)."""


@pytest.mark.parametrize("name", CASES.names())
def test_a_case(name: str, tmp_path: Path) -> None:
    """Its output is exactly as expected, and shows the rule that it is named after."""
    diagnostics, text = cases.run(name, tmp_path)
    expected = CASES.expected(name)
    assert text == expected, "if this is right, `./dev golden` writes the new text"
    rule = name.partition(".")[0]
    if rule != "all-at-once":
        assert rule in RULES
        assert f"{RULES[rule].severity.value}[{rule}]: " in expected
    for finding in diagnostics.findings:
        check_span(diagnostics, finding.span.path, finding.span)
    if name not in cases.GENERATED:
        check_styles(diagnostics)


def test_every_rule_has_a_case() -> None:
    shown = {name.partition(".")[0] for name in CASES.names()}
    missing = {rule for rule in RULES if not rule.startswith(ELSEWHERE)} - shown
    assert not missing


def test_every_rule_is_documented_by_a_sentence() -> None:
    for rule in RULES.values():
        assert rule.sentence.endswith("."), rule.id
        assert rule.id == rule.id.lower().replace("_", "-")


def check_span(diagnostics: Diagnostics, path: str, span: Span) -> None:
    """It is inside of the text."""
    assert 1 <= span.line <= span.end_line
    assert span.column >= 1
    assert (span.line, span.column) <= (span.end_line, span.end_column)
    line = diagnostics.line(path, span.line)
    if line is not None:
        assert span.column <= len(line) + 1
        assert not LINE_BREAK.search(line)


def check_styles(diagnostics: Diagnostics) -> None:
    """Every style prints it."""
    for style in sorted(PRINTERS):
        text = print_findings(diagnostics, style)
        assert text.endswith("\n")
        text.encode("utf-8")
        if style == "json":
            json.loads(text)
        if style == "github":
            assert len(text.splitlines()) == len(diagnostics.findings)
