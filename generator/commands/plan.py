# SPDX-License-Identifier: BSD-3-Clause
"""The verb `plan`: what every strategy would cost. Imports the rest when it runs."""

from __future__ import annotations

import sys
from typing import Any

import click

from .options import Verb, checked_schema, listed_names, mib_path_option, show_findings

STYLES = ("text", "json", "markdown")


@click.command(cls=Verb)
@click.argument("schema", metavar="[SCHEMA]", required=False)
@click.option(
    "--lcores", metavar="N", help="Lcores that count; if not given what `requires` says, or 4."
)
@click.option(
    "--flows", metavar="N", default="", help="Flows in use, such as 1M; all if not given."
)
@click.option("--pps", metavar="N", default="", help="Packets per second of all lcores together.")
@click.option(
    "--affinity",
    metavar="KIND",
    default="rare",
    show_default=True,
    help="How flows stay on their lcore: pinned, rare (seldom move), none.",
)
@click.option(
    "--work", metavar="CYCLES", default="", help="Other work for a packet; 1000 if nothing says."
)
@click.option(
    "--hz", metavar="HZ", default="", help="Clock, such as 2.3G; the machine's if not given."
)
@click.option(
    "--machine", metavar="NAME", default="", help="A built-in machine; cascade-lake if not given."
)
@click.option("--bench", metavar="FILE", default="", help="A bench.json: its machine, as measured.")
@click.option("--l1", metavar="SIZE", default="", help="Size of the L1 data cache, such as 48KiB.")
@click.option("--l2", metavar="SIZE", default="", help="Size of the L2 cache.")
@click.option("--llc", metavar="SIZE", default="", help="Size of the last cache.")
@click.option(
    "--pressure",
    metavar="SIZE",
    default="",
    help="Memory that the application keeps using, of each lcore.",
)
@click.option("--flow-scope", metavar="SCOPE", default="", help="Scope that exists once per flow.")
@click.option(
    "--updates", metavar="NAME,..", default="", help="Updates of a packet; all if not given."
)
@click.option("--validate", is_flag=True, help="Print the model against the published figures.")
@mib_path_option
@click.option("--format", "style", type=click.Choice(STYLES), default="text", show_default=True)
def plan(
    schema: str | None, validate: bool, mib_path: tuple[str, ...], style: str, **options: Any
) -> None:
    """Estimate memory and cost of every strategy for a schema, and recommend.

    Nothing is built or measured: docs/cost-model.md says what the estimates rest on. With --bench
    they rest on what `ctrgen bench` measured.
    """  # fmt: skip
    from ..plan.run import Options, plannable, run, usual_lcores, validated

    if schema and validate:
        raise click.UsageError("--validate takes no SCHEMA: give one of the two")
    if not schema and not validate:
        raise click.UsageError("give a SCHEMA to plan for, or --validate")
    if schema is None:
        click.echo(validated(style), nl=False)
        return
    checked = checked_schema(schema, None, mib_path)
    show_findings(checked.diagnostics, "text", sys.stderr)
    module = plannable(checked)
    if module is None:
        sys.exit(checked.exit_code)
    updates = options.pop("updates")
    updates = listed_names("--updates", [updates] if updates else [])
    if options["lcores"] is None:
        options["lcores"] = usual_lcores(checked)
    click.echo(run(module, Options(**options, updates=updates), style), nl=False)
    sys.exit(checked.exit_code)
