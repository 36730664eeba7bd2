# SPDX-License-Identifier: BSD-3-Clause
"""Judges strategies: memory, cost, promises, and which one to take for each scope."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ...frontends.rules.needs import budgets, over_cycles, unmet
from ...model import ir, layout, totals
from ...model.language.units import shown_size
from ...model.naming import symbols
from ...model.strategies.catalogue import Strategy, all_strategies
from ...model.workload import Deployment, instances
from .estimate import APIS, Estimate, budget_cycles
from .machine import Machine
from .model import estimate
from .reading import caveats, stops
from .rows import ALIKE, Advice, Choice, Row, against, mixed_summary, prefers_mix, reasons

NAMED = 2  # most calls that an advice names


def under(module: ir.Module, choice: dict[str, str]) -> ir.Module:
    """The module with a strategy chosen for some scopes, with their tunables or its defaults."""
    scopes = []
    for scope in module.scopes:
        name = choice.get(scope.name, scope.sync.strategy)
        if name != scope.sync.strategy:
            scope = replace(scope, sync=ir.Sync(name, all_strategies()[name].settings()))
        scopes.append(scope)
    return replace(module, scopes=tuple(scopes))


def memory(module: ir.Module, deployment: Deployment, lcores: int) -> int:
    """Bytes with as many flows as there are: of dynamic scopes, instances that exist."""
    exist = {
        s.name: instances(s, deployment) for s in module.scopes if s.storage is ir.Storage.DYNAMIC
    }
    return totals.footprint(module, lcores, exist)


def over_budget(module: ir.Module, deployment: Deployment) -> str:
    """What is more than `requires` allows, of its lcores or the deployment's; or nothing."""
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
        """Judge all strategies for all scopes together, for each of them, and as a mix."""
        module = self.module
        free = tuple(s for s in module.scopes if s.storage is not ir.Storage.EMBEDDED)
        whole = self._choose(free, "")
        choices = [self._choose((s,), s.name) for s in module.scopes] if module.scopes[1:] else []
        picks = {c.scope: c.strategy for c in choices if c.strategy}
        bound = _bound(module)
        for names in bound:
            one = self._choose(tuple(s for s in free if s.name in names), ", ".join(names))
            picks.update(dict.fromkeys((s.name for s in free if s.name in names), one.strategy))
        picks = {name: strategy for name, strategy in picks.items() if strategy}
        distinct = {picks[scope.name] for scope in free if scope.name in picks}
        uniform = dict.fromkeys((s.name for s in free), whole.strategy)
        mixed, taken, lines = None, uniform, list(whole.reasons)
        if len(picks) == len(choices) and len(distinct) > 1:
            mixed = self._row("mixed", picks, whole=True)
            lines = mixed_summary(under(module, picks), picks, whole, mixed, self._called(mixed))
            taken = picks if prefers_mix(whole, mixed) else uniform
        elif whole.strategy:
            lines = [f"take {whole.strategy} for all scopes: {whole.reasons[0]}"]
        if not whole.strategy and (mixed is None or mixed.broken):
            return Advice(whole, tuple(choices), mixed, None, tuple(lines), (), {})
        spans = "keep one strategy: `requires: {consistency: update}` spans them"
        lines += [f"{', '.join(names)} {spans}" for names in bound]
        said = tuple(caveats(under(module, taken), self.deployment, self.machine))
        row = mixed if taken is picks else whole.best
        return Advice(whole, tuple(choices), mixed, row, tuple(lines), said, picks | taken)

    def _choose(self, scopes: tuple[ir.Scope, ...], name: str) -> Choice:
        if not scopes:
            why = "all scopes are objects of the application: they keep their strategies"
            return Choice(name, (), "", (why,))
        rows = []
        for strategy in all_strategies().values():
            if all(s.storage.value in strategy.storage for s in scopes):
                choice = dict.fromkeys((s.name for s in scopes), strategy.name)
                row = self._row(strategy.name, choice, whole=not name)
                rows.append(replace(row, broken=_broken(scopes, strategy, row)))
        return _best(name, tuple(rows), scopes[0].sync.strategy, self._called)

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
        updates = [
            u for u in self.module.updates
            if not self.deployment.updates or u.name in self.deployment.updates
            if row.call == "batch" or u.arguments or u.indexes
        ]  # fmt: skip
        pattern = "{}_batch_{}()" if row.call == "batch" else "{}_update_{}_bulk()"
        prefix, named = symbols.prefix(self.module.name), [update.name for update in updates]
        names = ", ".join(pattern.format(prefix, name) for name in named[:NAMED] or ["*"])
        return names + (", ..." if len(named) > NAMED else "")

    def _row(self, label: str, choice: dict[str, str], whole: bool) -> Row:
        """The strategies chosen for some scopes; cost and memory of them, or of the module."""
        module, place = under(self.module, choice), self.deployment
        scopes = tuple(module.scope(name) for name in choice)
        sized = module if whole else replace(module, scopes=scopes)
        octets = memory(sized, place, place.lcores)
        calls: dict[str, Estimate] = {}
        for api in self.apis:
            cost = estimate(module, replace(place, api=api), self.machine, () if whole else choice)
            calls |= {api: cost} if cost else {}
        call = _cheapest(calls)
        stopped = stops(module, place)
        longest = max((stopped.get(name, 0.0) for name in choice.values()), default=0.0)
        over = over_budget(sized, place)
        return Row(
            label,
            memory=octets,
            bytes_per_instance=_each(module, scopes, place),
            bytes_per_lcore=memory(sized, place, place.lcores + 1) - octets,
            calls=calls,
            call=call,
            stops=longest,
            broken={"memory": over} if over else {},
            fragile=_fragile(calls, budget_cycles(place)),
        )


def _cheapest(calls: Mapping[str, Estimate]) -> str:
    """The cheapest call, or an earlier one that costs the same."""
    least = min((cost.update for cost in calls.values()), default=0.0)
    return next((api for api, cost in calls.items() if cost.update <= least * ALIKE), "")


def _fragile(calls: Mapping[str, Estimate], budget: float) -> str:
    """Why a strategy is not taken for its bulk calls: single ones take more than a packet has."""
    single = calls.get("single")
    if single is None or not 0 < budget < single.packet:
        return ""
    return "single calls would take more cycles than a packet has"


def _bound(module: ir.Module) -> list[list[str]]:
    """Scopes that must have one strategy: an update of them has to be seen as a whole."""
    groups: list[set[str]] = []
    for update in module.updates:
        names = {n for n in update.scopes if _whole_updates(module.scope(n))}
        if len(names) < 2:
            continue
        joined = [group for group in groups if group & names]
        groups = [group for group in groups if not group & names] + [names.union(*joined)]
    return [[s.name for s in module.scopes if s.name in group] for group in groups]


def _whole_updates(scope: ir.Scope) -> bool:
    embedded = scope.storage is ir.Storage.EMBEDDED
    return scope.requires.consistency == "update" and not embedded


def _each(module: ir.Module, scopes: tuple[ir.Scope, ...], deployment: Deployment) -> int:
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


def _broken(scopes: tuple[ir.Scope, ...], strategy: Strategy, row: Row) -> dict[str, str]:
    """What scopes under a strategy lack of what they require."""
    broken: dict[str, str] = {}
    for scope in scopes:
        broken.update(unmet(strategy, scope))
        if scope.requires.update_cycles is not None:
            cycles = row.cost.update if row.cost else None
            if reason := over_cycles(cycles, scope.requires.update_cycles):
                broken["update_cycles"] = reason
    broken.update(row.broken)
    if not strategy.promises.exact and all(s.requires.exact is not False for s in scopes):
        broken.setdefault("exact", strategy.promises.shortfall("exact", True))
    return broken


def _best(name: str, rows: tuple[Row, ...], current: str, called: Callable[[Row], str]) -> Choice:
    """The row to take for a scope (all of them: ""), which is under `current` now."""
    fit = [row for row in rows if not row.broken and row.cost is not None]
    if not fit:
        return Choice(name, rows, "", ("no strategy keeps all of `requires`: relax it",))
    fit = [row for row in fit if not row.fragile] or fit
    # The time of the control thread is in no figure, and whether there is a core for it, the schema
    # does not say.
    fit = [row for row in fit if row.strategy == current or not row.polls] or fit
    if all(row.cost.operations == 0 for row in fit if row.cost):
        if current not in {row.strategy for row in fit}:
            current = min(fit, key=lambda row: row.memory).strategy
        return Choice(name, rows, current, ("no update counts here, so cost does not matter",))
    cheapest = min(fit, key=lambda row: row.cycles)
    alike = [row for row in fit if row.cycles <= cheapest.cycles * ALIKE]
    # What is seen at once needs no flush.
    best = min(alike, key=lambda row: (row.holds_back, row.memory, row.cycles))
    about = f"about {best.cycles:.1f} cycles for an update{called(best)}"
    left = (row for row in rows if row.cycles < best.cycles and row not in fit)
    why = tuple(f"{row.strategy} is cheaper, but {against(row, best)}" for row in left)
    return Choice(name, rows, best.strategy, (about, *reasons(best, cheapest, fit)), why)
