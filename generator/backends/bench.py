# SPDX-License-Identifier: BSD-3-Clause
"""A benchmark of the schema's updates, built against DPDK (see `ctrgen bench`)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from ..model import ir
from ..model.layout import CACHE_LINE, domains, round_up
from ..model.lazy import cached_property
from ..model.naming import symbols
from ..model.strategies.catalogue import all_strategies
from ..output.render import render
from . import BuiltIn, Options, in_short
from .c.items import ItemView, ScopeView
from .c.limits import LimitView
from .c.operations import C_TYPES, literal
from .c.updates import UpdateView, update_views
from .c.views import module_view
from .hand import Hand

INDEXES = 16
"""CTR_BENCH_INDEXES of ctr_bench.h."""

OBJECTS = 1024
"""Objects of a harness that is not built for a number of flows; further flows share them."""

OWN_BYTES = 32
"""Bytes of an object without its counters: sizeof(struct ctr_bench_own)."""

_ARRAYS = {
    "bool": "flag", "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "int32": "i32",
}  # fmt: skip
"""Arrays of a struct ctr_bench_traffic by type of argument."""


@dataclass(frozen=True)
class Objects:
    """Objects as an application has them, one for each flow, with the counters of an embedded
    scope, which is `number` in the module's descriptor. With `locked` the application has to lock
    an object while it counts there."""

    scope: ScopeView
    number: int
    count: int
    locked: bool

    @property
    def name(self) -> str:
        """Name of the scope, after which what the harness has of it is called."""
        return self.scope.name


def _own_lock(scope: ScopeView) -> bool:
    """Whether its strategy leaves the lock to the application."""
    return all_strategies()[scope.ir.sync.strategy].own_object


def memory(module: ir.Module, count: int) -> int:
    """Bytes of the objects of all embedded scopes, `count` of each."""
    parts = (part for domain in domains(module) for part in domain.scopes)
    return count * sum(
        round_up(OWN_BYTES + (part.data.size if part.data else 0), CACHE_LINE)
        for part in parts
        if part.scope.storage is ir.Storage.EMBEDDED
    )


@dataclass(frozen=True)
class Call:
    """One update, as the loop over packets calls it."""

    view: UpdateView
    every: int
    """Period of its calls in packets: 1 calls it for each packet."""

    @property
    def locked(self) -> bool:
        """Whether it changes an object whose lock the application holds during the call."""
        return any(_own_lock(scope) for scope in self.view.scopes if scope.embedded)

    @property
    def tried(self) -> bool:
        """Whether quotas may refuse it, which no run uses up: of counters of 64 bits."""
        quotas = self.view.quotas
        return bool(quotas) and not any(one.limit.gauge or one.limit.narrow for one in quotas)

    @property
    def in_bursts(self) -> bool:
        """Whether one call counts a burst."""
        lists = self.view.listings
        return bool(self.here) and self.every == 1 and not self.locked and not lists

    @cached_property
    def here(self) -> list[str]:
        """Its arguments for packet `i` while the objects of that are at hand."""
        return self.arguments("{}[i]", "&{}_object->counters")

    @property
    def later(self) -> list[str]:
        """Its arguments for packet `i` after that."""
        return self.arguments("{}[i]", "{}_counters[i - at]")

    @property
    def burst(self) -> list[str]:
        """Its arguments for a burst."""
        return self.arguments("{} + at", "{}_counters")

    def arguments(self, element: str, counters: str = "") -> list[str]:
        """Pointers to counters in objects, and elements of the arrays that the others are in. A
        list has one instance; named instances are the same."""
        update = self.view.ir
        embedded = {scope.name for scope in self.view.scopes if scope.embedded}
        indexes: list[str] = []
        for name in update.indexes:
            at = element.format(f"{update.roles.get(name, name)}_index")
            if name in update.lists:
                indexes += [f"&{at}", "1"]
            else:
                indexes.append(counters.format(name) if name in embedded else at)
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
    def call(self) -> str:
        """The same as a call of the item, or of the histogram, for which its sum stands."""
        scope, name = self.item.scope, self.item.ir.histogram
        indexes = [
            at if at in scope.fixed else f"{name}_index[i]"
            for name, at in zip(scope.ir.path, scope.indexes, strict=True)
        ]
        if scope.embedded:
            indexes = [f"&{scope.name}_object->counters"]
        call = scope.histogram(name).sym.update if name else self.item.sym[self.op.verb]
        return f"{call}({', '.join([*indexes, self.value()])})"

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


def _imagined(module: ir.Module) -> tuple[ir.Update, ...]:
    """For a schema without updates: every counter goes up by one, for the calls of items."""
    operations = tuple(
        ir.Operation("add", scope.name, item.name, 1, None, item.span)
        for scope in module.scopes
        for item in scope.stored
        if item.kind.accumulates and not item.histogram
    )
    changed = {op.scope for op in operations}
    touched = [scope for scope in module.scopes if scope.name in changed]
    indexes = tuple(dict.fromkeys(level for scope in touched for level in scope.path))
    names = tuple(scope.name for scope in touched)
    return (ir.Update("all", "", (), operations, names, indexes, module.span),)


class BenchView:
    """View of a module and of the updates per packet, for templates; `count` is the number of
    application objects of each embedded scope."""

    def __init__(self, module: ir.Module, updates: tuple[ir.Update, ...], count: int = 0) -> None:
        self._count = count or OBJECTS
        self._view = module_view(module)
        self._updates = updates or _imagined(module)
        self.prefix = symbols.prefix(module.name)
        self.sym = self._view.sym
        self.header = f"{self.prefix}_hand"
        views = {view.name: view for view in update_views(module)}
        every = periods(updates)
        self.updates = [Call(views[u.name], every[u.name]) for u in updates]
        imagined = [] if updates else [UpdateView(self._view, u) for u in self._updates]
        self.every = self.updates or [Call(view, 1) for view in imagined]
        """The updates by hand, and by calls of items."""
        self.hand = Hand(module, self._view, [call.view for call in self.every])
        self.rare = sorted({call.every for call in self.updates} - {1})
        """One packet in how many causes an update, where not all do."""

    @cached_property
    def indexes(self) -> list[Index]:
        """Index parameters of the updates; an inner level changes with every outer round."""
        indexes: dict[str, Index] = {}
        for update in self._updates:
            taken = {update.roles.get(name, name) for name in update.indexes}
            for scope in (self._view.by_name[name] for name in update.scopes):
                if scope.embedded:
                    indexes.setdefault(scope.name, Index(scope.name, str(self._count), 1))
                    continue
                stride = 1
                for level, limit in zip(scope.ir.levels, scope.index_maxima, strict=True):
                    if level.name in taken:
                        indexes.setdefault(
                            level.name, Index(level.name, limit.removesuffix("u"), stride)
                        )
                    stride = min(stride * level.maximum, ir.MAX_INSTANCES)
        return list(indexes.values())

    @cached_property
    def objects(self) -> list[Objects]:
        """The objects of the application that a packet changes."""
        touched = {name for update in self._updates for name in update.scopes}
        return [
            Objects(scope, number, self._count, _own_lock(scope))
            for number, scope in enumerate(self._view.scopes)
            if scope.embedded and scope.name in touched
        ]

    @property
    def kept(self) -> list[Objects]:
        """Those whose counters are changed when the objects of a burst have been left."""
        changed = {name for call in self.updates if not call.locked for name in call.view.ir.scopes}
        return [one for one in self.objects if one.name in changed]

    @property
    def held(self) -> bool:
        """Whether some are locked while a packet is counted."""
        return any(call.locked for call in self.updates)

    @cached_property
    def arrays(self) -> list[dict[str, str]]:
        """Arrays that the arguments of the updates come from."""
        types = dict.fromkeys(a.type for update in self._updates for a in update.arguments)
        return [{"name": _ARRAYS[kind], "type": C_TYPES[kind]} for kind in types]

    @cached_property
    def calls(self) -> list[tuple[int, str]]:
        """Effects of a packet through calls of single items and of histograms, or of the update
        where an item is limited and has none: one packet in how many, and the call."""
        found: list[tuple[int, str]] = []
        for call in self.every:
            if any(item.ir.limited for item in call.view.items):
                found.append((call.every, f"{call.view.sym.update}({', '.join(call.here)})"))
            else:
                effects = (e for e in self._effects(call) if not e.op.observed)
                found += [(call.every, effect.call) for effect in effects]
        return found

    @cached_property
    def adds(self) -> list[tuple[int, Effect]]:
        """As many adds to one cache line: the word in it, and what has the value."""
        return [(number % 8, effect) for number, effect in enumerate(self.effects)]

    @cached_property
    def effects(self) -> list[Effect]:
        """Every operation that a packet causes, in order."""
        return [effect for call in self.every for effect in self._effects(call)]

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
        if not self.effects:
            return "there are no updates and no counters"
        if len(self.indexes) > INDEXES:
            return f"the updates take {len(self.indexes)} indexes; {INDEXES} are the most"
        updates = [call.view.ir for call in self.updates]
        names = [name for update in updates for name in update.indexes]
        names += [argument.name for update in updates for argument in update.arguments]
        reserved = next((name for name in names if name.startswith("hand_")), "")
        return f"the benchmark needs names such as '{reserved}' for itself" if reserved else ""


def obstacle(module: ir.Module, updates: tuple[ir.Update, ...]) -> str:
    """Why there can be no harness for packets that cause `updates`; empty when there can."""
    return BenchView(module, updates).obstacle


def has_twin(module: ir.Module, updates: tuple[ir.Update, ...]) -> bool:
    """Whether there is a pattern by hand of packets that cause `updates`."""
    return BenchView(module, updates).hand.sync is not None


def files(
    module: ir.Module, updates: tuple[ir.Update, ...], options: Options, count: int = 0
) -> dict[str, str]:
    """The harness of one module for packets that cause `updates`, with `count` objects of the
    application for each embedded scope; nothing with an obstacle."""
    return _files(BenchView(module, updates, count), options)


def _files(view: BenchView, options: Options) -> dict[str, str]:
    if view.obstacle:
        return {}
    context = {"b": view, "h": view.hand, "sync": view.hand.sync, "options": options}
    return {
        f"bench/{view.prefix}_bench.c": render("bench/bench.c.j2", **context),
        f"bench/{view.header}.h": render("bench/hand.h.j2", **context),
    }


def project(module: ir.Module, variants: list[tuple[str, str]], options: Options) -> dict[str, str]:
    """The meson project that builds (program, folder of its generated code) pairs."""
    context = {"prefix": symbols.prefix(module.name), "variants": variants, "options": options}
    return {
        name: render(f"bench/{name}.j2", **context) for name in ("meson.build", "meson_options.txt")
    }


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """C and a meson project; nothing for a schema without counters that can be measured."""
    view = BenchView(module, module.updates)
    harness = _files(view, options)
    if not harness:
        return {}
    build_files = project(module, [(view.hand.strategy, "..")], options)
    return harness | {f"bench/{name}": text for name, text in build_files.items()}


BACKEND = BuiltIn("bench", in_short(__doc__), generate)
