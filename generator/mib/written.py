# SPDX-License-Identifier: BSD-3-Clause
"""Parts of a resolved schema as a schema has them: `resolve` the other way around, defaults left
out."""

from __future__ import annotations

from typing import Any

from ..language import defaults, units
from ..model import ir
from ..strategies.catalogue import all_strategies


def sync(given: ir.Sync) -> Any:
    """A strategy as a schema has it: its name, or a mapping with what is not the default."""
    defaults = dict(all_strategies()[given.strategy].settings())
    own = {name: value for name, value in given.tunables if defaults[name] != value}
    return {"strategy": given.strategy, **own} if own else given.strategy


def requires(given: ir.Requires, lcores: int = ir.Requires().lcores) -> dict[str, Any]:
    """Needs as a schema has them; what is the default is left out, so is that number of lcores."""
    shown: dict[str, Any] = {}
    for key in ("exact", "consistency", "reader", "writers"):
        if getattr(given, key) is not None:
            shown[key] = getattr(given, key)
    if given.propagation_ns is not None:
        shown["propagation"] = _scaled(given.propagation_ns, units.NANOSECONDS)
    if given.update_cycles is not None:
        shown["update_cycles"] = given.update_cycles
    if given.memory is not None:
        shown["memory"] = _scaled(given.memory, units.OCTETS)
    if given.lcores != lcores:
        shown["lcores"] = given.lcores
    return shown


def _scaled(number: int, factors: dict[str, int]) -> str:
    unit = max((u for u, f in factors.items() if number % f == 0), key=factors.__getitem__)
    return f"{number // factors[unit]}{unit}"


def update(module: ir.Module, given: ir.Update) -> dict[str, Any]:
    """An update as a schema has it."""
    shown: dict[str, Any] = {}
    if given.description != defaults.update_description(given.name):
        shown["description"] = given.description
    if given.arguments:
        shown["args"] = {argument.name: argument.type for argument in given.arguments}
    for one in given.operations:
        verb = shown.setdefault(one.verb, {})
        verb[f"{one.scope}.{one.item}"] = one.argument or _constant(module, one)
    return shown


def _constant(module: ir.Module, one: ir.Operation) -> Any:
    item = module.item(one.scope, one.item)
    if one.verb == "set" and item.type == "bool" and one.constant in (0, 1):
        return bool(one.constant)
    return one.constant


def item(given: ir.Item) -> dict[str, Any]:
    """An item as a schema has it."""
    shown: dict[str, Any] = {}
    if not given.kind.numeric:
        shown["type"] = given.type
        if given.labels:
            shown["labels"] = {label.name: label.value for label in given.labels}
        if given.length:
            shown["length"] = given.length
    elif given.width != 64:
        shown["width"] = given.width
    if given.unit:
        shown["unit"] = given.unit
    bounds = {"min": given.minimum, "max": given.maximum}
    shown.update({key: bound for key, bound in bounds.items() if bound is not None})
    if given.renamed_from:
        shown["renamed_from"] = given.renamed_from
    if given.snmp is not None:
        shown["snmp"] = item_snmp(given.snmp)
    return shown | {"description": given.description}


def item_snmp(given: ir.ItemSnmp) -> dict[str, Any]:
    """What a schema says about an item's object."""
    keys = ("name", "oid", "syntax", "status", "access")
    shown: dict[str, Any] = {key: getattr(given, key) for key in keys if getattr(given, key)}
    return shown | ({"labels": dict(given.labels)} if given.labels else {})


def scope_snmp(given: ir.ScopeSnmp) -> dict[str, Any]:
    """What a schema says about a scope's table."""
    keys = ("name", "oid", "table", "entry", "status", "implied", "cap")
    shown = {key: getattr(given, key) for key in keys if getattr(given, key)}
    return shown | ({} if given.serve is None else {"serve": given.serve})


def index(given: ir.IndexObject) -> Any:
    """An index object as a schema has it."""
    name = f"{given.module}::{given.name}" if given.module else given.name
    shown: dict[str, Any] = {"object": name}
    for key in ("oid", "syntax", "description", "unit"):
        if getattr(given, key):
            shown[key] = getattr(given, key)
    if given.status != "current":
        shown["status"] = given.status
    if given.access != "not-accessible":
        shown["access"] = given.access
    return shown if len(shown) > 1 else name


def convention(given: ir.Convention) -> dict[str, Any]:
    """A textual convention as a schema has it."""
    shown: dict[str, Any] = {"syntax": given.syntax}
    if given.labels:
        shown["labels"] = {label.name: label.value for label in given.labels}
    for key in ("description", "display_hint"):
        if getattr(given, key):
            shown[key] = getattr(given, key)
    return shown | ({} if given.status == "current" else {"status": given.status})


def revision(given: ir.Revision) -> dict[str, Any]:
    """A revision as a schema has it."""
    shown: dict[str, Any] = {"date": given.date, "description": given.description}
    return shown | ({"draft": True} if given.draft else {})
