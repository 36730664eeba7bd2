# SPDX-License-Identifier: BSD-3-Clause
"""States: their types, their lengths, the labels of enumerations."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Severity, Span
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


def _label_at(c: Comparison, item: ir.Item, label: ir.Label) -> Span:
    place = c.after.place("item", item.scope, item.name)
    if place.has("labels", label.name):
        return place.key("labels", label.name)
    return place.key("labels", item.labels.index(label))


def _renames(old: ir.Item, new: ir.Item) -> dict[str, ir.Label]:
    """Labels that kept their value under another name, by their old name."""
    names = {label.name for label in new.labels}
    before = {label.name for label in old.labels}
    fresh = {label.value: label for label in new.labels if label.name not in before}
    return {
        label.name: fresh[label.value]
        for label in old.labels
        if label.name not in names and label.value in fresh
    }


@change(
    Severity.ERROR,
    "A value that was possible has no name any more.",
    tags=(C_API, OID, SEMANTICS, PROMETHEUS),
    instead="Keep the label, unused.",
)
def label_removed(c: Comparison) -> Iterator[Finding]:
    for old, new in _states(c, "enum"):
        remaining = {label.name for label in new.labels} | set(_renames(old, new))
        for label in old.labels:
            if label.name not in remaining:
                message = f"label '{label.name}' ({label.value}) of {name_of(new)} is gone"
                yield Finding(c.item_at(new, "labels"), message, part=subject(new, label.name))


@change(
    Severity.ERROR,
    "The name of a value is a constant in C, a named number in the MIB and a label's value.",
    tags=(C_API, OID, PROMETHEUS),
    instead="Keep the name.",
)
def label_renamed(c: Comparison) -> Iterator[Finding]:
    for old, new in _states(c, "enum"):
        for former, label in _renames(old, new).items():
            message = f"label '{former}' ({label.value}) of {name_of(new)} is now '{label.name}'"
            yield Finding(_label_at(c, new, label), message, part=subject(new, label.name))


@change(
    Severity.ERROR,
    "Managers and logs know values by number: the same number now means something else.",
    tags=(C_ABI, OID, SEMANTICS),
    instead="Give new labels new numbers, and say them: `labels: {idle: 1}`.",
)
def label_value(c: Comparison) -> Iterator[Finding]:
    for old, new in _states(c, "enum"):
        before = {label.name: label.value for label in old.labels}
        for label in new.labels:
            value = before.get(label.name, label.value)
            if value != label.value:
                message = (
                    f"label '{label.name}' of {name_of(new)} was {value}, is now {label.value}"
                )
                yield Finding(_label_at(c, new, label), message, part=subject(new, label.name))


@change(
    Severity.WARNING,
    "Readers can meet a value that they do not know; a `switch` may lack a case.",
    tags=(SEMANTICS,),
    instead="Announce it.",
)
def label_added(c: Comparison) -> Iterator[Finding]:
    for old, new in _states(c, "enum"):
        known = {label.name for label in old.labels}
        known |= {label.name for label in _renames(old, new).values()}
        for label in new.labels:
            if label.name not in known:
                message = f"label '{label.name}' ({label.value}) of {name_of(new)} is new"
                yield Finding(_label_at(c, new, label), message, part=subject(new, label.name))
