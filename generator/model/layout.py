# SPDX-License-Identifier: BSD-3-Clause
"""Where every item lives in memory, to the byte.

Scopes with equal `sync` form a domain: one strategy, one instance struct (one
per lcore under the per-core strategies). The items of a scope are split into
parts:

* `data`    what updates write, in the instance, with the lcore's shares of limits;
* `offset`  each lcore's counts at the last reset, in the cold half of its
            instance, with `reset: per_lcore`;
* `base`    the sums of the copies at the last reset, one for each view, on the
            control side: in the record of an instance;
* `common`  one copy for the module: gauges and states of strategies with an
            instance per lcore, peaks, gauges that have peaks, states wider than a
            word, and the words of counters that a strategy has in a `shared` tier too;
* `held`    an entry of an lcore's delta cache, under a strategy with such a cache.

A strategy declares the width of words, and the elements with lines of their own
(strategies/shape.py). An element of `data` that fits a cache line never straddles two; items that
one update writes together share a line where they fit one. Tables of chunks, which updates read,
share no line with words of the shared instance or of the common part. The generated header
asserts every size computed here.
"""

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from . import ir, limits
from .strategies.base import Value, applies
from .strategies.catalogue import Strategy, all_strategies
from .strategies.shape import Tier

CACHE_LINE = 64
POINTER = 8
RECALL = 4
"""Bytes of an instance for each limit: the first of the instances whose shares are recalled."""
CHUNK = 1024
"""Instances per piece of memory of a dynamic scope (fewer for smaller scopes)."""
LIFE = 16
"""Bytes at the head of the record of a dynamic scope's instance: its lifecycle state."""
STATE = 704
"""Bytes of what changes of a scope: struct ctr_table_state (runtime/include/ctr_table.h)."""
LINK = 16
"""Bytes at the end of the records of a chunk, used once it is unlinked."""
FIRST_LEVEL = 32 * 1024
"""Bytes of the smallest first-level data cache of the machines that DPDK runs on."""
FEW = 1024
"""Up to this number of instances, the common part of each has a cache line of its own."""


class Field(NamedTuple):
    """One member of a part: `offset` and `size` in bytes; with an `align`, which exceeds that of
    its size, it begins at a multiple of that."""

    name: str
    item: ir.Item | None
    offset: int
    size: int
    align: int = 0


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
    base: Part | None
    common: Part | None
    bases: int
    """Baselines of each instance."""
    held: int = 0
    """Entries of an lcore's delta cache; 0 without one."""
    held_size: int = 0
    """Bytes of each of them."""
    mortal: bool = False
    """Whether its instances begin and end: its own, or with those that they are inside of."""
    torn: bool = False
    """Whether bits mark torn baselines: a reset may fail to read consistent values."""

    @property
    def torn_size(self) -> int:
        """Bytes of these bits."""
        return self.bases * round_up(self.scope.instances, 64) // 8 if self.torn else 0

    @property
    def periodic(self) -> bool:
        """Whether there are resets, creations or ends that are atomic for readers."""
        return self.mortal or (self.scope.reset and self.scope.storage is ir.Storage.STATIC)

    @property
    def record_size(self) -> int:
        """Bytes that the control side keeps for each instance."""
        life = LIFE if self.scope.storage is ir.Storage.DYNAMIC else 0
        size = life + (self.bases * self.base.size if self.base else 0)
        return round_up(size, 8) if life else size

    @property
    def chunk(self) -> int:
        """Instances per chunk of a dynamic scope: a power of two. Where a constant of C says how
        many instances there are, there may be more of them than the schema knows."""
        least = 64 if any(level.symbol for level in self.scope.levels) else 1
        return min(CHUNK, max(least, _power_of_two(self.scope.instances)))

    @property
    def chunks(self) -> int:
        """Chunks that hold all instances of a dynamic scope."""
        return -(-self.scope.instances // self.chunk)


@dataclass(frozen=True, slots=True)
class Domain:
    """The scopes under one strategy with the same tunables. Sizes in bytes: of a shard, of
    the further memory of each lcore, and of the variables of the strategy. `held_size` is the delta
    cache in the memory of an lcore, `cpus` the most per-CPU shards (0: any number)."""

    sync: ir.Sync
    strategy: Strategy
    scopes: tuple[ScopeLayout, ...]
    instance_size: int
    lcore_size: int
    module_size: int
    held_size: int = 0
    cpus: int = 0

    def copies(self, lcores: int) -> int:
        """The number of shards with `lcores` lcores in use; by CPU, with that many CPUs."""
        if not self.strategy.per_lcore:
            return 1
        if self.strategy.by_cpu:
            return min(lcores, self.cpus or lcores) + 1
        return lcores + 1


def item_size(item: ir.Item) -> int:
    """Bytes an item takes in storage."""
    if item.value_type.wide:  # a cell of its own: a sequence count, then whole words
        return 8 + round_up(item.octets, 8)
    return item.kind.word or item.value_type.octets


def _power_of_two(n: int) -> int:
    return 1 << max(0, n - 1).bit_length()


def round_up(n: int, align: int) -> int:
    """The smallest multiple of `align` that is at least `n`."""
    return -(-n // align) * align


def _grouped(
    items: Iterable[ir.Item], updates: Iterable[list[str]], histograms: Iterable[ir.Histogram] = ()
) -> list[list[ir.Item]]:
    """Items in storage order: those an update writes together stand together; so do the buckets of
    a histogram, of which it writes one."""
    left = {item.name: item for item in items}
    buckets = [[left.pop(name) for name in h.buckets if name in left] for h in histograms]
    groups = []
    for names in updates:
        group = [left.pop(name) for name in names if name in left]
        if group:
            groups.append(sorted(group, key=item_size, reverse=True))
    groups.extend([item] for item in sorted(left.values(), key=item_size, reverse=True))
    groups.extend(group for group in buckets if group)
    return groups


class _Rules(NamedTuple):
    """How a strategy wants a part to be: `bits` of the words of counters of 64 bits if not 64."""

    bits: int = 0
    fresh: str = ""  # the item that begins a line
    limit: int = limits.ACCOUNT

    def size(self, item: ir.Item) -> int:
        """Bytes of the word of an item; of what remains of a limit, its account or a share."""
        if item.limit and not item.kind.accumulates:
            return self.limit
        size = item_size(item)
        wide = item.kind.accumulates and size == 8
        return self.bits // 8 if self.bits and wide else size


NO_RULES = _Rules()


def _part(
    name: str, lead: list[Field], groups: list[list[ir.Item]], packed: bool,
    rules: _Rules = NO_RULES,
) -> Part | None:  # fmt: skip
    """Lay out one part; `packed` means natural alignment (cold or embedded data)."""
    fields = list(lead)
    end = sum(field.size for field in lead)
    every_size = [[rules.size(item) for item in group] for group in groups]
    total = end + sum(map(sum, every_size))
    if total == 0:
        return None
    crowded = not packed and total > CACHE_LINE
    for group, sizes in zip(groups, every_size, strict=True):
        at, size = end % CACHE_LINE, sum(sizes)
        fresh = crowded and len(group) > 1 and size <= CACHE_LINE < at + size
        for n, (item, size) in enumerate(zip(group, sizes, strict=True)):
            begins = (fresh and n == 0) or item.name == rules.fresh
            align = CACHE_LINE if begins else 0
            end = round_up(end, align or min(8, size & -size))
            fields.append(Field(item.name, item, end, size, align))
            end += size
    natural = max(max(min(8, f.size & -f.size), f.align) for f in fields)
    align = natural if packed else max(natural, min(CACHE_LINE, _power_of_two(end)))
    return Part(name, tuple(fields), round_up(end, align), align)


def _bases(scope: ir.Scope, strategy: Strategy, views: int, mortal: bool) -> int:
    """Baselines of an instance: raw, default and each named view, or one; none where a reset takes
    the words themselves. Of an instance that ends the first is that of its generation."""
    if scope.storage is ir.Storage.EMBEDDED or not (scope.reset or mortal):
        return 0
    if views and scope.reset:
        return views + 2
    return 1 if strategy.per_lcore else 0


def _scope(module: ir.Module, scope: ir.Scope, updates: Iterable[list[str]]) -> ScopeLayout:
    strategy = all_strategies()[scope.sync.strategy]
    embedded = scope.storage is ir.Storage.EMBEDDED
    apart = strategy.per_lcore

    def in_common(item: ir.Item) -> bool:
        return not embedded and (scope.is_once(item) or (apart and not item.kind.accumulates))

    shown = {name for limit in scope.limits for name in limit.parts[1:]}
    stored = [i for i in scope.stored if i.kind.accumulates or i.name not in shown]
    lent = {limit.remaining for limit in limits.lent(scope.limits) if strategy.own_copies}
    in_data = [item for item in stored if not in_common(item) or item.name in lent]
    tier, tunables = strategy.main, dict(scope.sync.tunables)
    element = tier.element.count(tunables)
    lead = [Field("ctr_lead", None, 0, element)] if element else []
    rules = _Rules(tier.bits(tunables), limit=limits.SHARE)
    groups = _grouped(in_data, updates, scope.histograms)
    data = _part("data", lead if in_data else [], groups, packed=embedded, rules=rules)
    counters = [f.item for f in data.fields if f.item and f.item.kind.accumulates] if data else []
    mortal = scope.storage is ir.Storage.DYNAMIC or module.holder(scope) is not None
    bases = _bases(scope, strategy, len(module.views), mortal) if counters else 0
    base = _part("base", [], [[item] for item in counters], packed=True) if bases else None
    offsets = base and scope.reset_lcores and strategy.lcore_values
    offset = replace(base, name="offset") if base and offsets else None
    commons = [item for item in stored if strategy.sums or in_common(item)]
    common = _common(scope, commons)
    if common and apart and scope.path and scope.instances <= FEW:
        # Each instance's gauges are written by an lcore of its own more often than not.
        common = replace(common, size=round_up(common.size, CACHE_LINE), align=CACHE_LINE)
    held, size = _held(scope, strategy.held, data) if strategy.held else (0, 0)
    torn = bases > 0 and applies(strategy.may_fail, tunables)
    parts = (data, offset, base, common)
    return ScopeLayout(scope, *parts, bases, held, size, mortal, torn)


def _common(scope: ir.Scope, items: list[ir.Item]) -> Part | None:
    """The common part. Peaks that all lcores observe are read often and written rarely: they
    share no line with gauges."""
    items.sort(key=lambda item: (item.observed, -item_size(item)))
    peaks = [item.name for item in items if item.observed]
    alone = scope.path or len(peaks) in (0, len(items))
    rules = NO_RULES if alone else _Rules(fresh=peaks[0])
    return _part("common", [], [[item] for item in items], packed=True, rules=rules)


def _held(scope: ir.Scope, tier: Tier, data: Part | None) -> tuple[int, int]:
    counts = data is not None and any(f.item and f.item.kind.accumulates for f in data.fields)
    if data is None or not counts or tier.elements is None or scope.storage is ir.Storage.EMBEDDED:
        return 0, 0
    tunables = dict(scope.sync.tunables)
    lead = tier.element.count(tunables) if scope.levels else 0
    size = round_up(round_up(lead, data.align) + data.size, POINTER if lead else 1)
    return min(int(tunables[tier.elements]), scope.instances), size


def _append(end: int, layout: ScopeLayout, part: Part | None) -> int:
    """The end of a struct after a part of all instances; of a dynamic scope, after pointers."""
    if part is None or layout.scope.storage is ir.Storage.EMBEDDED:
        return end
    if layout.scope.storage is ir.Storage.DYNAMIC:
        return round_up(end, POINTER) + layout.chunks * POINTER
    return round_up(end, part.align) + part.size * layout.scope.instances


def tables_last(parts: Iterable[ScopeLayout]) -> list[ScopeLayout]:
    """Scopes in the order in which a struct has them that several lcores write: what updates only
    read, the tables of chunks, from a new cache line on, so that no store takes it from readers."""
    return sorted(parts, key=lambda part: part.scope.storage is ir.Storage.DYNAMIC)


def shared_size(parts: Iterable[tuple[ScopeLayout, Part | None]], header: int) -> int:
    """sizeof of a struct that several lcores write."""
    by_scope = {part.scope.name: data for part, data in parts if data}
    end, tables = header, False
    for layout in tables_last(part for part, data in parts if data):
        if layout.scope.storage is ir.Storage.DYNAMIC and not tables:
            end, tables = round_up(end, CACHE_LINE), True
        end = _append(end, layout, by_scope[layout.scope.name])
    return round_up(end, CACHE_LINE)


def _instance_size(scopes: Iterable[ScopeLayout], header: int, lent: int) -> int:
    """sizeof of an lcore's instance struct: header, data, what is recalled of limits `lent`, then
    offsets from a new cache line."""
    end = header
    for layout in scopes:
        end = _append(end, layout, layout.data)
    end = round_up(end, RECALL) + RECALL * lent
    static = [s for s in scopes if s.offset and s.scope.storage is ir.Storage.STATIC]
    end = round_up(end, CACHE_LINE) if static else end
    for layout in static:
        end = _append(end, layout, layout.offset)
    return round_up(end, CACHE_LINE)


def held_size(scopes: Iterable[ScopeLayout], tier: Tier, tunables: Mapping[str, Value]) -> int:
    """sizeof of the struct of an lcore's delta cache, for all scopes."""
    end = tier.header.count(tunables)
    for layout in scopes:
        if layout.held and layout.data:
            end = round_up(end, max(layout.data.align, POINTER)) + layout.held * layout.held_size
    return round_up(end, CACHE_LINE)


@functools.lru_cache(maxsize=32)
def domains(module: ir.Module) -> tuple[Domain, ...]:
    """The domains of a module, in the order in which its scopes first use them."""
    changed: dict[str, list[list[str]]] = {scope.name: [] for scope in module.scopes}
    for update in module.updates:
        items: dict[str, dict[str, None]] = {}
        for op in update.operations:
            items.setdefault(op.scope, {})[op.item] = None
        for scope in module.scopes:
            if written := items.get(scope.name):
                taken = [x.remaining for x in limits.lent(scope.limits) if written.keys() & {*x.of}]
                changed[scope.name].append([*written, *taken])
    by_sync: dict[ir.Sync, list[ScopeLayout]] = {}
    for scope in module.scopes:
        layout = _scope(module, scope, changed[scope.name])
        by_sync.setdefault(scope.sync, []).append(layout)
    result = []
    for sync, scopes in by_sync.items():
        strategy, tunables = all_strategies()[sync.strategy], dict(sync.tunables)
        header = strategy.main.header.count(tunables)
        alone = [(scope, scope.data) for scope in scopes]
        per_lcore = strategy.per_lcore
        lent = sum(len(limits.lent(s.scope.limits)) for s in scopes if strategy.own_copies)
        size = _instance_size(scopes, header, lent) if per_lcore else shared_size(alone, header)
        held = held_size(scopes, strategy.held, tunables) if strategy.held else 0
        lcore, once = strategy.shape.outside(tunables, per_lcore or strategy.slots)
        cpus = int(tunables[strategy.main.cpus]) if strategy.main.cpus else 0
        result.append(Domain(sync, strategy, tuple(scopes), size, lcore + held, once, held, cpus))
    return tuple(result)
