# SPDX-License-Identifier: BSD-3-Clause
"""The rule set of schemas; `@rule(...)` adds a function to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..findings.diagnostics import Severity
from ..findings.rules import Finding, RuleSet
from ..resolve.place import Resolution

SEMANTIC: RuleSet[Resolution] = RuleSet()
"""Every semantic rule."""

rule = SEMANTIC.rule

PartFunction = Callable[..., Iterator[Finding]]


def rule_of_each(
    parts: Callable[[Resolution], Iterable[tuple[Any, ...]]],
) -> Callable[..., Callable[[PartFunction], PartFunction]]:
    """A decorator for rules whose functions take one part of a module, such as an item.

    `parts` gives the arguments for each part. The decorator takes the sentence, and the
    severity where it is not that of an error.
    """

    def part_rule(
        sentence: str, severity: Severity = Severity.ERROR
    ) -> Callable[[PartFunction], PartFunction]:
        def register(function: PartFunction) -> PartFunction:
            def of_all(r: Resolution) -> Iterator[Finding]:
                for part in parts(r):
                    yield from function(*part)

            of_all.__name__ = function.__name__  # which gives the rule its id
            rule(severity, sentence)(of_all)
            return function

        return register

    return part_rule
