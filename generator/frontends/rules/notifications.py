# SPDX-License-Identifier: BSD-3-Clause
"""Rules about notifications: that they can be raised, can clear, and mean one thing."""

from collections.abc import Iterator
from typing import NamedTuple

from ...findings.rules import Finding, Findings
from ...model import ir
from ...model.language.notifications import Notification
from ..resolve.place import Place, Resolution
from .registry import rule_of_each

_NUMBERS = ("uint32", "uint64", "int32", "timeticks")
"""Types of states that have thresholds."""


class Watch(NamedTuple):
    """A notification: where it is written, and as what, and what it watches."""

    notification: ir.Notification
    place: Place
    written: Notification
    scope: ir.Scope
    item: ir.Item


@rule_of_each
def notification_rule(r: Resolution) -> Iterator[tuple[Watch]]:
    for notification in r.module.notifications:
        place = r.place("notification", notification.name)
        if not place.broken():
            model = place.part.model.notifications[notification.name]
            scope = r.module.scope(notification.scope)
            item = r.module.item(scope.name, notification.item)
            yield (Watch(notification, place, model, scope, item),)


def _written(model: Notification) -> list[str]:
    return [c.value for c in ir.Condition if getattr(model, c.value) is not None]


@notification_rule("A notification has one condition, which fits the item that it watches.")
def notification_condition(watch: Watch) -> Findings:
    notification, place, item = watch.notification, watch.place, watch.item
    keys, what = _written(watch.written), f"{item.kind.value} '{item.scope}.{item.name}'"
    passed = item.kind.numeric or item.type in _NUMBERS
    becomes = item.value_type.labelled or item.type == "bool"
    if any(place.broken(c.value) for c in ir.Condition):
        return
    if not keys:
        usual = "becomes" if becomes else "rises_above"
        message = f"notification '{notification.name}' has no condition"
        yield Finding(place.key(), message, f"add `{usual}:`")
    elif len(keys) > 1:
        message = f"notification '{notification.name}' has both `{keys[0]}` and `{keys[1]}`"
        yield Finding(place.key(keys[1]), message, "make it two notifications")
    elif not passed and not becomes:
        message = f"no condition fits {what}, which is of type {item.type}"
        numbers = ", ".join(kind.noun for kind in ir.Kind if kind.numeric)
        hint = f"watch {numbers}, or a state that is a number, an enum or a bool"
        yield Finding(place.value("of"), message, hint)
    elif passed != (keys[0] != ir.Condition.BECOMES.value):
        hint = "write `rises_above:` or `falls_below:`" if passed else "write `becomes:`"
        yield Finding(place.key(keys[0]), f"`{keys[0]}` does not fit {what}", hint)
    for condition in ir.Condition:
        if condition.clears and place.has(condition.clears) and condition.value not in keys:
            message = f"`{condition.clears}` goes with `{condition.value}`"
            yield Finding(place.key(condition.clears), message, "remove it")


@notification_rule(
    "Values can pass the thresholds of a notification, and it clears on the other side."
)
def notification_threshold(watch: Watch) -> Findings:
    notification, place, item = watch.notification, watch.place, watch.item
    key, clears = notification.condition.value, notification.condition.clears
    if not clears or len(_written(watch.written)) != 1:
        return
    rises = notification.condition is ir.Condition.RISES
    apart = notification.clear - notification.threshold
    if apart > 0 if rises else apart < 0:
        side = "above" if rises else "below"
        message = f"`{clears}: {notification.clear}` is {side} the threshold "
        message += f"{notification.threshold}: it would clear while it is raised"
        hint = f"write at {'most' if rises else 'least'} {notification.threshold}"
        yield Finding(place.value(clears), message, hint)
        return
    low, high = item.range
    what = f"{item.kind.value} '{notification.scope}.{notification.item}' never"
    if item.kind.accumulates:
        low, high, what = 0, 2**64, f"the rate of '{notification.scope}.{notification.item}' never"
    passes = {"rises_above": high, "clears_above": high, "falls_below": low, "clears_below": low}
    for name, limit in ((key, notification.threshold), (clears, notification.clear)):
        above = name.endswith("above")
        if place.has(name) and (limit >= passes[name] if above else limit <= passes[name]):
            message = f"{what} {'rises above' if above else 'falls below'} {limit}"
            yield Finding(place.value(name), message, "choose a value that is in its range")


@notification_rule("What a notification watches can be found: it is not in embedded objects.")
def notification_scope(watch: Watch) -> Findings:
    if watch.scope.storage is ir.Storage.EMBEDDED:
        message = f"scope '{watch.scope.name}' is embedded: its instances cannot be listed"
        hint = "watch the object where the application has it"
        yield Finding(watch.place.value("of"), message, hint)
