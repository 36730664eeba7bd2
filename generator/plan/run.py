# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen plan` from end to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..bench.result import Result, load
from ..findings.diagnostics import Severity
from ..findings.usage import UsageError
from ..model import ir
from ..model.workload import Deployment
from . import comparison, output
from .advice import Planner
from .comparison import Comparison
from .machine import CASCADE_LAKE, Machine, machine, machine_of
from .request import LCORES, Options, deployment, machine_with

if TYPE_CHECKING:
    from ..pipeline.check import Checked

__all__ = ["Options", "plannable", "run", "usual_lcores", "validated"]

CHOICE = {"requires-unmet", "memory-budget"}
"""Rules about the choice of a strategy, which is what a plan is to help with."""


def plannable(checked: Checked) -> ir.Module | None:
    """The module, also when the strategy that it has does not keep what it requires."""
    if checked.module is not None or checked.resolution is None:
        return checked.module
    errors = {f.rule for f in checked.diagnostics.findings if f.severity is Severity.ERROR}
    return checked.resolution.module if errors <= CHOICE else None


def usual_lcores(checked: Checked) -> str:
    """How many lcores count when the command line does not say it: as many as `requires` says."""
    if checked.resolution is not None:
        top = checked.resolution.top
        if top.raw.has(("requires", "lcores")):
            return str(checked.resolution.module.requires.lcores)
    return LCORES


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
    plan = output.Plan(
        module, place, base, Planner(module, place, base).advice(), compared, notes + more
    )
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
