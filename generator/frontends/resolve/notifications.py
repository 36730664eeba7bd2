# SPDX-License-Identifier: BSD-3-Clause
"""Notifications of a schema: which items they watch and carry, and when they are raised."""

import re

from ...findings.diagnostics import errors
from ...model import ir
from ...model.language import units
from ...model.language.notifications import Notification
from .operations import Targets
from .place import Place

errors({
    "notification-target":
        "What a notification watches is written `scope.item`, and is one item in all instances.",
    "notification-label": "What a state becomes is one of its labels, or of a bool true or false.",
})  # fmt: skip


def notification(
    name: str, entry: Notification, place: Place, targets: Targets
) -> ir.Notification | None:
    """A notification, or None after reporting that there is nothing to watch."""
    item = None if place.broken("of") else _watched(entry.of, place, targets)
    if item is None:
        return None
    condition, threshold = _condition(entry)
    clear = getattr(entry, condition.clears) if condition.clears else None
    limit, clauses = entry.at_most, entry.snmp
    return ir.Notification(
        name=name,
        description=units.text(entry.description),
        scope=item.scope,
        item=item.name,
        condition=condition,
        span=place.key(),
        threshold=threshold,
        clear=threshold if clear is None else clear,
        values=_values(entry, item, place, targets),
        every=units.seconds(entry.every),
        lasts=units.seconds(entry.lasts) if entry.lasts else 0,
        most=limit.count if limit else 0,
        window=units.seconds(limit.within) if limit else 0,
        carries=_carried(entry, item.scope, place, targets),
        cleared=entry.cleared,
        renamed_from=entry.renamed_from or "",
        snmp=ir.NotificationSnmp(**clauses.model_dump(exclude_none=True)) if clauses else _UNSAID,
    )


_UNSAID = ir.NotificationSnmp()


def _watched(target: str, place: Place, targets: Targets) -> ir.Item | None:
    scope, _, name = target.partition(".")
    span = place.value("of")
    if "[" in target:
        without = re.sub(r"\s*\[.*?(\]|$)", "", target)
        message, hint = f"'{target}' is one instance", f"write `{without}`"
        targets.report(
            "notification-target", span, message, f"{hint}: the notification names the instance"
        )
        return None
    histogram = targets.histograms.get(scope, {}).get(name)
    if histogram is not None:
        hint = f"watch one of its counters, such as `{scope}.{histogram.buckets[-1]}`"
        targets.report("notification-target", span, f"'{target}' is a histogram", hint)
        return None
    return targets.find(target, span, "items")


def _condition(entry: Notification) -> tuple[ir.Condition, int]:
    """Its condition; the first of several; or none. Rules report the latter two."""
    for condition in (ir.Condition.RISES, ir.Condition.FALLS):
        threshold = getattr(entry, condition.value)
        if threshold is not None:
            return condition, threshold
    return ir.Condition.BECOMES, 0


def _values(entry: Notification, item: ir.Item, place: Place, targets: Targets) -> tuple[int, ...]:
    wanted = entry.becomes
    fits = item.type == "bool" or item.value_type.labelled  # else a rule says that it does not
    if wanted is None or place.broken("becomes") or not fits:
        return ()
    span, what = place.value("becomes"), f"'{item.scope}.{item.name}'"
    if isinstance(wanted, bool):
        if item.type == "bool":
            return (int(wanted),)
        hint = f"name one of its labels: {', '.join(label.name for label in item.labels)}"
        targets.report("notification-label", span, f"{what} is not a bool", hint)
        return ()
    labels = {label.name: label.value for label in item.labels}
    if not labels:
        report = targets.report
        report("notification-label", span, f"{what} has no labels", "write true or false")
        return ()
    names = [wanted] if isinstance(wanted, str) else wanted
    for number, name in enumerate(names):
        if name not in labels:
            where = span if isinstance(wanted, str) else place.value("becomes", number)
            hint = targets.suggest(name, labels, f"labels of {what}")
            message = f"{what} has no label '{name}'"
            targets.report("notification-label", where, message, hint)
    return tuple(dict.fromkeys(labels[name] for name in names if name in labels))


def _carried(entry: Notification, scope: str, place: Place, targets: Targets) -> tuple[str, ...]:
    """The further items that it carries; others are reported."""
    found = []
    for number, name in enumerate(entry.carries):
        if name in targets.items[scope]:
            found.append(name)
        elif not place.broken("carries", number):
            hint = targets.suggest(name, targets.items[scope], f"items of '{scope}'")
            message = f"scope '{scope}' has no item '{name}'"
            targets.report("unknown-item", place.value("carries", number), message, hint)
    return tuple(dict.fromkeys(found))
