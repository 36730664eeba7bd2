# SPDX-License-Identifier: BSD-3-Clause
"""Judges strategies: memory, cost, promises, and which one to take."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ...frontends.rules.needs import budgets, over_cycles, unmet
from ...model import ir, layout, totals
from ...model.language.units import shown_size
from ...model.naming import symbols
from ...model.strategies.catalogue import DELAYS, Strategy, all_strategies
from ...model.workload import Deployment, instances
from ..bench.figures import ALIKE
from .estimate import APIS, Estimate, budget_cycles
from .machine import Machine
from .model import estimate

NAMED = 2  # most calls that an advice names


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy: memory, cost, and reasons against it."""

    strategy: str
    memory: int
    bytes_per_instance: int
    bytes_per_lcore: int
    calls: Mapping[str, Estimate]  # costs by call; none where the strategy says too little
    call: str  # the call to use: the first of the cheapest
    broken: dict[str, str]  # needs that it does not satisfy, with the reasons
    fragile: str = ""  # why it should not be taken even so
    stopped: bool = False  # whether its updates may wait for a whole snapshot
    polls: bool = False  # whether a control thread drains updates that lcores enqueue
    holds_back: bool = False  # whether readers see a count later than its update returns

    @property
    def cost(self) -> Estimate | None:
        """Cost of the updates with the recommended call variant."""
        return self.calls.get(self.call)

    @property
    def cycles(self) -> float:
        """Cycles for each counter update; infinite when unknown."""
        return self.cost.update if self.cost else float("inf")


@dataclass(frozen=True, slots=True)
class Advice:
    """All strategies, the one to take ("" for none), its reasons, those against cheaper ones, and
    effects other than cost in cycles."""

    rows: tuple[Row, ...]
    strategy: str
    reasons: tuple[str, ...]
    left: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()

    @property
    def best(self) -> Row | None:
        """The row of the recommended strategy, or None."""
        return next((row for row in self.rows if row.strategy == self.strategy), None)

    @property
    def ranked(self) -> list[Row]:
        """The rows, the cheapest first."""
        return sorted(self.rows, key=lambda row: (row.cycles, row.strategy))

    @property
    def summary(self) -> str:
        """The recommendation with its first reason and the caveats."""
        taken = f"take {self.strategy} for all scopes: " if self.strategy else ""
        return "; ".join((f"{taken}{self.reasons[0]}", *self.caveats))


def under(module: ir.Module, strategy: str) -> ir.Module:
    """The module under a strategy, with the tunables of scopes that have it, or its defaults."""
    sync = ir.Sync(strategy, all_strategies()[strategy].settings())
    scopes = (
        scope
        if scope.sync.strategy == strategy or scope.storage is ir.Storage.EMBEDDED
        else replace(scope, sync=sync)
        for scope in module.scopes
    )
    return replace(module, scopes=tuple(scopes))


def memory(module: ir.Module, deployment: Deployment, lcores: int) -> int:
    """Bytes with as many flows as there are: of dynamic scopes, instances that exist."""
    exist = {
        s.name: instances(s, deployment) for s in module.scopes if s.storage is ir.Storage.DYNAMIC
    }
    return totals.footprint(module, lcores, exist)


def over_budget(module: ir.Module, deployment: Deployment) -> str:
    """The excess over `requires`, for its lcores or the deployment's; or nothing."""
    for _, held, octets, lcores in budgets(module):
        used = max(totals.footprint(held, lcores), memory(held, deployment, deployment.lcores))
        if used > octets:
            return f"{shown_size(used)} are more than {shown_size(octets)}"
    return ""


@dataclass(frozen=True, slots=True)
class Plan:
    """A module in a deployment on a machine, and what there is to say of it besides advice."""

    module: ir.Module
    deployment: Deployment
    machine: Machine
    notes: tuple[str, ...] = ()
    apis: tuple[str, ...] = APIS

    def advice(self) -> Advice:
        """Judge all strategies that can keep all scopes, objects of the application aside."""
        scopes = [s for s in self.module.scopes if s.storage is not ir.Storage.EMBEDDED]
        if not scopes:
            why = "all scopes are objects of the application: they keep their strategies"
            return Advice((), "", (why,))
        able = (
            strategy
            for strategy in all_strategies().values()
            if all(scope.storage.value in strategy.storage for scope in scopes)
        )
        rows = tuple(self._row(strategy, scopes) for strategy in able)
        found = _best(rows, scopes[0].sync.strategy, self._called)
        if not found.strategy:
            return found
        taken = under(self.module, found.strategy)
        return replace(found, caveats=tuple(_caveats(taken)))

    def _called(self, row: Row) -> str:
        """How to call the updates, where that is not one by one, and what it saves."""
        if not (names := self.functions(row)):
            return ""
        how = f" with {row.call} calls ({names})"
        single = row.calls.get("single")
        return f"{how}, {single.update:.1f} with single ones" if single else how

    def functions(self, row: Row) -> str:
        """The functions that count with the calls of a row, where these are not single ones."""
        if row.call == "single":
            return ""
        chosen, prefix = self.deployment.updates, symbols.prefix(self.module.name)
        called = [u for u in self.module.updates if not chosen or u.name in chosen]
        named = [update.name for update in called if update.arguments or update.indexes]
        names = ", ".join(f"{prefix}_update_{name}_bulk()" for name in named[:NAMED] or ["*"])
        return names + (", ..." if len(named) > NAMED else "")

    def _row(self, strategy: Strategy, scopes: list[ir.Scope]) -> Row:
        """The cost and memory of a module under a strategy."""
        module, place = under(self.module, strategy.name), self.deployment
        octets = memory(module, place, place.lcores)
        costs = {api: estimate(module, replace(place, api=api), self.machine) for api in self.apis}
        calls = {api: cost for api, cost in costs.items() if cost}
        least = min((cost.update for cost in calls.values()), default=0.0)
        # An earlier one that costs the same is as good.
        call = next((api for api, cost in calls.items() if cost.update <= least * ALIKE), "")
        single, fragile = calls.get("single"), ""
        if single and 0 < budget_cycles(place) < single.packet:
            fragile = "single calls would take more cycles than a packet has"
        return Row(
            strategy.name,
            memory=octets,
            bytes_per_instance=_each(module, scopes, place),
            bytes_per_lcore=memory(module, place, place.lcores + 1) - octets,
            calls=calls,
            call=call,
            broken=_broken(scopes, strategy, calls.get(call), over_budget(module, place)),
            fragile=fragile,
            stopped=any(_stopped(domain) for domain in layout.domains(module)),
            polls=strategy.polls,
            holds_back=strategy.holds_back,
        )


def _each(module: ir.Module, scopes: list[ir.Scope], deployment: Deployment) -> int:
    """Bytes of one more flow (or of one instance of the only scope) in all copies."""
    total = 0
    names = {s.name for s in scopes}
    for domain in layout.domains(module):
        copies = domain.copies(deployment.lcores)
        for part in domain.scopes:
            scope = part.scope
            if scope.name in names and (len(names) == 1 or deployment.flow_scope in scope.path):
                more = scope.instances // max(1, scope.maxima[0]) if len(names) > 1 else 1
                once = (part.common.size if part.common else 0) + part.record_size
                total += more * (totals.bytes_per_instance(part) * copies + once)
    return total


def _broken(
    scopes: list[ir.Scope], strategy: Strategy, cost: Estimate | None, over: str
) -> dict[str, str]:
    """Unmet requirements of scopes under a strategy; `over` concerns memory."""
    broken: dict[str, str] = {}
    for scope in scopes:
        broken.update(unmet(strategy, scope))
        if scope.requires.update_cycles is not None:
            cycles = cost.update if cost else None
            if reason := over_cycles(cycles, scope.requires.update_cycles):
                broken["update_cycles"] = reason
    if over:
        broken["memory"] = over
    if not strategy.promises.exact and all(s.requires.exact is not False for s in scopes):
        broken.setdefault("exact", strategy.promises.shortfall("exact", True))
    return broken


def _stopped(domain: layout.Domain) -> bool:
    """Whether its updates may wait for a whole snapshot."""
    return domain.strategy.delays(dict(domain.sync.tunables)) == "snapshot"


def _caveats(module: ir.Module) -> Iterator[str]:
    """Remarks on the recommended strategies."""
    domains = layout.domains(module)
    held = {domain.strategy.name for domain in domains if _stopped(domain)}
    yield from (f"{DELAYS['snapshot']} under {name}" for name in sorted(held))
    recycled = [s.name for s in module.scopes if s.storage is ir.Storage.DYNAMIC]
    if recycled:
        yield (
            f"bills of {', '.join(recycled)} are exact where each lcore calls P_burst_end() once a "
            "burst"
        )
    late = [
        part.scope.name
        for domain in domains
        if domain.strategy.holds_back
        for part in domain.scopes
        if part.scope.levels and part.scope.storage is ir.Storage.STATIC and not part.scope.labelled
    ]
    if late:
        yield (
            f"before an index of {', '.join(late)} is given to something else, all lcores flush "
            "first: else deferred counts go to the new owner"
        )


def _best(rows: tuple[Row, ...], current: str, called: Callable[[Row], str]) -> Advice:
    """The row to take of a module that is under `current` now."""
    fit = [row for row in rows if not row.broken and row.cost is not None]
    if not fit:
        return Advice(rows, "", ("no strategy keeps all of `requires`: relax it",))
    fit = [row for row in fit if not row.fragile] or fit
    # The time of the control thread is in no figure, and whether there is a core for it, the schema
    # does not say.
    fit = [row for row in fit if row.strategy == current or not row.polls] or fit
    if all(row.cost.operations == 0 for row in fit if row.cost):
        if current not in {row.strategy for row in fit}:
            current = min(fit, key=lambda row: row.memory).strategy
        return Advice(rows, current, ("no update counts here, so cost does not matter",))
    cheapest = min(fit, key=lambda row: row.cycles)
    alike = [row for row in fit if row.cycles <= cheapest.cycles * ALIKE]
    # What is seen at once needs no flush.
    best = min(alike, key=lambda row: (row.holds_back, row.memory, row.cycles))
    about = f"about {best.cycles:.1f} cycles for an update{called(best)}"
    left = (row for row in rows if row.cycles < best.cycles and row not in fit)
    why = tuple(f"{row.strategy} is cheaper, but {against(row, best)}" for row in left)
    return Advice(rows, best.strategy, (about, *reasons(best, cheapest, fit)), why)


def reasons(best: Row, cheapest: Row, fit: list[Row]) -> list[str]:
    """Why a strategy is taken, of those that `fit`."""
    reasons = []
    if best is not cheapest:
        reasons.append(
            f"as cheap as {cheapest.strategy} within {ALIKE - 1:.0%}, with "
            f"{shown_size(best.memory)} instead of {shown_size(cheapest.memory)}"
        )
    others = sorted((row for row in fit if row is not best), key=lambda row: row.cycles)
    if others:
        reasons.append(f"next is {others[0].strategy} with {others[0].cycles:.1f}")
    smaller = [row for row in fit if row.memory < best.memory / ALIKE]
    if smaller:
        least = min(smaller, key=lambda row: (row.memory, row.cycles))
        reasons.append(
            f"it takes {shown_size(best.memory)}; the least is {shown_size(least.memory)}, with "
            f"{least.strategy} and {least.cycles:.1f} cycles"
        )
    return reasons


def against(row: Row, best: Row) -> str:
    """Why a strategy is not taken that is as cheap as the best, or cheaper."""
    if row.broken:
        return "; ".join(row.broken.values())
    if row.fragile:
        return row.fragile
    if row.polls and not best.polls:
        return "the time of its control thread is not in the figure"
    if row.holds_back and not best.holds_back:
        return f"as cheap within {ALIKE - 1:.0%}, with counts that are visible later"
    return f"as cheap within {ALIKE - 1:.0%}, and larger"
