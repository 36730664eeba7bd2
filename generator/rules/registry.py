# SPDX-License-Identifier: BSD-3-Clause
"""How a rule is written: a function that yields findings, registered under an id."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..findings.diagnostics import Diagnostics, Severity, Span, declare
from ..resolve.place import Resolution


class Finding(NamedTuple):
    """What a rule yields; its id and severity are those of the rule."""

    span: Span
    message: str
    hint: str = ""


Function = Callable[[Resolution], Iterator[Finding]]


class Check(NamedTuple):
    """A registered rule. `after_errors` is false for one that needs a schema without errors."""

    id: str
    function: Function
    after_errors: bool


CHECKS: list[Check] = []
"""Every semantic rule, in the order in which they are applied."""


def rule(
    rule_id: str, severity: Severity, sentence: str, *, after_errors: bool = True
) -> Callable[[Function], Function]:
    """Register a function as the rule `rule_id`; the sentence says what must hold, and why.

    With `after_errors=False` it is applied only when no other rule has found an error.
    """
    declare(rule_id, severity, sentence)

    def register(function: Function) -> Function:
        CHECKS.append(Check(rule_id, function, after_errors))
        return function

    return register


def run(resolution: Resolution, diagnostics: Diagnostics) -> None:
    """Apply every registered rule; all findings are collected."""
    for wanted in (True, False):
        if not wanted and diagnostics.failed:
            return
        for check in CHECKS:
            if check.after_errors is wanted:
                for finding in check.function(resolution):
                    diagnostics.report(check.id, finding.span, finding.message, finding.hint)
