# SPDX-License-Identifier: BSD-3-Clause
"""Views of items and of scopes with items, for C templates: names, types, locations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from ...model import ir, layout
from ...model.kinds import Operation
from ...model.layout import Part
from ...model.naming import symbols
from ...model.types import INT32
from .scopes import IndexedScope, Listing, lvalue, member

_INDEX = re.compile(r"\{(\w+)\}")


class ItemView:
    """One item as C sees it; `part`, "data" or "common", is where its word lives."""

    number = ""  # of the bucket that it is (CounterView)

    def __init__(self, module: ir.Module, item: ir.Item, scope: ScopeView, part: str) -> None:
        self.ir, self.scope, self.part, self.name = item, scope, part, item.name
        self.sym = symbols.of_item(module, item)
        self.constants = symbols.of_labels(module, item)  # of an enum, by label
        self.accumulates, self.in_histogram = item.kind.accumulates, bool(item.histogram)
        self.wide = item.value_type.wide  # in a cell rather than in a word
        # Width of the word. In the instance a counter may have a word of less: `word_bits`.
        self.bits = layout.item_size(item) * 8
        # The C type of a value; of each octet of a wide one.
        self.type = item.value_type.c or f"enum {self.sym.enum}"
        self.documented = f"{scope.name}.{item.name}{f' ({item.unit})' if item.unit else ''}"
        # The limit whose rest or state it is.
        shown = [lim for lim in scope.ir.limits if lim.name == item.limit and not self.accumulates]
        self.limit = shown[0] if shown else None
        # Operations that have a call of their own for it.
        self.verbs = () if item.of or shown else item.kind.updates

    @property
    def word_bits(self) -> int:
        """Width of the word in an instance."""
        return self.scope.word_bits.get(self.bits, self.bits) if self.accumulates else self.bits

    def within(self, pointer: str) -> str:
        """The lvalue of its word in the struct of the scope that is at a pointer."""
        return member(pointer, self.name)

    @property
    def sum_place(self) -> str:
        """The lvalue of the word that a counter has in the common part, whatever was looked up."""
        return self.within(self.scope.common_address)

    @cached_property
    def place(self) -> str:
        """The lvalue of the word, given `self` or what a look-up of the element gave."""
        return self.within(self.scope.at_data if self.part == "data" else self.scope.at_common)

    @property
    def gauge(self) -> ItemView | None:
        """The gauge that a peak is of."""
        return self.scope.by_name[self.ir.of] if self.ir.of else None

    @cached_property
    def marks(self) -> tuple[ItemView, ...]:
        """The peaks of a gauge."""
        return tuple(self.scope.by_name[mark.name] for mark in self.scope.ir.marks(self.ir))

    @cached_property
    def operands(self) -> tuple[ItemView, ...]:
        """The items that a derived one is made of."""
        assert self.ir.derivation is not None
        return tuple(self.scope.by_name[name] for name in self.ir.derivation.operands)

    @property
    def limits(self) -> str:
        """Least and greatest value, as arguments of C."""
        low, high = self.ir.range
        if self.ir.value_type.signed:
            return f"{'INT32_MIN' if low == INT32[0] else low}, {high}"
        return f"{low}, {'UINT64_MAX' if high >= 2**64 - 1 else f'{high}u'}"

    @property
    def statistic(self) -> str:
        """Name of the device statistic, with index numbers in braces; empty for other items."""
        known = {level.dimension: n for n, level in enumerate(self.scope.ir.levels)}
        return _INDEX.sub(lambda name: f"{{{known[name[1]]}}}", self.ir.statistic)


class CounterView:
    """Any counter of a scope, as functions see it that serve all of one width; or, with the
    expression of its `number`, the bucket of a histogram whose first one is `name`."""

    accumulates, in_histogram, part = True, False, "data"

    def __init__(self, scope: ScopeView, bits: int, name: str = "ITEM", number: str = "") -> None:
        self.scope, self.bits, self.name, self.number = scope, bits, name, number
        self.word_bits = scope.word_bits.get(bits, bits)  # in an instance
        self.place = self.within(scope.at_data)

    def within(self, pointer: str) -> str:
        """The lvalue of its word in what is laid out like the data."""
        return self._word(self.word_bits, pointer, "member")

    @property
    def sum_place(self) -> str:
        """The lvalue of its word in the common part."""
        return self._word(self.bits, self.scope.common_address, "sum_member")

    def _word(self, bits: int, pointer: str, offset: str) -> str:
        if self.number:
            return f"CTR_NTH(uint{bits}_t, {lvalue(pointer)}, {self.name}, {self.number})"
        return f"CTR_MEMBER(uint{bits}_t, {lvalue(pointer)}, {offset})"


class HistogramView:
    """One histogram as C sees it."""

    def __init__(self, module: ir.Module, histogram: ir.Histogram, scope: ScopeView) -> None:
        self.ir, self.scope, self.name = histogram, scope, histogram.name
        self.sym = symbols.of_histogram(module, histogram)
        self.documented = f"{scope.name}.{self.name} ({histogram.unit})"
        bounds = histogram.bounds
        self.bounds = [f"UINT64_C({n})" if n >= 2**31 else f"{n}" for n in bounds]
        # Where bounds double: the power of two of the first, and how many there are.
        self.log2 = (bounds[0].bit_length() - 1, len(bounds)) if histogram.doubling else None
        # Its counters: the buckets, then the sum.
        self.items = tuple(scope.by_name[name] for name in histogram.parts)
        # Structs that hold the buckets one behind the other, with the bytes of each.
        self.parts = [(scope.data_type, self.items[0].word_bits // 8)]
        self.parts += [(scope.sym.common, 8)] if scope.sums else []

    def bucket(self, value: str) -> CounterView:
        """The counter of the bucket that an expression is in."""
        number = f"{self.sym.bucket}({value})"
        return CounterView(self.scope, 64, self.ir.buckets[0], number)


class SourcesView:
    """The items of a scope that are not stored."""

    def __init__(self, scope: ir.Scope, every: tuple[ItemView, ...]) -> None:
        self.items = [item for item in every if not item.ir.stored]
        self.devices = [item for item in self.items if item.ir.source.value == "device"]
        # Those that the application reports.
        self.provided = [item for item in self.items if item.ir.source.value == "callback"]
        self.queried = len(self.devices) + len(self.provided)
        named = {item.name: item for item in every}
        # Each behind those that it is made of.
        self.derived = [named[item.name] for item in scope.derived]
        derivations = [(item.name, item.ir.derivation) for item in self.derived]
        self.rates = [name for name, of in derivations if of and of.operation is Operation.RATE]


class ScopeView(IndexedScope):
    """One scope as C sees it, with its items, and a view of each of its limits (limits.py)."""

    acts: tuple[Any, ...] = ()

    def at(
        self, constants: Mapping[str, str], role: str = "", listing: Listing | None = None
    ) -> ScopeView:
        """The same in an update that fixes some of its indexes: constants by names of levels; that
        calls its own index `role`, or takes a list of these."""
        if not (constants or role or listing):
            return self
        changed = {**constants, self.name: role} if role else constants
        pairs = zip(self.ir.path, self.indexes, strict=True)
        indexes = tuple(changed.get(level, index) for level, index in pairs)
        fixed, stem = frozenset(constants.values()), role or self.index
        return ScopeView(self.module, self.layout, self.levels, indexes, fixed, stem, listing)

    @cached_property
    def items(self) -> tuple[ItemView, ...]:
        """All items in schema order, which is the order of the value struct."""
        data = {field.name for field in self.layout.data.fields} if self.layout.data else set()
        data -= {limit.remaining for limit in self.ir.limits}  # the account, not a share of it
        return tuple(
            ItemView(self.module, item, self, "data" if item.name in data else "common")
            for item in self.ir.items
        )

    @cached_property
    def by_name(self) -> dict[str, ItemView]:
        return {item.name: item for item in self.items}

    @cached_property
    def histograms(self) -> tuple[HistogramView, ...]:
        return tuple(HistogramView(self.module, each, self) for each in self.ir.histograms)

    def histogram(self, name: str) -> HistogramView:
        """One of its histograms."""
        return next(histogram for histogram in self.histograms if histogram.name == name)

    @cached_property
    def counters(self) -> tuple[ItemView, ...]:
        return tuple(item for item in self.items if item.accumulates and item.ir.stored)

    @cached_property
    def others(self) -> tuple[ItemView, ...]:
        """Its gauges, peaks and states."""
        return tuple(item for item in self.items if not item.accumulates and item.ir.stored)

    def number_of(self, item: ItemView) -> int:
        """The number of one of them among what the library knows, that in the common part first."""
        return sorted(self.others, key=lambda other: other.part == "data").index(item)

    @cached_property
    def sources(self) -> SourcesView | None:
        """Its items that are not stored."""
        return SourcesView(self.ir, self.items) if self.ir.sourced else None

    @cached_property
    def by_bits(self) -> dict[int, tuple[ItemView, ...]]:
        """Its counters by their width, narrow ones first."""
        widths = sorted({item.bits for item in self.counters})
        return {bits: tuple(i for i in self.counters if i.bits == bits) for bits in widths}

    @cached_property
    def word_bits(self) -> dict[int, int]:
        """Width in an instance of the words of its counters, by their width."""
        sizes = {f.name: f.size for f in self.layout.data.fields} if self.layout.data else {}
        return {bits: sizes[items[0].name] * 8 for bits, items in self.by_bits.items()}

    def counter(self, bits: int) -> CounterView:
        """Any of its counters of that width."""
        return CounterView(self, bits)

    def members(self, part: Part) -> list[tuple[str, list[str]]]:
        """The words of a part in storage: the C type of some in a row, and their names. A cell of
        several words has no type here."""
        found: list[tuple[str, list[str]]] = []
        for field in part.fields:
            if field.item is None:
                continue
            type_ = "" if field.item.value_type.wide else f"uint{field.size * 8}_t"
            if field.item.limit and not field.item.kind.accumulates:
                type_ = f"struct ctr_limit_{'share' if part.name == 'data' else 'account'}"
            if field.align > field.size and type_:
                align = f"CTR_ALIGNED({field.align})" if field.align != 64 else "CTR_CACHE_ALIGNED"
                found.append((f"{align} {type_}", [field.name]))
            elif found and type_ and found[-1][0] == type_:
                found[-1][1].append(field.name)
            else:
                found.append((type_, [field.name]))
        return found
