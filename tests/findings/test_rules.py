# SPDX-License-Identifier: BSD-3-Clause
"""Rule sets, wrong usage, and what the operating system says."""

import errno
from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from ctrgen.commands.cli import Verbs
from ctrgen.findings.diagnostics import NOWHERE, Diagnostics, Rule, Severity, Span
from ctrgen.findings.rules import Finding, RuleSet
from ctrgen.findings.usage import UsageError, reason
from ctrgen.frontends.rules.registry import SEMANTIC
from ctrgen.publish.rules import RULES as MIB_RULES
from ctrgen.tools import compat


def small(calls: list[str]) -> tuple[RuleSet[int], dict[str, Rule]]:
    """Two rules about a number; the second one needs a number without errors."""
    catalogue: dict[str, Rule] = {}
    rules: RuleSet[int] = RuleSet(catalogue)

    @rules.rule(Severity.WARNING, "A number is even.", after_errors=False)
    def even_number(number: int) -> Iterator[Finding]:
        calls.append("even")
        if number % 2:
            yield Finding(NOWHERE, f"{number} is odd", "double it")

    @rules.rule(Severity.ERROR, "A number is positive.")
    def positive_number(number: int) -> Iterator[Finding]:
        calls.append("positive")
        if number < 0:
            yield Finding(NOWHERE, f"{number} is negative")

    return rules, catalogue


def found(number: int) -> tuple[list[str], list[str]]:
    calls: list[str] = []
    rules, catalogue = small(calls)
    diagnostics = Diagnostics(catalogue)
    rules.apply(number, diagnostics)
    return calls, [f"{f.severity.value} {f.rule}: {f.message}" for f in diagnostics.findings]


def test_a_rule_is_called_as_its_function_is() -> None:
    rules, catalogue = small([])
    assert [check.rule.id for check in rules.checks] == ["even-number", "positive-number"]
    expected = Rule("positive-number", Severity.ERROR, "A number is positive.")
    assert catalogue["positive-number"] == expected


def test_rules_that_need_a_clean_subject_come_last() -> None:
    assert found(3) == (["positive", "even"], ["warning even-number: 3 is odd"])
    assert found(-3) == (["positive"], ["error positive-number: -3 is negative"])


def test_an_id_is_declared_once() -> None:
    rules, _ = small([])
    with pytest.raises(ValueError, match="'even-number' is declared twice"):
        rules.rule(Severity.ERROR, "Again.", rule_id="even-number")(lambda number: iter(()))


def test_no_rule_is_in_two_sets() -> None:
    semantic, mib = ({check.rule.id for check in rules.checks} for rules in (SEMANTIC, MIB_RULES))
    assert semantic and mib and not semantic & mib
    assert "gauge-range" in semantic and "gauge-range" in compat.CHANGES  # in their own catalogues


def test_wrong_usage_ends_with_2() -> None:
    @click.group(cls=Verbs)
    def verbs() -> None:
        """Nothing."""

    @verbs.command()
    @click.option("--hint", default="")
    def fails(hint: str) -> None:
        raise UsageError("that cannot be", hint)

    result = CliRunner().invoke(verbs, ["fails", "--hint", "leave it"])
    assert (result.exit_code, result.output) == (
        2,
        "ctrgen: error: that cannot be\nhint: leave it\n",
    )
    assert CliRunner().invoke(verbs, ["fails"]).output == "ctrgen: error: that cannot be\n"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (
            FileNotFoundError(errno.ENOENT, "No such file or directory", "x"),
            "no such file or directory",
        ),
        (OSError("Broken"), "broken"),
        (ValueError("embedded null byte"), "embedded null byte"),
        (OSError(), "OSError"),
    ],
)
def test_reason(error: OSError, text: str) -> None:
    assert reason(error) == text


def test_a_span_of_a_file() -> None:
    assert Span.of_file("a.yaml") == Span("a.yaml", 1, 1, 1, 1)
