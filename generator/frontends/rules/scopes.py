# SPDX-License-Identifier: BSD-3-Clause
"""Rules about scopes: how many instances there are, where they live, and how they are reset."""

from ...findings.diagnostics import Severity, Span
from ...findings.rules import Finding, Findings
from ...model import ir
from ...model.naming import c, symbols
from ...model.strategies.catalogue import all_strategies
from ..resolve import validate
from ..resolve.place import Place, Resolution
from ..resolve.resolve import MAX_LEVELS
from .registry import rule, rule_of_each


@rule("Views differ by more than case and underscores; `raw` and `default` are always there.")
def view_name(r: Resolution) -> Findings:
    first: dict[str, str] = {}
    for number, name in enumerate(r.module.views):
        span, folded = r.top.raw.value_span(("views", number)), c.fold(name)
        if ("views", number) in r.top.broken or not c.IDENTIFIER.match(name):
            continue
        if folded in symbols.EVERY_VIEW:
            hint = f"remove it: every module with views has '{folded}'"
            yield Finding(span, f"'{name}' cannot be the name of a view", hint)
        elif folded in first:
            message = f"view '{name}' already exists as '{first[folded]}'"
            hint = "names must differ by more than case and underscores"
            yield Finding(span, message, hint if name != first[folded] else "name it once")
        first.setdefault(folded, name)


@rule("In a module with views something can be reset: a view is what has resets of its own.")
def view_reset(r: Resolution) -> Findings:
    if not r.module.views or ("views",) in r.top.broken:
        return
    scopes = [s for s in r.module.scopes if s.storage is not ir.Storage.EMBEDDED]
    counting = [s for s in scopes if any(item.kind.accumulates for item in s.stored)]
    if not any(scope.reset for scope in counting):
        what = "can be reset" if counting else "has counters outside of embedded objects"
        message = f"the module has views, but no scope {what}"
        hint = "say `reset: true`, or remove `views`" if counting else "remove `views`"
        yield Finding(r.top.raw.key_span(("views",)), message, hint)


@rule("`reset: per_lcore` is for strategies with an instance for each lcore.", Severity.WARNING)
def reset_lcores(r: Resolution) -> Findings:
    useless: dict[Span, ir.Scope] = {}
    useful: set[Span] = set()
    for scope in r.module.scopes:
        if scope.reset_lcores:
            span = r.setting(scope, "reset")
            embedded = scope.storage is ir.Storage.EMBEDDED
            if not embedded and all_strategies()[scope.sync.strategy].per_lcore:
                useful.add(span)
            else:
                useless.setdefault(span, scope)
    for span, scope in useless.items():
        if span in useful:  # of the module: it is for those scopes that have lcores
            continue
        why = f"strategy '{scope.sync.strategy}' has one instance"
        if scope.storage is ir.Storage.EMBEDDED:
            why = "embedded objects have one instance"
        message = f"values of one lcore cannot be reset: {why} for all lcores"
        yield Finding(span, message, "write `reset: true`, or choose a strategy that is per lcore")


NOT_OF_AN_INDEX = ("storage", "sync", "reset", "requires", "order", "augments", "snmp", "key")
"""Keys that say how items are kept and shown."""

scope_rule = rule_of_each(lambda r: ((s, r.place("scope", s.name)) for s in r.module.every_scope))


@rule("A module has at least one scope.")
def no_scopes(r: Resolution) -> Findings:
    lost = any(validate.is_lost(path, "") for path in r.top.lost)
    if not r.module.every_scope and not lost and not r.incomplete:
        hint = "add `scopes:` with `global:` in it"
        yield Finding(r.module.span, "the module has no scopes", hint)


@rule("A scope has at least one counter, gauge or state, or scopes inside of it.")
def empty_scope(r: Resolution) -> Findings:
    for scope in r.module.scopes:
        place = r.place("scope", scope.name)
        uses = place.part.model.scopes[scope.name].use  # their errors are reported already
        if not scope.items and not place.broken() and not uses:
            message = f"scope '{scope.name}' has no counters, gauges or states"
            yield Finding(scope.span, message, "add some, or remove the scope")


@rule("A scope without items only gives an index: no storage, strategy, resets or table.")
def index_scope(r: Resolution) -> Findings:
    for scope in r.module.parents:
        place = r.place("scope", scope.name)
        for key in NOT_OF_AN_INDEX if not place.broken() else ():
            if place.has(key):
                message = f"scope '{scope.name}' has no items, so '{key}' has no effect"
                hint = f"remove `{key}`, or add a counter, gauge or state"
                yield Finding(place.key(key), message, hint)
        for index in scope.snmp.index:
            if index.oid:
                message = f"scope '{scope.name}' has no items, and so no table for '{index.name}'"
                hint = "remove its `oid`, or add a counter, gauge or state"
                yield Finding(place.key("index"), message, hint)


@scope_rule("A scope with an index says how many instances there can be.")
def missing_max(scope: ir.Scope, place: Place) -> Findings:
    indexed = scope.name != ir.GLOBAL and scope.storage is not ir.Storage.EMBEDDED
    if indexed and not place.has("max") and not place.has("labels") and not place.broken():
        message = f"scope '{scope.name}' has no 'max'"
        hint = "add `max:`, the largest number of instances, or `labels:`, their names"
        yield Finding(scope.span, message, hint)


@rule("A scope has 1 to 2^32-1 instances, nesting included.")  # of which validation reports, too
def cardinality(r: Resolution) -> Findings:
    for scope in r.module.scopes:
        if scope.instances > ir.MAX_INSTANCES and len(scope.path) > 1:
            key = "labels" if scope.labelled else "max"
            span = r.place("scope", scope.name).value(key)
            message = f"scope '{scope.name}' has {' * '.join(map(str, scope.maxima))} instances, "
            yield Finding(span, message + "more than 2^32-1", "lower `max` here or in a parent")


@scope_rule("Scopes nest at most 8 deep: each level is a parameter.")
def nesting(scope: ir.Scope, place: Place) -> Findings:
    if len(scope.path) > MAX_LEVELS:
        message = f"scope '{scope.name}' is more than {MAX_LEVELS} levels deep"
        key = "parent" if place.has("parent") else "labels"
        yield Finding(place.value(key), message, "each level is a parameter of every function")


@rule("`global` exists once: no max, no labels, no parent, static storage.")
def global_shape(r: Resolution) -> Findings:
    for place in r.globals:
        scope = place.part.model.scopes[ir.GLOBAL]
        for key in ("max", "labels", "parent"):
            written = getattr(scope, key) is not None or place.broken(key)
            if written and place.has(key):
                message = f"'global' exists once and takes no '{key}'"
                yield Finding(place.key(key), message, f"remove `{key}`, or rename the scope")
        if scope.storage != "static":
            message = f"'global' is always static, not {scope.storage}"
            yield Finding(place.value("storage"), message, "remove `storage`")


@scope_rule("Instances of an embedded scope are the application's: no max, no labels, no parent.")
def embedded_shape(scope: ir.Scope, place: Place) -> Findings:
    if scope.storage is not ir.Storage.EMBEDDED or scope.name == ir.GLOBAL:
        return
    for key in ("max", "labels", "parent"):
        if place.has(key):
            message = f"embedded scope '{scope.name}' takes no '{key}'"
            hint = "the application holds its instances"
            if key == "labels":
                hint += "; add an item for each label"
            yield Finding(place.key(key), message, hint)


@scope_rule("The strategy of a scope supports the scope's storage.")
def storage_strategy(scope: ir.Scope, place: Place) -> Findings:
    strategy = all_strategies()[scope.sync.strategy]
    storage = scope.storage.value
    if storage in strategy.storage or (scope.name == ir.GLOBAL and storage != "static"):
        return
    able = [s.name for s in all_strategies().values() if storage in s.storage]
    only = [s.name for s in all_strategies().values() if s.storage == (storage,)]
    hint = f"strategies that do: {', '.join(able)}"
    if only:
        hint = f"add `sync: {only[0]}` to the scope; {hint}"
    span = scope.sync_span if place.has("sync") else place.value("storage")
    if storage == "static" and not place.has("sync"):
        span = scope.span
    message = f"strategy '{strategy.name}' has no {storage} storage, as scope '{scope.name}' has"
    yield Finding(span, message, hint)
