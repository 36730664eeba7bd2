# SPDX-License-Identifier: BSD-3-Clause
"""A resolved module as the schema that it was resolved from: `resolve` the other way around."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any, get_args

from pydantic import BaseModel

from ..language import defaults, schema, units
from ..language import snmp as schema_snmp
from ..model import ir
from ..model.kinds import Kind
from ..model.naming import smi
from ..strategies.catalogue import all_strategies

_ITEM = "type labels length width unit min max renamed_from snmp description"
_SCOPE = (
    "description parent max storage sync reset requires renamed_from augments snmp index "
    "counters gauges states order"
)
_ORDERS = {
    **{get_args(schema.Scope.model_fields[kind.plural].annotation)[1]: _ITEM for kind in Kind},
    schema.Scope: _SCOPE,
    schema_snmp.Snmp: "enterprise arc name oid",
    schema_snmp.ScopeSnmp: "name oid table entry status implied cap serve",
    schema_snmp.Convention: "syntax labels description display_hint status",
}
"""The order of keys where it is not that of the model's fields."""


def plain(part: BaseModel, order: Iterable[str] = ()) -> dict[str, Any]:
    """Part of a schema as plain values, defaults left out; keys not in `order` come last."""
    values = part.model_dump(exclude_defaults=True)
    for key in values:
        child = getattr(part, key)
        if isinstance(child, BaseModel):
            values[key] = plain(child)
        elif isinstance(child, dict):
            values[key] = {
                name: plain(entry) if isinstance(entry, BaseModel) else entry
                for name, entry in child.items()
            }
    first = [key for key in order or _ORDERS.get(type(part), "").split() if key in values]
    return {key: values[key] for key in dict.fromkeys((*first, *values))}


def module(resolved: ir.Module) -> schema.Schema:
    """The schema of a module; its strategy is that of most scopes that have a table."""
    tables = [scope for scope in resolved.scopes if scope.storage is not ir.Storage.EMBEDDED]
    usual = Counter(scope.sync for scope in tables or resolved.scopes).most_common(1)[0][0]
    reset = any(scope.reset for scope in resolved.scopes)
    values = {
        "ctrgen": 1,
        "module": resolved.name,
        "description": resolved.description,
        "sync": _sync(usual),
        "reset": reset,
        "bounds": resolved.bounds,
        "writers": resolved.writers,
        "requires": _requires(resolved.requires, ir.Requires()),
        "snmp": snmp(resolved.snmp, resolved.name),
        "scopes": {scope.name: _scope(resolved, scope, usual, reset) for scope in resolved.scopes},
        "updates": {update.name: _update(resolved, update) for update in resolved.updates},
    }
    return schema.Schema.model_validate(values)


def _sync(resolved: ir.Sync) -> Any:
    """A strategy by its name, or with the tunables that have other values than their defaults."""
    usual = dict(all_strategies()[resolved.strategy].settings())
    changed = {name: value for name, value in resolved.tunables if usual[name] != value}
    return {"strategy": resolved.strategy, **changed} if changed else resolved.strategy


def _requires(resolved: ir.Requires, outer: ir.Requires) -> schema.Requires | None:
    """Needs beyond those of the module around a scope."""
    before = asdict(outer)
    changed = {k: v for k, v in asdict(resolved).items() if v is not None and v != before[k]}
    for key, name, factors in (
        ("propagation_ns", "propagation", units.NANOSECONDS),
        ("memory", "memory", units.OCTETS),
    ):
        if key in changed:
            number = changed.pop(key)
            unit = max((u for u, f in factors.items() if number % f == 0), key=factors.__getitem__)
            changed[name] = f"{number // factors[unit]}{unit}"
    return schema.Requires(**changed) if changed else None


def _update(module: ir.Module, resolved: ir.Update) -> schema.Update:
    described = resolved.description != defaults.update_description(resolved.name)
    args = {argument.name: argument.type for argument in resolved.arguments}
    verbs: dict[str, Any] = {}
    for operation in resolved.operations:
        amount: Any = operation.argument or operation.constant
        is_flag = module.item(operation.scope, operation.item).type == "bool"
        if operation.verb == "set" and is_flag and operation.constant in (0, 1):
            amount = bool(operation.constant)
        verbs.setdefault(operation.verb, {})[f"{operation.scope}.{operation.item}"] = amount
    description = resolved.description if described else None
    return schema.Update(description=description, args=args, **verbs)


def _scope(module: ir.Module, resolved: ir.Scope, usual: ir.Sync, reset: bool) -> schema.Scope:
    default = defaults.scope_description(resolved.name)
    indexed = resolved.maxima and resolved.storage is not ir.Storage.EMBEDDED
    groups = {
        kind.plural: {entry.name: item(entry) for entry in resolved.items if entry.kind is kind}
        for kind in Kind
    }
    grouped = [name for group in groups.values() for name in group]
    names = [entry.name for entry in resolved.items]
    table = _filled(schema_snmp.ScopeSnmp, resolved.snmp, cap=resolved.snmp.cap or None)
    return schema.Scope(
        description=None if resolved.description == default else resolved.description,
        max=resolved.maxima[-1] if indexed else None,
        parent=resolved.path[-2] if len(resolved.path) > 1 else None,
        storage=resolved.storage.value,
        sync=None if resolved.sync == usual else _sync(resolved.sync),
        reset=None if resolved.reset == reset else resolved.reset,
        requires=_requires(resolved.requires, replace(module.requires, memory=None)),
        index=[_index(index) for index in resolved.snmp.index] or None,
        augments=resolved.snmp.augments or None,
        renamed_from=resolved.renamed_from or None,
        snmp=table if plain(table) else None,
        order=[] if names == grouped else names,
        **groups,
    )


def item(resolved: ir.Item) -> Any:
    """A counter, gauge or state of a schema."""
    model = get_args(schema.Scope.model_fields[resolved.kind.plural].annotation)[1]
    snmp = resolved.snmp
    if snmp is not None:
        snmp = _filled(schema_snmp.ItemSnmp, snmp, labels=dict(snmp.labels))
    return _filled(
        model, resolved, min=resolved.minimum, max=resolved.maximum, length=resolved.length or None,
        labels=_labels(resolved), snmp=snmp,
    )  # fmt: skip


def _labels(resolved: ir.Item | ir.Convention) -> dict[str, int]:
    return {label.name: label.value for label in resolved.labels}


def snmp(resolved: ir.Snmp, module: str) -> schema_snmp.Snmp:
    """The MIB module of a schema; `module` is the name of that. What it says is not validated."""
    usual = smi.module_name(module)
    arc = [int(number) for number in resolved.oid.split(".")[7:]]
    revisions = [_filled(schema_snmp.Revision, revision) for revision in resolved.revisions]
    written = [(r.date, r.description, r.draft) for r in resolved.revisions]
    initial = written == [(*defaults.INITIAL, False)]
    named = resolved.name == usual and resolved.identity == smi.identity(usual)
    types = {
        convention.name: _filled(schema_snmp.Convention, convention, labels=_labels(convention))
        for convention in resolved.types
    }
    values: dict[str, Any] = {
        "enterprise": resolved.enterprise,
        "arc": None if resolved.enterprise is None or arc == defaults.ARC else arc,
        "oid": resolved.oid if resolved.enterprise is None else None,
        "name": None if resolved.name == usual else resolved.name,
        "identity": None if named else resolved.identity or None,
        "organization": _stated(resolved.organization),
        "contact": _stated(resolved.contact),
        "revisions": None if initial else revisions or None,
        "low_capacity": resolved.low_capacity,
        "nodes": dict(resolved.nodes),
        "types": types,
    }
    return schema_snmp.Snmp.model_construct(**values)


def _stated(text: str) -> str | None:
    return None if text in ("", defaults.NOT_STATED) else text


def _index(resolved: ir.IndexObject) -> Any:
    name = f"{resolved.module}::{resolved.name}" if resolved.module else resolved.name
    index = plain(_filled(schema_snmp.Index, resolved, object=name))
    return index if len(index) > 1 else name


def _filled(model: type[Any], resolved: Any, **other: Any) -> Any:
    """A model with what a part of the module says under the names of its fields, or `other`."""
    values = {key: other.get(key, getattr(resolved, key, None)) for key in model.model_fields}
    return model(**{key: value for key, value in values.items() if value not in (None, "", {})})
