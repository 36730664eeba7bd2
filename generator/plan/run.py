# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen plan` from end to end: its options as numbers, and the plan."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..bench.result import Result, load
from ..bench.variants import weighted
from ..findings.diagnostics import Severity
from ..findings.suggest import did_you_mean
from ..findings.usage import UsageError
from ..language.units import duration, number, size, whole
from ..model import ir
from ..model.workload import MIGRATIONS, Deployment
from ..pipeline.check import Checked
from . import against
from .advice import Plan
from .calls import APIS
from .comparison import Comparison
from .machine import CASCADE_LAKE, Machine, machine, over_sockets, with_threads
from .measured import machine_of

CHOICE = {"requires-unmet", "memory-budget"}
"""Rules about the choice of a strategy, which is what a plan is to help with."""

MOST_LCORES = 1024
MOST_FLOWS = 2**32 - 1
"""Indexes have 32 bits."""

Options = Mapping[str, str]
"""The options of `ctrgen plan` by name, as written; but for `lcores`, "" where not given."""


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


def planned(module: ir.Module, updates: tuple[str, ...], options: Options) -> Plan:
    """The plan for these updates or all. Raises UsageError."""
    if options["bench"] and options["machine"]:
        raise UsageError("--machine and --bench both name a machine", "give one of them")
    api = options["api"]
    if api and api not in APIS:
        raise UsageError(f"--api: '{api}' is none of them", did_you_mean(api, APIS, "calls"))
    result = load(options["bench"]) if options["bench"] else None
    base = over_sockets(_socket(result, options), sockets(options))
    place = deployment(module, updates, options, base.hz)
    module, notes = _raised(module, place)
    compared, vague, more = _against(result, module, place, base) if result else ((), 0, ())
    apis = (api,) if api else APIS
    return Plan(module, place, base, compared, notes + more, apis, vague)


def simulated(module: ir.Module, updates: tuple[str, ...], options: Options) -> Plan:
    """What is to be simulated: a plan for single calls, whose machine is that of one socket. Raises
    UsageError."""
    if options["api"] not in ("", "single"):
        raise UsageError(f"--simulate simulates single calls, not --api {options['api']}")
    plan = planned(module, updates, {**options, "api": "single"})
    result = load(options["bench"]) if options["bench"] else None
    return replace(plan, machine=_socket(result, options), compared=())


def sockets(options: Options) -> int:
    """Over how many sockets lcores are spread."""
    return _whole(options, "sockets", 8)


def _socket(result: Result | None, options: Options) -> Machine:
    """The machine of the options, as if all lcores were on one socket."""
    known = machine_of(result) if result else machine(options["machine"] or CASCADE_LAKE.name)
    return with_threads(known, _whole(options, "threads", 8))


def _raised(module: ir.Module, place: Deployment) -> tuple[ir.Module, tuple[str, ...]]:
    """The module with room for all flows, and a note when the schema has less."""
    if not place.flow_scope or place.flows <= (most := module.scope(place.flow_scope).instances):
        return module, ()
    note = (
        f"Planned as if scope {place.flow_scope} had `max: {place.flows}`; "
        f"the schema has {most:,}: raise it"
    )
    return module.resized(place.flow_scope, place.flows), (note,)


def _against(
    result: Result, module: ir.Module, place: Deployment, base: Machine
) -> tuple[tuple[Comparison, ...], int, tuple[str, ...]]:
    """The model against the measurements, and how many say nothing, if they are of this schema;
    else a note."""
    known = {update.name for update in module.updates}
    if result.schema_.module != module.name or not set(result.workload.updates) <= known:
        other = result.schema_.module
        return (), 0, (f"The measurements are of module {other}: not compared with the model",)
    try:
        rows, vague = against.measured(result, module, place.flow_scope, base)
        return tuple(rows), vague, ()
    except UsageError as error:
        return (), 0, (f"Not compared with the measurements: {error.message}.",)


def _whole(options: Options, name: str, most: int) -> int:
    return whole(options[name], name, 1, most) if options[name] else 1


def _number(options: Options, name: str, least: float, most: float) -> float | None:
    return number(options[name], name, least, most) if options[name] else None


def _example(module: ir.Module) -> str:
    """What to write where a module has no updates: one of its first counter."""
    text = "describe under `updates:` what happens for a packet"
    for scope in module.scopes:
        for item in scope.items:
            if item.kind is ir.Kind.COUNTER:
                return f"{text}, such as {{packet: {{add: {{{scope.name}.{item.name}: 1}}}}}}"
    return text


def deployment(
    module: ir.Module, updates: tuple[str, ...], options: Options, hz: float
) -> Deployment:
    """Where the schema is used. Raises UsageError for what does not fit it."""
    if not module.updates:
        raise UsageError(
            f"module '{module.name}' has no updates, so nothing says what a packet counts",
            _example(module),
        )
    known = {update.name: update for update in module.updates}
    weights = weighted(updates)
    updates = tuple(weights)
    for name in updates:
        if name not in known:
            raise UsageError(f"there is no update '{name}'", did_you_mean(name, known, "updates"))
    affinity, pressure = options["affinity"], options["pressure"]
    if affinity not in MIGRATIONS:
        hint = did_you_mean(affinity, MIGRATIONS, "kinds of affinity")
        raise UsageError(f"--affinity: '{affinity}' is none of them", hint)
    called = [u for u in module.updates if not updates or u.name in updates]
    scope = _flow_scope(module, {name for u in called for name in u.scopes}, options["flow_scope"])
    return Deployment(
        pressure=size(pressure, "pressure") if pressure else 0,
        lcores=whole(options["lcores"], "lcores", 1, MOST_LCORES),
        flows=_flows(module, scope, options["flows"]),
        flow_scope=scope,
        affinity=affinity,
        burst=_number(options, "burst", 1, 1e6) or 1.0,
        stall=duration(options["stall"], "stall") if options["stall"] else None,
        work=_number(options, "work", 0, 1e9),
        pps=_number(options, "pps", 1, 1e12),
        hz=hz,
        updates=updates,
        weights=tuple((name, weight) for name, weight in weights.items() if weight is not None),
    )


def _flow_scope(module: ir.Module, touched: set[str], wanted: str) -> str:
    """The scope that exists once per flow: of those with one index the one of most instances."""
    scopes = {
        scope.name: scope
        for scope in module.every_scope
        if len(scope.path) == 1 and scope.storage is not ir.Storage.EMBEDDED
        if not scope.labelled
    }
    if wanted and wanted not in scopes:
        message = f"--flow-scope: '{wanted}' is no scope with one index"
        raise UsageError(message, did_you_mean(wanted, scopes, "scopes"))
    if wanted:
        return wanted
    parents = {name for scope in module.scopes if scope.name in touched for name in scope.path}
    used = [scope for scope in scopes.values() if scope.name in touched | parents]
    return max(used, key=lambda scope: scope.instances).name if used else ""


def _flows(module: ir.Module, scope: str, wanted: str) -> int:
    embedded = any(s.storage is ir.Storage.EMBEDDED for s in module.scopes)
    if not wanted:
        return module.scope(scope).instances if scope else 1024 if embedded else 1
    if not scope and not embedded:
        raise UsageError(
            f"--flows: no update of module '{module.name}' touches a scope with an index",
            "leave --flows out, or add a scope with `max` for what exists once per flow",
        )
    return whole(wanted, "flows", 1, MOST_FLOWS)
