# SPDX-License-Identifier: BSD-3-Clause
"""Rules about strategies: what the application requires against what a strategy promises."""

from __future__ import annotations

from collections.abc import Iterator

from ..findings.diagnostics import Severity, Span
from ..findings.rules import Finding
from ..language.units import shown_size
from ..model import ir
from ..resolve.place import Place, Resolution
from ..strategies.catalogue import CONSISTENCY, Strategy, all_strategies
from .registry import rule


def unmet(strategy: Strategy, requires: ir.Requires) -> dict[str, str]:
    """The keys of `requires` that a strategy cannot keep, each with what it gives instead.

    Memory is not judged here: it depends on the module, not on the strategy alone.
    """
    promises = strategy.promises
    found: dict[str, str] = {}
    if requires.exact and not promises["exact"]:
        found["exact"] = "it loses counts when threads update at the same time"
    if requires.consistency is not None:
        given = promises["consistency"]
        if CONSISTENCY.index(given) < CONSISTENCY.index(requires.consistency):
            found["consistency"] = f"its reads have consistency {given}"
    if requires.reader == "preemptible" and promises["reader"] != "preemptible":
        stalls = promises["reader"] == "stalls-lcore"
        whom = "an lcore" if stalls else "all writers"
        found["reader"] = f"a reader that is interrupted holds up {whom}"
    if requires.writers == "any" and promises["writers"] != "any":
        found["writers"] = "only lcores can update"
    if requires.propagation_ns is not None and promises["propagation"] != "store":
        found["propagation"] = "counts are seen after a flush, whenever that is"
    if requires.update_cycles is not None:
        if strategy.cycles is None:
            found["update_cycles"] = "the cost of its updates is not known"
        elif strategy.cycles > requires.update_cycles:
            found["update_cycles"] = f"an update takes about {strategy.cycles} cycles"
    return found


def fitting(r: Resolution, scope: ir.Scope, *, memory: bool = True) -> list[str]:
    """Names of the strategies that keep all that a scope requires, the cheapest first."""
    fits = [
        strategy
        for strategy in all_strategies().values()
        if scope.storage.value in strategy.storage
        and not unmet(strategy, scope.requires)
        and not (memory and _over(r, strategy.name))
    ]
    # What loses counts is not offered to those who did not ask about it.
    exact = [strategy for strategy in fits if strategy.promises["exact"]] or fits
    exact.sort(key=lambda s: (s.cycles is None, s.cycles or 0, s.name))
    return [strategy.name for strategy in exact]


def _over(r: Resolution, strategy: str) -> bool:
    from ..model import layout

    budget = r.requires.memory
    if budget is None:
        return False
    key = ("over", strategy)
    if key not in r.memo:
        r.memo[key] = layout.footprint_with(r.module, strategy, r.requires.lcores) > budget
    return bool(r.memo[key])


def _need(r: Resolution, scope: ir.Scope, key: str) -> tuple[Place, bool]:
    """Where a need of a scope was written, and whether that is in the scope itself."""
    place = r.place("scope", scope.name)
    if scope.name == ir.GLOBAL:
        place = next((p for p in r.globals if p.has("requires", key)), place)
    if place.has("requires", key):
        return Place(place.part, (*place.path, "requires", key)), True
    return Place(r.top, ("requires", key)), False


@rule(
    "requires-unmet",
    Severity.ERROR,
    "The strategy of a scope keeps what `requires` says the application needs.",
    after_errors=False,
)
def requires_unmet(r: Resolution) -> Iterator[Finding]:
    told: set[tuple[str, Span]] = set()
    for scope in r.module.scopes:
        strategy = all_strategies()[scope.sync.strategy]
        for key, reason in unmet(strategy, scope.requires).items():
            place, own = _need(r, scope, key)
            span = place.value()
            if (strategy.name, span) in told:
                continue
            told.add((strategy.name, span))
            names = fitting(r, scope)
            hint = f"strategies that fit: {', '.join(names)}" if names else _nothing_fits(r, scope)
            whose = (
                f" of scope '{scope.name}'"
                if own or r.place("scope", scope.name).has("sync")
                else ""
            )
            message = f"strategy '{strategy.name}'{whose} cannot keep '{key}': {reason}"
            yield Finding(span, message, hint)


def _nothing_fits(r: Resolution, scope: ir.Scope) -> str:
    names = fitting(r, scope, memory=False)
    if names:
        return f"no strategy keeps all of `requires`; without `memory`: {', '.join(names)}"
    return "no strategy keeps all of `requires`: relax it"


@rule(
    "requires-writers",
    Severity.ERROR,
    "`requires: {writers: any}` and `writers: lcores` contradict each other.",
)
def requires_writers(r: Resolution) -> Iterator[Finding]:
    if r.module.writers != "lcores":
        return
    told: set[Span] = set()
    for scope in r.module.scopes:
        if scope.requires.writers == "any":
            span = _need(r, scope, "writers")[0].value()
            if span not in told:
                told.add(span)
                message = "any thread is to update, but the module says `writers: lcores`"
                yield Finding(span, message, "change one of the two")


@rule(
    "memory-budget",
    Severity.ERROR,
    "The statistics fit the memory that `requires` allows for the lcores it names.",
    after_errors=False,
)
def memory_budget(r: Resolution) -> Iterator[Finding]:
    from ..model import layout

    budget, lcores = r.requires.memory, r.requires.lcores
    if budget is not None:
        used = layout.footprint(r.module, lcores)
        if used > budget:
            names = _within(r, budget, lcores)
            hint = "lower a `max`, use dynamic storage, or allow more"
            if names:
                hint = f"strategies that fit: {', '.join(names)}"
            span = r.top.raw.value_span(("requires", "memory"))
            yield Finding(span, _over_budget("the statistics", used, budget, lcores), hint)
    for scope in r.module.scopes:
        own = scope.requires.memory
        if own is None or scope.storage is ir.Storage.EMBEDDED:
            continue
        used = layout.footprint(_alone(r.module, scope), scope.requires.lcores)
        if used > own:
            span = _need(r, scope, "memory")[0].value()
            what = f"scope '{scope.name}'"
            message = _over_budget(what, used, own, scope.requires.lcores)
            yield Finding(span, message, "lower `max`, or use a strategy with one instance")


def _within(r: Resolution, budget: int, lcores: int) -> list[str]:
    from ..model import layout

    names = []
    for strategy in all_strategies().values():
        suits = all(
            scope.storage is ir.Storage.EMBEDDED
            or (scope.storage.value in strategy.storage and not unmet(strategy, scope.requires))
            for scope in r.module.scopes
        )
        loses = not strategy.promises["exact"]
        if suits and not loses and layout.footprint_with(r.module, strategy.name, lcores) <= budget:
            names.append(strategy.name)
    return names


def _alone(module: ir.Module, scope: ir.Scope) -> ir.Module:
    import dataclasses

    return dataclasses.replace(module, scopes=(scope,), updates=())


def _over_budget(what: str, used: int, budget: int, lcores: int) -> str:
    plural = "lcore" if lcores == 1 else "lcores"
    return (
        f"{what} would take {shown_size(used)} with {lcores} {plural}, "
        f"more than {shown_size(budget)}"
    )


@rule(
    "lossy-strategy",
    Severity.WARNING,
    "A strategy that can lose counts is for comparison: `requires: {exact: true}` refuses it.",
)
def lossy_strategy(r: Resolution) -> Iterator[Finding]:
    told: set[Span] = set()
    for scope in r.module.scopes:
        strategy = all_strategies()[scope.sync.strategy]
        if strategy.promises["exact"] or scope.requires.exact is not None:
            continue
        if scope.sync_span not in told:
            told.add(scope.sync_span)
            message = (
                f"strategy '{strategy.name}' loses counts when threads update at the same time"
            )
            names = ", ".join(fitting(r, scope, memory=False)[:3])
            hint = f"strategies that do not: {names}; or say `requires: {{exact: false}}`"
            yield Finding(scope.sync_span, message, hint)


@rule(
    "tunable-limit",
    Severity.ERROR,
    "Tunables fit each other, and a buffer holds the largest update: a transaction is never split.",
)
def tunable_limit(r: Resolution) -> Iterator[Finding]:
    largest: dict[ir.Sync, tuple[str, int]] = {}
    told: set[tuple[str, Span]] = set()
    for scope in r.module.scopes:
        strategy, values = all_strategies()[scope.sync.strategy], dict(scope.sync.tunables)
        for tunable in strategy.tunables:
            value, problem = values[tunable.name], ""
            if tunable.at_most is not None and _number(value) > _number(values[tunable.at_most]):
                problem = f"is above '{tunable.at_most}' ({values[tunable.at_most]})"
            if tunable.holds == "update":
                if scope.sync not in largest:
                    largest[scope.sync] = _largest(r.module, scope.sync)
                name, size = largest[scope.sync]
                if size > _number(value):
                    problem = f"cannot hold the {size} operations of update '{name}'"
            if problem and (tunable.name, scope.sync_span) not in told:
                told.add((tunable.name, scope.sync_span))
                message = f"'{tunable.name}: {value}' of strategy '{strategy.name}' {problem}"
                yield Finding(scope.sync_span, message, "change one of the two")


def _number(value: int | str | bool) -> int:
    return value if isinstance(value, int) else 0


def _largest(module: ir.Module, sync: ir.Sync) -> tuple[str, int]:
    """The update with the most operations on scopes with that `sync`, and how many."""
    mine = {scope.name for scope in module.scopes if scope.sync == sync}
    sizes = [
        (update.name, sum(1 for op in update.operations if op.scope in mine))
        for update in module.updates
    ]
    return max(sizes, key=lambda pair: pair[1], default=("", 0))
