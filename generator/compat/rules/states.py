# SPDX-License-Identifier: BSD-3-Clause
"""States: their types, their lengths, the labels of enumerations."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Severity
from ...findings.rules import Finding
from ...model import ir
from ..model import C_ABI, C_API, OID, PROMETHEUS, SEMANTICS, change
from ..pairs import Comparison, name_of, subject


def _states(c: Comparison, of: str) -> Iterator[tuple[ir.Item, ir.Item]]:
    """States that are and were of one type."""
    return ((old, new) for old, new in c.items if old.type == new.type == of)


@change(
    Severity.ERROR,
    "The type of a state is its C type and its SMI type.",
    tags=(C_API, C_ABI, OID, SEMANTICS, PROMETHEUS),
    instead="Add a state of another name and keep this one for a while.",
)
def state_type(c: Comparison) -> Iterator[Finding]:
    for old, new in c.items:
        if old.kind is new.kind and not new.kind.numeric and old.type != new.type:
            message = f"{name_of(new)} was of type {old.type}, is now of type {new.type}"
            yield c.item_finding(new, "type", message)


@change(
    Severity.ERROR,
    "Callers have buffers of the old length, and the length is part of the SMI type.",
    tags=(C_API, C_ABI, OID),
    instead="Add a state of another name and keep this one for a while.",
)
def string_length(c: Comparison) -> Iterator[Finding]:
    for old, new in _states(c, "string"):
        if old.length != new.length:
            message = f"{name_of(new)} had up to {old.length} octets, now up to {new.length}"
            hint = f"{c.new.name}_stats functions copy {new.length + 1} octets"
            yield c.item_finding(new, "length", message, hint)


def _label_finding(c: Comparison, item: ir.Item, label: ir.Label, message: str) -> Finding:
    """A finding about a label, where the new version has it."""
    place = c.after.place("item", item.scope, item.name)
    key = label.name if place.has("labels", label.name) else item.labels.index(label)
    return Finding(place.key("labels", key), message, part=subject(item, label.name))


def _labels(c: Comparison) -> Iterator[tuple[ir.Item, ir.Label | None, ir.Label | None]]:
    """The labels of every enumeration, before and after; a new name of an old value is a rename."""
    for old, new in _states(c, "enum"):
        before = {label.name: label for label in old.labels}
        names = {label.name for label in new.labels}
        gone = {label.value: label for label in old.labels if label.name not in names}
        for label in new.labels:
            yield new, before.get(label.name) or gone.pop(label.value, None), label
        for label in gone.values():
            yield new, label, None


@change(
    Severity.ERROR,
    "A value that was possible has no name any more.",
    tags=(C_API, OID, SEMANTICS, PROMETHEUS),
    instead="Keep the label, unused.",
)
def label_removed(c: Comparison) -> Iterator[Finding]:
    for item, old, new in _labels(c):
        if old is not None and new is None:
            message = f"label '{old.name}' ({old.value}) of {name_of(item)} is gone"
            yield Finding(c.item_at(item, "labels"), message, part=subject(item, old.name))


@change(
    Severity.ERROR,
    "The name of a value is a constant in C, a named number in the MIB and a label's value.",
    tags=(C_API, OID, PROMETHEUS),
    instead="Keep the name.",
)
def label_renamed(c: Comparison) -> Iterator[Finding]:
    for item, old, new in _labels(c):
        if old is not None and new is not None and old.name != new.name:
            message = f"label '{old.name}' ({old.value}) of {name_of(item)} is now '{new.name}'"
            yield _label_finding(c, item, new, message)


@change(
    Severity.ERROR,
    "Managers and logs know values by number: the same number now means something else.",
    tags=(C_ABI, OID, SEMANTICS),
    instead="Give new labels new numbers, and say them: `labels: {idle: 1}`.",
)
def label_value(c: Comparison) -> Iterator[Finding]:
    for item, old, new in _labels(c):
        if old is not None and new is not None and old.value != new.value:
            message = f"label '{new.name}' of {name_of(item)} was {old.value}, is now {new.value}"
            yield _label_finding(c, item, new, message)


@change(
    Severity.WARNING,
    "Readers can meet a value that they do not know; a `switch` may lack a case.",
    tags=(SEMANTICS,),
    instead="Announce it.",
)
def label_added(c: Comparison) -> Iterator[Finding]:
    for item, old, new in _labels(c):
        if old is None and new is not None:
            message = f"label '{new.name}' ({new.value}) of {name_of(item)} is new"
            yield _label_finding(c, item, new, message)
