# SPDX-License-Identifier: BSD-3-Clause
"""The labels of indexes and enums, what people see of labels and metrics, the keys of scopes."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from ....findings.diagnostics import Span
from ....frontends.resolve.levels import label_key, label_path
from ....model import ir
from ..model import ADD_SCOPE, ERROR, KEEP_UNUSED, WARNING, changes
from ..pairs import Change, Changes, Comparison, name_of, subject

Labels = Sequence[ir.Label]


@changes(
    ("dimensions-changed", ERROR, "c-api c-abi oid prometheus",
     "The dimensions of a scope are parameters of its functions, its INDEX and its labels.",
     ADD_SCOPE),
    ("index-label-removed", ERROR, "c-api c-abi oid semantics prometheus",
     "The constant and row of a label were removed; the labels after it have other numbers.",
     KEEP_UNUSED),
    ("index-label-renamed", ERROR, "c-api prometheus",
     "The name of a label is a constant in C and a label in metrics; the MIB allows another "
     "(RFC 2578, 10.2 (1)).",
     "Rename together with the users, or add a label at the end."),
    ("index-label-moved", ERROR, "c-abi oid semantics",
     "The number of a label is its index: in C until everything is rebuilt, and in OIDs for ever.",
     "Add labels at the end."),
)  # fmt: skip
def labels(c: Comparison) -> Changes:
    for old, new in c.scopes.pairs:
        if not (old.labelled or new.labelled):
            continue
        before, now = _shape(old), _shape(new)
        if before != now:
            span = c.scope_at(new, "labels" if new.labelled else "max")
            message = f"scope '{new.name}' had {_shown(old)}, now has {_shown(new)}"
            yield Change("dimensions-changed", span, new.name, message)
            continue
        for former, level in zip(old.own, new.own, strict=True):
            at, whose = partial(_at, c, level), f"scope '{level.scope}'"
            whose = whose if level.name == level.scope else f"'{level.dimension}' of {whose}"
            yield from _labels(_OF_INDEX, whose, new.name, former.named, level.named, at)


def _shape(scope: ir.Scope) -> list[tuple[str, bool]]:
    """The own indexes of a scope: dimensions by name, and whether they have labels."""
    return [("" if lv.name == lv.scope else lv.dimension, bool(lv.labels)) for lv in scope.own]


def _shown(scope: ir.Scope) -> str:
    if not scope.labelled:
        return "a number for an index" if scope.own else "no index"
    if scope.own[0].name == scope.name:
        return "one list of labels"
    return f"the dimensions {', '.join(level.dimension for level in scope.own)}"


class _Rules(NamedTuple):
    """The rules about the labels of an enum, or of an index; that about new ones may be empty."""

    removed: str
    renamed: str
    moved: str
    added: str = ""


_OF_INDEX = _Rules(*(f"index-label-{what}" for what in ("removed", "renamed", "moved")))
_OF_ENUM = _Rules(*(f"label-{what}" for what in ("removed", "renamed", "value", "added")))


def _labels(
    rules: _Rules, whose: str, part: str, old: Labels, new: Labels, at: Callable[..., Span]
) -> Changes:
    """Labels, paired by name; a new name for the number of a removed label is a rename."""
    before, names = {label.name: label for label in old}, {label.name for label in new}
    gone = {label.value: label for label in old if label.name not in names}
    for number, label in enumerate(new):
        span, subject = at(number), f"{part}.{label.name}"
        former = before.get(label.name) or gone.pop(label.value, None)
        if former is None and not rules.added:
            continue
        if former is None:
            message = f"label '{label.name}' ({label.value}) of {whose} is new"
            yield Change(rules.added, span, subject, message)
            continue
        if former.name != label.name:
            message = f"label '{former.name}' ({former.value}) of {whose} is now '{label.name}'"
            yield Change(rules.renamed, span, subject, message)
        elif former.shown != label.shown:
            yield _text(whose, subject, former, label, span)
        if former.value != label.value:
            message = f"label '{label.name}' of {whose} was {former.value}, is now {label.value}"
            yield Change(rules.moved, span, subject, message)
    for label in gone.values():
        message = f"label '{label.name}' ({label.value}) of {whose} was removed"
        yield Change(rules.removed, at(), f"{part}.{label.name}", message)


def _text(whose: str, subject: str, old: ir.Label, new: ir.Label, span: Span) -> Change:
    message = f"label '{new.name}' of {whose} was shown as '{old.shown}', is now '{new.shown}'"
    return Change("label-text", span, subject, message)


def _at(c: Comparison, level: ir.Level, *number: int) -> Span:
    keys = (label_key(level, one) for one in number)
    return c.after.place("scope", level.scope).value(*label_path(level), *keys)


@changes(
    ("label-removed", ERROR, "c-api oid semantics prometheus",
     "A value that was possible has no name any more.",
     "Keep the label, unused."),
    ("label-renamed", ERROR, "c-api prometheus",
     "The name of a value is a constant in C and the value of a label in metrics; the MIB allows "
     "another (RFC 2578, 10.2 (1)).",
     "Keep the name."),
    ("label-value", ERROR, "c-abi oid semantics",
     "Managers and logs know values by number: the same number now means something else.",
     "Give new labels new numbers, and say them: `labels: {idle: 1}`."),
    ("label-added", WARNING, "semantics",
     "Readers can meet a value that they do not know; a `switch` may lack a case.",
     "Announce it."),
)  # fmt: skip
def enums(c: Comparison) -> Changes:
    for old, new in c.items:
        if old.type == new.type == "enum":
            at = partial(_label_at, c, new)
            yield from _labels(_OF_ENUM, name_of(new), subject(new), old.labels, new.labels, at)


def _label_at(c: Comparison, item: ir.Item, *number: int) -> Span:
    place = c.after.place("item", item.scope, item.name)
    keys = [n if place.has("labels", n) else item.labels[n].name for n in number]
    return place.key("labels", *keys) if keys else place.value("labels")


_RENAME = "Rename together with the queries, dashboards and alerts."


@changes(
    ("label-text", ERROR, "prometheus",
     "What people see of a label is the value of a label in metrics: its series end, others begin.",
     _RENAME),
    ("metric-renamed", ERROR, "prometheus",
     "The schema gives a metric another name: its series end, others begin.", _RENAME),
)  # fmt: skip
def metrics(c: Comparison) -> Changes:
    for old, new in c.items:
        before, now = c.family(old, new)
        if (old.metric or new.metric) and before != now:
            message = f"the metric of {name_of(new)} was '{before}', is now '{now}'"
            yield Change("metric-renamed", c.item_at(new, "prometheus"), subject(new), message)


@changes(
    ("key-changed", ERROR, "c-api c-abi oid semantics",
     "The parts of a key are members of its struct, and its values are in every OID of the table.",
     ADD_SCOPE),
    ("key-renamed", ERROR, "c-api c-abi prometheus",
     "The name of a part of a key is a member of its struct and a label in metrics; its object "
     "stays.", "Rename together with the users."),
)  # fmt: skip
def keys(c: Comparison) -> Changes:
    for old, new in c.scopes.pairs:
        if _same(old, new):
            for was, part in zip(old.key, new.key, strict=True):
                labels = {label.name: label for label in was.labels}
                for label in part.labels:
                    if (former := labels.get(label.name, label)).shown != label.shown:
                        whose, at = f"part '{part.name}'", f"{new.name}.{part.name}.{label.name}"
                        yield _text(whose, at, former, label, part.span)
                if was.name != part.name:
                    message = f"part '{was.name}' of the key of '{new.name}' is now '{part.name}'"
                    yield Change("key-renamed", part.span, new.name, message)
            continue
        message = f"scope '{new.name}' had {_key(old)}, now has {_key(new)}"
        yield Change("key-changed", c.scope_at(new, "key"), new.name, message)


def _same(old: ir.Scope, new: ir.Scope) -> bool:
    """Whether the keys are the same, except for new labels."""
    names = [part.name for part in old.key]
    pairs = list(zip(old.key, new.key, strict=False))
    return len(old.key) == len(new.key) and all(
        _kind(a) == _kind(b) and _numbers(a) <= _numbers(b) and a.name == _former(b, names)
        for a, b in pairs
    )


def _former(part: ir.KeyPart, names: list[str]) -> str:
    """Name of a part in a version with parts of these names."""
    return part.name if part.name in names else part.renamed_from


def _numbers(part: ir.KeyPart) -> set[tuple[str, int]]:
    return {(label.name, label.value) for label in part.labels}


def _kind(part: ir.KeyPart) -> tuple[str, int, bool, bool]:
    return part.type, part.length, part.fixed, part.implied


def _key(scope: ir.Scope) -> str:
    return f"the key {', '.join(map(_part, scope.key))}" if scope.key else "no key"


def _part(part: ir.KeyPart) -> str:
    text = f"{part.name} {part.type}"
    if part.length:
        varies = part.value_type.text and not part.fixed
        text += f"({'1..' if varies else ''}{part.length})"
    if part.labels:
        text += " {" + ", ".join(f"{label.name}: {label.value}" for label in part.labels) + "}"
    return text + (" implied" if part.implied else "")
