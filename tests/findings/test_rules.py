# SPDX-License-Identifier: BSD-3-Clause
"""Rule sets, and what the operating system says."""

import errno

import pytest

from ctrgen.findings.diagnostics import Severity
from ctrgen.findings.rules import RuleSet
from ctrgen.findings.usage import reason
from ctrgen.frontends.rules.registry import SEMANTIC
from ctrgen.publish.rules import RULES as MIB_RULES
from ctrgen.tools import compat


def test_an_id_is_declared_once() -> None:
    rules: RuleSet[int] = RuleSet({})
    declare = rules.rule(Severity.ERROR, "A number is even.", rule_id="even-number")
    declare(lambda number: iter(()))
    with pytest.raises(ValueError, match="'even-number' is declared twice"):
        declare(lambda number: iter(()))


def test_no_rule_is_in_two_sets() -> None:
    semantic, mib = ({check.rule.id for check in rules.checks} for rules in (SEMANTIC, MIB_RULES))
    assert semantic and mib and not semantic & mib
    assert "gauge-range" in semantic and "gauge-range" in compat.CHANGES  # in their own catalogues


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
