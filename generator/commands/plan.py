# SPDX-License-Identifier: BSD-3-Clause
"""The verb `plan`: what every strategy would cost. Imports the rest when it runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from . import options
from .completion import complete
from .options import value_option

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..model import ir

_LCORES = "Lcores that count; if not given what `requires` says, or 4."
_AFFINITY = "How flows stay on their lcore: pinned, rare (seldom move), none."


@click.command(cls=options.Verb)
@click.argument("schema", metavar="[SCHEMA]", required=False, shell_complete=complete)
@value_option("--lcores", "N", _LCORES)
@value_option("--flows", "N", "Flows in use, such as 1M; all if not given.")
@value_option("--pps", "N", "Packets per second of all lcores together.")
@value_option("--affinity", "pinned|rare|none", _AFFINITY, default="rare")
@value_option("--api", "single|batch|bulk", "Calls of updates; all are compared if not given.")
@value_option("--burst", "N", "Packets of a flow in a row [default: 1].")
@value_option("--stall", "TIME", "Longest that a snapshot may stop an lcore, such as 100us.")
@value_option("--work", "CYCLES", "Cycles of other work for a packet [default: 1000].")
@value_option("--machine", "MACHINE", "A built-in machine; cascade-lake if not given.")
@value_option("--bench", "FILE", "A bench.json: its machine, as measured.")
@value_option("--sockets", "N", "Processors that the lcores are spread over; 1 if not given.")
@value_option("--threads", "N", "Lcores on each core, as hardware threads; 1 if not given.")
@value_option("--pressure", "SIZE", "Memory that the application keeps using, of each lcore.")
@value_option("--flow-scope", "SCOPE", "Scope that exists once per flow.")
@value_option("--updates", "NAME,..", "Updates of a packet, or all; NAME=8: 8 times as often.")
@click.option("--validate", is_flag=True, help="Print the model against the published figures.")
@click.option("--simulate", is_flag=True, help="Simulate 1, 2, 4, ... up to --lcores or 128.")
@value_option("--plot", "FILE", "With --simulate: a chart, as SVG.")
@click.option("-v", "--verbose", is_flag=True, help="Each scope alone, reasons, the machine.")
@options.mib_path_option
@options.style_option(("text", "json", "markdown"))
def plan(
    schema: str | None,
    validate: bool,
    simulate: bool,
    plot: str,
    verbose: bool,
    mib_path: tuple[str, ...],
    style: str,
    **given: Any,
) -> None:
    """Estimate memory and cost of every strategy for a schema, and recommend.

    Nothing is built or measured: docs/cost-model.md says what the estimates rest on. With --bench
    they rest on what `ctrgen bench` measured.
    --simulate lets lcores meet at lines and locks, one event after another: docs/simulation.md.
    """  # fmt: skip
    from ..plan.output import shown, validation
    from ..plan.run import plannable, planned, usual_lcores

    if schema and validate:
        raise click.UsageError("--validate takes no SCHEMA: give one of the two")
    if not schema and not validate:
        raise click.UsageError("give a SCHEMA to plan for, or --validate")
    if plot and not simulate:
        raise click.UsageError("--plot draws what --simulate finds: give it too")
    if schema is None:
        click.echo(_validated(style, plot) if simulate else validation(style), nl=False)
        return
    checked = options.checked_schema(schema, None, mib_path, only=("c",))
    options.show_findings(checked.diagnostics, "text", sys.stderr)
    module = plannable(checked)
    if module is None:
        sys.exit(checked.diagnostics.exit_code)
    called = options.listed_names("--updates", given.pop("updates"))
    if simulate:
        _simulated(module, called, given, style, plot)
        sys.exit(checked.diagnostics.exit_code)
    given["lcores"] = given["lcores"] or usual_lcores(checked)
    plan = planned(module, called, given)
    click.echo(shown(plan, plan.advice(), style, verbose), nl=False)
    sys.exit(checked.diagnostics.exit_code)


def _validated(style: str, plot: str) -> str:
    """The simulation against the published figures, drawn too. Raises UsageError."""
    from ..plan.simulation.output import validation

    if plot:
        from ..plan.simulation.chart import drawn_published

        _write(plot, drawn_published)
    return validation(style)


def _simulated(
    module: ir.Module, called: tuple[str, ...], given: dict[str, Any], style: str, plot: str
) -> None:
    """Simulate a module, and draw it. Raises UsageError."""
    from ..plan.run import simulated, sockets
    from ..plan.simulation.curve import USUAL, curve
    from ..plan.simulation.output import shown

    given["lcores"] = given["lcores"] or str(USUAL)
    found = curve(simulated(module, called, given), sockets(given))
    click.echo(shown(found, style), nl=False)
    if plot:
        from ..plan.simulation.chart import drawn

        _write(plot, lambda: drawn(found))


def _write(plot: str, drawn: Callable[[], str]) -> None:
    """Draw into a file. Raises UsageError where that cannot be."""
    from pathlib import Path

    from ..findings.usage import UsageError, reason

    try:
        Path(plot).write_text(drawn(), "utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {plot}: {reason(error)}") from error
