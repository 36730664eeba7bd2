# SPDX-License-Identifier: BSD-3-Clause
"""Rules about peaks."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings.rules import Finding
from ..language import schema
from ..model import ir
from ..resolve.place import Place, Resolution
from .registry import rule_of_each


def _peaks(r: Resolution) -> Iterator[tuple[ir.Item, Place, schema.Peak, ir.Scope, bool]]:
    for scope in r.module.scopes:
        for item in scope.items:
            place = r.place("item", scope.name, item.name)
            if item.kind is ir.Kind.PEAK and not place.broken():
                yield item, place, place.entry(), scope, bool(r.module.views)


peak_rule = rule_of_each(_peaks)


@peak_rule("A peak has a unit; that of a gauge has the unit and the width of the gauge.")
def peak_unit(
    peak: ir.Item, place: Place, entry: schema.Peak, scope: ir.Scope, views: bool
) -> Iterator[Finding]:
    if not peak.of:
        if entry.unit is None:
            message = f"peak '{peak.name}' has no unit"
            yield Finding(place.key(), message, "add `unit:`, such as By, ns or packets")
        return
    for key, written, own in (("unit", entry.unit, peak.unit), ("width", entry.width, peak.width)):
        if written is not None and written != own:
            message = f"peak '{peak.name}' has another {key} than gauge '{peak.of}', which it is of"
            yield Finding(place.value(key), message, f"remove `{key}`")


@peak_rule("A peak is kept once: not for each view, and not in an object of the application's.")
def peak_storage(
    peak: ir.Item, place: Place, entry: schema.Peak, scope: ir.Scope, views: bool
) -> Iterator[Finding]:
    name = f"{scope.name}.{peak.name}"
    if scope.storage is ir.Storage.EMBEDDED:
        message = f"peak '{name}' is in an embedded scope"
        yield Finding(place.key(), message, "keep it in a member of the object's own")
    elif scope.reset and views:
        message = f"peak '{name}' is in a module with views: a reset in one would take it from all"
        hint = "move it to a scope with `reset: false`, or to a module of its own"
        yield Finding(place.key(), message, hint)
