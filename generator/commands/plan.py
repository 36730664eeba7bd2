# SPDX-License-Identifier: BSD-3-Clause
"""The verb `plan`: what every strategy would cost. Imports the rest when it runs."""

from __future__ import annotations

import sys
from typing import Any

import click

from . import options
from .completion import complete
from .options import value_option

_LCORES = "Lcores that count; if not given what `requires` says, or 4."
_AFFINITY = "How flows stay on their lcore: pinned, rare (seldom move), none."


@click.command(cls=options.Verb)
@click.argument("schema", metavar="SCHEMA", shell_complete=complete)
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
@value_option("--pressure", "SIZE", "Memory that the application keeps using, of each lcore.")
@value_option("--updates", "NAME,..", "Updates of a packet, or all; NAME=8: 8 times as often.")
@click.option("-v", "--verbose", is_flag=True, help="Each scope alone, reasons.")
@options.style_option(("text", "json"))
def plan(schema: str, verbose: bool, style: str, **given: Any) -> None:
    """Estimate memory and cost of every strategy for a schema, and recommend.

    Nothing is built or measured: docs/cost-model.md says what the estimates rest on. With --bench
    they rest on what `ctrgen bench` measured.
    """  # fmt: skip
    from ..plan.output import shown
    from ..plan.run import plannable, planned, usual_lcores

    checked = options.checked_schema(schema, None, only=("c",))
    options.show_findings(checked.diagnostics, "text", sys.stderr)
    module = plannable(checked)
    if module is None:
        sys.exit(checked.diagnostics.exit_code)
    called = options.listed_names("--updates", given.pop("updates"))
    given["lcores"] = given["lcores"] or usual_lcores(checked)
    plan = planned(module, called, given)
    click.echo(shown(plan, plan.advice(), style, verbose), nl=False)
    sys.exit(checked.diagnostics.exit_code)
