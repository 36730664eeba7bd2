# SPDX-License-Identifier: BSD-3-Clause
"""The labels of indexes, what people see of labels and metrics, and the keys of scopes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...findings.diagnostics import Span
from ...model import ir
from ...model.naming import prometheus
from ...resolve.levels import label_key, label_path
from ..model import ADD_SCOPE, ERROR, KEEP_UNUSED, REBUILD, WARNING, changes
from ..pairs import Change, Changes, Comparison, name_of, subject


@changes(
    ("dimensions-changed", ERROR, "c-api c-abi oid prometheus",
     "The dimensions of a scope are parameters of its functions, its INDEX and its labels.",
     ADD_SCOPE),
    ("index-label-removed", ERROR, "c-api c-abi oid semantics prometheus",
     "The constant of a label is gone, and its row; the labels behind it have other numbers.",
     KEEP_UNUSED),
    ("index-label-renamed", ERROR, "c-api prometheus",
     "The name of a label is a constant in C and a label in metrics; the MIB allows another "
     "(RFC 2578, 10.2 (1)).",
     "Rename together with the users, or add a label at the end."),
    ("index-label-moved", ERROR, "c-abi oid semantics",
     "The number of a label is its index: in C until everything is rebuilt, and in OIDs for ever.",
     "Add labels at the end."),
    ("index-label-added", WARNING, "c-abi",
     "A label is new: arrays are longer, and inline code has the old bound until it is rebuilt.",
     REBUILD),
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
        for level, level_now in zip(old.own, new.own, strict=True):
            yield from _labels(c, level, level_now)


def _shape(scope: ir.Scope) -> list[tuple[str, bool]]:
    """The own indexes of a scope: dimensions by name, and whether they have labels."""
    return [("" if lv.name == lv.scope else lv.dimension, bool(lv.labels)) for lv in scope.own]


def _shown(scope: ir.Scope) -> str:
    if not scope.labelled:
        return "a number for an index" if scope.own else "no index"
    if scope.own[0].name == scope.name:
        return "one list of labels"
    return f"the dimensions {', '.join(level.dimension for level in scope.own)}"


def _labels(c: Comparison, old: ir.Level, new: ir.Level) -> Changes:
    """Labels, paired by name; a new name of a number whose label is gone is a rename."""
    numbers = {label: number for number, label in enumerate(old.labels)}
    gone = {n: label for n, label in enumerate(old.labels) if label not in new.labels}
    for number, label in enumerate(new.labels):
        span, part = _at(c, new, number), f"{new.scope}.{label}"
        if label in numbers:
            if numbers[label] != number:
                message = f"label '{label}' of {_of(new)} was {numbers[label]}, is now {number}"
                yield Change("index-label-moved", span, part, message)
        elif number in gone:
            message = f"label '{gone.pop(number)}' of {_of(new)} is now '{label}'"
            yield Change("index-label-renamed", span, part, message)
        else:
            message = f"label '{label}' ({number}) of {_of(new)} is new"
            yield Change("index-label-added", span, part, message)
    for number, label in gone.items():
        message = f"label '{label}' ({number}) of {_of(new)} is gone"
        yield Change("index-label-removed", _at(c, new), f"{new.scope}.{label}", message)


def _of(level: ir.Level) -> str:
    whose = f"scope '{level.scope}'"
    return whose if level.name == level.scope else f"'{level.dimension}' of {whose}"


def _at(c: Comparison, level: ir.Level, *number: int) -> Span:
    keys = (label_key(level, one) for one in number)
    return c.after.place("scope", level.scope).value(*label_path(level), *keys)


_RENAME = "Rename together with the queries, dashboards and alerts."


@changes(
    ("label-text", ERROR, "prometheus",
     "What people see of a label is the value of a label in metrics: its series end, others begin.",
     _RENAME),
    ("metric-renamed", ERROR, "prometheus",
     "The schema gives a metric another name: its series end, others begin.", _RENAME),
)  # fmt: skip
def shown(c: Comparison) -> Changes:
    done: set[str] = set()
    for old, new in c.items:
        before, now = (_family(*side) for side in ((c.old, old), (c.new, new)))
        if (old.metric or new.metric) and before != now and subject(new) not in done:
            done.add(subject(new))
            message = f"the metric of {name_of(new)} was '{before}', is now '{now}'"
            yield Change("metric-renamed", c.item_at(new, "prometheus"), subject(new), message)
    for whose, was, label, span in _texts(c):
        message = f"label '{label.name}' of {whose} was shown as '{was.shown}', "
        yield Change(
            "label-text", span, f"{whose}.{label.name}", f"{message}is now '{label.shown}'"
        )


def _family(module: ir.Module, item: ir.Item) -> str:
    return prometheus.metric(module, module.scope(item.scope), item).family


def _texts(c: Comparison) -> Iterator[tuple[str, ir.Label, ir.Label, Span]]:
    """The labels that are shown otherwise: whose, in both versions, and where."""
    for before, now in c.scopes.pairs:
        place = c.after.place("scope", now.name)
        for old, new in zip(before.own, now.own, strict=False):
            for was, label in _other(old.named, new.named):
                at = (*label_path(new), label_key(new, label.value))
                yield f"'{new.dimension}'", was, label, place.value(*at)
        for was_part, part in zip(before.key, now.key, strict=False):
            where = place.value("key", now.key.index(part))
            for was, label in _other(was_part.labels, part.labels):
                yield f"part '{part.name}'", was, label, where
    for old_item, item in c.items:
        for was, label in _other(old_item.labels, item.labels):
            yield name_of(item), was, label, c.item_at(item, "labels")


def _other(old: Iterable[ir.Label], new: Iterable[ir.Label]) -> Iterator[tuple[ir.Label, ir.Label]]:
    before = {label.name: label for label in old}
    for label in new:
        was = before.get(label.name, label)
        if was.shown != label.shown:
            yield was, label


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
                if was.name != part.name:
                    message = f"part '{was.name}' of the key of '{new.name}' is now '{part.name}'"
                    yield Change("key-renamed", part.span, new.name, message)
            continue
        message = f"scope '{new.name}' had {_key(old)}, now has {_key(new)}"
        yield Change("key-changed", c.scope_at(new, "key"), new.name, message)


def _same(old: ir.Scope, new: ir.Scope) -> bool:
    """Whether the keys are the same, but for labels that are new."""
    names = [part.name for part in old.key]
    pairs = list(zip(old.key, new.key, strict=False))
    return len(old.key) == len(new.key) and all(
        _kind(a) == _kind(b) and _numbers(a) <= _numbers(b) and a.name == _former(b, names)
        for a, b in pairs
    )


def _former(part: ir.KeyPart, names: list[str]) -> str:
    """What a part was called in a version with parts of these names."""
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
