# SPDX-License-Identifier: BSD-3-Clause
"""A resolved module as the schema that it was resolved from: `resolve` the other way around."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Any, TypeVar, get_args

from pydantic import BaseModel

from ..language import defaults, schema, units
from ..language import snmp as schema_snmp
from ..language.items import MODELS, KeyPart
from ..language.notifications import Notification, NotificationSnmp, RateLimit
from ..language.snmp import ComplianceModule, Definitions, RefinedObject
from ..model import ir
from ..model.kinds import DERIVED, GROUPS, KINDS, OBSERVE, Operation
from ..model.naming import smi
from ..strategies.catalogue import all_strategies

Part = TypeVar("Part", bound=BaseModel)

_ORDERS = dict.fromkeys(
    [*MODELS.values(), schema.Derived],
    "type of keep labels length sum difference ratio rate window source statistic width unit "
    "min max display prometheus renamed_from snmp description",
) | {
    schema.Scope: "description parent max labels storage sync reset requires renamed_from augments "
    f"snmp index key {' '.join(GROUPS)} order",
    schema_snmp.Snmp: "enterprise arc name oid",
    schema_snmp.ScopeSnmp: "name oid table entry status implied cap serve",
    schema_snmp.Convention: "syntax labels description display_hint status",
}
"""The order of keys where it is not that of the model's fields."""


def plain(part: BaseModel, order: Iterable[str] = ()) -> dict[str, Any]:
    """Part of a schema as plain values, defaults left out; keys not in `order` come last."""
    values = {key: _plain(getattr(part, key)) for key in part.model_dump(exclude_defaults=True)}
    first = [key for key in order or _ORDERS.get(type(part), "").split() if key in values]
    return {key: values[key] for key in dict.fromkeys((*first, *values))}


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return plain(value)
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, list) else value


def module(resolved: ir.Module, *, items: bool = True) -> schema.Schema:
    """The schema of a module; its strategy is that of most scopes that have a table. Without
    `items`, only embedded scopes have some."""
    tables = [scope for scope in resolved.scopes if scope.storage is not ir.Storage.EMBEDDED]
    usual = Counter(scope.sync for scope in tables or resolved.scopes).most_common(1)[0][0]
    resets = [_reset(scope) for scope in resolved.scopes]
    reset = True if True in resets else max(resets, key=bool, default=False)
    return _filled(
        schema.Schema, resolved, ctrgen=1, module=resolved.name, sync=_sync(usual), reset=reset,
        requires=_requires(resolved.requires, ir.Requires()), views=list(resolved.views),
        outputs=list(resolved.outputs) or None,
        prometheus=_prometheus(resolved.scrape_interval),
        snmp=snmp(resolved.snmp, resolved.name),
        scopes={s.name: _scope(resolved, s, usual, reset, items) for s in resolved.every_scope},
        updates={update.name: _update(resolved, update) for update in resolved.updates},
        notifications={told.name: notification(resolved, told) for told in resolved.notifications},
    )  # fmt: skip


def _reset(resolved: ir.Scope) -> schema.Reset:
    return "per_lcore" if resolved.reset_lcores else resolved.reset


def _sync(resolved: ir.Sync) -> Any:
    """A strategy by its name, or with the tunables that have other values than their defaults."""
    usual = dict(all_strategies()[resolved.strategy].settings())
    changed = {name: value for name, value in resolved.tunables if usual[name] != value}
    return {"strategy": resolved.strategy, **changed} if changed else resolved.strategy


def _requires(resolved: ir.Requires, outer: ir.Requires) -> schema.Requires | None:
    """Needs beyond those of the module around a scope."""
    before = asdict(outer)
    changed = {k: v for k, v in asdict(resolved).items() if v is not None and v != before[k]}
    changed.pop("snapshots", None)  # a key of the module
    if "propagation_ns" in changed:
        changed["propagation"] = _shown(changed.pop("propagation_ns"), units.NANOSECONDS)
    if "memory" in changed:
        changed["memory"] = _shown(changed["memory"], units.OCTETS)
    return schema.Requires(**changed) if changed else None


def _shown(number: int, factors: dict[str, int]) -> str:
    """A number in the greatest unit in which it is a whole one."""
    unit = max((u for u, f in factors.items() if number % f == 0), key=factors.__getitem__)
    return f"{number // factors[unit]}{unit}"


def _prometheus(interval: int) -> schema.Prometheus | None:
    if interval == ir.Module.scrape_interval:
        return None
    return schema.Prometheus(scrape_interval=_seconds(interval))


def _seconds(number: int) -> str:
    return _shown(number * units.NANOSECONDS["s"], units.NANOSECONDS)


def _update(module: ir.Module, resolved: ir.Update) -> schema.Update:
    default = defaults.update_description(resolved.name)
    verbs: dict[str, Any] = {}
    for operation in resolved.operations:
        if operation.observed:  # the sum of the histogram says it
            continue
        amount: Any = operation.argument or operation.constant
        target = module.item(operation.scope, operation.item)
        if operation.verb == "set" and target.type == "bool" and operation.constant in (0, 1):
            amount = bool(operation.constant)
        verb = OBSERVE if target.histogram else operation.verb
        verbs.setdefault(verb, {})[operation.target] = amount
    return schema.Update(
        description=None if resolved.description == default else resolved.description,
        weight=resolved.weight,
        args={argument.name: argument.type for argument in resolved.arguments},
        **verbs,
    )


def notification(module: ir.Module, resolved: ir.Notification) -> Notification:
    """A notification of a schema."""
    item = module.item(resolved.scope, resolved.item)
    names = {label.value: label.name for label in item.labels}
    becomes: Any = [names.get(value, bool(value)) for value in resolved.values]
    limit = None
    if resolved.most:
        limit = RateLimit(count=resolved.most, within=_seconds(resolved.window))
    own: dict[str, Any] = {c.value: None for c in ir.Condition}
    own[resolved.condition.value] = resolved.threshold
    if resolved.condition is ir.Condition.BECOMES:
        own["becomes"] = becomes[0] if len(becomes) == 1 else becomes
    elif resolved.clear != resolved.threshold:
        own[resolved.condition.clears] = resolved.clear
    said = _filled(NotificationSnmp, resolved.snmp)
    values = _values(
        Notification, resolved, of=f"{resolved.scope}.{resolved.item}",
        lasts=_seconds(resolved.lasts) if resolved.lasts else None,
        every=_seconds(resolved.every),
        at_most=limit, carries=list(resolved.carries),
        snmp=said if plain(said) else None,
    )  # fmt: skip
    written = {key: value for key, value in own.items() if value is not None}
    return Notification(**{**values, **written})


def _scope(
    module: ir.Module, resolved: ir.Scope, usual: ir.Sync, reset: schema.Reset, items: bool
) -> schema.Scope:
    default = defaults.scope_description(resolved.name)
    embedded, bare = resolved.storage is ir.Storage.EMBEDDED, resolved in module.parents
    indexed = resolved.levels and not embedded and not resolved.labelled
    outer = [level.scope for level in resolved.levels if level.scope != resolved.name]
    shown = resolved.items if items or embedded else ()
    entries = [entry for entry in shown if not entry.histogram]
    groups = {
        group: {entry.name: item(entry) for entry in entries if entry.group == group}
        for group in (*KINDS, DERIVED)
    }
    histograms = {entry.name: _histogram(entry) for entry in resolved.histograms}
    derived = groups.pop(DERIVED)
    grouped = [name for group in (*groups.values(), histograms, derived) for name in group]
    names = list(resolved.entries) if shown else grouped
    table = _filled(schema_snmp.ScopeSnmp, resolved.snmp, cap=resolved.snmp.cap or None)
    return _filled(
        schema.Scope, resolved,
        description=None if resolved.description == default else resolved.description,
        max=_count(resolved.levels[-1]) if indexed else None,
        labels=_dimensions(resolved),
        parent=outer[-1] if outer else None,
        storage=resolved.storage.value,
        sync=None if bare or resolved.sync == usual else _sync(resolved.sync),
        reset=None if bare or _reset(resolved) == reset else _reset(resolved),
        requires=_requires(resolved.requires, replace(module.requires, memory=None)),
        index=[_index(index) for index in resolved.snmp.index],
        augments=resolved.snmp.augments,
        key=[_key_part(part) for part in resolved.key],
        snmp=table if plain(table) else None,
        order=[] if names == grouped else names,
        histograms=histograms,
        derived=derived,
        **groups,
    )  # fmt: skip


def _key_part(part: ir.KeyPart) -> KeyPart:
    """A part of a key as the schema says it."""
    return _filled(KeyPart, part, length=part.length or None, labels=_labels(part))


def _count(level: ir.Level) -> int | schema.Symbolic:
    """The number of instances as the schema says it."""
    if not level.symbol:
        return level.maximum
    return schema.Symbolic(symbol=level.symbol, value=level.maximum, header=level.header)


def _dimensions(resolved: ir.Scope) -> Any:
    """The labels of a scope as the schema says them."""
    if not resolved.labelled:
        return []
    names = {
        level.dimension: dict(zip(level.labels, level.texts, strict=True))
        if level.texts
        else list(level.labels)
        for level in resolved.own
    }
    return names[resolved.name] if resolved.path[-1] == resolved.name else names


def _histogram(resolved: ir.Histogram) -> schema.Histogram:
    ends = {"min": resolved.bounds[0], "max": resolved.bounds[-1]}
    return _filled(
        schema.Histogram, resolved,
        bounds=None if resolved.log2 else list(resolved.bounds),
        log2=schema.Log2(**ends) if resolved.log2 else None,
        snmp=schema.HistogramSnmp(oids=list(resolved.oids)) if resolved.oids else None,
        prometheus=_metric(resolved),
    )  # fmt: skip


def _metric(resolved: ir.Item | ir.Histogram) -> schema.ItemPrometheus | None:
    return schema.ItemPrometheus(name=resolved.metric) if resolved.metric else None


def item(resolved: ir.Item) -> Any:
    """A counter, gauge, peak or state of a schema."""
    said = resolved.snmp
    snmp = said and _filled(schema_snmp.ItemSnmp, said, labels=dict(said.labels))
    own: dict[str, Any] = {"snmp": snmp, "prometheus": _metric(resolved)}
    if resolved.derivation:
        return _filled(schema.Derived, resolved, **own, **_derivation(resolved.derivation))
    own["source"] = None if resolved.stored else resolved.source.value
    if resolved.keeps:
        own["keep"] = "minimum" if resolved.least else "maximum"
        own["width"] = None if resolved.of or resolved.width == 64 else resolved.width
        own |= {"unit": None} if resolved.of else {}
    return _filled(
        MODELS[resolved.kind], resolved, min=resolved.minimum, max=resolved.maximum,
        length=resolved.length or None, labels=_labels(resolved), **own,
    )  # fmt: skip


def _derivation(said: ir.Derivation) -> dict[str, Any]:
    """What a derived item is, as the schema says it."""
    operation, operands = said.operation, list(said.operands)
    window = _seconds(said.window) if operation is Operation.RATE and said.window != 1 else None
    value: Any = operands
    if operation is Operation.RATIO:
        value = schema.Ratio(of=operands[0], to=operands[1], scale=said.scale)
    elif operation is Operation.RATE:
        value = operands[0]
    written = dict.fromkeys((one.value for one in Operation), None)
    return {**written, operation.value: value, "window": window}


def _labels(resolved: ir.Item | ir.Convention | ir.KeyPart) -> dict[str, Any]:
    """Labels by name: their numbers, with texts where they have some."""
    return {
        label.name: schema.ValueLabel(value=label.value, text=label.text)
        if label.text
        else label.value
        for label in resolved.labels
    }


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
    groups = {group.name: _filled(schema_snmp.Group, group) for group in resolved.groups}
    return schema_snmp.Snmp.model_construct(**_values(
        schema_snmp.Snmp, resolved, draft=not resolved.published,
        arc=None if resolved.enterprise is None or arc == defaults.ARC else arc,
        oid=resolved.oid if resolved.enterprise is None else None,
        name=None if resolved.name == usual else resolved.name,
        identity=None if named else resolved.identity,
        organization=_stated(resolved.organization),
        contact=_stated(resolved.contact),
        revisions=None if initial else revisions,
        nodes=_nodes(resolved),
        definitions=_definitions(resolved),
        types=types,
        groups=groups,
        comments=resolved.comments,
    ))  # fmt: skip


def _nodes(resolved: ir.Snmp) -> dict[str, Any]:
    """Nodes by their names, as OIDs or with what an OBJECT-IDENTITY says."""
    said = {one.name: one for one in resolved.identities}
    return {
        name: _filled(schema_snmp.Identity, said[name], oid=oid) if name in said else oid
        for name, oid in resolved.nodes
    }


def _definitions(resolved: ir.Snmp) -> Definitions | None:
    """Groups, compliances and notifications that the module has of its own."""
    if not resolved.definitions:
        return None
    found: dict[str, dict[str, Any]] = {key: {} for key in ir.DEFINITIONS.values()}
    for one in resolved.definitions:
        key = ir.DEFINITIONS[one.kind]
        found[key][one.name] = _filled(
            get_args(Definitions.model_fields[key].annotation)[1], one,
            objects=list(one.members), notifications=list(one.members),
            modules=[_compliance(part) for part in one.modules],
        )  # fmt: skip
    return Definitions(**found)


def _compliance(part: ir.ComplianceModule) -> ComplianceModule:
    return ComplianceModule(
        module=part.module or None,
        mandatory=list(part.mandatory),
        groups=dict(part.groups),
        objects={said.name: _filled(RefinedObject, said) for said in part.objects},
    )


def _stated(text: str) -> str:
    return "" if text == defaults.NOT_STATED else text


def _index(resolved: ir.IndexObject) -> Any:
    name = f"{resolved.module}::{resolved.name}" if resolved.module else resolved.name
    index = plain(_filled(schema_snmp.Index, resolved, object=name))
    return index if len(index) > 1 else name


def _filled(model: type[Part], resolved: Any, **other: Any) -> Part:
    return model(**_values(model, resolved, **other))


def _values(model: type[BaseModel], resolved: Any, **other: Any) -> dict[str, Any]:
    """What a part of the module says under the names of the fields of a model, or `other`."""
    values = {key: other.get(key, getattr(resolved, key, None)) for key in model.model_fields}
    return {key: value for key, value in values.items() if value not in (None, "", {}, [])}
