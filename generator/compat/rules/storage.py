# SPDX-License-Identifier: BSD-3-Clause
"""Strategies and the storage behind them: what inline code in applications reaches into."""

from __future__ import annotations

from operator import attrgetter

from ...model import ir, layout
from ...strategies.catalogue import all_strategies
from ..model import ERROR, REBUILD, WARNING, changes
from ..pairs import Change, Changes, Comparison

Renames = dict[tuple[str, str], tuple[str, str]]
"""New (scope, name) of items by their old ones."""

Shape = list[tuple[str, list[tuple[str, int]], int]]
"""The parts of a scope's storage: name, members with their offsets, size."""


@changes(
    ("exactness-lost", ERROR, "c-abi semantics",
     "Counts were exact, and are now lost when threads update at the same time.",
     "Choose a strategy that is exact: `ctrgen strategies`."),
    ("promise-weakened", WARNING, "c-abi semantics",
     "The strategy promises less: consistent reads, readers that can be preempted, "
     "lossless resets, any thread, counts that are seen at once, or updates that never wait.",
     "State what you need under `requires`; the build then checks it."),
    ("strategy-changed", WARNING, "c-abi",
     "Inline updates of the old strategy do not work with the library of the new one.",
     "Rebuild what includes the header; the source code stays as it is."),
)  # fmt: skip
def strategies(c: Comparison) -> Changes:
    for old, new in c.scopes.pairs:
        if old.sync == new.sync or not (old.items and new.items):
            continue
        before, now = (
            all_strategies()[scope.sync.strategy].promised(dict(scope.sync.tunables))
            for scope in (old, new)
        )
        weaker = now.weaker_than(before)
        if "exact" in weaker:
            rule, message = "exactness-lost", f"scope '{new.name}' counted exactly under "
            message += f"{old.sync.strategy}; {new.sync.strategy} loses counts"
        elif weaker:
            was, is_now = dict(before), dict(now)
            what = ", ".join(f"{key} was {was[key]}, is {is_now[key]}" for key in weaker)
            rule, message = "promise-weakened", f"scope '{new.name}': {what}"
        else:
            rule, message = "strategy-changed", f"scope '{new.name}' was under "
            message += f"{_written(old.sync)}, is under {_written(new.sync)}"
        yield Change(rule, new.sync_span, new.name, message)


def _written(sync: ir.Sync) -> str:
    tunables = ", ".join(f"{key}: {value}" for key, value in sync.tunables)
    return f"{sync.strategy} ({tunables})" if tunables else sync.strategy


@changes(
    ("storage-layout", WARNING, "c-abi",
     "Items are stored elsewhere, and inline updates know where.", REBUILD),
)  # fmt: skip
def storage_layout(c: Comparison) -> Changes:
    before, now = _shapes(c.old, c.new_item), _shapes(c.new, {})
    for old, new in c.scopes.pairs:
        if before.get(old.name) != now.get(new.name) and _same_values(c, old, new):
            message = f"the items of scope '{new.name}' are stored in another order"
            hint = "what one update changes is stored together: an update has changed"
            yield Change("storage-layout", new.span, new.name, message, hint)


def _shapes(module: ir.Module, renames: Renames) -> dict[str, Shape]:
    def member(field: layout.Field) -> str:
        if field.item is None:
            return field.name
        return renames.get((field.item.scope, field.item.name), ("", field.name))[1]

    return {
        scope.scope.name: [
            (part.name, [(member(field), field.offset) for field in part.fields], part.size)
            for part in (scope.data, scope.offset, scope.base, scope.common)
            if part
        ]
        for domain in layout.domains(module)
        for scope in domain.scopes
    }


def _same_values(c: Comparison, old: ir.Scope, new: ir.Scope) -> bool:
    """Whether nothing but the storage can differ: other rules report all else."""
    shape = attrgetter("kind", "type", "width", "length", "stored")
    before = [(c.new_item.get((i.scope, i.name), ("", ""))[1], *shape(i)) for i in old.items]
    kept = attrgetter("sync", "reset", "reset_lcores", "storage")
    same = kept(old) == kept(new)
    return same and before == [(item.name, *shape(item)) for item in new.items]
