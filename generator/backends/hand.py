# SPDX-License-Identifier: BSD-3-Clause
"""The updates of a schema as one would write them by hand, which `ctrgen bench` compares with.

The words are where the schema has its instances: in an array, in objects of the application, or of
dynamic scopes in memory that is allocated for some of them at a time, which updates have to find.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace

import jinja2

from ..model import ir
from ..model.kinds import OBSERVE
from ..model.lazy import cached_property
from ..model.strategies.catalogue import all_strategies
from ..output.render import environment
from .c.items import CounterView, ItemView, ScopeView
from .c.operations import CALL, declared, parts
from .c.updates import UpdateView
from .c.views import ModuleView


@dataclass(frozen=True)
class Find:
    """The look-up of an instance of a dynamic scope, before an update begins."""

    scope: ScopeView
    common: bool
    """Whether what it finds exists once, and not for each lcore."""

    @property
    def at(self) -> str:
        """The position of the instance among all."""
        return _position(self.scope)

    @property
    def pointer(self) -> str:
        """The variable that points to it."""
        return f"hand_{'common_' if self.common else ''}at_{self.scope.stem}"


def _position(scope: ScopeView) -> str:
    """The indexes of a scope as one number."""
    at = scope.indexes[0]
    for name, limit in zip(scope.indexes[1:], scope.index_maxima[1:], strict=True):
        outer = f"({at})" if " " in at else at
        at = f"{outer} * (size_t){limit.removesuffix('u')} + {name}"
    return at


@dataclass(frozen=True)
class Change:
    """One operation of an update: `verb` applied to the word of `item` with `value`."""

    verb: str
    item: ItemView | CounterView
    value: str
    common: bool
    """Whether the word exists once, outside the per-lcore shards."""

    @property
    def bits(self) -> int:
        """Width of the word."""
        return self.item.bits

    @property
    def place(self) -> str:
        """The lvalue of the word."""
        return f"{self.pointer}->{self.member}" if self.pointer else f"{self._object}.{self.member}"

    @property
    def pointer(self) -> str:
        """The variable that points to the instance; empty for one of an array."""
        scope = self.item.scope
        if scope.embedded:
            return scope.index
        return Find(scope, self.common).pointer if scope.dynamic else ""

    @property
    def element(self) -> str:
        """A pointer to the instance."""
        return self.pointer or f"&{self._object}"

    @property
    def position(self) -> str:
        """The position of the instance among all."""
        return _position(self.item.scope)

    @property
    def _object(self) -> str:
        scope = self.item.scope
        struct = "hand_common." if self.common else "self->"
        at = f"[{self.position}]" if scope.limits else ""
        return f"{struct}{scope.name}{at}"

    @property
    def member(self) -> str:
        """The member of the scope's struct; the buckets of a histogram are an array."""
        item = self.item
        return f"{item.name}[{item.number}]" if isinstance(item, CounterView) else item.name


@dataclass(frozen=True)
class Part:
    """The changes of an update under one strategy; `lock` is the expression of its lock."""

    strategy: str
    changes: list[Change]
    lock: str

    @property
    def groups(self) -> list[tuple[ScopeView | None, list[Change]]]:
        """The changes of a call, without a scope, and those of each instance of a list."""
        return parts(self.changes)

    @cached_property
    def own(self) -> bool:
        """Whether it changes more than what exists once."""
        return not all(change.common for change in self.changes)

    @property
    def stored(self) -> bool:
        """Whether some of that is in the instance, and not in an object or once."""
        return any(not (c.common or c.item.scope.embedded) for c in self.changes)


@dataclass(frozen=True)
class Update:
    """One update by hand: most of it under `strategy`, objects of the application under theirs."""

    view: UpdateView
    strategy: str
    lcores: bool
    """Whether each lcore has counters of its own."""

    @cached_property
    def _changes(self) -> list[Change]:
        return [
            Change(op.verb, op.item, op.value, self._common(op.item))
            for op in self.view.operations(CALL).all
        ]

    def _common(self, item: ItemView | CounterView) -> bool:
        return self.lcores and not item.accumulates and not item.scope.embedded

    @cached_property
    def parts(self) -> list[Part]:
        """Its changes by strategy."""
        changes: dict[str, list[Change]] = {}
        for change in self._changes:
            changes.setdefault(change.item.scope.ir.sync.strategy, []).append(change)
        return [
            Part(
                name, some, "&self->hand_lock" if name == self.strategy else "&hand_lock_of_objects"
            )
            for name, some in changes.items()
        ]

    @cached_property
    def finds(self) -> list[Find]:
        """The instances to look up, of lists too."""
        places = [(c.item.scope, c.common) for c in self._changes if c.item.scope.dynamic]
        known = {(id(scope), common): Find(scope, common) for scope, common in places}
        return list(known.values())

    @property
    def params(self) -> str:
        """Its parameter list."""
        pointers = {
            f"struct {scope.sym.embedded} *": f"struct hand_scope_{scope.name} *"
            for scope in self.view.scopes
            if scope.embedded
        }
        parameters = self.view.call_parameters
        return declared(p._replace(type=pointers.get(p.type, p.type)) for p in parameters)


def _words(sync: ir.Sync) -> SimpleNamespace | None:
    """Text of a strategy on the hand-written pattern; None with non-default tunables."""
    if sync != ir.Sync(sync.strategy, all_strategies()[sync.strategy].settings()):
        return None
    defaults = environment().get_template("bench/hand_defaults.j2").module
    try:
        answers = environment().get_template(f"c/sync/{sync.strategy}/hand.j2").module
    except jinja2.TemplateNotFound:
        return None
    return SimpleNamespace(**{**vars(defaults), **vars(answers)})


class Hand:
    """View of the hand-written updates per packet, for templates."""

    def __init__(self, module: ir.Module, view: ModuleView, updates: Sequence[UpdateView]) -> None:
        self._module, self._view, self._updates = module, view, updates

    @cached_property
    def strategy(self) -> str:
        """The strategy that it represents: that of most operations outside objects of the
        application, if there are any; empty without updates."""
        syncs = self._syncs(embedded=False) or self._syncs(embedded=True)
        return syncs.most_common(1)[0][0].strategy if syncs else ""

    def _syncs(self, *, embedded: bool) -> Counter[ir.Sync]:
        """How many operations there are under each strategy, in objects of the application or on
        all else."""
        scopes = Counter(op.scope for u in self._updates for op in u.ir.operations)
        syncs: Counter[ir.Sync] = Counter()
        for scope, operations in scopes.items():
            touched = self._module.scope(scope)
            if embedded == (touched.storage is ir.Storage.EMBEDDED):
                syncs[touched.sync] += operations
        return syncs

    @cached_property
    def sync(self) -> object | None:
        """The strategy's text about the hand-written pattern; None without any.

        There is no hand-written twin of non-default tunables, or of scopes under different
        strategies, except for objects of the application.
        """
        return self.words.get(self.strategy)

    @cached_property
    def words(self) -> dict[str, SimpleNamespace]:
        """By strategy its own words; empty where some of the updates have no twin."""
        inside, outside = self._syncs(embedded=True), self._syncs(embedded=False)
        words = {sync.strategy: _words(sync) for sync in (*inside, *outside)}
        known = {name: answers for name, answers in words.items() if answers is not None}
        same = len(outside) <= 1 and len({*inside, *outside}) == len(words)
        return known if same and len(known) == len(words) else {}

    @property
    def locks_objects(self) -> bool:
        """Whether objects have a lock that protects only them."""
        return any(words.locks for name, words in self.words.items() if name != self.strategy)

    @cached_property
    def lcores(self) -> bool:
        """Whether each lcore has counters of its own."""
        return bool(self.strategy) and all_strategies()[self.strategy].per_lcore

    @cached_property
    def updates(self) -> list[Update]:
        """The updates, in the order of a packet."""
        return [Update(view, self.strategy, self.lcores) for view in self._updates]

    @cached_property
    def _operations(self) -> list[tuple[ir.Operation, ItemView]]:
        return [pair for u in self._updates for pair in zip(u.ir.operations, u.items, strict=True)]

    @cached_property
    def scopes(self) -> list[tuple[ScopeView, list[tuple[ItemView, int]]]]:
        """The structs: the words that the updates change, by scope, each with how many buckets
        begin there; 0 for what is no bucket."""
        changed: dict[str, dict[str, int]] = {}
        for op, item in self._operations:
            bounds = item.scope.histogram(item.ir.histogram).ir.bounds if op.observed else ()
            names = changed.setdefault(op.scope, {})
            rows = len(bounds) + 1 if op.observed else 0
            names[op.item] = max(rows, names.get(op.item, 0))
        return [
            (scope, [(item, names[item.name]) for item in scope.items if item.name in names])
            for scope in self._view.scopes
            if scope.name in changed
            for names in [changed[scope.name]]
        ]

    @cached_property
    def dynamic(self) -> list[ScopeView]:
        """The scopes of which instances are allocated."""
        return [scope for scope, _ in self.scopes if scope.dynamic]

    @cached_property
    def common(self) -> bool:
        """Whether there are gauges, peaks or states, which exist once."""
        items = (item for _, item in self._operations if not item.scope.embedded)
        return self.lcores and not all(item.accumulates for item in items)

    @property
    def observed(self) -> set[str]:
        """The kinds of items that the updates observe."""
        return {item.ir.kind.value for op, item in self._operations if op.verb == OBSERVE}

    @cached_property
    def widths(self) -> list[int]:
        """Bits of the words that the updates change, each once."""
        return sorted({item.bits for _, items in self.scopes for item, _ in items})
