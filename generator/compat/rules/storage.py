# SPDX-License-Identifier: BSD-3-Clause
"""Strategies and the storage behind them: what inline code in applications reaches into."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Severity
from ...findings.rules import Finding
from ...model import ir, layout
from ...strategies.catalogue import all_strategies
from ..model import C_ABI, SEMANTICS, change
from ..pairs import Comparison


def weaker(old: ir.Sync, new: ir.Sync) -> list[str]:
    """The promises that the new strategy keeps less well than the old one."""
    before, now = (all_strategies()[sync.strategy].promises for sync in (old, new))
    return now.weaker_than(before)


def _changed(c: Comparison) -> Iterator[tuple[ir.Scope, ir.Scope, list[str]]]:
    """Scopes under another strategy, or other tunables, and what became weaker."""
    for old, new in c.scopes.pairs:
        if old.sync != new.sync:
            yield old, new, weaker(old.sync, new.sync)


@change(
    Severity.ERROR,
    "Counts were exact, and are now lost when threads update at the same time.",
    tags=(C_ABI, SEMANTICS),
    instead="Choose a strategy that is exact: `ctrgen strategies`.",
)
def exactness_lost(c: Comparison) -> Iterator[Finding]:
    for old, new, lost in _changed(c):
        if "exact" in lost:
            message = f"scope '{new.name}' counted exactly under {old.sync.strategy}; "
            message += f"{new.sync.strategy} loses counts"
            yield Finding(new.sync_span, message, part=new.name)


@change(
    Severity.WARNING,
    "The strategy promises less: consistent reads, readers that can be preempted, "
    "lossless resets, any thread, or counts that are seen at once.",
    tags=(C_ABI, SEMANTICS),
    instead="State what you need under `requires`; the build then checks it.",
)
def promise_weakened(c: Comparison) -> Iterator[Finding]:
    for old, new, lost in _changed(c):
        if lost and "exact" not in lost:
            before, now = (dict(all_strategies()[s.sync.strategy].promises) for s in (old, new))
            what = ", ".join(f"{key} was {before[key]}, is {now[key]}" for key in lost)
            yield Finding(new.sync_span, f"scope '{new.name}': {what}", part=new.name)


@change(
    Severity.WARNING,
    "Inline updates of the old strategy do not work with the library of the new one.",
    tags=(C_ABI,),
    instead="Rebuild what includes the header; the source code stays as it is.",
)
def strategy_changed(c: Comparison) -> Iterator[Finding]:
    for old, new, lost in _changed(c):
        if not lost:
            message = (
                f"scope '{new.name}' was under {_written(old.sync)}, is under {_written(new.sync)}"
            )
            yield Finding(new.sync_span, message, part=new.name)


def _written(sync: ir.Sync) -> str:
    tunables = ", ".join(f"{key}: {value}" for key, value in sync.tunables)
    return f"{sync.strategy} ({tunables})" if tunables else sync.strategy


Shape = tuple[tuple[str, tuple[tuple[str, int], ...], int], ...]
"""The parts of a scope's storage: name, members with their offsets, size."""


def _shapes(module: ir.Module, names: dict[tuple[str, str], tuple[str, str]]) -> dict[str, Shape]:
    shapes = {}
    for domain in layout.domains(module):
        for scope in domain.scopes:
            parts = (part for part in (scope.data, scope.offset, scope.common) if part)
            shapes[scope.scope.name] = tuple(
                (
                    part.name,
                    tuple((_member(field, names), field.offset) for field in part.fields),
                    part.size,
                )
                for part in parts
            )
    return shapes


def _member(field: layout.Field, names: dict[tuple[str, str], tuple[str, str]]) -> str:
    if field.item is None:
        return field.name
    return names.get((field.item.scope, field.item.name), ("", field.name))[1]


def _same_values(c: Comparison, old: ir.Scope, new: ir.Scope) -> bool:
    """Whether nothing but the storage can differ: other rules report all else."""

    def shape(item: ir.Item, name: str) -> tuple[object, ...]:
        return (name, item.kind, item.type, item.width, item.length)

    before = [
        shape(item, c.new_item.get((item.scope, item.name), ("", ""))[1]) for item in old.items
    ]
    same = (old.sync, old.reset, old.storage) == (new.sync, new.reset, new.storage)
    return same and before == [shape(item, item.name) for item in new.items]


@change(
    Severity.WARNING,
    "Items are stored elsewhere, and inline updates know where.",
    tags=(C_ABI,),
    instead="Rebuild what includes the header.",
)
def storage_layout(c: Comparison) -> Iterator[Finding]:
    before, now = _shapes(c.old, c.new_item), _shapes(c.new, {})
    for old, new in c.scopes.pairs:
        if before[old.name] != now[new.name] and _same_values(c, old, new):
            message = f"the items of scope '{new.name}' are stored in another order"
            hint = "what one update changes is stored together: an update has changed"
            yield Finding(new.span, message, hint, part=new.name)
