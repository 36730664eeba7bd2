# SPDX-License-Identifier: BSD-3-Clause
"""Items that are gone, new, renamed, or mean something else."""

from __future__ import annotations

from collections.abc import Iterator

from ...model import ir
from ...model.naming import prometheus
from ..model import C_ABI, C_API, OID, PROMETHEUS, SEMANTICS, Found, error, warning
from ..pairs import Comparison, name_of, subject, was
from ..sequence import inserted, moved


def _removed(c: Comparison) -> Iterator[Found]:
    for scope in c.new.scopes:
        for item in c.items_of[scope.name].gone if scope.name in c.items_of else ():
            message = f"{name_of(item)} ({was(item.span)}) is gone"
            hint = f"if it has a new name, say so there: `renamed_from: {item.name}`"
            yield Found(subject(item), scope.span, message, hint)


def _renamed(c: Comparison) -> Iterator[Found]:
    for old, new in c.items:
        if old.name != new.name:
            metrics = [
                prometheus.metric(module, module.scope(item.scope), item).name
                for module, item in ((c.old, old), (c.new, new))
            ]
            message = f"{name_of(old)} is now called '{new.name}'"
            hint = f"metric {metrics[0]} is now {metrics[1]}"
            yield Found(subject(new), c.item_at(new, "renamed_from"), message, hint)


def _inserted(c: Comparison) -> Iterator[Found]:
    for scope in c.new.scopes:
        if scope.name in c.items_of:
            for item in inserted(c.items_of[scope.name], scope.items)[0]:
                message = f"{name_of(item)} is new, and stands before older items"
                yield Found(subject(item), item.span, message)


def _appended(c: Comparison) -> Iterator[Found]:
    for scope in c.new.scopes:
        if scope.name in c.items_of:
            for item in inserted(c.items_of[scope.name], scope.items)[1]:
                yield Found(subject(item), item.span, f"{name_of(item)} is new")


def _order(c: Comparison) -> Iterator[Found]:
    for old_scope, new_scope in c.scopes.pairs:
        for old, new in moved(c.items_of[new_scope.name].pairs, old_scope.items):
            message = f"{name_of(new)} has moved within its scope ({was(old.span)})"
            yield Found(subject(new), new.span, message)


def _kind(c: Comparison) -> Iterator[Found]:
    for old, new in c.items:
        if old.kind is not new.kind:
            message = f"'{subject(new)}' was a {old.kind.value}, is now a {new.kind.value}"
            yield Found(subject(new), new.span, message)


def _width(c: Comparison) -> Iterator[Found]:
    for old, new in c.items:
        same = old.kind is new.kind and new.kind is not ir.Kind.STATE
        if same and old.width != new.width:
            message = f"{name_of(new)} had {old.width} bits, now has {new.width}"
            yield Found(subject(new), c.item_at(new, "width"), message)


def _unit(c: Comparison) -> Iterator[Found]:
    for old, new in c.items:
        if old.unit and old.unit != new.unit:
            message = f"{name_of(new)} was in {old.unit}, is now in {new.unit or 'no unit'}"
            yield Found(subject(new), c.item_at(new, "unit"), message)


def bounds(item: ir.Item) -> tuple[int, int]:
    """Least and greatest value of a gauge, as the generated C has them."""
    most = 2**32 - 1 if item.width == 32 else 2**63 - 1
    return item.minimum or 0, most if item.maximum is None else item.maximum


def _range(c: Comparison) -> Iterator[Found]:
    for old, new in c.items:
        # Bounds that follow from the width change with it.
        written = (old.minimum, old.maximum) != (new.minimum, new.maximum)
        gauges = old.kind is new.kind is ir.Kind.GAUGE
        if gauges and written and bounds(old) != bounds(new):
            (low, high), (least, most) = bounds(old), bounds(new)
            message = f"{name_of(new)} was from {low} to {high}, is now from {least} to {most}"
            key = "max" if high != most else "min"
            yield Found(subject(new), c.item_at(new, key), message)


RULES = (
    error(
        "item-removed",
        (C_API, C_ABI, OID, PROMETHEUS),
        _removed,
        "A counter, gauge or state is gone; its OID is never used again.",
        "Keep it for a release in which nothing counts there any more.",
    ),
    error(
        "item-renamed",
        (C_API, C_ABI, PROMETHEUS),
        _renamed,
        "The name of an item is part of C names and of the metric; the OID stays.",
        "Change the `description` instead, or rename together with the users.",
    ),
    warning(
        "item-inserted",
        (C_ABI,),
        _inserted,
        "A new item stands before older ones, whose members in structs have moved.",
        "Rebuild what includes the header; at the end of the scope nothing would move.",
    ),
    warning(
        "item-appended",
        (C_ABI,),
        _appended,
        "A new item stands behind the others: the structs of the scope have grown.",
        "Rebuild what includes the header.",
    ),
    warning(
        "item-order",
        (C_ABI,),
        _order,
        "The order of items is that of members in the structs of the scope.",
        "Rebuild what includes the header, or keep the order.",
    ),
    error(
        "item-kind",
        (C_API, C_ABI, OID, SEMANTICS, PROMETHEUS),
        _kind,
        "Counters, gauges and states have different functions, SMI types and metric types.",
        "Add an item of another name and keep this one for a while.",
    ),
    error(
        "item-width",
        (C_API, C_ABI, OID, SEMANTICS),
        _width,
        "The width is the C type and the SMI type, and where a counter wraps around.",
        "Add an item of another name; Counter32 and Counter64 are different objects.",
    ),
    error(
        "item-unit",
        (OID, SEMANTICS),
        _unit,
        "The same number stands for another amount, and nothing that reads it can tell.",
        "Add an item of another name and keep this one for a while.",
    ),
    error(
        "gauge-range",
        (SEMANTICS,),
        _range,
        "Updates and readers rely on the bounds of a gauge; who scales by them is wrong.",
        "Add an item of another name and keep this one for a while.",
    ),
)
