# SPDX-License-Identifier: BSD-3-Clause
"""Findings as text, json and github."""

import json

import pytest

from ctrgen.findings.diagnostics import Diagnostics, Span
from ctrgen.findings.printers import caret, print_findings, visible


def collected(line: str = "key: value", column: int = 6, end: int = 11) -> Diagnostics:
    import ctrgen.frontends.rules  # noqa: F401  declares the rules

    diagnostics = Diagnostics()
    diagnostics.texts["a,b:c.yaml"] = f"first\n{line}\nlast"
    span = Span("a,b:c.yaml", 2, column, 2, end)
    diagnostics.report("wrong-type", span, "100% wrong\nreally", "do\nthis")
    return diagnostics


def test_text() -> None:
    assert print_findings(collected()) == (
        "a,b:c.yaml:2:6: error[wrong-type]: 100% wrong really\n"
        "key: value\n"
        "     ^^^^^\n"
        "hint: do this\n"
    )


def test_findings_are_sorted_and_reported_once() -> None:
    diagnostics = collected()
    diagnostics.report("wrong-type", Span("a,b:c.yaml", 1, 1, 1, 2), "earlier")
    for _ in range(2):
        diagnostics.report("lossy-strategy", Span("a,b:c.yaml", 2, 1, 2, 2), "warned")
    assert [finding.message for finding in diagnostics.findings] == [
        "earlier",
        "warned",
        "100% wrong\nreally",
    ]
    assert diagnostics.exit_code == 1


def test_a_warning_does_not_fail() -> None:
    diagnostics = Diagnostics()
    collected()
    diagnostics.report("lossy-strategy", Span("x", 1, 1, 1, 1), "warned")
    assert diagnostics.exit_code == 0


def test_an_undeclared_rule_cannot_be_reported() -> None:
    with pytest.raises(KeyError):
        Diagnostics().report("no-such-rule", Span("x", 1, 1, 1, 1), "?")


@pytest.mark.parametrize(
    ("line", "column", "end", "shown", "carets"),
    [
        ("\ta: b", 5, 6, "\ta: b", "\t   ^"),
        ("日本: b", 5, 6, "日本: b", "      ^"),
        ("a日本", 2, 4, "a日本", " ^^^^"),
        ("e\u0301: b", 5, 6, "e\u0301: b", "   ^"),
        ("a\x1b[31m", 2, 3, "a\ufffd[31m", " ^"),
        ("\u202eabc", 2, 3, "\ufffdabc", " ^"),
        ("ab", 3, 4, "ab", "  ^"),
    ],
)
def test_caret(line: str, column: int, end: int, shown: str, carets: str) -> None:
    assert caret(line, Span("x", 1, column, 1, end)) == (shown, carets)


def test_long_lines_are_cut_around_the_caret() -> None:
    shown, carets = caret("x" * 10_000 + "y" + "x" * 10_000, Span("x", 1, 10_001, 1, 10_002))
    assert len(shown) < 300
    assert shown[carets.index("^")] == "y"


def test_visible() -> None:
    assert visible("a\x1b[1m\u202eb\nc") == "a\\u001b[1m\\u202eb c"


def test_github_escapes() -> None:
    assert print_findings(collected(), "github") == (
        "::error file=a%2Cb%3Ac.yaml,line=2,endLine=2,col=6,endColumn=11,title=wrong-type::"
        "100%25 wrong%0Areally%0Ahint: do%0Athis\n"
    )


def test_json() -> None:
    data = json.loads(print_findings(collected(), "json"))
    assert (data["version"], data["errors"], data["warnings"]) == (1, 1, 0)
    assert data["findings"][0]["end_column"] == 11
