# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of scopes and items: names, types and places, decided here once."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ...model import ir, layout
from ...model.lazy import cached_property
from ...model.naming import symbols
from ...model.naming.symbols import Names
from ...model.types import INT32
from ...strategies.catalogue import all_strategies
from .places import Places
from .sources import SourcesView

_INDEX = re.compile(r"\{(\w+)\}")

FEW = 8
"""So many counters of a scope are few."""


@dataclass(frozen=True)
class ItemView:
    """One item as C sees it."""

    ir: ir.Item
    scope: ScopeView
    part: str  # "data" or "common": where its word lives
    sym: Names
    constants: dict[str, str]  # of an enum, by label

    @cached_property
    def name(self) -> str:
        return self.ir.name

    @cached_property
    def accumulates(self) -> bool:
        return self.ir.kind.accumulates

    @cached_property
    def wide(self) -> bool:
        """Whether the item lives in a cell rather than in a word."""
        return self.ir.value_type.wide

    @property
    def string(self) -> bool:
        return self.ir.value_type.c == "char"

    @cached_property
    def bits(self) -> int:
        """Width of the word; gauges model a signed quantity of 64 bits. In the instance a counter
        may have a word of less: `word_bits`."""
        return layout.item_size(self.ir) * 8

    @property
    def word_bits(self) -> int:
        """Width of the word in an instance."""
        return self.scope.word_bits(self.bits) if self.accumulates else self.bits

    def within(self, element: str) -> str:
        """The lvalue of its word in any element struct of the scope."""
        if element.startswith("(*") and element.endswith(")"):
            return f"{element[2:-1]}->{self.name}"
        return f"{element}.{self.name}"

    @property
    def sum_place(self) -> str:
        """The lvalue of the word that a counter has in the common part, whatever was looked up."""
        return self.within(self.scope.common_lvalue)

    @cached_property
    def type(self) -> str:
        """C type of a value; of each octet of a wide one."""
        return self.ir.value_type.c or f"enum {self.sym.enum}"

    @cached_property
    def place(self) -> str:
        """The lvalue of the word, given `self` or what a look-up of the element gave."""
        scope = self.scope
        if self.part == "data":
            return self.within(scope.element)
        return self.within(f"(*{scope.common_pointer})" if scope.dynamic else scope.common_element)

    @cached_property
    def verbs(self) -> tuple[str, ...]:
        """What may be done to it by a call of its own."""
        return () if self.ir.of else self.ir.kind.updates

    @cached_property
    def gauge(self) -> ItemView | None:
        """The gauge that a peak is of."""
        return self.scope.by_name[self.ir.of] if self.ir.of else None

    @cached_property
    def marks(self) -> tuple[ItemView, ...]:
        """The peaks of a gauge."""
        return tuple(self.scope.by_name[mark.name] for mark in self.scope.ir.marks(self.ir))

    @property
    def limits(self) -> str:
        """Least and greatest value, as arguments of C."""
        low, high = self.ir.range
        if self.ir.value_type.signed:
            return f"{'INT32_MIN' if low == INT32[0] else low}, {high}"
        return f"{low}, {'UINT64_MAX' if high >= 2**64 - 1 else f'{high}u'}"

    @property
    def statistic(self) -> str:
        """What a device calls it, with the numbers of indexes in braces; empty for other items."""
        known = {level.dimension: n for n, level in enumerate(self.scope.ir.levels)}
        return _INDEX.sub(lambda name: f"{{{known[name[1]]}}}", self.ir.statistic)

    @cached_property
    def documented(self) -> str:
        """`session.pkts (packets)`: how comments name the item."""
        unit = f" ({self.ir.unit})" if self.ir.unit else ""
        return f"{self.scope.name}.{self.name}{unit}"


@dataclass(frozen=True)
class CounterView:
    """Any counter of a scope, as functions see it that serve all of one width."""

    scope: ScopeView
    bits: int
    part: str = "data"
    name: str = "ITEM"  # what macros that define its functions call it

    accumulates = True

    @property
    def word_bits(self) -> int:
        """Width of the word in an instance."""
        return self.scope.word_bits(self.bits)

    @cached_property
    def place(self) -> str:
        """The lvalue of the word at offset `member` of the data."""
        return self.within(self.scope.element)

    def within(self, element: str) -> str:
        """The lvalue of its word in any element that is laid out like the data."""
        return f"CTR_MEMBER(uint{self.word_bits}_t, {element}, member)"

    @property
    def sum_place(self) -> str:
        """The lvalue of its word in the common part, at offset `sum_member`."""
        return f"CTR_MEMBER(uint{self.bits}_t, {self.scope.common_lvalue}, sum_member)"


@dataclass(frozen=True)
class BucketView(CounterView):
    """The bucket of a histogram that a value is in; `name` is that of the first one, `number` the
    expression of its number."""

    number: str = "0"

    def within(self, element: str) -> str:
        """The lvalue of its word in any element that is laid out like the data."""
        return f"CTR_NTH(uint{self.word_bits}_t, {element}, {self.name}, {self.number})"

    @property
    def sum_place(self) -> str:
        """The lvalue of its word in the common part."""
        common = self.scope.common_lvalue
        return f"CTR_NTH(uint{self.bits}_t, {common}, {self.name}, {self.number})"


class Row(NamedTuple):
    """Counters of one width side by side in storage: the name of the first, and how many."""

    first: str
    bits: int
    length: int


@dataclass(frozen=True)
class HistogramView:
    """One histogram as C sees it."""

    ir: ir.Histogram
    scope: ScopeView
    sym: Names

    @property
    def name(self) -> str:
        return self.ir.name

    @property
    def documented(self) -> str:
        """`session.sizes (By)`: how comments name it."""
        return f"{self.scope.name}.{self.name} ({self.ir.unit})"

    def bucket(self, value: str) -> BucketView:
        """The counter of the bucket that an expression is in."""
        number = f"{self.sym.bucket}({value})"
        return BucketView(self.scope, 64, name=self.ir.buckets[0], number=number)

    @property
    def log2(self) -> tuple[int, int] | None:
        """Where bounds double: the power of two of the first, and how many there are."""
        bounds = self.ir.bounds
        return (bounds[0].bit_length() - 1, len(bounds)) if self.ir.doubling else None

    @property
    def bounds(self) -> list[str]:
        """Its bounds as constants of C."""
        return [f"UINT64_C({n})" if n >= 2**31 else f"{n}" for n in self.ir.bounds]

    @property
    def items(self) -> tuple[ItemView, ...]:
        """Its counters: the buckets, then the sum."""
        return tuple(self.scope.by_name[name] for name in self.ir.parts)

    @property
    def first_item(self) -> int:
        """The number of its first bucket among the items of the scope."""
        return [item.name for item in self.scope.items].index(self.ir.buckets[0])

    @property
    def parts(self) -> tuple[tuple[str, str], ...]:
        """Structs that hold the buckets one behind the other, with the bytes of each."""
        bits = self.scope.by_name[self.ir.buckets[0]].word_bits
        tiers = [(self.scope.data_type, bits // 8)]
        if self.scope.sums:
            tiers.append((self.scope.sym.common, 8))
        return tuple((struct, str(size)) for struct, size in tiers)


@dataclass(frozen=True)
class ScopeView(Places):
    """One scope as C sees it."""

    def at(self, constants: Mapping[str, str]) -> ScopeView:
        """The same in an update that fixes some of its indexes: constants by names of levels."""
        if not constants:
            return self
        indexes = tuple(
            constants.get(level, index)
            for level, index in zip(self.ir.path, self.indexes, strict=True)
        )
        return dataclasses.replace(
            self,
            indexes=indexes,
            limits=tuple((i, limit) for i, (_, limit) in zip(indexes, self.limits, strict=True)),
            fixed=frozenset(constants.values()),
            stem=self.index,
        )

    @cached_property
    def items(self) -> tuple[ItemView, ...]:
        """All items in schema order, which is the order of the value struct."""
        data = {f.name for f in self.layout.data.fields} if self.layout.data else set()
        return tuple(
            ItemView(
                item,
                self,
                "data" if item.name in data else "common",
                symbols.of_item(self.module, item),
                symbols.of_labels(self.module, item),
            )
            for item in self.ir.items
        )

    @cached_property
    def by_name(self) -> dict[str, ItemView]:
        return {item.name: item for item in self.items}

    @cached_property
    def histograms(self) -> tuple[HistogramView, ...]:
        return tuple(
            HistogramView(histogram, self, symbols.of_histogram(self.module, histogram))
            for histogram in self.ir.histograms
        )

    def histogram(self, name: str) -> HistogramView:
        """One of its histograms."""
        return next(histogram for histogram in self.histograms if histogram.name == name)

    @cached_property
    def counters(self) -> tuple[ItemView, ...]:
        return tuple(item for item in self.items if item.accumulates and item.ir.stored)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """Its counters in the order of storage: each by itself if there are few, else in rows."""
        most = 1 if len(self.counters) <= FEW else len(self.counters)
        rows: list[Row] = []
        end = -1
        for field in self.layout.data.fields if self.layout.data else ():
            if field.item is None or not field.item.kind.accumulates:
                continue
            bits = field.size * 8
            if rows and field.offset == end and rows[-1].bits == bits and rows[-1].length < most:
                rows[-1] = rows[-1]._replace(length=rows[-1].length + 1)
            else:
                rows.append(Row(field.name, bits, 1))
            end = field.offset + field.size
        return tuple(rows)

    def number_of(self, item: ItemView) -> int:
        """The number of a gauge, a peak or a state among what the library knows of them."""
        return (*self.commons, *self.instance_states).index(item)

    @cached_property
    def bases(self) -> dict[str, int]:
        """The offset of each counter in a baseline, in the order of storage."""
        end, found = 0, {}
        for field in self.layout.data.fields if self.layout.data else ():
            if field.item is not None and field.item.kind.accumulates:
                size = self.by_name[field.name].bits // 8
                found[field.name] = layout.round_up(end, size)
                end = found[field.name] + size
        return found

    @cached_property
    def others(self) -> tuple[ItemView, ...]:
        """Its gauges, peaks and states."""
        return tuple(item for item in self.items if not item.accumulates and item.ir.stored)

    @cached_property
    def sources(self) -> SourcesView | None:
        """Its items that are not stored."""
        return SourcesView(self.ir, self.items) if self.ir.sourced else None

    @cached_property
    def by_bits(self) -> dict[int, tuple[ItemView, ...]]:
        """Its counters by their width, narrow ones first."""
        widths = sorted({item.bits for item in self.counters})
        return {bits: tuple(i for i in self.counters if i.bits == bits) for bits in widths}

    @property
    def single_bits(self) -> tuple[int, ...]:
        """The widths that counters have which are no parts of histograms."""
        return tuple(sorted({item.bits for item in self.counters if not item.ir.histogram}))

    @cached_property
    def _word_bits(self) -> dict[int, int]:
        sizes = {f.name: f.size for f in self.layout.data.fields} if self.layout.data else {}
        return {bits: sizes[items[0].name] * 8 for bits, items in self.by_bits.items()}

    def word_bits(self, bits: int) -> int:
        """Width in an instance of the words of counters of that width."""
        return self._word_bits.get(bits, bits)

    @property
    def sums(self) -> bool:
        """Whether its counters have words in the common part beside those of the lcores."""
        return all_strategies()[self.ir.sync.strategy].sums and self.layout.data is not None

    def counter(self, bits: int) -> CounterView:
        """Any of its counters of that width."""
        return CounterView(self, bits)

    @cached_property
    def counting(self) -> Names:
        """What functions of its counters are called, up to the counter's name."""
        return symbols.counting(self.module, self.ir)

    @property
    def data_type(self) -> str:
        """The struct that holds an instance's counters."""
        return self.sym.embedded if self.embedded else self.sym.data

    @cached_property
    def instance_states(self) -> tuple[ItemView, ...]:
        """Gauges and states that live in the instance, beside the counters."""
        return tuple(item for item in self.others if item.part == "data")

    @cached_property
    def renewed(self) -> list[str]:
        """The kinds of what a reset takes beside counters."""
        return list(dict.fromkeys(i.ir.kind.plural for i in self.others if i.ir.kind.observes))

    @cached_property
    def commons(self) -> tuple[ItemView, ...]:
        """Gauges and states of which the module has one copy."""
        return tuple(item for item in self.others if item.part == "common")
