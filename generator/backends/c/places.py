# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of a scope but for its items: its indexes, and places in memory."""

from __future__ import annotations

from dataclasses import dataclass

from ...model import ir, layout
from ...model.layout import Part
from ...model.lazy import cached_property
from ...model.naming.prometheus import displays
from ...model.naming.symbols import Names
from .extent import Extent
from .keys import KeyPartView, part_views, tables
from .levels import Indexed, LevelView


def _aligned(align: int) -> str:
    return "CTR_CACHE_ALIGNED" if align == 64 else f"CTR_ALIGNED({align})"


@dataclass(frozen=True)
class Places(Extent, Indexed):
    """A scope as C sees it, without its items: how an instance is named, and where it is."""

    module: ir.Module
    ir: ir.Scope
    layout: layout.ScopeLayout
    sym: Names
    member: Names  # what a snapshot has of it beside its values
    indexes: tuple[str, ...]  # index parameters, outermost first; an embedded object is one
    limits: tuple[tuple[str, str], ...]  # each index with the macro that bounds it
    commons_array: str  # the lvalue of the common parts of all instances
    named: tuple[str, ...]  # for each index its table of labels or `NULL`; () without any
    symbolic: tuple[LevelView, ...]  # its indexes whose maximum is a constant of DPDK
    fixed: frozenset[str] = frozenset()  # indexes that are constants, in an update that fixes them
    stem: str = ""  # what variables that an instance has in an update begin with, if not `index`

    @cached_property
    def name(self) -> str:
        return self.ir.name

    @cached_property
    def documented(self) -> str:
        """`the global scope` or `a session`: how comments name an instance."""
        return "the global scope" if self.is_global else f"a {self.name}"

    @cached_property
    def is_global(self) -> bool:
        return self.ir.name == ir.GLOBAL

    @cached_property
    def dynamic(self) -> bool:
        return self.ir.storage is ir.Storage.DYNAMIC

    @property
    def mortal(self) -> bool:
        """Whether its instances begin and end, by themselves or with what they are inside of."""
        return self.layout.mortal

    def stride(self, outer: Places) -> str:
        """How many of its instances are inside of each of an outer scope."""
        return " * ".join(maximum for _, maximum in self.limits[len(outer.limits) :])

    @cached_property
    def key_parts(self) -> tuple[KeyPartView, ...]:
        """The parts of the keys of its instances; () without keys."""
        return part_views(self.module, self.ir)

    @cached_property
    def key_tables(self) -> tuple[str, ...]:
        """For each index a pointer to the keys of that level, or `NULL`; () without any."""
        return tables(self.module, self.ir)

    @property
    def displays(self) -> tuple[tuple[str, str], ...]:
        """What people see instead of some names, each behind what it is of."""
        return tuple(displays(self.module, self.ir))

    @cached_property
    def embedded(self) -> bool:
        return self.ir.storage is ir.Storage.EMBEDDED

    @cached_property
    def index(self) -> str:
        """The index parameter of the scope's own level, or the pointer to the object."""
        return self.indexes[-1] if self.indexes else self.name

    @cached_property
    def params(self) -> str:
        """Parameter list that names an instance, for writers; empty for global."""
        if self.embedded:
            return f"struct {self.sym.embedded} *{self.index}"
        return ", ".join(f"uint32_t {index}" for index in self.indexes)

    @property
    def read_params(self) -> str:
        return f"const {self.params}" if self.embedded else self.params

    @cached_property
    def single(self) -> bool:
        """Whether an update changes the same instance in every call."""
        return not (self.unsure or self.dynamic or self.embedded)

    @cached_property
    def node(self) -> str:
        """The variable that waits for the lock of an instance in an update."""
        return f"{self.stem or self.index}_node"

    @property
    def held(self) -> str:
        """The variable that points to what an lcore holds of an instance in an update."""
        return f"{self.stem or self.index}_held"

    @property
    def all_held(self) -> bool:
        """Whether an lcore has room for what it holds of every instance."""
        return self.layout.held == self.ir.instances and not self.symbolic

    @cached_property
    def element(self) -> str:
        """The lvalue of an instance's data, given `self` (static) or a pointer from a look-up."""
        return f"(*{self.pointer})" if self.pointer else self.element_in("self")

    def element_in(self, instance: str) -> str:
        """The lvalue of an instance's data in a copy; a dynamic one has memory there."""
        if self.dynamic:
            return f"(*{self.sym.find}({instance}, {self.args}))"
        return f"{instance}->{self.name}{self.subscript}"

    @cached_property
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

    def members(self, part: Part) -> list[tuple[str, list[str]]]:
        """The words of a part in storage: the C type of some in a row, and their names. A cell of
        several words has no type here."""
        found: list[tuple[str, list[str]]] = []
        for field in part.fields:
            if field.item is None:
                continue
            type_ = "" if field.item.value_type.wide else f"uint{field.size * 8}_t"
            if field.align > field.size and type_:
                type_ = f"{_aligned(field.align)} {type_}"
            elif found and type_ and found[-1][0] == type_:
                found[-1][1].append(field.name)
                continue
            found.append((type_, [field.name]))
        return found

    @property
    def offset_member(self) -> str:
        """The member of an instance that holds its offsets."""
        return f"ctr_{self.name}_offset"

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

    @property
    def data(self) -> Part | None:
        return self.layout.data

    @property
    def worth_a_prefetch(self) -> bool:
        """Whether the data of all instances, or what an lcore holds of them, take more than the
        first-level cache holds."""
        if self.embedded or self.data is None:
            return False
        if self.layout.held:
            return self.layout.held * self.layout.held_size > layout.FIRST_LEVEL
        return self.data.size * self.ir.instances > layout.FIRST_LEVEL

    @property
    def offset(self) -> Part | None:
        return self.layout.offset

    @property
    def base(self) -> Part | None:
        return self.layout.base

    @property
    def views(self) -> bool:
        """Whether each view has a baseline: of the module's counters, or of other ones."""
        if not (self.module.views and self.ir.reset) or self.embedded:
            return False
        return self.layout.bases > 1 or any(item.reported for item in self.ir.sourced)

    @property
    def at_call(self) -> str:
        """The position of an instance, for a function that checks it."""
        return f"{self.sym.at}({self.args})" if len(self.limits) > 1 else self.flat

    @property
    def first_at(self) -> str:
        """The position of the first one in an outer instance, likewise."""
        if len(self.limits) < 2:
            return "0"
        return f"{self.sym.at}({', '.join((*self.indexes[:-1], '0'))})"

    @property
    def outer_params(self) -> str:
        """Parameter list that names the instance that a new one lies in."""
        return ", ".join(f"uint32_t {index}" for index in self.indexes[:-1])

    @property
    def common(self) -> Part | None:
        return None if self.embedded else self.layout.common
