# SPDX-License-Identifier: BSD-3-Clause
"""The rule set of changes: the tags of a rule are the categories of what a change breaks.

An error makes `ctrgen breaking` fail; a warning is a change that needs care,
such as a rebuild.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..findings.diagnostics import Rule, Severity
from ..findings.rules import RuleSet
from .pairs import Compare, Comparison

CATEGORIES = {
    "c-api": "Source code that uses the generated C no longer compiles, "
    "or must be changed to work.",
    "c-abi": "Objects compiled with the old header do not fit the new library: "
    "rebuild all of them.",
    "oid": "SNMP managers no longer find what they poll, or read something else there.",
    "semantics": "A number is still found, and means something else.",
    "prometheus": "Queries, dashboards and alerts no longer find their metrics.",
}
"""What a change can break, with what happens to whom."""

ERROR, WARNING = Severity.ERROR, Severity.WARNING

REBUILD = "Rebuild what includes the header."
KEEP_UNUSED = "Keep it for a release in which nothing counts there any more."
ADD_ITEM = "Add an item of another name and keep this one for a while."
ADD_STATE = "Add a state of another name and keep this one for a while."
ADD_SCOPE = "Add a new scope and keep the old one for a while."

RULES: dict[str, Rule] = {}
"""Every rule that `ctrgen breaking` reports; its ids are apart from those about schemas."""

CHANGES: RuleSet[Comparison] = RuleSet(RULES)
"""Every rule about changes: its function yields each such change, named by its part."""

Row = tuple[str, Severity, str, str, str]
"""A rule: id, severity, categories of what it breaks, what happens, and what to do instead."""


def changes(*rows: Row) -> Callable[[Compare], Compare]:
    """Declare the rules of the decorated function, which yields the id of one with each finding."""

    def register(compare: Compare) -> Compare:
        for rule_id, severity, breaks, sentence, instead in rows:
            tags = tuple(breaks.split())
            rule = CHANGES.rule(severity, sentence, tags=tags, instead=instead, rule_id=rule_id)
            rule(partial(Comparison.findings, compare=compare, rule_id=rule_id))
        return compare

    return register
