# SPDX-License-Identifier: BSD-3-Clause
"""A benchmark of the schema's updates, built against DPDK (see `ctrgen bench`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from ..model import ir
from ..model.naming import symbols
from ..output.render import render
from . import BuiltIn, Options, in_short
from .c.fold import in_columns
from .c.items import ItemView, ScopeView
from .c.limits import LimitView
from .c.operations import C_TYPES, literal
from .c.updates import UpdateView, update_views
from .c.views import module_view
from .hand import Hand

INDEXES = 16
"""CTR_BENCH_INDEXES of ctr_bench.h."""

_ARRAYS = {
    "bool": "flag", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "int32": "i32",
}  # fmt: skip
"""Arrays of a struct ctr_bench_traffic by type of argument."""


@dataclass(frozen=True)
class Call:
    """One update, as the loop over packets calls it."""

    view: UpdateView
    every: int
    """Period of its calls in packets: 1 calls it for each packet."""

    @property
    def tried(self) -> bool:
        """Whether quotas may refuse it, which no run uses up: of counters of 64 bits."""
        quotas = self.view.quotas
        return bool(quotas) and not any(one.limit.gauge or one.limit.narrow for one in quotas)

    @property
    def in_bursts(self) -> bool:
        """Whether one call counts a burst."""
        return bool(self.here) and self.every == 1 and not self.view.listings

    @cached_property
    def here(self) -> list[str]:
        """Its arguments for packet `i`."""
        return self.arguments("{}[i]")

    @property
    def burst(self) -> list[str]:
        """Its arguments for a burst."""
        return self.arguments("{} + at")

    def arguments(self, element: str) -> list[str]:
        """Elements of the arrays that its arguments are in. A list has one instance; named
        instances are the same."""
        update = self.view.ir
        indexes: list[str] = []
        for name in update.indexes:
            at = element.format(f"{update.roles.get(name, name)}_index")
            indexes += [f"&{at}", "1"] if name in update.lists else [at]
        return indexes + [element.format(_ARRAYS[a.type]) for a in update.arguments]


class Index(NamedTuple):
    """An index parameter: (flow / stride) % limit is its value."""

    name: str
    limit: str  # a constant expression
    stride: int

    @property
    def array(self) -> str:
        return f"{self.name}_index"


class Effect(NamedTuple):
    """One operation that a packet causes; see struct ctr_bench_effect."""

    op: ir.Operation
    item: ItemView
    type: str  # of its argument; empty for a constant
    every: int  # one packet in so many

    def value(self, element: str = "{}[i]") -> str:
        """Its value, with the element of an array: for packet `i`."""
        if self.op.constant is not None:
            return self.amount
        cast = "(uint64_t)(int64_t)" if self.type == "int32" else ""
        return cast + element.format(_ARRAYS[self.type])

    @property
    def amount(self) -> str:
        """Its constant."""
        return literal(self.op.constant, 64) if self.op.constant is not None else "0"

    @property
    def source(self) -> str:
        """Where its value comes from: what follows CTR_BENCH_."""
        if not self.type:
            return "CONSTANT"
        return "BOOL" if self.type == "bool" else _ARRAYS[self.type].upper()

    @property
    def more(self) -> int:
        """How many counters behind that of the item may have it instead: further buckets."""
        if not self.op.observed:
            return 0
        return len(self.item.scope.histogram(self.item.ir.histogram).ir.bounds)


def periods(updates: Iterable[ir.Update]) -> dict[str, int]:
    """By update, one packet in how many it is called for: those of the largest weight for all."""
    weights = {update.name: update.weight for update in updates}
    return {name: round(max(weights.values()) / weight) for name, weight in weights.items()}


def measurable(module: ir.Module, updates: Iterable[ir.Update]) -> tuple[ir.Update, ...]:
    """Without those that change objects of an application, which only that has."""
    inside = {s.name for s in module.scopes if s.storage is ir.Storage.EMBEDDED}
    return tuple(update for update in updates if not inside.intersection(update.scopes))


class BenchView:
    """View of a module and of the updates per packet, for templates."""

    def __init__(self, module: ir.Module, updates: tuple[ir.Update, ...]) -> None:
        self._view = module_view(module)
        self._updates = updates
        self.prefix = symbols.prefix(module.name)
        self.sym = self._view.sym
        self.header = f"{self.prefix}_hand"
        views = {view.name: view for view in update_views(module)}
        every = periods(updates)
        self.updates = [Call(views[u.name], every[u.name]) for u in updates]
        self.hand = Hand(module, self._view, [call.view for call in self.updates])
        self.rare = sorted({call.every for call in self.updates} - {1})
        """One packet in how many causes an update, where not all do."""

    @cached_property
    def indexes(self) -> list[Index]:
        """Index parameters of the updates; an inner level changes with every outer round."""
        indexes: dict[str, Index] = {}
        for update in self._updates:
            taken = {update.roles.get(name, name) for name in update.indexes}
            for scope in (self._view.by_name[name] for name in update.scopes):
                stride = 1
                for level, limit in zip(scope.ir.levels, scope.index_maxima, strict=True):
                    if level.name in taken:
                        indexes.setdefault(
                            level.name, Index(level.name, limit.removesuffix("u"), stride)
                        )
                    stride = min(stride * level.maximum, ir.MAX_INSTANCES)
        return list(indexes.values())

    @cached_property
    def arrays(self) -> list[dict[str, str]]:
        """Arrays that the arguments of the updates come from."""
        types = dict.fromkeys(a.type for update in self._updates for a in update.arguments)
        return [{"name": _ARRAYS[kind], "type": C_TYPES[kind]} for kind in types]

    @cached_property
    def effects(self) -> list[Effect]:
        """Every operation that a packet causes, in order."""
        return [effect for call in self.updates for effect in self._effects(call)]

    def _effects(self, call: Call) -> list[Effect]:
        types = {a.name: a.type for a in call.view.ir.arguments}
        return [
            Effect(op, item, types[op.argument] if op.argument else "", call.every)
            for op, item in zip(call.view.ir.operations, call.view.items, strict=True)
        ]

    @cached_property
    def counted(self) -> list[tuple[int, int, Effect]]:
        """Effects on counters that can be read back, with the numbers of scope and item."""
        places = {
            (scope.name, item.name): (number, place)
            for number, scope in enumerate(self._view.scopes)
            for place, item in enumerate(scope.items)
        }
        return [
            (*places[effect.op.scope, effect.op.item], effect)
            for effect in self.effects
            if effect.item.accumulates
        ]

    @cached_property
    def dynamic(self) -> list[ScopeView]:
        """Scopes whose instances have to be made, parents first."""
        wanted = {level.name for level in self.indexes}
        return [s for s in self._view.scopes if s.dynamic and s.name in wanted]

    @cached_property
    def quotas(self) -> list[LimitView]:
        """The quotas of what is tried, to be granted."""
        taken = (one.limit for call in self.updates if call.tried for one in call.view.quotas)
        return list(dict.fromkeys(taken))

    @property
    def polls(self) -> bool:
        """Whether a control thread has to apply what lcores sent."""
        return bool(self._view.polls)

    @cached_property
    def levels(self) -> list[str]:
        """Variables of the loops that make them and grant quotas."""
        looped = [*self.dynamic, *(limit.scope for limit in self.quotas)]
        return list(dict.fromkeys(name for scope in looped for name in scope.indexes))

    @property
    def obstacle(self) -> str:
        """Why there can be no harness; empty when there can."""
        if not self.updates:
            return "there are no updates, except those of objects of the application"
        if len(self.indexes) > INDEXES:
            return f"the updates take {len(self.indexes)} indexes; {INDEXES} are the most"
        updates = [call.view.ir for call in self.updates]
        names = [name for update in updates for name in update.indexes]
        names += [argument.name for update in updates for argument in update.arguments]
        reserved = next((name for name in names if name.startswith("hand_")), "")
        return f"the benchmark needs names such as '{reserved}' for itself" if reserved else ""


def files(view: BenchView, options: Options) -> dict[str, str]:
    """The harness of one module for packets that cause its updates; nothing with an obstacle."""
    if view.obstacle:
        return {}
    context = {"b": view, "h": view.hand, "sync": view.hand.sync, "options": options}
    return {
        f"bench/{view.prefix}_bench.c": in_columns(render("bench/bench.c.j2", **context)),
        f"bench/{view.header}.h": in_columns(render("bench/hand.h.j2", **context)),
    }


def project(module: ir.Module, variants: list[tuple[str, str]], options: Options) -> dict[str, str]:
    """The meson project that builds (program, folder of its generated code) pairs."""
    context = {"prefix": symbols.prefix(module.name), "variants": variants, "options": options}
    return {
        name: render(f"bench/{name}.j2", **context) for name in ("meson.build", "meson_options.txt")
    }


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """C and a meson project; nothing for a schema without updates that can be measured."""
    view = BenchView(module, measurable(module, module.updates))
    harness = files(view, options)
    if not harness:
        return {}
    build_files = project(module, [(view.hand.strategy, "..")], options)
    return harness | {f"bench/{name}": text for name, text in build_files.items()}


BACKEND = BuiltIn("bench", in_short(__doc__), generate)
