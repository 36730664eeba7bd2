# SPDX-License-Identifier: BSD-3-Clause
"""View of a scope without its items, for C templates: indexes, keys, location in
memory."""

from typing import NamedTuple

from ...model import ir, layout
from ...model.naming import symbols
from ...model.naming.prometheus import displays
from ...model.strategies.catalogue import all_strategies


class LevelView:
    """One index: a number below a maximum, or one of its labels."""

    def __init__(self, module: ir.Module, scope: ir.Scope, level: ir.Level) -> None:
        self.ir = level
        self.sym = symbols.of_level(module, scope, level)
        self.constants = symbols.of_level_labels(module, level)
        # The constant that is the maximum has the value that the schema says.
        self.fits = f"{self.sym.MAX} == {level.maximum}u"
        outer = [other.scope for other in scope.levels if other.scope != scope.name]
        # What there are `MAX` of.
        self.counted = f"{level.name} instances{f' of each {outer[-1]}' if outer else ''}"
        if level.labels:
            dimension = "" if level.name == level.scope else f"the {level.dimension} of "
            self.counted = f"labels of {dimension}{level.scope}"


class KeyPartView:
    """A part of a key: a member of its struct."""

    def __init__(self, module: ir.Module, scope: ir.Scope, part: ir.KeyPart) -> None:
        self.ir = part
        self.sym = symbols.of_key_part(module, scope, part)
        self.constants = symbols.of_key_labels(module, scope, part)  # by label
        self.type = part.value_type.c or f"enum {self.sym.enum}"  # of each element of an array
        self.subscript = f"[{part.octets}]" if part.octets else ""
        self.meaning = part.description
        if part.value_type.text:
            most = "Always" if part.fixed else "Up to"
            self.meaning += f" {most} {part.length} octets, terminated."
        else:
            taken = {"ipv4": " In network byte order.", "int32": " Not negative."}
            self.meaning += taken.get(part.type, "")


def lvalue(pointer: str) -> str:
    """What is at a pointer."""
    return pointer[1:] if pointer.startswith("&") else f"(*{pointer})"


def member(pointer: str, name: str) -> str:
    """The lvalue of a member of the struct there."""
    return f"{pointer[1:]}.{name}" if pointer.startswith("&") else f"{pointer}->{name}"


class Listing(NamedTuple):
    """A list of at most `most` instances that an update takes, or locks where it names `roles`: the
    C names of the list, of its length, and of a position in it."""

    list: str
    num: str
    at: str
    most: int
    roles: tuple[str, ...] = ()


class IndexedScope:
    """How C names an instance of a scope, and where it is.

    `indexes` are parameters, outermost first, of `levels`; of an embedded scope, which has none,
    the pointer to the object. `limits`: each index with the macro that bounds it; `symbolic`: those
    levels whose maximum is a constant of DPDK; `fixed`: constants in the place of indexes, in an
    update that fixes them, where `stem` is what variables of an instance begin with. With a
    `listing` the own index is a variable, which has each of them in turn.
    """

    def __init__(
        self,
        module: ir.Module,
        part: layout.ScopeLayout,
        levels: tuple[LevelView, ...],
        indexes: tuple[str, ...],
        fixed: frozenset[str] = frozenset(),
        stem: str = "",
        listing: Listing | None = None,
    ) -> None:
        scope = part.scope
        self.module, self.ir, self.layout, self.levels = module, scope, part, levels
        self.indexes, self.fixed, self.listing = indexes, fixed, listing
        self.limits = tuple((i, lev.sym.MAX) for i, lev in zip(indexes, levels, strict=False))
        self.symbolic = [level for level in levels if level.ir.symbol]
        self.sym = symbols.of_scope(module, scope)
        self.member = symbols.of_snapshot(module, scope)  # of a snapshot, next to its values
        self.name = scope.name
        self.is_global = scope.name == ir.GLOBAL
        self.dynamic = scope.storage is ir.Storage.DYNAMIC
        self.chunked = self.dynamic and not module.maps  # else there is memory for all instances
        self.embedded = scope.storage is ir.Storage.EMBEDDED
        article = "an" if self.name[0] in "aeio" else "a"
        self.documented = "the global scope" if self.is_global else f"{article} {self.name}"
        self.index = indexes[-1] if indexes else self.name  # of the scope's own level
        self.data_type = self.sym.embedded if self.embedded else self.sym.data
        self.common = None if self.embedded else part.common
        # The indexes to check: those that are parameters. Of a list it is the greatest.
        self.unsure = tuple(limit for limit in self.limits if limit[0] not in fixed)
        if listing:
            greatest = f"ctr_list_greatest({listing.list}, {listing.num}, {listing.most})"
            self.unsure = (*self.unsure[:-1], (greatest, self.unsure[-1][1]))
        # Whether an update changes the same instance in every call.
        self.single = not (self.unsure or self.dynamic or self.embedded)
        stem = stem or self.index
        self.stem = stem
        self.node, self.held = f"{stem}_node", f"{stem}_held"  # variables of strategies
        self.order, self.locks = f"{stem}_order", f"{stem}_locks"
        self.all_held = part.held == scope.instances and not self.symbolic
        self.key_parts = tuple(KeyPartView(module, scope, part) for part in scope.key)
        self._name_instance()
        self._name_places()
        self._measure()

    def _name_instance(self) -> None:
        """Make the parameters and arguments that name an instance, and its position."""
        indexes, limits = self.indexes, self.limits
        self.args = ", ".join(indexes)
        self.args_lead = "".join(f"{index}, " for index in indexes)  # in front of others
        self.bulk_args = ", ".join(i if i in self.fixed else f"{i}_v[i]" for i in indexes)
        self.operands = indexes  # the parameters that name it
        if listing := self.listing:
            outer = "".join(f"{index}_v[i], " for index in indexes[:-1])
            self.bulk_args = f"{outer}{listing.list}_v[i][{listing.at}]"
            self.operands = (*indexes[:-1], listing.list, listing.num)
        self.params = ", ".join(f"uint32_t {index}" for index in indexes)
        if self.embedded:
            self.params = f"struct {self.sym.embedded} *{self.index}"
        self.read_params = f"const {self.params}" if self.embedded else self.params
        # In front of other parameters: these, and those of the instance that a new one lies in.
        self.lead = f"{self.params}, " if self.params else ""
        self.outer_lead = "".join(f"uint32_t {index}, " for index in indexes[:-1])
        self.subscript = "".join(f"[{index}]" for index in indexes)
        self.dimensions = "".join(f"[{maximum}]" for _, maximum in limits)
        # Its position among all, and that of the instance that it is inside of.
        self.flat, self.outer_flat = limits[0][0] if limits else "0", "0"
        for level, maximum in limits[1:]:
            self.outer_flat = self.flat
            outer = f"({self.flat})" if "*" in self.flat else self.flat
            self.flat = f"{outer} * {maximum} + {level}"
        # That of the first of the scope in its parent.
        self.base = f"{self.flat.removesuffix(indexes[-1])}0" if indexes else "0"
        # The position of an instance, and of the first in an outer one, for what checks it.
        several = len(limits) > 1
        self.at_call = f"{self.sym.at}({self.args})" if several else self.flat
        self.first_at = f"{self.sym.at}({', '.join((*indexes[:-1], '0'))})" if several else "0"
        self.instances = f"{self.ir.instances}u"
        if self.symbolic:
            product = self.stride(0)
            self.instances = f"({product})" if "*" in product else product

    def _name_places(self) -> None:
        """Make the pointers to its data in `self` and to its common part; NULL where a dynamic one
        has no memory."""
        self.element_address = self.element_in("self")
        self.common_address = (
            f"&{symbols.of_module(self.module).common}.{self.name}{self.subscript}"
        )
        # The variable that points to an instance's data; empty for an element of an array.
        self.pointer = self.index if self.embedded else ""
        if self.dynamic:
            self.pointer = f"{self.index}_data"
            self.common_address = f"{self.sym.find_common}({self.args})"
        # By part what is looked up of a dynamic one: the struct, the variable, its value.
        self.found = {
            "data": (self.sym.data, self.pointer, self.element_address),
            "common": (self.sym.common, f"{self.index}_common", self.common_address),
        }
        # The pointers in an update, in which those variables are set.
        self.at_data = self.pointer or self.element_address
        self.at_common = self.found["common"][1] if self.dynamic else self.common_address
        self.element = lvalue(self.at_data)
        self.offset_member = f"ctr_{self.name}_offset"  # of an instance

    def _measure(self) -> None:
        """Work out what depends on the layout of its data."""
        scope, part = self.ir, self.layout
        # The maximum of each index, as an unsigned constant expression.
        self.index_maxima = [v.sym.MAX if v.ir.symbol else f"{v.ir.maximum}u" for v in self.levels]
        # Chunks that hold all instances of a dynamic scope; words with a bit for each instance, in
        # whole chunks and cache lines.
        bits = max(part.chunk, 8 * layout.CACHE_LINE)
        self.chunks, self.live_words = self.groups(part.chunk), self.groups(bits, bits // 64)
        # Whether all data, or the delta cache of an lcore, exceed the first-level cache.
        size = part.data.size * scope.instances if part.data and not self.embedded else 0
        self.worth_a_prefetch = (part.held * part.held_size or size) > layout.FIRST_LEVEL
        # Whether counters have words in the common part in addition to those of the lcores.
        self.sums = all_strategies()[scope.sync.strategy].sums and part.data is not None
        # Whether each view has a baseline: of the module's counters, or of other ones.
        based = part.bases > 1 or any(item.reported for item in scope.sourced)
        self.views = bool(self.module.views and scope.reset) and not self.embedded and based

    def element_in(self, instance: str) -> str:
        """The pointer to an instance's data in a copy."""
        if self.dynamic:
            return f"{self.sym.find}({instance}, {self.args})"
        return f"&{instance}->{self.name}{self.subscript}"

    def stride(self, outer: int) -> str:
        """How many instances are inside of each of the scope with the first `outer` indexes."""
        return " * ".join(maximum for _, maximum in self.limits[outer:])

    def unflat(self, i: str) -> str:
        """The arguments for the instance at position `i` of a table of all instances."""
        parts = []
        for _, maximum in reversed(self.limits[1:]):
            parts.append(f"{i} % {maximum}")
            i = f"{i} / {maximum}"
        return ", ".join(reversed([*parts, i])) if self.limits else ""

    def groups(self, of: int, times: int = 1) -> str:
        """How many groups of `of` instances there are, times a factor, as a constant expression."""
        if not self.symbolic:
            return str(-(-self.ir.instances // of) * times)
        count = f"({self.instances} + {of - 1}) / {of}" if of > 1 else self.instances
        return f"{count} * {times}" if times > 1 else count

    @property
    def key_tables(self) -> list[str]:
        """For each index a pointer to the keys of that level, or `NULL`; [] without any."""
        outer = [self.module.scope(level.ir.scope) for level in self.levels]
        keys = [f"&{symbols.of_scope(self.module, s).keys}" if s.key else "NULL" for s in outer]
        return keys if any(scope.key for scope in outer) else []

    @property
    def named(self) -> list[str]:
        """For each index its table of labels, or `NULL`; [] without any."""
        tables = [level.sym.labels if level.ir.labels else "NULL" for level in self.levels]
        return tables if any(level.ir.labels for level in self.levels) else []

    @property
    def displays(self) -> tuple[tuple[str, str], ...]:
        """Display texts of names, each after its subject."""
        return tuple(displays(self.module, self.ir))
