# SPDX-License-Identifier: BSD-3-Clause
"""How a rule is written: a function that yields findings, registered under an id."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..diagnostics import Diagnostics, Severity, Span, declare
from ..resolve import Resolution


class Finding(NamedTuple):
    """What a rule yields; its id and severity are those of the rule."""

    span: Span
    message: str
    hint: str = ""


Check = Callable[[Resolution], Iterator[Finding]]

CHECKS: list[tuple[str, Check]] = []
"""Every semantic rule in order of registration: its id and its function."""


def rule(rule_id: str, severity: Severity, sentence: str) -> Callable[[Check], Check]:
    """Register a function as the rule `rule_id`; the sentence says what it finds and why."""
    declare(rule_id, severity, sentence)

    def register(function: Check) -> Check:
        CHECKS.append((rule_id, function))
        return function

    return register


def run(resolution: Resolution, diagnostics: Diagnostics) -> None:
    """Apply every registered rule; all findings are collected."""
    for rule_id, function in CHECKS:
        for finding in function(resolution):
            diagnostics.report(rule_id, finding.span, finding.message, finding.hint)
