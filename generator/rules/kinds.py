# SPDX-License-Identifier: BSD-3-Clause
"""Rules about the kinds of items that observe: what a kind may be asked, and where it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..findings.rules import Finding
from ..language.items import MODELS
from ..model import ir
from ..model.kinds import OBSERVED, VERBS
from ..resolve.place import Place, Resolution
from .registry import rule_of_each
from .updates import Operation, operation_rule


def _observing(r: Resolution) -> Iterator[tuple[ir.Item, Place, Any, ir.Scope, bool]]:
    for scope in r.module.scopes:
        for item in scope.items:
            place = r.place("item", scope.name, item.name)
            if item.kind.observes and not place.broken():
                yield item, place, place.entry(), scope, bool(r.module.views)


observing_rule = rule_of_each(_observing)


@observing_rule("A peak has a unit; that of a gauge has the unit and the width of the gauge.")
def peak_unit(
    peak: ir.Item, place: Place, entry: Any, scope: ir.Scope, views: bool
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


def _rules(kind: ir.Kind) -> None:
    """The rules that each kind has under a name of its own."""
    follows = ", or follows its gauge" if "of" in MODELS[kind].model_fields else ""
    noun = kind.noun.capitalize()

    @operation_rule(f"{noun} is observed{follows}.", rule_id=f"{kind.value}-change")
    def change(op: Operation) -> Iterator[Finding]:
        if op.item.kind is kind and op.verb not in kind.updates:
            message = f"{op.target} is {kind.noun} and cannot be {VERBS[op.verb]}"
            hint = f"change '{op.item.of}' instead" if op.item.of else "move it to `observe:`"
            yield Finding(op.key, message, hint)

    @observing_rule(
        f"{noun} is kept once: not for each view, and not in an object of the application's.",
        rule_id=f"{kind.value}-storage",
    )
    def storage(
        item: ir.Item, place: Place, entry: Any, scope: ir.Scope, views: bool
    ) -> Iterator[Finding]:
        if item.kind is not kind:
            return
        what = f"{kind.value} '{scope.name}.{item.name}'"
        if scope.storage is ir.Storage.EMBEDDED:
            message = f"{what} is in an embedded scope"
            yield Finding(place.key(), message, "keep it in a member of the object's own")
        elif scope.reset and views:
            message = f"{what} is in a module with views: a reset in one would take it from all"
            hint = "move it to a scope with `reset: false`, or to a module of its own"
            yield Finding(place.key(), message, hint)


for _kind in OBSERVED:
    _rules(_kind)
