# SPDX-License-Identifier: BSD-3-Clause
"""The labelled dimensions of scopes, and the labels of an index."""

from __future__ import annotations

from ...findings.diagnostics import Span
from ...model import ir
from ...resolve.levels import label_key, label_path
from ..model import ADD_SCOPE, ERROR, KEEP_UNUSED, REBUILD, WARNING, changes
from ..pairs import Change, Changes, Comparison


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
