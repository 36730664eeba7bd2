# SPDX-License-Identifier: BSD-3-Clause
"""Rules about resets: whose they are, and of what."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings.diagnostics import Severity, Span
from ..findings.rules import Finding
from ..model import ir
from ..model.naming import c, symbols
from ..resolve.place import Resolution
from ..strategies.catalogue import all_strategies
from .registry import rule


@rule("Views differ by more than case and underscores; `raw` and `default` are always there.")
def view_name(r: Resolution) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for number, name in enumerate(r.module.views):
        span, folded = r.top.raw.value_span(("views", number)), c.fold(name)
        if ("views", number) in r.top.broken or not c.IDENTIFIER.match(name):
            continue
        if folded in symbols.EVERY_VIEW:
            hint = f"leave it out: a module with views has '{folded}' beside them"
            yield Finding(span, f"'{name}' cannot be the name of a view", hint)
        elif folded in first:
            message = f"view '{name}' is already there as '{first[folded]}'"
            hint = "names must differ by more than case and underscores"
            yield Finding(span, message, hint if name != first[folded] else "name it once")
        first.setdefault(folded, name)


@rule("In a module with views something can be reset: a view is what has resets of its own.")
def view_reset(r: Resolution) -> Iterator[Finding]:
    if not r.module.views or ("views",) in r.top.broken:
        return
    scopes = [s for s in r.module.scopes if s.storage is not ir.Storage.EMBEDDED]
    counting = [s for s in scopes if any(item.kind.accumulates for item in s.stored)]
    if not any(scope.reset for scope in counting):
        what = "can be reset" if counting else "has counters outside of embedded objects"
        message = f"the module has views, but no scope {what}"
        hint = "say `reset: true`, or remove `views`" if counting else "remove `views`"
        yield Finding(r.top.raw.key_span(("views",)), message, hint)


@rule(
    "`reset: per_lcore` is for strategies with an instance for each lcore.",
    Severity.WARNING,
)
def reset_lcores(r: Resolution) -> Iterator[Finding]:
    useless: dict[Span, ir.Scope] = {}
    useful: set[Span] = set()
    for scope in r.module.scopes:
        if scope.reset_lcores:
            span = r.setting(scope, "reset")
            if _has_lcores(scope):
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


def _has_lcores(scope: ir.Scope) -> bool:
    one = scope.storage is ir.Storage.EMBEDDED
    return not one and all_strategies()[scope.sync.strategy].per_lcore
