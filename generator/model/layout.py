# SPDX-License-Identifier: BSD-3-Clause
"""Where every item lives in memory, to the byte.

Scopes with equal `sync` form a domain: one strategy, one instance struct (one
per lcore under the per-core strategies). The items of a scope are split into
parts:

* `data`    what updates write, in the instance;
* `offset`  what resets write, in the cold half of the instance, for strategies
            that reset by offset;
* `common`  one copy for the module: gauges and states of strategies with an
            instance per lcore, states wider than a word, and whether an
            instance of a dynamic scope exists.

An element of `data` that fits a cache line never straddles two; items that one update writes
together share a line where they fit one. The generated header asserts every size computed here.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from ..strategies.catalogue import Strategy, all_strategies
from . import ir

CACHE_LINE = 64
POINTER = 8
BOOKKEEPING = 80
"""Bytes of a module's own lock, of its number of drops, and of whether it is in use."""
CHUNK = 1024
"""Instances per piece of memory of a dynamic scope (fewer for smaller scopes)."""
FIRST_LEVEL = 32 * 1024
"""Bytes of the smallest first-level data cache of the machines that DPDK runs on."""
FEW = 1024
"""Up to so many instances, what a module has once of each has a cache line of its own."""


class Field(NamedTuple):
    """One member of a part: `size` and `align` in bytes; `aligned` starts a cache line."""

    name: str
    item: ir.Item | None
    offset: int
    size: int
    aligned: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One element struct of a scope; `size` includes the padding to `align`."""

    name: str
    fields: tuple[Field, ...]
    size: int
    align: int


@dataclass(frozen=True, slots=True)
class ScopeLayout:
    """The parts of one scope; None where a part would be empty."""

    scope: ir.Scope
    data: Part | None
    offset: Part | None
    common: Part | None

    @property
    def chunk(self) -> int:
        """Instances per chunk of a dynamic scope: a power of two."""
        return min(CHUNK, _power_of_two(self.scope.instances))

    @property
    def chunks(self) -> int:
        """Chunks that hold all instances of a dynamic scope."""
        return -(-self.scope.instances // self.chunk)


@dataclass(frozen=True, slots=True)
class Domain:
    """The scopes under one strategy with the same tunables. Sizes in bytes: of an instance, of
    what each lcore has in addition, and of what the strategy itself has once."""

    sync: ir.Sync
    strategy: Strategy
    scopes: tuple[ScopeLayout, ...]
    instance_size: int
    lcore_size: int
    module_size: int


def item_size(item: ir.Item) -> int:
    """Bytes an item takes in storage."""
    if item.value_type.wide:  # a cell of its own: a sequence count, then whole words
        return 8 + _round_up(item.octets, 8)
    return item.kind.word or item.value_type.octets


def _power_of_two(n: int) -> int:
    return 1 << max(0, n - 1).bit_length()


def _round_up(n: int, align: int) -> int:
    return -(-n // align) * align


def _grouped(items: Iterable[ir.Item], updates: Iterable[list[str]]) -> list[list[ir.Item]]:
    """Items in storage order: those an update writes together stand together."""
    left = {item.name: item for item in items}
    groups = []
    for names in updates:
        group = [left.pop(name) for name in names if name in left]
        if group:
            groups.append(sorted(group, key=item_size, reverse=True))
    groups.extend([item] for item in sorted(left.values(), key=item_size, reverse=True))
    return groups


def _part(name: str, lead: list[Field], groups: list[list[ir.Item]], packed: bool) -> Part | None:
    """Lay out one part; `packed` means natural alignment (cold or embedded data)."""
    fields = list(lead)
    end = sum(field.size for field in lead)
    total = end + sum(item_size(item) for group in groups for item in group)
    if total == 0:
        return None
    crowded = not packed and total > CACHE_LINE
    for group in groups:
        sizes = [item_size(item) for item in group]
        at, size = end % CACHE_LINE, sum(sizes)
        fresh = crowded and len(group) > 1 and size <= CACHE_LINE < at + size
        if fresh:
            end = _round_up(end, CACHE_LINE)
        for n, (item, size) in enumerate(zip(group, sizes, strict=True)):
            end = _round_up(end, 8 if item.value_type.wide else size)
            fields.append(Field(item.name, item, end, size, fresh and n == 0))
            end += size
    natural = 8 if any(f.size % 8 == 0 for f in fields) else 4
    align = natural if packed else max(natural, min(CACHE_LINE, _power_of_two(end)))
    return Part(name, tuple(fields), _round_up(end, align), align)


def _scope(scope: ir.Scope, updates: Iterable[list[str]]) -> ScopeLayout:
    """The layout of a scope, of which each update changes some items."""
    strategy = all_strategies()[scope.sync.strategy]
    embedded = scope.storage is ir.Storage.EMBEDDED
    apart = strategy.per_lcore

    def in_common(item: ir.Item) -> bool:
        return not embedded and (item.value_type.wide or (apart and not item.kind.accumulates))

    in_data = [item for item in scope.items if not in_common(item)]
    element = strategy.layout.element.count(dict(scope.sync.tunables))
    lead = [Field("lock", None, 0, element)] if element else []
    data = _part("data", lead if in_data else [], _grouped(in_data, updates), packed=embedded)
    dynamic = scope.storage is ir.Storage.DYNAMIC  # a recycled instance starts at 0
    offset = None
    if strategy.layout.offsets and data is not None and (scope.reset or dynamic):
        counters = [f.item for f in data.fields if f.item and f.item.kind.accumulates]
        offset = _part("offset", [], [[item] for item in counters], packed=True)
    live = [Field("live", None, 0, 4)] if dynamic else []
    commons = sorted((item for item in scope.items if in_common(item)), key=item_size, reverse=True)
    common = _part("common", live, [[item] for item in commons], packed=True)
    if common and commons and apart and scope.path and scope.instances <= FEW:
        # Each instance's gauges are written by an lcore of its own more often than not.
        size = _round_up(common.size, CACHE_LINE)
        common = replace(common, size=size, align=CACHE_LINE)
    return ScopeLayout(scope, data, offset, common)


def _append(end: int, layout: ScopeLayout, part: Part | None) -> int:
    """The end of a struct after a part of all instances; of a dynamic scope, after pointers."""
    if part is None or layout.scope.storage is ir.Storage.EMBEDDED:
        return end
    if layout.scope.storage is ir.Storage.DYNAMIC:
        return _round_up(end, POINTER) + layout.chunks * POINTER
    return _round_up(end, part.align) + part.size * layout.scope.instances


def _instance_size(scopes: Iterable[ScopeLayout], header: int) -> int:
    """sizeof of an instance struct: header, data, then offsets from a new cache line."""
    end = header
    for layout in scopes:
        end = _append(end, layout, layout.data)
    static = [s for s in scopes if s.offset and s.scope.storage is ir.Storage.STATIC]
    end = _round_up(end, CACHE_LINE) if static else end
    for layout in static:
        end = _append(end, layout, layout.offset)
    return _round_up(end, CACHE_LINE)


@functools.lru_cache(maxsize=32)
def domains(module: ir.Module) -> tuple[Domain, ...]:
    """The domains of a module, in the order in which its scopes first use them."""
    changed: dict[str, list[list[str]]] = {scope.name: [] for scope in module.scopes}
    for update in module.updates:
        items: dict[str, dict[str, None]] = {}
        for op in update.operations:
            items.setdefault(op.scope, {})[op.item] = None
        for name in items.keys() & changed:  # a module may be cut to one scope
            changed[name].append([*items[name]])
    by_sync: dict[ir.Sync, list[ScopeLayout]] = {}
    for scope in module.scopes:
        by_sync.setdefault(scope.sync, []).append(_scope(scope, changed[scope.name]))
    result = []
    for sync, scopes in by_sync.items():
        strategy, tunables = all_strategies()[sync.strategy], dict(sync.tunables)
        needs = strategy.layout
        size = _instance_size(scopes, needs.header.count(tunables))
        lcore, once = needs.lcore.count(tunables), needs.module.count(tunables)
        result.append(Domain(sync, strategy, tuple(scopes), size, lcore, once))
    return tuple(result)


def bytes_per_instance(layout: ScopeLayout) -> int:
    """Bytes of one element of a scope in one copy: counts and offsets."""
    return (layout.data.size if layout.data else 0) + (layout.offset.size if layout.offset else 0)


def footprint(module: ir.Module, lcores: int, existing: Mapping[str, int] | None = None) -> int:
    """Bytes of all statistics with `lcores` lcores in use.

    Of dynamic scopes all instances exist, or as many, from the first on, as `existing`
    says. What the allocator adds, and embedded scopes, are not counted.
    """
    total, common = BOOKKEEPING, 0
    for domain in domains(module):
        copies = lcores + (module.writers == "any") if domain.strategy.per_lcore else 1
        size = domain.instance_size
        for layout in domain.scopes:
            if layout.scope.storage is not ir.Storage.EMBEDDED:
                total += POINTER  # of its table of resets
            if layout.scope.storage is ir.Storage.DYNAMIC:
                limit = layout.scope.instances
                count = min(limit, (existing or {}).get(layout.scope.name, limit))
                count = _round_up(count, layout.chunk)
                size += bytes_per_instance(layout) * count
                total += layout.common.size * count if layout.common else 0
            common = _append(common, layout, layout.common)
        total += size * copies + domain.lcore_size * lcores
        if size or domain.lcore_size:
            total += domain.module_size
    return total + _round_up(common, CACHE_LINE)


def footprint_with(module: ir.Module, strategy: str, lcores: int) -> int:
    """`footprint` as if every scope that is not embedded used `strategy` with its defaults."""
    sync = ir.Sync(strategy, all_strategies()[strategy].settings())
    scopes = tuple(
        scope if scope.storage is ir.Storage.EMBEDDED else replace(scope, sync=sync)
        for scope in module.scopes
    )
    return footprint(replace(module, scopes=scopes), lcores)
