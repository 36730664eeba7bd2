# SPDX-License-Identifier: BSD-3-Clause
"""Rules about DPDK's metrics library, for schemas that ask for the backend `rte_metrics`."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from ..findings.diagnostics import Severity
from ..findings.rules import Finding
from ..model import ir, metrics_library
from ..resolve.place import Resolution
from .registry import repeated, rule, rule_of_each

BACKEND = "rte_metrics"


def _shares(r: Resolution) -> Iterator[tuple[Resolution, metrics_library.Share]]:
    if BACKEND in r.module.outputs:
        for share in metrics_library.shares(r.module):
            yield r, share


share_rule = rule_of_each(_shares)


@share_rule("The global scope fits DPDK's metrics library: 255 numbers.")
def metrics_limit(r: Resolution, share: metrics_library.Share) -> Iterator[Finding]:
    if share.left_out and share.scope.name == ir.GLOBAL:
        count, room = share.metrics, share.room
        message = f"'{share.scope.name}' has {count} metrics, and rte_metrics has room for {room}"
        hint = "move some to a scope: one that does not fit is left out"
        yield Finding(metrics_library.numbers(share.scope)[room].span, message, hint)


@share_rule("A name in DPDK's metrics library has at most 63 characters.")
def metrics_name(r: Resolution, share: metrics_library.Share) -> Iterator[Finding]:
    for item in metrics_library.numbers(share.scope) if not share.left_out else ():
        name = metrics_library.longest(r.module, share.scope, item)
        if len(name) > metrics_library.LONGEST:
            message = f"the name of a metric has {len(name)} characters: {name}"
            most = metrics_library.LONGEST
            yield Finding(item.span, message, f"rte_metrics has room for {most}: shorten a name")


@rule("No two numbers have one name in DPDK's metrics library.", Severity.WARNING)
def metrics_twice(r: Resolution) -> Iterator[Finding]:
    shares = metrics_library.shares(r.module) if BACKEND in r.module.outputs else ()
    fit = [share.scope for share in shares if not share.left_out]
    named = [one for scope in fit for one in metrics_library.names(r.module, scope)]
    seen: set[ir.Item] = set()
    for (name, item), (_, other) in repeated(named, itemgetter(0)):
        if item not in seen:
            seen.add(item)
            message = (
                f"'{item.scope}.{item.name}' and '{other.scope}.{other.name}' are both '{name}'"
            )
            yield Finding(item.span, f"{message} in rte_metrics", "rename one of them")


@share_rule("Scopes that do not fit DPDK's metrics library are left out of it.", Severity.WARNING)
def metrics_left_out(r: Resolution, share: metrics_library.Share) -> Iterator[Finding]:
    if share.left_out and share.scope.levels:
        message = f"'{share.scope.name}' is left out of rte_metrics: {share.left_out}"
        yield Finding(share.scope.span, message, "telemetry has all of it: docs/telemetry.md")
