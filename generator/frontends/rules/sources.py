# SPDX-License-Identifier: BSD-3-Clause
"""Rules about items that updates do not add to: observed, of devices, of callbacks, derived."""

import re
from collections.abc import Iterator

from ...findings.rules import Finding, Findings
from ...findings.suggest import did_you_mean
from ...model import ir
from ...model.kinds import VERBS, Operation
from ..resolve.place import Place, Resolution
from . import updates
from .registry import rule_of_each


@rule_of_each
def item_rule(r: Resolution) -> Iterator[tuple[ir.Item, Place, ir.Scope, ir.Module]]:
    for scope in r.module.scopes:
        for item in scope.items:
            place = r.place("item", scope.name, item.name)
            if not place.broken():
                yield item, place, scope, r.module


@item_rule("A peak has a unit; that of a gauge has the unit and the width of the gauge.")
def peak_unit(item: ir.Item, place: Place, scope: ir.Scope, module: ir.Module) -> Findings:
    if not item.kind.observes:
        return
    entry = place.entry()
    if not item.of:
        if entry.unit is None:
            message = f"peak '{item.name}' has no unit"
            yield Finding(place.key(), message, "add `unit:`, such as By, ns or packets")
        return
    for key, written, own in (("unit", entry.unit, item.unit), ("width", entry.width, item.width)):
        if written is not None and written != own:
            message = f"peak '{item.name}' has another {key} than gauge '{item.of}', which it is of"
            yield Finding(place.value(key), message, f"remove `{key}`")


@updates.operation_rule("A peak is observed, or follows its gauge.")
def peak_change(op: updates.Operation) -> Findings:
    kind = op.item.kind
    if kind.observes and op.verb not in kind.updates:
        message = f"{op.target} is {kind.noun} and cannot be {VERBS[op.verb]}"
        hint = f"change '{op.item.of}' instead" if op.item.of else "move it to `observe:`"
        yield Finding(op.key, message, hint)


@item_rule("A peak is kept once: not for each view, and not in an object of the application's.")
def peak_storage(item: ir.Item, place: Place, scope: ir.Scope, module: ir.Module) -> Findings:
    if not item.kind.observes:
        return
    what = f"{item.kind.value} '{scope.name}.{item.name}'"
    if scope.storage is ir.Storage.EMBEDDED:
        message = f"{what} is in an embedded scope"
        yield Finding(place.key(), message, "keep it in a member of the object's own")
    elif scope.reset and module.views:
        message = f"{what} is in a module with views: a reset in one view would reset it in all"
        hint = "move it to a scope with `reset: false`, or to a module of its own"
        yield Finding(place.key(), message, hint)


AVAILABLE = "available"
"""The member of a value struct that says which of its items are available."""

_INDEX = re.compile(r"\{(\w+)\}")


@rule_of_each
def sourced_rule(r: Resolution) -> Iterator[tuple[ir.Item, Place, ir.Scope]]:
    for scope in r.module.scopes:
        for item in scope.sourced:
            yield item, r.place("item", scope.name, item.name), scope


@item_rule("An item of a device says what the device calls it; others do not.")
def device_statistic(item: ir.Item, place: Place, scope: ir.Scope, module: ir.Module) -> Findings:
    if item.source is ir.Source.DEVICE and not item.statistic:
        message = f"{item.kind.value} '{item.name}' does not have the name of a statistic"
        hint = "add `statistic:`, such as imissed or rx_q{queue}_packets"
        yield Finding(place.value("source"), message, hint)
    elif item.statistic and item.source is not ir.Source.DEVICE:
        message = f"{item.kind.value} '{item.name}' has a statistic, but is not of a device"
        hint = "write `source: device`, or remove `statistic`"
        yield Finding(place.key("statistic"), message, hint)


@sourced_rule("What is in braces in the name of a statistic is an index of the scope.")
def statistic_index(item: ir.Item, place: Place, scope: ir.Scope) -> Findings:
    known = [level.dimension for level in scope.levels]
    for name in dict.fromkeys(_INDEX.findall(item.statistic)):
        if name not in known:
            message = f"scope '{scope.name}' has no index '{name}'"
            hint = did_you_mean(name, known, "indexes")
            yield Finding(place.value("statistic"), message, hint)


@sourced_rule("Items of devices and callbacks are in scopes that are reached without an object.")
def source_scope(item: ir.Item, place: Place, scope: ir.Scope) -> Findings:
    if item.source is ir.Source.DEVICE and not scope.levels:
        message = f"'{item.name}' is of a device, but scope '{scope.name}' has no index"
        hint = "move it to a scope whose outermost index is the port, with `max:`"
        yield Finding(place.value("source"), message, hint)
    elif scope.storage is ir.Storage.EMBEDDED:
        rate = item.derivation is not None and item.derivation.operation is Operation.RATE
        if item.derivation is None or rate:
            what = "a rate" if rate else f"of a {item.source.value}"
            message = f"'{item.name}' is {what}, but scope '{scope.name}' is embedded"
            yield Finding(place.key(), message, "move it to a scope with `max:`")


@sourced_rule("An item that may be unavailable is not called `available`.")
def source_name(item: ir.Item, place: Place, scope: ir.Scope) -> Findings:
    if any(other.name == AVAILABLE for other in scope.items):
        message = f"scope '{scope.name}' has an item '{AVAILABLE}'"
        hint = f"rename it: flags of '{item.name}' are in a member of that name"
        yield Finding(place.key(), message, hint)


@sourced_rule("A rate is of a counter: other numbers go down as well.")
def rate_of(item: ir.Item, place: Place, scope: ir.Scope) -> Findings:
    derivation = item.derivation
    if derivation is None or derivation.operation is not Operation.RATE or place.broken("rate"):
        return
    for other in scope.items:
        if other.name in derivation.operands and not other.kind.accumulates:
            message = f"'{item.name}' is the rate of '{other.name}', which is a {other.kind.value}"
            hint = "name a counter, or a sum of 64-bit counters"
            yield Finding(place.value("rate"), message, hint)
    if not 1 <= derivation.window <= 3600:
        message = f"the window of rate '{item.name}' is not from a second to an hour"
        yield Finding(place.value("window"), message, "write 1s, 10s or the like")


@item_rule("A peak is of a gauge that the module stores.")
def peak_of_source(item: ir.Item, place: Place, scope: ir.Scope, module: ir.Module) -> Findings:
    if any(gauge.name == item.of for gauge in scope.sourced):
        message = f"peak '{item.name}' is of '{item.of}', which the module does not store"
        yield Finding(place.value("of"), message, "name a gauge without `source`, or none")


@updates.operation_rule("Updates change items that the module stores, not external ones.")
def update_of_source(op: updates.Operation) -> Findings:
    why = {
        ir.Source.DEVICE: "a device counts it",
        ir.Source.CALLBACK: "a callback returns it",
        ir.Source.DERIVED: "it is derived from other items",
    }.get(op.item.source)
    if why:
        hint = "remove `source` from the item"
        hint = "update what it is derived from" if op.item.derivation else hint
        yield Finding(op.key, f"{op.target} cannot be updated: {why}", hint)
