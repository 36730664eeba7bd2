# SPDX-License-Identifier: BSD-3-Clause
"""What people see of names of a scope, as running applications tell it (`struct ctr_display`)."""

from __future__ import annotations

from collections.abc import Iterator

from .. import ir


def displays(module: ir.Module, scope: ir.Scope) -> Iterator[tuple[str, str]]:
    """Names of a scope with a text: `value INDEX LABEL`, `part INDEX PART LABEL`,
    `label ITEM LABEL`, `item NAME` or `metric NAME`, each with it."""
    for level in scope.levels:
        for name, text in zip(level.labels, level.texts, strict=False):
            yield f"value {level.dimension} {name}", text
        owner = module.scope(level.scope)
        for part in owner.key if level == owner.own[-1] else ():
            for label in (label for label in part.labels if label.text):
                yield f"part {level.dimension} {part.name} {label.name}", label.text
    items = [item for item in scope.items if not item.histogram]
    entries: list[ir.Item | ir.Histogram] = [*items, *scope.histograms]
    for entry in entries:
        if entry.display:
            yield f"item {entry.name}", entry.display
        if entry.metric:
            yield f"metric {entry.name}", entry.metric
    for item in items:
        for label in (label for label in item.labels if label.text):
            yield f"label {item.name} {label.name}", label.text
