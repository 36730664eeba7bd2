# SPDX-License-Identifier: BSD-3-Clause
"""Variants to compare: one schema under every strategy, for a number of flows."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...findings.suggest import did_you_mean
from ...findings.usage import UsageError
from ...frontends.resolve import syncs
from ...model import ir
from ...model.language.schema import MAX_WEIGHT
from ...model.language.units import whole
from ...model.strategies.catalogue import all_strategies
from ...pipeline.build import parse_sync


@dataclass(frozen=True, slots=True)
class Variant:
    """The schema under the strategy `label`, with `objects` instances of each embedded scope."""

    label: str
    module: ir.Module
    objects: int = 0

    @property
    def folder(self) -> str:
        """A name for files."""
        return "".join(c if c.isalnum() or c in "_-" else "-" for c in self.label)


def touched(module: ir.Module, called: Iterable[ir.Update]) -> list[ir.Scope]:
    """The scopes that a packet changes; all, where every counter is counted by itself."""
    names = {name for update in called for name in update.scopes}
    return [scope for scope in module.scopes if not names or scope.name in names]


def only_objects(module: ir.Module, called: Iterable[ir.Update]) -> bool:
    """Whether packets change only objects of the application: else these keep their strategy."""
    return all(s.storage is ir.Storage.EMBEDDED for s in touched(module, called))


def _compared(module: ir.Module, objects: bool) -> list[ir.Scope]:
    """The scopes that strategies are compared for: `objects` of the application, or all others."""
    return [s for s in module.scopes if (s.storage is ir.Storage.EMBEDDED) == objects]


def able(module: ir.Module, *, objects: bool) -> list[str]:
    """The strategies that can keep every scope that they are compared for."""
    used = {scope.storage.value for scope in _compared(module, objects)}
    return [name for name, strategy in all_strategies().items() if used <= set(strategy.storage)]


def sync(label: str) -> ir.Sync:
    """The strategy that a label names. Raises UsageError."""
    choice = parse_sync(label)
    if wrong := syncs.first_problem(choice):
        raise UsageError(*wrong)
    return ir.Sync(choice.strategy, all_strategies()[choice.strategy].settings(choice.model_extra))


def updates(module: ir.Module, wanted: Iterable[str]) -> tuple[ir.Update, ...]:
    """The updates that a packet causes: those asked for by `NAME` or `NAME=WEIGHT`, or all."""
    known = {update.name: update for update in module.updates}
    weights = weighted(wanted)
    for name in weights:
        if name not in known:
            raise UsageError(f"there is no update '{name}'", did_you_mean(name, known, "updates"))
    if not weights:
        return tuple(known.values())
    return tuple(
        known[name] if weight is None else replace(known[name], weight=weight)
        for name, weight in weights.items()
    )


def weighted(words: Iterable[str]) -> dict[str, int | None]:
    """The weights of updates that are named as `NAME` or `NAME=WEIGHT`. Raises UsageError."""
    found: dict[str, int | None] = {}
    for word in words:
        name, equals, weight = word.partition("=")
        found[name] = whole(weight, "updates", 1, MAX_WEIGHT) if equals else None
    return found


def flow_scope(module: ir.Module, called: Iterable[ir.Update]) -> str:
    """The scope that exists once per flow: that with one index of most instances; empty if none."""
    names = {name for scope in touched(module, called) for name in (scope.name, *scope.path)}
    scopes = {
        scope.name: scope.instances
        for scope in module.every_scope
        if len(scope.path) == 1 and scope.storage is not ir.Storage.EMBEDDED and not scope.labelled
        if scope.name in names
    }
    return max(scopes, key=scopes.__getitem__, default="")


def variant(
    module: ir.Module, label: str, flows: str, count: int, *, objects: bool = False
) -> Variant:
    """`module` under the strategy of a label, with `count` instances of the scope `flows`: that of
    `objects` of the application, or of all other scopes."""
    chosen = sync(label)
    strategy = all_strategies()[chosen.strategy]
    compared = {scope.name for scope in _compared(module, objects)}
    scopes = []
    for scope in module.scopes:
        own = scope.name not in compared
        if not own and scope.storage.value not in strategy.storage:
            message = f"'{label}' cannot keep scope '{scope.name}' ({scope.storage.value})"
            raise UsageError(message, "leave the strategy out with --strategies")
        scopes.append(scope if own else replace(scope, sync=chosen))
    return Variant(label, replace(module, scopes=tuple(scopes)).resized(flows, count), count)


def exact(one: Variant, called: Iterable[ir.Update]) -> bool:
    """Whether every strategy that packets count under promises to lose nothing."""
    used = {scope.sync for scope in touched(one.module, called)}
    return all(all_strategies()[s.strategy].promised(dict(s.tunables)).exact for s in used)
