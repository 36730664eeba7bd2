# SPDX-License-Identifier: BSD-3-Clause
"""Notifications that were removed, or whose conditions changed."""

from dataclasses import replace
from operator import attrgetter

from ....model import ir
from ..model import ERROR, WARNING, changes
from ..pairs import Change, Changes, Comparison, was

_LIMITS = attrgetter("threshold", "clear", "every", "lasts", "most", "window")


@changes(
    ("notification-removed", ERROR, "oid",
     "A notification is no longer sent when its condition holds, or when it has cleared.",
     "Keep it for a release, with a note in its description."),
    ("notification-meaning", ERROR, "oid semantics",
     "The same notification is raised by another item, or by another condition.",
     "Add a notification of another name and keep this one for a while."),
    ("notification-threshold", WARNING, "semantics",
     "A notification comes earlier or later, or more or less often, than operators know it.",
     "Tell the operators."),
)  # fmt: skip
def notifications(c: Comparison) -> Changes:
    now = {told.name: told for told in c.new.notifications}
    former = {told.renamed_from: told for told in c.new.notifications if told.renamed_from}
    for old in c.old.notifications:
        new = now.get(old.name) or former.get(old.name)
        if new is None:
            message = f"notification '{old.name}' ({was(old.span)}) was removed"
            yield Change("notification-removed", c.new.span, old.name, message)
            continue
        if old.cleared and not new.cleared:
            message = f"'{new.name}' no longer sends a notification when it has cleared"
            yield Change("notification-removed", new.span, new.name, message)
        yield from _changed(c, old, new)


def _changed(c: Comparison, old: ir.Notification, new: ir.Notification) -> Changes:
    place = c.after.place("notification", new.name)
    scope, item = c.new_item.get((old.scope, old.item), (old.scope, old.item))
    before, after = _raised_by(replace(old, scope=scope, item=item)), _raised_by(new)
    if before != after:
        message = f"notification '{new.name}' was raised when {before}, and is when {after}"
        yield Change("notification-meaning", place.at("of"), new.name, message)
    elif _LIMITS(old) != _LIMITS(new):
        message = f"notification '{new.name}' has another threshold, time or limit"
        yield Change("notification-threshold", place.key(), new.name, message)


def _raised_by(told: ir.Notification) -> str:
    """What raises it, without thresholds."""
    values = f" {', '.join(map(str, told.values))}" if told.values else ""
    verb = told.condition.value.replace("_", " ")
    return f"'{told.scope}.{told.item}' {verb}{values}"
