# SPDX-License-Identifier: BSD-3-Clause
"""Variants to compare: one schema under every strategy, for a number of flows."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ...findings.suggest import did_you_mean
from ...findings.usage import UsageError
from ...frontends.resolve import syncs
from ...model import ir
from ...model.strategies.catalogue import all_strategies
from ...pipeline.build import parse_sync


@dataclass(frozen=True, slots=True)
class Variant:
    """The schema under the strategy `label`."""

    label: str
    module: ir.Module

    @property
    def folder(self) -> str:
        """A name for files."""
        return "".join(c if c.isalnum() or c in "_-" else "-" for c in self.label)


def _touched(module: ir.Module, called: Iterable[ir.Update]) -> list[ir.Scope]:
    """The scopes that a packet changes."""
    names = {name for update in called for name in update.scopes}
    return [scope for scope in module.scopes if scope.name in names]


def _compared(module: ir.Module) -> list[ir.Scope]:
    """The scopes that strategies are compared for: all but objects of the application."""
    return [s for s in module.scopes if s.storage is not ir.Storage.EMBEDDED]


def able(module: ir.Module) -> list[str]:
    """The strategies that can keep every scope that they are compared for."""
    used = {scope.storage.value for scope in _compared(module)}
    return [name for name, strategy in all_strategies().items() if used <= set(strategy.storage)]


def sync(label: str) -> ir.Sync:
    """The strategy that a label names. Raises UsageError."""
    choice = parse_sync(label)
    if wrong := syncs.first_problem(choice):
        raise UsageError(*wrong)
    return ir.Sync(choice.strategy, all_strategies()[choice.strategy].settings(choice.model_extra))


def updates(module: ir.Module, wanted: Iterable[str]) -> tuple[ir.Update, ...]:
    """The updates that a packet causes: those asked for, or all. Raises UsageError."""
    known = {update.name: update for update in module.updates}
    names = tuple(wanted)
    for name in names:
        if name not in known:
            raise UsageError(f"there is no update '{name}'", did_you_mean(name, known, "updates"))
    return tuple(known[name] for name in names or known)


def flow_scope(module: ir.Module, called: Iterable[ir.Update]) -> str:
    """The scope that exists once per flow: that with one index of most instances; empty if none."""
    names = {name for scope in _touched(module, called) for name in (scope.name, *scope.path)}
    scopes = {
        scope.name: scope.instances
        for scope in module.every_scope
        if len(scope.path) == 1 and scope.storage is not ir.Storage.EMBEDDED and not scope.labelled
        if scope.name in names
    }
    return max(scopes, key=scopes.__getitem__, default="")


def variant(module: ir.Module, label: str, flows: str, count: int) -> Variant:
    """`module` under the strategy of a label, with `count` instances of the scope `flows`."""
    chosen = sync(label)
    strategy = all_strategies()[chosen.strategy]
    compared = {scope.name for scope in _compared(module)}
    scopes = []
    for scope in module.scopes:
        own = scope.name not in compared
        if not own and scope.storage.value not in strategy.storage:
            message = f"'{label}' cannot keep scope '{scope.name}' ({scope.storage.value})"
            raise UsageError(message, "leave the strategy out with --strategies")
        scopes.append(scope if own else replace(scope, sync=chosen))
    return Variant(label, replace(module, scopes=tuple(scopes)).resized(flows, count))


def exact(one: Variant, called: Iterable[ir.Update]) -> bool:
    """Whether every strategy that packets count under promises to lose nothing."""
    used = {scope.sync for scope in _touched(one.module, called)}
    return all(all_strategies()[s.strategy].promised(dict(s.tunables)).exact for s in used)
