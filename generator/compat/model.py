# SPDX-License-Identifier: BSD-3-Clause
"""The rules about changes: the tags of a rule are the categories of what a change breaks.

An error makes `ctrgen breaking` fail; a warning is a change that needs care, such as a rebuild.
"""

from __future__ import annotations

from collections.abc import Callable

from ..findings.diagnostics import Rule, Severity, declare
from .pairs import Compare

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

CHANGES: dict[str, Rule] = {}
"""Those of them that are about changes."""

COMPARES: list[Compare] = []
"""The functions that yield such changes."""

Row = tuple[str, Severity, str, str, str]
"""A rule: id, severity, categories of what it breaks, what happens, and what to do instead."""


def changes(*rows: Row) -> Callable[[Compare], Compare]:
    """Declare the rules of the changes that the decorated function yields."""

    def register(compare: Compare) -> Compare:
        for rule_id, severity, breaks, sentence, instead in rows:
            rule = declare(rule_id, severity, sentence, tuple(breaks.split()), instead, RULES)
            CHANGES[rule_id] = rule
        COMPARES.append(compare)
        return compare

    return register
