# SPDX-License-Identifier: BSD-3-Clause
"""States: their types, their lengths, the labels of enumerations."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Span
from ...model import ir
from ..model import C_ABI, C_API, OID, PROMETHEUS, SEMANTICS, Found, error, warning
from ..pairs import Comparison, name_of, subject


def _states(c: Comparison, of: str) -> Iterator[tuple[ir.Item, ir.Item]]:
    """States that are and were of one type."""
    return ((old, new) for old, new in c.items if old.type == new.type == of)


def _type(c: Comparison) -> Iterator[Found]:
    for old, new in c.items:
        if old.kind is new.kind is ir.Kind.STATE and old.type != new.type:
            message = f"{name_of(new)} was of type {old.type}, is now of type {new.type}"
            yield Found(subject(new), c.item_at(new, "type"), message)


def _length(c: Comparison) -> Iterator[Found]:
    for old, new in _states(c, "string"):
        if old.length != new.length:
            message = f"{name_of(new)} had up to {old.length} octets, now up to {new.length}"
            hint = f"{c.new.name}_stats functions copy {new.length + 1} octets"
            yield Found(subject(new), c.item_at(new, "length"), message, hint)


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


def _label_removed(c: Comparison) -> Iterator[Found]:
    for old, new in _states(c, "enum"):
        kept = {label.name for label in new.labels} | set(_renames(old, new))
        for label in old.labels:
            if label.name not in kept:
                message = f"label '{label.name}' ({label.value}) of {name_of(new)} is gone"
                yield Found(subject(new, label.name), c.item_at(new, "labels"), message)


def _label_renamed(c: Comparison) -> Iterator[Found]:
    for old, new in _states(c, "enum"):
        for former, label in _renames(old, new).items():
            message = f"label '{former}' ({label.value}) of {name_of(new)} is now '{label.name}'"
            yield Found(subject(new, label.name), _label_at(c, new, label), message)


def _label_value(c: Comparison) -> Iterator[Found]:
    for old, new in _states(c, "enum"):
        before = {label.name: label.value for label in old.labels}
        for label in new.labels:
            value = before.get(label.name, label.value)
            if value != label.value:
                message = (
                    f"label '{label.name}' of {name_of(new)} was {value}, is now {label.value}"
                )
                yield Found(subject(new, label.name), _label_at(c, new, label), message)


def _label_added(c: Comparison) -> Iterator[Found]:
    for old, new in _states(c, "enum"):
        known = {label.name for label in old.labels}
        known |= {label.name for label in _renames(old, new).values()}
        for label in new.labels:
            if label.name not in known:
                message = f"label '{label.name}' ({label.value}) of {name_of(new)} is new"
                yield Found(subject(new, label.name), _label_at(c, new, label), message)


RULES = (
    error(
        "state-type",
        (C_API, C_ABI, OID, SEMANTICS, PROMETHEUS),
        _type,
        "The type of a state is its C type and its SMI type.",
        "Add a state of another name and keep this one for a while.",
    ),
    error(
        "string-length",
        (C_API, C_ABI, OID),
        _length,
        "Callers have buffers of the old length, and the length is part of the SMI type.",
        "Add a state of another name and keep this one for a while.",
    ),
    error(
        "label-removed",
        (C_API, OID, SEMANTICS, PROMETHEUS),
        _label_removed,
        "A value that was possible has no name any more.",
        "Keep the label, unused.",
    ),
    error(
        "label-renamed",
        (C_API, OID, PROMETHEUS),
        _label_renamed,
        "The name of a value is a constant in C, a named number in the MIB and a label's value.",
        "Keep the name.",
    ),
    error(
        "label-value",
        (C_ABI, OID, SEMANTICS),
        _label_value,
        "Managers and logs know values by number: the same number now means something else.",
        "Give new labels new numbers, and say them: `labels: {idle: 1}`.",
    ),
    warning(
        "label-added",
        (SEMANTICS,),
        _label_added,
        "Readers can meet a value that they do not know; a `switch` may lack a case.",
        "Announce it.",
    ),
)
