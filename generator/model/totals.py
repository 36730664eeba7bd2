# SPDX-License-Identifier: BSD-3-Clause
"""Bytes of the memory of a module, for given numbers of lcores and instances."""

from collections.abc import Mapping
from dataclasses import replace

from . import ir, keys, limits
from .layout import (
    CACHE_LINE,
    LINK,
    POINTER,
    RECALL,
    STATE,
    ScopeLayout,
    domains,
    round_up,
    shared_size,
)
from .strategies.catalogue import all_strategies
from .strategies.shape import SLOTS

BOOKKEEPING = 320
"""Bytes of `struct ctr_control`, of two numbers of drops, and of whether the module is in use."""

FORK = 40
"""Bytes of `struct ctr_module_fork`, which knows of the module when a process forks."""


def bytes_per_instance(layout: ScopeLayout) -> int:
    """Bytes of one element of a scope in one copy: counts and offsets."""
    return (layout.data.size if layout.data else 0) + (layout.offset.size if layout.offset else 0)


def footprint(module: ir.Module, lcores: int, existing: Mapping[str, int] | None = None) -> int:
    """Bytes of all statistics with `lcores` lcores in use, without embedded scopes and the
    allocator's overhead. Of dynamic scopes `existing` instances exist, or all."""
    total = BOOKKEEPING
    by_name = {part.scope.name: part for domain in domains(module) for part in domain.scopes}
    parts = [by_name[scope.name] for scope in module.scopes]
    for domain in domains(module):
        copies = domain.copies(lcores)
        size = domain.instance_size
        own = domain.strategy.own_copies
        apart = 0 if own else sum(len(limits.lent(part.scope.limits)) for part in domain.scopes)
        for layout in domain.scopes:
            count = layout.scope.instances
            total += STATE
            total += len(layout.scope.limits) * CACHE_LINE  # of reports
            if apart:
                total += _shares(layout, lcores, (existing or {}).get(layout.scope.name))
            if layout.scope.storage is ir.Storage.DYNAMIC:
                total += round_up(layout.chunks * POINTER, CACHE_LINE)  # of records
                total += round_up(count, max(layout.chunk, 512)) // 8  # bitmap of live instances
                count = min(count, (existing or {}).get(layout.scope.name, count))
                count = round_up(count, layout.chunk)
                size += bytes_per_instance(layout) * count
                total += layout.common.size * count if layout.common else 0
                total += LINK * (count // layout.chunk)
            if layout.scope.key:
                total += keys.memory(layout.scope.key, layout.scope.instances, count)
            records = layout.record_size * count
            if layout.scope.storage is ir.Storage.STATIC:
                records = round_up(records, CACHE_LINE)
            total += layout.torn_size + records
        if apart:
            total += SLOTS + round_up(apart * RECALL, CACHE_LINE) * lcores
        total += size * copies + domain.lcore_size * lcores
        if size or domain.lcore_size:
            total += domain.module_size
    total += round_up(FORK, CACHE_LINE)
    return total + shared_size([(part, part.common) for part in parts], 0)


def _shares(layout: ScopeLayout, lcores: int, existing: int | None) -> int:
    """Bytes of lcores' shares of the limits of a scope that are not in their instances."""
    scope, count, fixed = layout.scope, layout.scope.instances, STATE
    if scope.storage is ir.Storage.DYNAMIC:
        count = round_up(count if existing is None else min(count, existing), layout.chunk)
        fixed += layout.chunks * POINTER * (lcores + 1) + LINK * (count // layout.chunk)
    return len(limits.lent(scope.limits)) * (fixed + lcores * limits.SHARE * count)


def footprint_with(module: ir.Module, strategy: str, lcores: int) -> int:
    """`footprint` as if every scope that is not embedded used `strategy` with its defaults."""
    sync = ir.Sync(strategy, all_strategies()[strategy].settings())
    scopes = tuple(
        scope if scope.storage is ir.Storage.EMBEDDED else replace(scope, sync=sync)
        for scope in module.scopes
    )
    return footprint(replace(module, scopes=scopes), lcores)
