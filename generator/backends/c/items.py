# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of scopes and items: names, types and places, decided here once."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from ...model import ir, layout
from ...model.layout import Part
from ...model.naming import symbols
from ...model.naming.symbols import Names
from ...strategies.catalogue import all_strategies
from .levels import LevelView


@dataclass(frozen=True)
class ItemView:
    """One item as C sees it."""

    ir: ir.Item
    scope: ScopeView
    part: str  # "data" or "common": where its word lives
    sym: Names
    constants: dict[str, str]  # of an enum, by label

    @functools.cached_property
    def name(self) -> str:
        return self.ir.name

    @functools.cached_property
    def accumulates(self) -> bool:
        return self.ir.kind.accumulates

    @functools.cached_property
    def wide(self) -> bool:
        """Whether the item lives in a cell rather than in a word."""
        return self.ir.value_type.wide

    @property
    def string(self) -> bool:
        return self.ir.value_type.c == "char"

    @functools.cached_property
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
        return f"{element}.{self.name}"

    @property
    def sum_place(self) -> str:
        """The lvalue of the word that a counter has in the common part, whatever was looked up."""
        return self.within(self.scope.common_lvalue)

    @functools.cached_property
    def type(self) -> str:
        """C type of a value; of each octet of a wide one."""
        return self.ir.value_type.c or f"enum {self.sym.enum}"

    @functools.cached_property
    def place(self) -> str:
        """The lvalue of the word, given `self` or what a look-up of the element gave."""
        scope = self.scope
        if self.part == "data":
            access = f"{scope.pointer}->" if scope.pointer else f"{scope.element}."
            return f"{access}{self.name}"
        if scope.dynamic:
            return f"{scope.common_pointer}->{self.name}"
        return f"{scope.common_element}.{self.name}"

    @functools.cached_property
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

    @functools.cached_property
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
class ScopeView:
    """One scope as C sees it."""

    module: ir.Module
    ir: ir.Scope
    layout: layout.ScopeLayout
    sym: Names
    member: Names  # what a snapshot has of it beside its values
    indexes: tuple[str, ...]  # index parameters, outermost first; an embedded object is one
    limits: tuple[tuple[str, str], ...]  # each index with the macro that bounds it
    commons_array: str  # the lvalue of the common parts of all instances
    own: tuple[LevelView, ...]  # the indexes that its parents do not have
    named: tuple[str, ...]  # for each index its table of labels or `NULL`; () without any

    @functools.cached_property
    def name(self) -> str:
        return self.ir.name

    @functools.cached_property
    def documented(self) -> str:
        """`the global scope` or `a session`: how comments name an instance."""
        return "the global scope" if self.is_global else f"a {self.name}"

    @functools.cached_property
    def is_global(self) -> bool:
        return self.ir.name == ir.GLOBAL

    @functools.cached_property
    def dynamic(self) -> bool:
        return self.ir.storage is ir.Storage.DYNAMIC

    @functools.cached_property
    def embedded(self) -> bool:
        return self.ir.storage is ir.Storage.EMBEDDED

    @functools.cached_property
    def index(self) -> str:
        """The index parameter of the scope's own level, or the pointer to the object."""
        return self.indexes[-1] if self.indexes else self.name

    @functools.cached_property
    def params(self) -> str:
        """Parameter list that names an instance, for writers; empty for global."""
        if self.embedded:
            return f"struct {self.sym.embedded} *{self.index}"
        return ", ".join(f"uint32_t {index}" for index in self.indexes)

    @property
    def read_params(self) -> str:
        return f"const {self.params}" if self.embedded else self.params

    @functools.cached_property
    def args(self) -> str:
        """Arguments that pass an instance on."""
        return ", ".join(self.indexes)

    @functools.cached_property
    def subscript(self) -> str:
        """`[port][queue]` for an element of a static array."""
        return "".join(f"[{index}]" for index in self.indexes)

    @functools.cached_property
    def dimensions(self) -> str:
        """`[EP_STATS_PORT_MAX][EP_STATS_QUEUE_MAX]`."""
        return "".join(f"[{maximum}]" for _, maximum in self.limits)

    @functools.cached_property
    def element(self) -> str:
        """The lvalue of an instance's data, given `self` (static) or a pointer from a look-up."""
        return f"(*{self.pointer})" if self.pointer else f"self->{self.name}{self.subscript}"

    @functools.cached_property
    def pointer(self) -> str:
        """The variable that points to an instance's data; empty for an element of an array."""
        if self.embedded:
            return self.index
        return f"{self.index}_data" if self.dynamic else ""

    @property
    def element_address(self) -> str:
        """A pointer to an instance's data in `self`; NULL where a dynamic one has no memory."""
        if self.dynamic:
            return f"{self.sym.find}(self, {self.args})"
        return f"&self->{self.name}{self.subscript}"

    @property
    def offset_member(self) -> str:
        """The member of an instance that holds its offsets."""
        return f"ctr_{self.name}_offset"

    @property
    def offset_element(self) -> str:
        """The lvalue of an instance's offsets in `self`."""
        return f"self->{self.offset_member}{self.subscript}"

    def chunk_at(self, struct: str, position: str = "at") -> str:
        """The lvalue of the pointer to the chunk with `position`, in `self->` or such."""
        return f"{struct}{self.name}[{position} / {self.layout.chunk}]"

    @property
    def common_pointer(self) -> str:
        """The variable that points to a dynamic instance's common part."""
        return f"{self.index}_common"

    @property
    def common_element(self) -> str:
        """The lvalue of an instance's common part in a static array."""
        return f"{self.commons_array}{self.subscript}"

    @property
    def common_address(self) -> str:
        """A pointer to an instance's common part; NULL where a dynamic one has no memory."""
        return f"{self.sym.find_common}({self.args})" if self.dynamic else f"&{self.common_element}"

    @property
    def common_lvalue(self) -> str:
        """The lvalue of an instance's common part, which exists."""
        return f"(*{self.common_address})" if self.dynamic else self.common_element

    @functools.cached_property
    def flat(self) -> str:
        """The indexes as one number: position in a table of all instances."""
        limits = self.limits
        if not limits:
            return "0"
        text = limits[0][0]
        for level, maximum in limits[1:]:
            text = (
                f"({text}) * {maximum} + {level}"
                if "*" in text
                else f"{text} * {maximum} + {level}"
            )
        return text

    def unflat(self, i: str) -> str:
        """The arguments for the instance at position `i` of a table of all instances."""
        parts = []
        rest = i
        for level, maximum in reversed(self.limits):
            last = level == self.limits[0][0]
            parts.append(rest if last else f"{rest} % {maximum}")
            rest = f"{rest} / {maximum}"
        return ", ".join(reversed(parts))

    @functools.cached_property
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

    @functools.cached_property
    def by_name(self) -> dict[str, ItemView]:
        return {item.name: item for item in self.items}

    @functools.cached_property
    def histograms(self) -> tuple[HistogramView, ...]:
        return tuple(
            HistogramView(histogram, self, symbols.of_histogram(self.module, histogram))
            for histogram in self.ir.histograms
        )

    def histogram(self, name: str) -> HistogramView:
        """One of its histograms."""
        return next(histogram for histogram in self.histograms if histogram.name == name)

    @functools.cached_property
    def counters(self) -> tuple[ItemView, ...]:
        return tuple(item for item in self.items if item.accumulates)

    @functools.cached_property
    def counter_bits(self) -> tuple[int, ...]:
        """The widths that its counters have."""
        return tuple(sorted({item.bits for item in self.counters}))

    @property
    def single_bits(self) -> tuple[int, ...]:
        """Those of counters that are no parts of histograms."""
        return tuple(sorted({item.bits for item in self.counters if not item.ir.histogram}))

    def word_bits(self, bits: int) -> int:
        """Width in an instance of the words of counters of that width."""
        sizes = {f.name: f.size for f in self.layout.data.fields} if self.layout.data else {}
        return next((sizes[i.name] * 8 for i in self.counters if i.bits == bits), bits)

    @property
    def sums(self) -> bool:
        """Whether its counters have words in the common part beside those of the lcores."""
        return all_strategies()[self.ir.sync.strategy].sums and self.layout.data is not None

    def counter(self, bits: int) -> CounterView:
        """Any of its counters of that width."""
        return CounterView(self, bits)

    @functools.cached_property
    def counting(self) -> Names:
        """What functions of its counters are called, up to the counter's name."""
        return symbols.counting(self.module, self.ir)

    @property
    def data_type(self) -> str:
        """The struct that holds an instance's counters."""
        return self.sym.embedded if self.embedded else self.sym.data

    @functools.cached_property
    def instance_states(self) -> tuple[ItemView, ...]:
        """Gauges and states that live in the instance, beside the counters."""
        return tuple(item for item in self.items if not item.accumulates and item.part == "data")

    @functools.cached_property
    def commons(self) -> tuple[ItemView, ...]:
        """Gauges and states of which the module has one copy."""
        return tuple(item for item in self.items if item.part == "common")

    @property
    def data(self) -> Part | None:
        return self.layout.data

    @property
    def worth_a_prefetch(self) -> bool:
        """Whether the data of all instances take more than the first-level cache holds."""
        if self.embedded or self.data is None:
            return False
        return self.data.size * self.ir.instances > layout.FIRST_LEVEL

    @property
    def offset(self) -> Part | None:
        return self.layout.offset

    @property
    def base(self) -> Part | None:
        return self.layout.base

    @property
    def views(self) -> bool:
        """Whether each view has a baseline."""
        return bool(self.module.views) and self.layout.bases > 1

    @property
    def record_address(self) -> str:
        """A pointer to what the control side keeps of an instance; NULL where a dynamic one has no
        memory."""
        if self.dynamic:
            return f"{self.sym.ledger_at}({self.flat})"
        return f"&{self.sym.ledgers}[{self.flat}]"

    @property
    def record(self) -> str:
        """The lvalue of what is kept of an instance; of a dynamic one by its local `record`."""
        return "record->" if self.dynamic else f"{self.record_address[1:]}."

    def base_at(self, record: str, view: str) -> str:
        """The lvalue of the baselines of an instance in a view; `record` ends with `->` or `.`."""
        return f"{record}base[{view if self.views else 0}]"

    def torn_at(self, view: str) -> str:
        """Which baselines of a view are of several moments."""
        return f"{self.sym.torn}[{view if self.views else 0}]"

    @property
    def outer_params(self) -> str:
        """Parameter list that names the instance that a new one lies in."""
        return ", ".join(f"uint32_t {index}" for index in self.indexes[:-1])

    @property
    def outer_position(self) -> str:
        """The position of the first one in that instance."""
        return self.flat.removesuffix(f" + {self.index}")

    @property
    def first_position(self) -> str:
        """The position of the first instance that exists; under the control lock."""
        return f"{self.sym.seek}(0)" if self.dynamic else "0"

    def next_position(self, at: str) -> str:
        """The position of the next one; likewise."""
        return f"{self.sym.seek}({at} + 1)" if self.dynamic else f"{at} + 1"

    @property
    def common(self) -> Part | None:
        return None if self.embedded else self.layout.common
