# SPDX-License-Identifier: BSD-3-Clause
"""Items that are gone, new, renamed, or mean something else."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Severity
from ...findings.rules import Finding
from ...model.naming import prometheus
from ..model import C_ABI, C_API, OID, PROMETHEUS, SEMANTICS, change
from ..pairs import Comparison, name_of, subject, was
from ..sequence import inserted, moved


@change(
    Severity.ERROR,
    "A counter, gauge or state is gone; its OID is never used again.",
    tags=(C_API, C_ABI, OID, PROMETHEUS),
    instead="Keep it for a release in which nothing counts there any more.",
)
def item_removed(c: Comparison) -> Iterator[Finding]:
    for _, scope in c.scopes.pairs:
        for item in c.items_of[scope.name].gone:
            message = f"{name_of(item)} ({was(item.span)}) is gone"
            hint = f"if it has a new name, say so there: `renamed_from: {item.name}`"
            yield Finding(scope.span, message, hint, part=subject(item))


@change(
    Severity.ERROR,
    "The name of an item is part of C names and of the metric; the OID stays.",
    tags=(C_API, C_ABI, PROMETHEUS),
    instead="Change the `description` instead, or rename together with the users.",
)
def item_renamed(c: Comparison) -> Iterator[Finding]:
    for old, new in c.items:
        if old.name != new.name:
            metrics = [
                prometheus.metric(module, module.scope(item.scope), item).name
                for module, item in ((c.old, old), (c.new, new))
            ]
            message = f"{name_of(old)} is now called '{new.name}'"
            hint = f"metric {metrics[0]} is now {metrics[1]}"
            yield c.item_finding(new, "renamed_from", message, hint)


@change(
    Severity.WARNING,
    "A new item stands before older ones, whose members in structs have moved.",
    tags=(C_ABI,),
    instead="Rebuild what includes the header; at the end of the scope nothing would move.",
)
def item_inserted(c: Comparison) -> Iterator[Finding]:
    for _, scope in c.scopes.pairs:
        for item in inserted(c.items_of[scope.name], scope.items)[0]:
            message = f"{name_of(item)} is new, and stands before older items"
            yield Finding(item.span, message, part=subject(item))


@change(
    Severity.WARNING,
    "A new item stands behind the others: the structs of the scope have grown.",
    tags=(C_ABI,),
    instead="Rebuild what includes the header.",
)
def item_appended(c: Comparison) -> Iterator[Finding]:
    for _, scope in c.scopes.pairs:
        for item in inserted(c.items_of[scope.name], scope.items)[1]:
            yield Finding(item.span, f"{name_of(item)} is new", part=subject(item))


@change(
    Severity.WARNING,
    "The order of items is that of members in the structs of the scope.",
    tags=(C_ABI,),
    instead="Rebuild what includes the header, or keep the order.",
)
def item_order(c: Comparison) -> Iterator[Finding]:
    for old_scope, new_scope in c.scopes.pairs:
        for old, new in moved(c.items_of[new_scope.name].pairs, old_scope.items):
            message = f"{name_of(new)} has moved within its scope ({was(old.span)})"
            yield Finding(new.span, message, part=subject(new))


@change(
    Severity.ERROR,
    "Counters, gauges and states have different functions, SMI types and metric types.",
    tags=(C_API, C_ABI, OID, SEMANTICS, PROMETHEUS),
    instead="Add an item of another name and keep this one for a while.",
)
def item_kind(c: Comparison) -> Iterator[Finding]:
    for old, new in c.items:
        if old.kind is not new.kind:
            message = f"'{subject(new)}' was a {old.kind.value}, is now a {new.kind.value}"
            yield Finding(new.span, message, part=subject(new))


@change(
    Severity.ERROR,
    "The width is the C type and the SMI type, and where a counter wraps around.",
    tags=(C_API, C_ABI, OID, SEMANTICS),
    instead="Add an item of another name; Counter32 and Counter64 are different objects.",
)
def item_width(c: Comparison) -> Iterator[Finding]:
    for old, new in c.items:
        same = old.kind is new.kind and new.kind.numeric
        if same and old.width != new.width:
            message = f"{name_of(new)} had {old.width} bits, now has {new.width}"
            yield c.item_finding(new, "width", message)


@change(
    Severity.ERROR,
    "The same number stands for another amount, and nothing that reads it can tell.",
    tags=(OID, SEMANTICS),
    instead="Add an item of another name and keep this one for a while.",
)
def item_unit(c: Comparison) -> Iterator[Finding]:
    for old, new in c.items:
        if old.unit and old.unit != new.unit:
            message = f"{name_of(new)} was in {old.unit}, is now in {new.unit or 'no unit'}"
            yield c.item_finding(new, "unit", message)


@change(
    Severity.ERROR,
    "Updates and readers rely on the bounds of a gauge; who scales by them is wrong.",
    tags=(SEMANTICS,),
    instead="Add an item of another name and keep this one for a while.",
)
def gauge_range(c: Comparison) -> Iterator[Finding]:
    for old, new in c.items:
        # Bounds that follow from the width change with it.
        written = (old.minimum, old.maximum) != (new.minimum, new.maximum)
        if old.kind is new.kind and written and old.range != new.range:
            (low, high), (least, most) = old.range, new.range
            message = f"{name_of(new)} was from {low} to {high}, is now from {least} to {most}"
            key = "max" if high != most else "min"
            yield c.item_finding(new, key, message)
