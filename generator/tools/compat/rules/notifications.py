# SPDX-License-Identifier: BSD-3-Clause
"""Notifications that were removed, or whose objects or conditions changed."""

from collections.abc import Mapping
from operator import attrgetter

from ....model import ir
from ....publish.definitions import lost, refinements
from ..model import ERROR, WARNING, changes
from ..pairs import Change, Changes, Comparison, was

_ADD = "Add a notification of another name and keep this one for a while."
_LIMITS = attrgetter("threshold", "clear", "every", "lasts", "most", "window")


@changes(
    ("notification-removed", ERROR, "oid",
     "A notification is no longer sent when its condition holds, or when it has cleared.",
     "Keep it for a release, with a note in its description."),
    ("notification-objects", ERROR, "oid",
     "The objects of a notification are fixed: receivers find them by position.",
     _ADD),
    ("notification-meaning", ERROR, "oid semantics",
     "The same notification is raised by another item, or by another condition.", _ADD),
    ("notification-threshold", WARNING, "semantics",
     "A notification comes earlier or later, or more or less often, than operators know it.",
     "Tell the operators."),
)  # fmt: skip
def notifications(c: Comparison) -> Changes:
    now = {notification.name: notification for notification in c.new.notifications}
    former = {
        notification.renamed_from: notification
        for notification in c.new.notifications
        if notification.renamed_from
    }
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
    before, after = (_raised_by(notification) for notification in (_moved(c, old), new))
    if before != after:
        message = f"notification '{new.name}' was raised when {before}, and is when {after}"
        yield Change("notification-meaning", place.at("of"), new.name, message)
    elif _LIMITS(old) != _LIMITS(new):
        message = f"notification '{new.name}' has another threshold, time or limit"
        yield Change("notification-threshold", place.key(), new.name, message)
    carried = [_moved(c, old).items, new.items]
    if carried[0] != carried[1]:
        lists = [", ".join(items) for items in carried]
        message = f"notification '{new.name}' carried {lists[0]}, now carries {lists[1]}"
        yield Change("notification-objects", place.at("carries"), new.name, message)


def _moved(c: Comparison, old: ir.Notification) -> ir.Notification:
    """An old notification under the new names of what it is about."""
    names = [c.new_item.get((old.scope, name), (old.scope, name)) for name in old.items]
    scope, item = names[0]
    return ir.Notification(
        old.name, old.description, scope, item, old.condition, old.span, values=old.values,
        carries=tuple(name for _, name in names[1:]),
    )  # fmt: skip


def _raised_by(notification: ir.Notification) -> str:
    """Its condition, without thresholds."""
    values = f" {', '.join(map(str, notification.values))}" if notification.values else ""
    verb = notification.condition.value.replace("_", " ")
    return f"'{notification.scope}.{notification.item}' {verb}{values}"


@changes()
def definitions(c: Comparison) -> Changes:
    if not c.old.snmp.published or not c.new.snmp.published:
        return
    old, names = c.mibs.old.lock, {old.name: new.name for old, new in c.mibs.pairs}
    for entry, removed, found in lost(c.new, old.entries, old.draft, names):
        rule = "group-changed"
        if entry.kind == "notification":
            rule = "notification-removed" if removed else "notification-objects"
        message = found.message.rpartition(" (RFC")[0]
        yield Change(rule, found.span, entry.name, message, found.hint)
    former = {entry.name for entry in old.entries if entry.date != old.draft}
    now = {one.name: one for one in c.new.snmp.definitions}
    for before in c.old.snmp.definitions:
        after = now.get(before.name)
        if after is not None and before.name in former:
            yield from _refined(before, after, names)


def _refined(old: ir.Definition, new: ir.Definition, names: Mapping[str, str]) -> Changes:
    """Other requirements of an object in a compliance."""
    now = refinements(new)
    for (module, name), required in refinements(old).items():
        if now.get((module, names.get(name, name)), required) != required:
            message = f"compliance '{new.name}' is published with other requirements of '{name}'"
            hint = "restore them, or write another compliance"
            yield Change("group-changed", new.span, new.name, message, hint)
