# SPDX-License-Identifier: BSD-3-Clause
"""Rules about limits: that a strategy can give them, and that something counts towards them."""

from collections.abc import Iterator

from ...findings.diagnostics import Severity
from ...findings.rules import Finding, Findings
from ...model import ir
from ...model.limits import MAX_INSTANCES
from ...model.strategies.catalogue import all_strategies
from ..resolve.place import Place, Resolution
from .registry import rule_of_each


@rule_of_each
def limit_rule(r: Resolution) -> Iterator[tuple[Resolution, ir.Scope, ir.Limit, Place]]:
    for scope in r.module.scopes:
        for limit in scope.limits:
            place = r.place("item", scope.name, limit.name)
            if not place.broken():
                yield r, scope, limit, place


@limit_rule("A limit of counters needs a strategy that promises `exact`.")
def limit_sync(r: Resolution, scope: ir.Scope, limit: ir.Limit, place: Place) -> Findings:
    strategy, what = all_strategies()[scope.sync.strategy], f"limit '{limit.name}'"
    if limit.gauge:
        return
    if not strategy.promised(dict(scope.sync.tunables)).exact:
        message = f"{what} is not possible under {strategy.name}, which does not promise `exact`"
        fit = (s for s in all_strategies().values() if scope.storage.value in s.storage)
        exact = [s.name for s in fit if s.promised({}).exact]
        hint = f"choose another strategy for '{scope.name}', such as {exact[0]}"
        yield Finding(place.key(), message, hint)


@limit_rule("A limit is of a scope with an index or of global, with at most 2^31 instances.")
def limit_scope(r: Resolution, scope: ir.Scope, limit: ir.Limit, place: Place) -> Findings:
    if scope.storage is ir.Storage.EMBEDDED:
        message = f"scope '{scope.name}' is embedded: no lcore finds shares of its objects"
        yield Finding(place.key(), message, "use `storage: dynamic`")
    elif scope.instances > MAX_INSTANCES:
        message = f"scope '{scope.name}' has {scope.instances:,} instances"
        yield Finding(place.key(), message, f"with limits at most {MAX_INSTANCES:,} are possible")


@limit_rule("At least one update counts towards a limit.", Severity.WARNING)
def limit_unused(r: Resolution, scope: ir.Scope, limit: ir.Limit, place: Place) -> Findings:
    every = (op for update in r.module.updates for op in update.operations)
    changed = {(op.scope, op.item) for op in every if op.verb == "add"}
    if limit.of and not any((scope.name, name) in changed for name in limit.of):
        message = f"no update adds to what '{scope.name}.{limit.name}' is of"
        yield Finding(place.key(), message, f"write `add: {{{scope.name}.{limit.of[0]}: ...}}`")
