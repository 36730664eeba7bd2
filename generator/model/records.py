# SPDX-License-Identifier: BSD-3-Clause
"""Records: one call of an update, as a strategy buffers it: a first word that identifies it, then
the indexes and arguments of its operations, the smallest first. It takes whole units and is never
split."""

from collections.abc import Iterable

from . import ir

UNIT = 16
"""Bytes of a unit (CTR_WB_BYTES in the runtime). An add to one item takes one."""
WHAT = 8
"""Bytes of the first word."""
INDEX = 4
SUM = 8


def size(members: Iterable[int]) -> int:
    """Bytes of a record with members of these sizes, as the C compiler lays it out."""
    end = WHAT
    for member in sorted(members):
        end = -(-end // member) * member + member
    return -(-end // WHAT) * WHAT


def units(members: Iterable[int]) -> int:
    """Units that such a record takes."""
    return -(-size(members) // UNIT)


def run(module: ir.Module, update: ir.Update, sync: ir.Sync) -> int:
    """Units of the largest record of an update: that of a run of calls, which holds sums; with
    observations, that of a call. 0 where nothing is buffered: no scope of that `sync` is touched,
    an item is set, or an embedded object is changed."""
    scopes = {s.name: s for s in module.scopes if s.sync == sync}
    operations = [
        op
        for op in update.operations
        if op.scope in scopes and not scopes[op.scope].is_once(module.item(op.scope, op.item))
    ]
    if not operations or any(op.verb == "set" for op in operations):
        return 0
    touched = [scopes[name] for name in dict.fromkeys(op.scope for op in operations)]
    if any(scope.storage is ir.Storage.EMBEDDED for scope in touched):
        return 0
    fixed = {(op.scope, level) for op in operations for level, _ in op.labels}
    indexes = {
        level for scope in touched for level in scope.path if (scope.name, level) not in fixed
    }
    roles = {op.role: op.scope for op in operations if op.role}
    count = len(indexes) + len(roles) - len(set(roles.values()))
    if any(op.single for op in update.operations):
        used = {op.observed or op.argument for op in operations}
        sizes = [a.value_type.width // 8 for a in update.arguments if a.name in used]
        # A list takes the place of its scope's index, behind its length.
        count += sum(most for scope, most in update.lists.items() if scope in scopes)
        return units([INDEX] * count + sizes)
    summed = {op.argument for op in operations if op.argument is not None}
    counts = any(op.argument is None for op in operations)
    dropped = any(scope.storage is ir.Storage.DYNAMIC for scope in touched)
    sums = len(summed) + (counts or dropped)
    return units([INDEX] * count + [SUM] * sums)


def largest(module: ir.Module, sync: ir.Sync) -> tuple[str, int]:
    """The update or histogram with the largest record under a `sync`, and its units: at least 1."""
    found = {update.name: run(module, update, sync) for update in module.updates}
    kept = (s for s in module.scopes if s.sync == sync and s.storage is not ir.Storage.EMBEDDED)
    for scope in kept:
        for histogram in scope.histograms:
            observed = units([INDEX] * len(scope.path) + [SUM])  # one value
            found.setdefault(f"{scope.name}.{histogram.name}", observed)
    name, most = max(found.items(), key=lambda pair: pair[1], default=("", 0))
    return name, max(1, most)
