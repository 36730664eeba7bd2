# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen plan` from end to end: its options as numbers, the plan, its text."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..bench.result import Result, load
from ..findings.diagnostics import Severity
from ..findings.suggest import did_you_mean
from ..findings.usage import UsageError
from ..language.units import number, size, whole
from ..model import ir
from ..model.workload import MIGRATIONS, Deployment
from . import comparison, output
from .advice import Planner
from .comparison import Comparison
from .machine import CASCADE_LAKE, Machine, machine, machine_of

if TYPE_CHECKING:
    from ..pipeline.check import Checked

CHOICE = {"requires-unmet", "memory-budget"}
"""Rules about the choice of a strategy, which is what a plan is to help with."""

MOST_LCORES = 1024
MOST_FLOWS = 2**32 - 1
"""Indexes have 32 bits."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of `ctrgen plan` as they were written; empty ones are not given."""

    lcores: str
    flows: str = ""
    pps: str = ""
    work: str = ""
    hz: str = ""
    affinity: str = "rare"
    pressure: str = ""
    flow_scope: str = ""
    updates: tuple[str, ...] = ()
    machine: str = ""
    bench: str = ""
    l1: str = ""
    l2: str = ""
    llc: str = ""


def plannable(checked: Checked) -> ir.Module | None:
    """The module, also when the strategy that it has does not keep what it requires."""
    if checked.module is not None or checked.resolution is None:
        return checked.module
    errors = {f.rule for f in checked.diagnostics.findings if f.severity is Severity.ERROR}
    return checked.resolution.module if errors <= CHOICE else None


def usual_lcores(checked: Checked) -> str:
    """Lcores that count when the command line says none: as many as `requires` says, or else 4."""
    resolution = checked.resolution
    if resolution is not None and resolution.top.raw.has(("requires", "lcores")):
        return str(resolution.module.requires.lcores)
    return "4"


def run(module: ir.Module, options: Options, style: str = "text") -> str:
    """The plan as `text`, `markdown` or `json`. Raises UsageError."""
    if options.bench and options.machine:
        raise UsageError("--machine and --bench both name a machine", "give one of them")
    result = load(options.bench) if options.bench else None
    known = machine_of(result) if result else machine(options.machine or CASCADE_LAKE.name)
    base = machine_with(known, options)
    place = deployment(module, options, base)
    module, notes = _raised(module, place)
    compared, more = _against(result, module, place, base) if result else ((), ())
    advice = Planner(module, place, base).advice()
    plan = output.Plan(module, place, base, advice, compared, notes + more)
    return output.as_json(plan) if style == "json" else output.text(plan, style)


def _raised(module: ir.Module, place: Deployment) -> tuple[ir.Module, tuple[str, ...]]:
    """The module with room for all flows, and a note when the schema has less."""
    if not place.flow_scope or place.flows <= (most := module.scope(place.flow_scope).instances):
        return module, ()
    note = (
        f"Planned as if scope {place.flow_scope} had `max: {place.flows}`; "
        f"the schema has {most:,}: raise it."
    )
    return module.resized(place.flow_scope, place.flows), (note,)


def validated(style: str = "text") -> str:
    """The model against the published figures."""
    return output.validation(list(comparison.published()), style)


def _against(
    result: Result, module: ir.Module, place: Deployment, base: Machine
) -> tuple[tuple[Comparison, ...], tuple[str, ...]]:
    """The model against the measurements, if they are of this schema; else a note."""
    known = {update.name for update in module.updates}
    if result.schema_.module != module.name or not set(result.workload.updates) <= known:
        other = result.schema_.module
        return (), (f"The measurements are of module {other}: not compared with the model.",)
    try:
        return tuple(comparison.measured(result, module, place.flow_scope, base)), ()
    except UsageError as error:
        return (), (f"Not compared with the measurements: {error.message}.",)


def machine_with(base: Machine, options: Options) -> Machine:
    """A machine with another clock and other caches. What takes a time takes more cycles then."""
    texts = {"l1": options.l1, "l2": options.l2, "llc": options.llc}
    sizes = {name: size(text, name) for name, text in texts.items() if text}
    caches = [replace(c, size=sizes.get(f"l{c.level}", c.size)) for c in base.caches]
    caches[-1] = replace(caches[-1], size=sizes.get("llc", caches[-1].size))
    for inner, outer in itertools.pairwise(caches):
        if inner.size > outer.size:
            raise UsageError(
                f"L{inner.level} would be larger than L{outer.level}",
                "give the sizes of all caches with --l1, --l2 and --llc",
            )
    resized = replace(base, caches=tuple(caches))
    if not options.hz:
        return resized
    hz = number(options.hz, "hz", 1e6, 1e11)
    faster = hz / base.hz
    return replace(resized, hz=hz, memory=base.memory * faster, transfer=base.transfer * faster)


def deployment(module: ir.Module, options: Options, machine: Machine) -> Deployment:
    """Where the schema is used. Raises UsageError for what does not fit it."""
    if not module.updates:
        raise UsageError(
            f"module '{module.name}' has no updates, so nothing says what a packet counts",
            "describe under `updates:` what happens for a packet",
        )
    known = {update.name: update for update in module.updates}
    for name in options.updates:
        if name not in known:
            raise UsageError(f"there is no update '{name}'", did_you_mean(name, known, "updates"))
    if options.affinity not in MIGRATIONS:
        hint = did_you_mean(options.affinity, MIGRATIONS, "kinds of affinity")
        raise UsageError(f"--affinity: '{options.affinity}' is none of them", hint)
    called = [u for u in module.updates if not options.updates or u.name in options.updates]
    scope = _flow_scope(module, {name for u in called for name in u.scopes}, options)
    pressure = size(options.pressure, "pressure") if options.pressure else 0
    return Deployment(
        lcores=whole(options.lcores, "lcores", 1, MOST_LCORES),
        flows=_flows(module, scope, options),
        flow_scope=scope,
        affinity=options.affinity,
        work=number(options.work, "work", 0, 1e9) if options.work else None,
        pps=number(options.pps, "pps", 1, 1e12) if options.pps else None,
        hz=machine.hz,
        pressure=pressure,
        updates=options.updates,
    )


def _flow_scope(module: ir.Module, touched: set[str], options: Options) -> str:
    """The scope that exists once per flow: of those with one index the one of most instances."""
    scopes = {
        scope.name: scope
        for scope in module.scopes
        if len(scope.path) == 1 and scope.storage is not ir.Storage.EMBEDDED
    }
    if options.flow_scope:
        if options.flow_scope not in scopes:
            message = f"--flow-scope: '{options.flow_scope}' is no scope with one index"
            raise UsageError(message, did_you_mean(options.flow_scope, scopes, "scopes"))
        return options.flow_scope
    parents = {name for scope in module.scopes if scope.name in touched for name in scope.path}
    used = [scope for scope in scopes.values() if scope.name in touched | parents]
    return max(used, key=lambda scope: scope.instances).name if used else ""


def _flows(module: ir.Module, scope: str, options: Options) -> int:
    embedded = any(s.storage is ir.Storage.EMBEDDED for s in module.scopes)
    if not options.flows:
        return module.scope(scope).instances if scope else 1024 if embedded else 1
    if not scope and not embedded:
        raise UsageError(
            f"--flows: no update of module '{module.name}' touches a scope with an index",
            "leave --flows out, or add a scope with `max` for what exists once per flow",
        )
    return whole(options.flows, "flows", 1, MOST_FLOWS)
