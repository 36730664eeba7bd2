# SPDX-License-Identifier: BSD-3-Clause
"""The rules about changes: the tags of a rule are the categories of what a change breaks.

An error makes `ctrgen breaking` fail; a warning is a change that needs care, such as a rebuild.
"""

from collections.abc import Callable, Iterator

from ...findings.allow import Allow, comments
from ...findings.diagnostics import Diagnostics, Rule, Severity, declare
from .pairs import Compare

SMI, CONF = "RFC 2578", "RFC 2580"

_SMI = {
    "10": "module-renamed mib-renamed mib-withdrawn mib-moved oid-moved oid-swapped oid-reused "
    "oid-forgotten lock-lost revision-rewritten revision-missing",
    "5.5": "revision-order",
    "10.1": "node-changed",
    "10.2": "parent-changed dimensions-changed histogram-bounds item-kind item-width state-type "
    "string-length gauge-range peak-changed object-name object-type object-access table-index "
    "key-changed",
    "10.2 (1)": "index-label-removed index-label-moved label-removed label-value",
    "10.2 (3)": "scope-removed item-removed storage-embedded object-removed object-status",
    "10.2 (6)": "item-unit",
    "10.3": "notification-removed notification-objects notification-meaning",
}
"""Rules by the section of RFC 2578 that is about what they find."""

CLAUSES = {rule: f"{SMI}, {section}" for section, rules in _SMI.items() for rule in rules.split()}
CLAUSES["group-changed"] = f"{CONF}, 7"
CLAUSES["table-unserved"] = f"{CONF}, 5"
CLAUSES["object-clause"] = f"{SMI}, 10.2 (4), (5), RFC 2579, 5 (3), (4)"
"""The clause of each rule of the category `oid`."""


CATEGORIES = {
    "c-api": "Source code that uses the generated C no longer compiles, "
    "or must be changed to work.",
    "c-abi": "Objects compiled with the old header do not fit the new library: "
    "rebuild all of them.",
    "oid": "SNMP managers no longer find what they poll, or read something else there.",
    "semantics": "A number is still found, and means something else.",
    "prometheus": "Queries, dashboards and alerts no longer find their metrics.",
}
"""Categories of breakage, with their effect."""

ERROR, WARNING = Severity.ERROR, Severity.WARNING

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


def from_comments(source: Diagnostics, diagnostics: Diagnostics) -> Iterator[Allow]:
    """Changes that comments in the files of `source` allow; reports invalid comments."""
    for span, allow in comments(source):
        if allow is None:
            message = "what is allowed, and why?"
            hint = "write `# ctrgen: allow RULE [SUBJECT]: REASON`"
            diagnostics.report("allow-comment", span, message, hint)
        elif allow.rule not in CHANGES:
            diagnostics.report("allow-comment", span, f"there is no rule '{allow.rule}'")
        else:
            yield allow
