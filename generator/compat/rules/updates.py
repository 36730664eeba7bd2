# SPDX-License-Identifier: BSD-3-Clause
"""Updates: their functions, what they count, the batch struct that holds them back."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Span
from ...model import ir
from ..model import C_ABI, C_API, SEMANTICS, Found, error, warning
from ..pairs import Comparison, was
from ..sequence import moved

Effect = tuple[str, int | None, str | None]
"""Verb, constant, and name of the argument."""


def _removed(c: Comparison) -> Iterator[Found]:
    for update in c.updates.gone:
        message = f"update '{update.name}' ({was(update.span)}) is gone"
        yield Found(f"updates.{update.name}", c.new.span, message)


def _signature(c: Comparison) -> Iterator[Found]:
    for old, new in c.updates.pairs:
        before = [c.new_scope.get(name, name) for name in old.indexes]
        if before != list(new.indexes):
            message = f"update '{new.name}' took the indexes {_listed(before)}, "
            message += f"now takes {_listed(new.indexes)}"
            yield Found(f"updates.{new.name}", new.span, message)
        elif _arguments_differ(old, new):
            message = f"update '{new.name}' took {_typed(old)}, now takes {_typed(new)}"
            place = c.after.place("update", new.name)
            span = place.value("args") if place.has("args") else new.span
            yield Found(f"updates.{new.name}", span, message)


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


def _effect(c: Comparison) -> Iterator[Found]:
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
                yield _effect_found(new, how, item, op.span)
        for item in left:
            yield _effect_found(new, "no longer changes", item, new.span)


def _effect_found(update: ir.Update, how: str, item: tuple[str, str], span: Span) -> Found:
    what = ".".join(item)
    return Found(f"updates.{update.name}.{what}", span, f"update '{update.name}' {how} '{what}'")


def _batch(c: Comparison) -> Iterator[Found]:
    for update in c.updates.added:
        message = f"update '{update.name}' is new: struct {c.new.name}_stats_batch has grown"
        yield Found(f"updates.{update.name}", update.span, message)
    for old, new in moved(c.updates.pairs, c.old.updates):
        message = f"update '{new.name}' has moved ({was(old.span)}): "
        message += f"so has its member of struct {c.new.name}_stats_batch"
        yield Found(f"updates.{new.name}", new.span, message)


RULES = (
    error(
        "update-removed",
        (C_API, C_ABI),
        _removed,
        "The functions of an update are gone.",
        "Keep it, with `add` of what remains.",
    ),
    error(
        "update-signature",
        (C_API, C_ABI),
        _signature,
        "Calls of the update no longer compile, or pass the wrong thing.",
        "Add an update of another name.",
    ),
    warning(
        "update-effect",
        (C_ABI, SEMANTICS),
        _effect,
        "The same event now counts elsewhere, or otherwise; the code is inline, in every caller.",
        "Say so in the descriptions, and rebuild what includes the header.",
    ),
    warning(
        "batch-layout",
        (C_ABI,),
        _batch,
        "The batch struct is on the caller's stack, with a member for every update.",
        "Rebuild what includes the header.",
    ),
)
