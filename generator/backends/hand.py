# SPDX-License-Identifier: BSD-3-Clause
"""The updates of a schema as one would write them by hand, which `ctrgen bench` compares with: adds
to counters of static scopes, in the layout that generated ones have."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

import jinja2

from ..model import ir
from ..model.strategies.catalogue import all_strategies
from ..output.render import environment
from .c.items import ItemView, ScopeView
from .c.updates import UpdateView
from .c.views import ModuleView


@dataclass(frozen=True)
class Change:
    """One operation of an update: `value` is added to the word of `item`."""

    item: ItemView
    value: str

    @property
    def bits(self) -> int:
        """Width of the word."""
        return self.item.bits

    @property
    def place(self) -> str:
        """The lvalue of the word."""
        scope = self.item.scope
        at = ""
        for name, limit in zip(scope.indexes, scope.index_maxima, strict=True):
            outer = f"({at})" if " " in at else at
            at = f"{outer} * (size_t){limit.removesuffix('u')} + {name}" if at else name
        return f"self->{scope.name}{f'[{at}]' if at else ''}.{self.item.name}"


class Hand:
    """View of the hand-written updates per packet, for templates."""

    def __init__(self, module: ir.Module, view: ModuleView, updates: Sequence[UpdateView]) -> None:
        self._view = view
        self.updates = updates
        touched = {name for update in updates for name in update.ir.scopes}
        self._syncs = {module.scope(name).sync for name in touched}
        self._simple = all(
            op.verb == "add" and item.accumulates and not op.most
            for update in updates
            for op, item in zip(update.ir.operations, update.items, strict=True)
        ) and all(module.scope(name).storage is ir.Storage.STATIC for name in touched)

    @cached_property
    def strategy(self) -> str:
        """The strategy that it represents: that of an update."""
        return min((sync.strategy for sync in self._syncs), default="")

    @cached_property
    def sync(self) -> SimpleNamespace | None:
        """The strategy's text about the hand-written pattern; None without any: with tunables that
        are no defaults, scopes under different strategies, or more than adds to static counters."""
        usual = {ir.Sync(self.strategy, all_strategies()[self.strategy].settings())}
        if self._syncs != usual or not self._simple:
            return None
        defaults = environment().get_template("bench/hand_defaults.j2").module
        try:
            answers = environment().get_template(f"c/sync/{self.strategy}/hand.j2").module
        except jinja2.TemplateNotFound:
            return None
        return SimpleNamespace(**{**vars(defaults), **vars(answers)})

    def changes(self, update: UpdateView) -> list[Change]:
        """The adds of an update, in order."""
        operations = update.call.ops
        return [Change(op.item, op.value) for op in operations if isinstance(op.item, ItemView)]

    @property
    def lcores(self) -> bool:
        """Whether each lcore has counters of its own."""
        return all_strategies()[self.strategy].per_lcore

    @cached_property
    def scopes(self) -> list[tuple[ScopeView, list[ItemView]]]:
        """The structs: the counters that the updates change, by scope."""
        operations = [op for update in self.updates for op in update.ir.operations]
        changed = {(op.scope, op.item) for op in operations}
        rows = ((s, [i for i in s.items if (s.name, i.name) in changed]) for s in self._view.scopes)
        return [(scope, items) for scope, items in rows if items]

    @property
    def widths(self) -> list[int]:
        """Bits of the words that the updates change, each once."""
        return sorted({item.bits for _, items in self.scopes for item in items})
