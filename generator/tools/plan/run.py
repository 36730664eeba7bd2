# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen plan` from end to end: its options as numbers, and the plan."""

from collections.abc import Mapping

from ...findings.diagnostics import Severity
from ...findings.suggest import did_you_mean
from ...findings.usage import UsageError
from ...model import ir
from ...model.language.units import number, whole
from ...model.workload import MIGRATIONS, Deployment
from ...pipeline.check import Checked
from ..bench.variants import flow_scope
from ..bench.variants import updates as updates_of
from .advice import Plan
from .estimate import APIS
from .machine import machine

CHOICE = {"requires-unmet", "memory-budget"}  # rules that a plan helps with

MOST_LCORES = 1024
MOST_FLOWS = 2**32 - 1  # indexes have 32 bits
Options = Mapping[str, str]  # of `ctrgen plan` by name, as written


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


KERNEL = "xdp"
"""The output whose costs the model does not have."""


def planned(module: ir.Module, updates: tuple[str, ...], options: Options) -> Plan:
    """The plan for these updates or all. Raises UsageError."""
    api = options["api"]
    if api and api not in APIS:
        raise UsageError(f"--api: '{api}' is none of them", did_you_mean(api, APIS, "calls"))
    base = machine(options["machine"])
    place = deployment(module, updates, options, base.hz)
    module, notes = _raised(module, place)
    if KERNEL in module.outputs:
        notes = (
            *notes,
            f"Costs of the output {KERNEL}, in the kernel, are not known: planned is C",
        )
    return Plan(module, place, base, notes, (api,) if api else APIS)


def _raised(module: ir.Module, place: Deployment) -> tuple[ir.Module, tuple[str, ...]]:
    """The module with room for all flows, and a note when the schema has less."""
    if not place.flow_scope or place.flows <= (most := module.scope(place.flow_scope).instances):
        return module, ()
    note = (
        f"Planned as if scope {place.flow_scope} had `max: {place.flows}`; "
        f"the schema has {most:,}: raise it"
    )
    return module.resized(place.flow_scope, place.flows), (note,)


def _number(options: Options, name: str, least: float, most: float) -> float | None:
    return number(options[name], name, least, most) if options[name] else None


def deployment(
    module: ir.Module, updates: tuple[str, ...], options: Options, hz: float
) -> Deployment:
    """The deployment that the options describe. Raises UsageError if one does not fit."""
    if not module.updates:
        raise UsageError(
            f"module '{module.name}' has no updates, so the cost of a packet is undefined",
            "describe under `updates:` what happens for a packet, such as "
            "{packet: {add: {SCOPE.COUNTER: 1}}}",
        )
    called = updates_of(module, updates)
    affinity = options["affinity"]
    if affinity not in MIGRATIONS:
        hint = did_you_mean(affinity, MIGRATIONS, "kinds of affinity")
        raise UsageError(f"--affinity: '{affinity}' is none of them", hint)
    scope = flow_scope(module, called)
    return Deployment(
        lcores=whole(options["lcores"], "lcores", 1, MOST_LCORES),
        flows=_flows(module, scope, options["flows"]),
        flow_scope=scope,
        affinity=affinity,
        work=_number(options, "work", 0, 1e9),
        pps=_number(options, "pps", 1, 1e12),
        hz=hz,
        updates=updates,
    )


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
