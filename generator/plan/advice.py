# SPDX-License-Identifier: BSD-3-Clause
"""Judges strategies: memory, cost, promises, and which one to take for each scope."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..language.units import shown_size
from ..model import ir, layout
from ..model.workload import Deployment, instances
from ..rules.needs import unmet
from ..strategies.catalogue import Strategy, all_strategies
from . import cachesim
from .machine import Machine
from .model import Estimate, estimate

ALIKE = 1.1
"""Estimates closer than this are the same."""


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy: bytes, where its working set fits, its cost, and what speaks against it.

    `broken` are needs that it does not keep, each with the reason.
    """

    strategy: str
    memory: int
    each: int
    lcore: int
    level: str
    cost: Estimate | None
    broken: dict[str, str]

    @property
    def cycles(self) -> float:
        """Cycles for each counter update; infinite when unknown."""
        return self.cost.update if self.cost else float("inf")


@dataclass(frozen=True, slots=True)
class Choice:
    """What to take for one scope (all of them: ""), and why."""

    scope: str
    rows: tuple[Row, ...]
    strategy: str
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """The table over all scopes together, one for each scope, and what to do."""

    whole: Choice
    scopes: tuple[Choice, ...]
    mixed: Row | None
    summary: tuple[str, ...]


def default_sync(strategy: Strategy) -> ir.Sync:
    """A strategy with its defaults."""
    return ir.Sync(strategy.name, tuple(sorted((t.name, t.default) for t in strategy.tunables)))


def _sync(scope: ir.Scope, strategy: Strategy) -> ir.Sync:
    """A strategy with the tunables that the scope has for it, or else its defaults."""
    return scope.sync if scope.sync.strategy == strategy.name else default_sync(strategy)


def under(module: ir.Module, choice: dict[str, ir.Sync]) -> ir.Module:
    """The module with other strategies for some scopes."""
    scopes = (replace(s, sync=choice.get(s.name, s.sync)) for s in module.scopes)
    return replace(module, scopes=tuple(scopes))


def advise(module: ir.Module, deployment: Deployment, machine: Machine) -> Advice:
    """Judge all strategies for all scopes together, and for each of them."""
    free = tuple(s for s in module.scopes if s.storage is not ir.Storage.EMBEDDED)
    whole = _choose(module, free, deployment, machine, "")
    scopes = []
    if len(module.scopes) > 1:
        scopes = [_choose(module, (s,), deployment, machine, s.name) for s in module.scopes]
    return _sum_up(module, whole, scopes, deployment, machine)


def memory(module: ir.Module, deployment: Deployment, lcores: int) -> int:
    """Bytes with as many flows as there are: of dynamic scopes, instances that exist."""
    exist = {
        s.name: instances(s, deployment) for s in module.scopes if s.storage is ir.Storage.DYNAMIC
    }
    return layout.footprint(module, lcores, exist)


def over_budget(module: ir.Module, deployment: Deployment) -> str:
    """What is more than `requires` allows, or nothing: as `ctrgen build` judges it, or worse.

    The budget is for the lcores of `requires` and for all instances of dynamic scopes; the
    deployment may have more lcores.
    """
    found = []
    budget = module.requires.memory
    if budget is not None:
        here = memory(module, deployment, deployment.lcores)
        found.append((max(layout.footprint(module, module.requires.lcores), here), budget))
    for scope in module.scopes:
        own = scope.requires.memory
        if own is not None and scope.storage is not ir.Storage.EMBEDDED:
            alone = replace(module, scopes=(scope,), updates=())
            here = memory(alone, deployment, deployment.lcores)
            found.append((max(layout.footprint(alone, scope.requires.lcores), here), own))
    over = [
        f"{shown_size(used)} are more than {shown_size(own)}" for used, own in found if used > own
    ]
    return over[0] if over else ""


def _only(module: ir.Module, scopes: tuple[ir.Scope, ...], whole: bool) -> ir.Module:
    """The module without other scopes, for memory."""
    return module if whole else replace(module, scopes=scopes)


def _row(
    module: ir.Module,
    scopes: tuple[ir.Scope, ...],
    strategy: Strategy,
    deployment: Deployment,
    machine: Machine,
    whole: bool,
) -> Row:
    made = under(module, {s.name: _sync(s, strategy) for s in scopes})
    sized = _only(made, tuple(made.scope(s.name) for s in scopes), whole)
    total = memory(sized, deployment, deployment.lcores)
    found = estimate(made, deployment, machine, () if whole else [s.name for s in scopes])
    sets = found.working_set if found else cachesim.WorkingSet(0, 0, 0)
    together = sets.together(deployment.lcores)
    return Row(
        strategy.name,
        total,
        _each(made, scopes, deployment),
        memory(sized, deployment, deployment.lcores + 1) - total,
        cachesim.level(sets.each, deployment.lcores, together, machine),
        found,
        _broken(sized, scopes, strategy, found, deployment),
    )


def _each(module: ir.Module, scopes: tuple[ir.Scope, ...], deployment: Deployment) -> int:
    """Bytes of one more flow (or of one instance of the only scope) in all copies."""
    total = 0
    names = {s.name for s in scopes}
    for domain in layout.domains(module):
        copies = deployment.lcores + (module.writers == "any") if domain.per_lcore else 1
        for part in domain.scopes:
            scope = part.scope
            if scope.name in names and (len(names) == 1 or deployment.flow_scope in scope.path):
                more = scope.instances // max(1, scope.maxima[0]) if len(names) > 1 else 1
                once = part.common.size if part.common else 0
                total += more * (layout.bytes_per_instance(part) * copies + once)
    return total


def _broken(
    made: ir.Module,
    scopes: tuple[ir.Scope, ...],
    strategy: Strategy,
    found: Estimate | None,
    deployment: Deployment,
) -> dict[str, str]:
    """What `made`, where `scopes` have the strategy, does not keep of what they require."""
    broken: dict[str, str] = {}
    for scope in scopes:
        if scope.storage.value not in strategy.storage:
            broken["storage"] = f"it cannot keep a scope with storage {scope.storage.value}"
        broken.update(unmet(strategy, scope.requires))
        limit = scope.requires.update_cycles
        if limit is not None and found is None:
            broken["update_cycles"] = "the cost of its updates is not known"
        elif limit is not None and found is not None and found.update > limit:
            broken["update_cycles"] = f"an update takes about {found.update:.0f} cycles"
    over = over_budget(made, deployment)
    if over:
        broken["memory"] = over
    if not strategy.promises["exact"] and all(s.requires.exact is not False for s in scopes):
        broken.setdefault("exact", "it loses counts when threads update at the same time")
    return broken


def _choose(
    module: ir.Module,
    scopes: tuple[ir.Scope, ...],
    deployment: Deployment,
    machine: Machine,
    name: str,
) -> Choice:
    if not scopes:
        return Choice(name, (), "", ("all scopes are objects of the application",))
    rows = tuple(
        _row(module, scopes, strategy, deployment, machine, not name)
        for strategy in all_strategies().values()
        if all(s.storage.value in strategy.storage for s in scopes)
    )
    fit = [row for row in rows if not row.broken and row.cost is not None]
    if not fit:
        return Choice(name, rows, "", ("no strategy keeps all of `requires`: relax it",))
    if not fit[0].cost or not fit[0].cost.operations:
        kept = scopes[0].sync.strategy
        if kept not in {row.strategy for row in fit}:
            kept = min(fit, key=lambda row: row.memory).strategy
        return Choice(name, rows, kept, ("no update counts here, so cost does not matter",))
    cheapest = min(fit, key=lambda row: row.cycles)
    alike = [row for row in fit if row.cycles <= cheapest.cycles * ALIKE]
    best = min(alike, key=lambda row: (row.memory, row.cycles))
    return Choice(name, rows, best.strategy, tuple(_reasons(best, cheapest, rows, fit)))


def _reasons(best: Row, cheapest: Row, rows: tuple[Row, ...], fit: list[Row]) -> list[str]:
    found = [f"about {best.cycles:.1f} cycles for an update"]
    if best is not cheapest:
        found.append(
            f"as cheap as {cheapest.strategy} within {ALIKE - 1:.0%}, with "
            f"{shown_size(best.memory)} instead of {shown_size(cheapest.memory)}"
        )
    others = sorted((row for row in fit if row is not best), key=lambda row: row.cycles)
    if others:
        found.append(f"next is {others[0].strategy} with {others[0].cycles:.1f}")
    smaller = [row for row in fit if row.memory < best.memory / ALIKE]
    if smaller:
        least = min(smaller, key=lambda row: (row.memory, row.cycles))
        found.append(
            f"it takes {shown_size(best.memory)}; the least is {shown_size(least.memory)}, with "
            f"{least.strategy} and {least.cycles:.1f} cycles"
        )
    out = [row for row in rows if row.broken and row.cycles < best.cycles]
    found += [f"{row.strategy} is cheaper, but {'; '.join(row.broken.values())}" for row in out]
    return found


def _sum_up(
    module: ir.Module,
    whole: Choice,
    scopes: list[Choice],
    deployment: Deployment,
    machine: Machine,
) -> Advice:
    strategies = all_strategies()
    picks = {c.scope: c.strategy for c in scopes if c.strategy}
    free = {s.name for s in module.scopes if s.storage is not ir.Storage.EMBEDDED}
    distinct = {name for scope, name in picks.items() if scope in free}
    uniform = next((row for row in whole.rows if row.strategy == whole.strategy), None)
    if not scopes or len(picks) < len(scopes) or len(distinct) < 2:
        return Advice(whole, tuple(scopes), None, tuple(_plain_summary(whole)))
    syncs = {s.name: _sync(s, strategies[picks[s.name]]) for s in module.scopes}
    made = under(module, syncs)
    total = memory(made, deployment, deployment.lcores)
    found = estimate(made, deployment, machine)
    sets = found.working_set if found else cachesim.WorkingSet(0, 0, 0)
    level = cachesim.level(sets.each, deployment.lcores, sets.together(deployment.lcores), machine)
    lcore = memory(made, deployment, deployment.lcores + 1) - total
    each = _each(made, made.scopes, deployment)
    over = over_budget(made, deployment)
    broken = {"memory": over} if over else {}
    mixed = Row("mixed", total, each, lcore, level, found, broken)
    return Advice(
        whole, tuple(scopes), mixed, tuple(_mixed_summary(made, picks, whole, uniform, mixed))
    )


def _plain_summary(whole: Choice) -> list[str]:
    if not whole.strategy:
        return list(whole.reasons)
    return [f"take {whole.strategy} for all scopes: {whole.reasons[0]}"]


def _mixed_summary(
    made: ir.Module, picks: dict[str, str], whole: Choice, uniform: Row | None, mixed: Row
) -> list[str]:
    listed = ", ".join(f"{name} for {scope}" for scope, name in picks.items())
    better = uniform is None or (
        mixed.cycles * ALIKE < uniform.cycles
        or (mixed.cycles <= uniform.cycles * ALIKE and mixed.memory * ALIKE < uniform.memory)
    )
    if mixed.broken and uniform is None:
        return [
            "no strategy keeps all of `requires`, and neither does the mix of the cheapest "
            f"({listed}): {'; '.join(mixed.broken.values())}"
        ]
    if mixed.broken and uniform is not None:
        return [
            f"take {whole.strategy} for all scopes, {uniform.cycles:.1f} cycles for an update: "
            f"a mix ({listed}) does not keep {', '.join(mixed.broken)}"
        ]
    if not better and uniform is not None:
        return [
            f"take {whole.strategy} for all scopes, {uniform.cycles:.1f} cycles for an update: "
            f"a mix ({listed}; {mixed.cycles:.1f} cycles) gains too little"
        ]
    found = [f"take {listed}: {mixed.cycles:.1f} cycles for an update, {shown_size(mixed.memory)}"]
    if uniform is not None:
        found.append(
            f"one strategy for all is {uniform.strategy} with {uniform.cycles:.1f} cycles, "
            f"{shown_size(uniform.memory)}"
        )
    found += _split(made)
    return found


def _split(made: ir.Module) -> list[str]:
    """What mixing strategies does to transactions."""
    found = []
    for update in made.updates:
        groups: dict[ir.Sync, list[str]] = {}
        for name in update.scopes:
            groups.setdefault(made.scope(name).sync, []).append(name)
        if len(groups) > 1:
            parts = " and ".join(", ".join(names) for names in groups.values())
            found.append(
                f"update '{update.name}' is then {len(groups)} transactions ({parts}): a reader "
                "may see one without the other, and no read section spans them"
            )
    return found
