# SPDX-License-Identifier: BSD-3-Clause
"""How a rule is written: a function that yields findings, registered in the rule set of its
subject: a schema, or a MIB module to be."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from .diagnostics import RULES, Diagnostics, Rule, Severity, Span, declare

Subject = TypeVar("Subject")


class Finding(NamedTuple):
    """A result of a rule, with the id and severity of the rule."""

    span: Span
    message: str
    hint: str = ""


Findings = Iterator[Finding]
"""Results of a rule."""

Find = Callable[[Subject], Findings]
Register = Callable[[Find[Subject]], Find[Subject]]


@dataclass(frozen=True, slots=True)
class Check(Generic[Subject]):
    """A rule and its function. `after_errors` is false for one that needs a subject without any."""

    rule: Rule
    find: Find[Subject]
    after_errors: bool


class RuleSet(Generic[Subject]):
    """Every rule about one kind of subject, in the order in which they are applied, declared in
    `catalogue`, where their ids are unique."""

    def __init__(self, catalogue: dict[str, Rule] = RULES) -> None:
        self.catalogue = catalogue
        self.checks: list[Check[Subject]] = []

    def rule(
        self, severity: Severity, sentence: str, *, after_errors: bool = True, rule_id: str = ""
    ) -> Register[Subject]:
        """Declare a rule whose function is the decorated one. Its id is the name of the function,
        with hyphens, or `rule_id`. With `after_errors=False` it is applied only when no other rule
        has found an error. Raises ValueError when the id is taken."""

        def register(find: Find[Subject]) -> Find[Subject]:
            name = rule_id or find.__name__.replace("_", "-")
            rule = declare(name, severity, sentence, catalogue=self.catalogue)
            self.checks.append(Check(rule, find, after_errors))
            return find

        return register

    def apply(self, subject: Subject, diagnostics: Diagnostics, *, errors: bool = False) -> None:
        """Report the findings of every rule about `subject`; with `errors` of none but those."""
        for after_errors in (True, False):
            if not after_errors and diagnostics.failed:
                return
            for check in self.checks:
                applies = not errors or check.rule.severity is Severity.ERROR
                if applies and check.after_errors is after_errors:
                    for span, message, hint in check.find(subject):
                        diagnostics.report(check.rule.id, span, message, hint)
