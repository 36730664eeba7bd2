# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of items: names, types and places, decided here once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...model import ir, layout
from ...model.lazy import cached_property
from ...model.naming import symbols
from ...model.types import INT32

if TYPE_CHECKING:
    from .scopes import ScopeView

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
        self.string = item.value_type.c == "char"
        # Width of the word. In the instance a counter may have a word of less: `word_bits`.
        self.bits = layout.item_size(item) * 8
        # The C type of a value; of each octet of a wide one.
        self.type = item.value_type.c or f"enum {self.sym.enum}"
        self.documented = f"{scope.name}.{item.name}{f' ({item.unit})' if item.unit else ''}"

    @property
    def word_bits(self) -> int:
        """Width of the word in an instance."""
        return self.scope.word_bits.get(self.bits, self.bits) if self.accumulates else self.bits

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
    def place(self) -> str:
        """The lvalue of the word, given `self` or what a look-up of the element gave."""
        scope = self.scope
        if self.part == "data":
            return self.within(scope.element)
        return self.within(f"(*{scope.common_pointer})" if scope.dynamic else scope.common_element)

    @property
    def verbs(self) -> tuple[str, ...]:
        """What may be done to it by a call of its own."""
        return () if self.ir.of else self.ir.kind.updates

    @property
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


class CounterView:
    """Any counter of a scope, as functions see it that serve all of one width; or, with the
    expression of its `number`, the bucket of a histogram whose first one is `name`."""

    accumulates, in_histogram, part = True, False, "data"
    marks: tuple[ItemView, ...] = ()

    def __init__(self, scope: ScopeView, bits: int, name: str = "ITEM", number: str = "") -> None:
        self.scope, self.bits, self.name, self.number = scope, bits, name, number
        self.word_bits = scope.word_bits.get(bits, bits)  # in an instance
        self.place = self.within(scope.element)

    def within(self, element: str) -> str:
        """The lvalue of its word in any element that is laid out like the data."""
        return self._word(self.word_bits, element, "member")

    @property
    def sum_place(self) -> str:
        """The lvalue of its word in the common part."""
        return self._word(self.bits, self.scope.common_lvalue, "sum_member")

    def _word(self, bits: int, element: str, offset: str) -> str:
        if self.number:
            return f"CTR_NTH(uint{bits}_t, {element}, {self.name}, {self.number})"
        return f"CTR_MEMBER(uint{bits}_t, {element}, {offset})"


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

    def bucket(self, value: str) -> CounterView:
        """The counter of the bucket that an expression is in."""
        number = f"{self.sym.bucket}({value})"
        return CounterView(self.scope, 64, self.ir.buckets[0], number)

    @property
    def items(self) -> tuple[ItemView, ...]:
        """Its counters: the buckets, then the sum."""
        return tuple(self.scope.by_name[name] for name in self.ir.parts)

    @property
    def parts(self) -> list[tuple[str, int]]:
        """Structs that hold the buckets one behind the other, with the bytes of each."""
        size = self.scope.by_name[self.ir.buckets[0]].word_bits // 8
        sums = [(self.scope.sym.common, 8)] if self.scope.sums else []
        return [(self.scope.data_type, size), *sums]
