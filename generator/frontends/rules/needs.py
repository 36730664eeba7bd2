# SPDX-License-Identifier: BSD-3-Clause
"""Rules about strategies: what the application requires against what a strategy promises, limits
that it can give, and what the kernel counts where the output `xdp` is asked for."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from ...findings.diagnostics import Severity, Span
from ...findings.rules import Finding, Findings
from ...model import ir, kernel, layout, limits, records, totals
from ...model.language.units import shown_size
from ...model.strategies.catalogue import DELAYS, Strategy, all_strategies
from ...model.strategies.promises import LOSES_COUNTS
from ..resolve.place import Place, Resolution
from .registry import rule, rule_of_each


def unmet(strategy: Strategy, scope: ir.Scope) -> dict[str, str]:
    """The keys of `requires` that a strategy cannot satisfy for a scope, each with what it gives
    instead: with the tunables that the scope has for it, or else with their defaults.

    Memory is not judged here: it depends on the module, not on the strategy alone.
    """
    requires = scope.requires
    chosen = scope.sync.tunables if scope.sync.strategy == strategy.name else ()
    promises = strategy.promised(dict(chosen))
    reasons: dict[str, str] = {}
    for key, promise, need in _promised(requires):
        if need is not None and (reason := promises.shortfall(promise, need)):
            reasons.setdefault(key, reason)
    given, allowed, order = strategy.delays(dict(chosen)), requires.reader_delay, list(DELAYS)
    if allowed in DELAYS and order.index(given) > order.index(allowed):
        reasons["reader_delay"] = DELAYS[given]
    if requires.update_cycles is not None:
        reasons["update_cycles"] = over_cycles(strategy.cycles, requires.update_cycles)
    return {key: reason for key, reason in reasons.items() if reason}


def _promised(requires: ir.Requires) -> Iterator[tuple[str, str, Any]]:
    """The keys of `requires` that promises answer: key, promise, its least value (None: any)."""
    yield "exact", "exact", requires.exact
    yield "consistency", "consistency", requires.consistency
    yield "reader", "reader", None if requires.reader == "any" else requires.reader
    yield "propagation", "propagation", None if requires.propagation_ns is None else "store"
    bills = requires.billing == "exact"
    yield "billing", "exact", True if bills else None
    yield "billing", "reset", "lossless" if bills else None
    yield "realtime", "waits", "bounded" if requires.realtime else None


def over_cycles(cycles: float | None, limit: int) -> str:
    """Why an update of `cycles` (None: unknown) exceeds the limit; empty if it does not."""
    if cycles is None:
        return "the cost of its updates is not known"
    return f"an update takes about {cycles:.0f} cycles" if cycles > limit else ""


def suits(strategy: Strategy, scope: ir.Scope) -> bool:
    """Whether a scope can be under a strategy, memory aside."""
    return scope.storage.value in strategy.storage and not unmet(strategy, scope)


def fitting(scope: ir.Scope, strategies: Iterable[Strategy]) -> list[str]:
    """Names of those strategies that satisfy all that a scope requires, the cheapest first."""
    fits = [strategy for strategy in strategies if suits(strategy, scope)]
    # Inexact strategies are offered only if no exact one fits.
    exact = [strategy for strategy in fits if strategy.promises.exact] or fits
    exact.sort(key=lambda s: (s.cycles is None, s.cycles or 0, s.name))
    return [strategy.name for strategy in exact]


def _affordable(module: ir.Module) -> list[Strategy]:
    """The strategies under which a module stays within its memory budget, or all without one."""
    budget, lcores = module.requires.memory, module.requires.lcores
    return [
        strategy
        for name, strategy in all_strategies().items()
        if budget is None or totals.footprint_with(module, name, lcores) <= budget
    ]


def budgets(module: ir.Module) -> Iterator[tuple[ir.Scope | None, ir.Module, int, int]]:
    """A limit of `requires`: scope (None: all), subject, octets, lcores."""
    if module.requires.memory is not None:
        yield None, module, module.requires.memory, module.requires.lcores
    for scope in module.scopes:
        octets, lcores = scope.requires.memory, scope.requires.lcores
        if octets is not None and scope.storage is not ir.Storage.EMBEDDED:
            yield scope, replace(module, scopes=(scope,), updates=()), octets, lcores


def _need(r: Resolution, scope: ir.Scope, key: str) -> Place:
    """Where a need of a scope was written: in the scope itself, or for the module."""
    place = r.place("scope", scope.name)
    if scope.name == ir.GLOBAL:
        place = next((p for p in r.globals if p.has("requires", key)), place)
    if place.has("requires", key):
        return Place(place.part, (*place.path, "requires", key))
    return Place(r.top, ("requires", key))


@rule(
    "The strategy of a scope keeps what `requires` says the application needs.", after_errors=False
)
def requires_unmet(r: Resolution) -> Findings:
    reported: set[tuple[str, Span]] = set()
    affordable: list[Strategy] = []
    for scope in r.module.scopes:
        strategy = all_strategies()[scope.sync.strategy]
        for key, reason in unmet(strategy, scope).items():
            place = _need(r, scope, key)
            span = place.value()
            if (strategy.name, span) in reported:
                continue
            reported.add((strategy.name, span))
            affordable = affordable or _affordable(r.module)
            hint = "no strategy keeps all of `requires`"
            if names := ", ".join(fitting(scope, affordable)):
                hint = f"strategies that fit: {names}"
            elif names := ", ".join(fitting(scope, all_strategies().values())):
                hint += f"; without `memory`: {names}"
            else:
                hint += ": relax it"
            if key == "billing" and scope.storage is ir.Storage.DYNAMIC:
                hint += "; threads then report quiescence once a burst"
            of_scope = place.path[0] == "scopes" or r.place("scope", scope.name).has("sync")
            whose = f" of scope '{scope.name}'" if of_scope else ""
            message = f"strategy '{strategy.name}'{whose} does not meet '{key}': {reason}"
            yield Finding(span, message, hint)


@rule(
    "The statistics fit the memory that `requires` allows for the lcores it names.",
    after_errors=False,
)
def memory_budget(r: Resolution) -> Findings:
    for scope, module, octets, lcores in budgets(r.module):
        used = totals.footprint(module, lcores)
        if used <= octets:
            continue
        if scope is None:
            what, span = "the statistics", r.top.raw.value_span(("requires", "memory"))
            names = _within(r)
            hint = "lower a `max`, use dynamic storage, or allow more"
            hint = f"strategies that fit: {', '.join(names)}" if names else hint
        else:
            what, span = f"scope '{scope.name}'", _need(r, scope, "memory").value()
            hint = "lower `max`, or use a strategy with one instance"
        message = f"{what} would take {shown_size(used)} with {lcores} lcore"
        message += f"{'' if lcores == 1 else 's'}, more than {shown_size(octets)}"
        yield Finding(span, message, hint)


def _within(r: Resolution) -> list[str]:
    """Strategies that suit every scope, lose nothing and stay within the module's budget."""
    scopes = [s for s in r.module.scopes if s.storage is not ir.Storage.EMBEDDED]
    return [
        strategy.name
        for strategy in _affordable(r.module)
        if strategy.promises.exact and all(suits(strategy, scope) for scope in scopes)
    ]


@rule(
    "A strategy that can lose counts is for comparison: `requires: {exact: true}` refuses it.",
    Severity.WARNING,
)
def lossy_strategy(r: Resolution) -> Findings:
    lossy: dict[Span, ir.Scope] = {}
    for scope in r.module.scopes:
        promises = all_strategies()[scope.sync.strategy].promises
        refused = scope.requires.billing == "exact"
        if not promises.exact and scope.requires.exact is None and not refused:
            lossy.setdefault(scope.sync_span, scope)
    for span, scope in lossy.items():
        names = ", ".join(fitting(scope, all_strategies().values())[:3])
        hint = f"strategies that do not: {names}; or say `requires: {{exact: false}}`"
        yield Finding(span, f"strategy '{scope.sync.strategy}' {LOSES_COUNTS}", hint)


@rule("Tunables fit each other, a buffer holds the largest update, a ring two: none is ever split.")
def tunable_limit(r: Resolution) -> Findings:
    for sync, span in dict.fromkeys((s.sync, s.sync_span) for s in r.module.scopes):
        values = dict(sync.tunables)
        for name, tunable in all_strategies()[sync.strategy].tunables.items():
            value, problem, hint = values[name], "", "change one of the two"
            if tunable.at_most is not None and _number(value) > _number(values[tunable.at_most]):
                problem = f"is above '{tunable.at_most}' ({values[tunable.at_most]})"
            if tunable.holds:
                update, size = records.largest(r.module, sync)
                if tunable.holds == "records" and 2 * size > _number(value):
                    problem = f"is below {2 * size} units: two records of update '{update}'"
                    hint = f"set '{name}' to {2 * size} or more"
                elif size > _number(value):
                    problem = f"cannot hold the {size} units of a record of update '{update}'"
            if problem:
                message = f"'{name}: {value}' of strategy '{sync.strategy}' {problem}"
                yield Finding(span, message, hint)


def _number(value: int | str) -> int:
    return value if isinstance(value, int) else 0


@rule_of_each
def limit_rule(r: Resolution) -> Iterator[tuple[Resolution, ir.Scope, ir.Limit, Place]]:
    for scope in r.module.scopes:
        for limit in scope.limits:
            place = r.place("item", scope.name, limit.name)
            if not place.broken():
                yield r, scope, limit, place


@limit_rule("A limit of counters needs a strategy that promises `exact`.")
def limit_sync(r: Resolution, scope: ir.Scope, limit: ir.Limit, place: Place) -> Findings:
    strategy, what = all_strategies()[scope.sync.strategy], f"limit '{limit.name}'"
    if limit.gauge:
        return
    if not strategy.promised(dict(scope.sync.tunables)).exact:
        message = f"{what} is not possible under {strategy.name}, which does not promise `exact`"
        fit = (s for s in all_strategies().values() if scope.storage.value in s.storage)
        exact = [s.name for s in fit if s.promised({}).exact]
        hint = f"choose another strategy for '{scope.name}', such as {exact[0]}"
        yield Finding(place.key(), message, hint)


@limit_rule("A limit is of a scope with an index or of global, with at most 2^31 instances.")
def limit_scope(r: Resolution, scope: ir.Scope, limit: ir.Limit, place: Place) -> Findings:
    if scope.storage is ir.Storage.EMBEDDED:
        message = f"scope '{scope.name}' is embedded: no lcore finds shares of its objects"
        yield Finding(place.key(), message, "use `storage: dynamic`")
    elif scope.instances > limits.MAX_INSTANCES:
        message = f"scope '{scope.name}' has {scope.instances:,} instances"
        hint = f"with limits at most {limits.MAX_INSTANCES:,} are possible"
        yield Finding(place.key(), message, hint)


@limit_rule("At least one update counts towards a limit.", Severity.WARNING)
def limit_unused(r: Resolution, scope: ir.Scope, limit: ir.Limit, place: Place) -> Findings:
    every = (op for update in r.module.updates for op in update.operations)
    changed = {(op.scope, op.item) for op in every if op.verb == "add"}
    if limit.of and not any((scope.name, name) in changed for name in limit.of):
        message = f"no update adds to what '{scope.name}.{limit.name}' is of"
        yield Finding(place.key(), message, f"write `add: {{{scope.name}.{limit.of[0]}: ...}}`")


KERNEL = "xdp"


def _asked(r: Resolution, parts: Callable[[ir.Module], Iterable[Any]]) -> list[tuple[Any]]:
    return [(part,) for part in parts(r.module)] if KERNEL in r.outputs else []


kernel_rule = rule_of_each(lambda r: _asked(r, lambda module: module.scopes))
domain_rule = rule_of_each(lambda r: _asked(r, layout.domains))


@kernel_rule("The kernel counts under strategies with an instance for each CPU, or one for all.")
def xdp_strategy(scope: ir.Scope) -> Findings:
    embedded = scope.storage is ir.Storage.EMBEDDED
    if kernel.copies(scope.sync) is None and not embedded:
        message = f"the kernel cannot count '{scope.name}' under '{scope.sync.strategy}'"
        yield Finding(scope.sync_span, message, f"use '{kernel.fitting(scope.sync)}'")


@kernel_rule("The kernel counts in maps, not in objects of the application.")
def xdp_storage(scope: ir.Scope) -> Findings:
    if scope.storage is ir.Storage.EMBEDDED:
        message = f"the kernel cannot count in objects of the application, as in '{scope.name}'"
        yield Finding(scope.span, message, "give the scope a `max`")


@kernel_rule("The kernel keeps no limits.")
def xdp_limit(scope: ir.Scope) -> Findings:
    for limit in scope.limits:
        message = f"limit '{limit.name}' is not possible in the kernel: CPUs hold no shares"
        yield Finding(limit.span, message, "watch the counter by a notification")


@domain_rule("The counters of a scope in the kernel take less than 512 MiB a CPU.")
def xdp_size(domain: layout.Domain) -> Findings:
    size = 0
    for part in domain.scopes:
        size += part.data.size * part.scope.instances if part.data else 0
        if size > kernel.LARGEST and part.scope.storage is not ir.Storage.EMBEDDED:
            message = f"counters up to those of '{part.scope.name}' take {size} bytes a CPU"
            hint = f"at most {kernel.LARGEST} fit: lower `max`"
            yield Finding(part.scope.span, message, hint)
            return
