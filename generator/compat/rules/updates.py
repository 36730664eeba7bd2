# SPDX-License-Identifier: BSD-3-Clause
"""Updates: their functions, what they count, the batch struct that holds them back."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Severity, Span
from ...findings.rules import Finding
from ...model import ir
from ..model import C_ABI, C_API, SEMANTICS, change
from ..pairs import Comparison, was
from ..sequence import moved

Effect = tuple[str, int | None, str | None]
"""Verb, constant, and name of the argument."""


@change(
    Severity.ERROR,
    "The functions of an update are gone.",
    tags=(C_API, C_ABI),
    instead="Keep it, with `add` of what remains.",
)
def update_removed(c: Comparison) -> Iterator[Finding]:
    for update in c.updates.gone:
        message = f"update '{update.name}' ({was(update.span)}) is gone"
        yield Finding(c.new.span, message, part=f"updates.{update.name}")


@change(
    Severity.ERROR,
    "Calls of the update no longer compile, or pass the wrong thing.",
    tags=(C_API, C_ABI),
    instead="Add an update of another name.",
)
def update_signature(c: Comparison) -> Iterator[Finding]:
    for old, new in c.updates.pairs:
        before = [c.new_scope.get(name, name) for name in old.indexes]
        if before != list(new.indexes):
            message = f"update '{new.name}' took the indexes {_listed(before)}, "
            message += f"now takes {_listed(new.indexes)}"
            yield Finding(new.span, message, part=f"updates.{new.name}")
        elif _arguments_differ(old, new):
            message = f"update '{new.name}' took {_typed(old)}, now takes {_typed(new)}"
            place = c.after.place("update", new.name)
            span = place.value("args") if place.has("args") else new.span
            yield Finding(span, message, part=f"updates.{new.name}")


def _arguments_differ(old: ir.Update, new: ir.Update) -> bool:
    """Whether calls must change: other types, or the same names at other places."""
    if [arg.type for arg in old.arguments] != [arg.type for arg in new.arguments]:
        return True
    before = {arg.name: n for n, arg in enumerate(old.arguments)}
    return any(before.get(arg.name, n) != n for n, arg in enumerate(new.arguments))


def _listed(names: list[str] | tuple[str, ...]) -> str:
    return f"({', '.join(names)})"


def _typed(update: ir.Update) -> str:
    return _listed([f"{arg.type} {arg.name}" for arg in update.arguments])


def _arguments(old: ir.Update, new: ir.Update) -> dict[str, str]:
    """New names of arguments by their old ones: a new name at an old place is a rename."""
    names = {arg.name for arg in new.arguments}
    places = zip(old.arguments, new.arguments, strict=False)
    return {a.name: a.name if a.name in names else b.name for a, b in places}


def _effects(c: Comparison, old: ir.Update, new: ir.Update) -> dict[tuple[str, str], Effect]:
    """What the old version did to items that there still are, in the names of the new one."""
    arguments = _arguments(old, new)
    return {
        c.new_item[op.scope, op.item]: (
            op.verb,
            op.constant,
            None if op.argument is None else arguments.get(op.argument, op.argument),
        )
        for op in old.operations
        if (op.scope, op.item) in c.new_item
    }


@change(
    Severity.WARNING,
    "The same event now counts elsewhere, or otherwise; the code is inline, in every caller.",
    tags=(C_ABI, SEMANTICS),
    instead="Say so in the descriptions, and rebuild what includes the header.",
)
def update_effect(c: Comparison) -> Iterator[Finding]:
    known = set(c.new_item.values())
    for old, new in c.updates.pairs:
        if [c.new_scope.get(name, name) for name in old.indexes] != list(new.indexes):
            continue  # another call altogether
        left = _effects(c, old, new)
        for op in new.operations:
            item = (op.scope, op.item)
            before = left.pop(item, None)
            if item in known and before != (op.verb, op.constant, op.argument):
                how = "now changes" if before is None else "changes otherwise"
                yield _effect_finding(new, how, item, op.span)
        for item in left:
            yield _effect_finding(new, "no longer changes", item, new.span)


def _effect_finding(update: ir.Update, how: str, item: tuple[str, str], span: Span) -> Finding:
    what = ".".join(item)
    message = f"update '{update.name}' {how} '{what}'"
    return Finding(span, message, part=f"updates.{update.name}.{what}")


@change(
    Severity.WARNING,
    "The batch struct is on the caller's stack, with a member for every update.",
    tags=(C_ABI,),
    instead="Rebuild what includes the header.",
)
def batch_layout(c: Comparison) -> Iterator[Finding]:
    for update in c.updates.added:
        message = f"update '{update.name}' is new: struct {c.new.name}_stats_batch has grown"
        yield Finding(update.span, message, part=f"updates.{update.name}")
    for old, new in moved(c.updates.pairs, c.old.updates):
        message = f"update '{new.name}' has moved ({was(old.span)}): "
        message += f"so has its member of struct {c.new.name}_stats_batch"
        yield Finding(new.span, message, part=f"updates.{new.name}")
