# SPDX-License-Identifier: BSD-3-Clause
"""The verbs about costs, `bench` and `plan`. Both import the rest when they run."""

import sys
from typing import Any

import click

from . import options
from .completion import complete
from .options import STRATEGIES, listed_names, value_option, verb

_OUTPUT = "Folder for results and built programs."
_WORKERS = "Numbers of workers, such as 1,2,8; may exceed the number of processors."


@verb(STRATEGIES, 3)
@click.argument("schema", metavar="SCHEMA", shell_complete=complete)
@click.option("--quick", is_flag=True, help="Finish in a minute, with fewer cases and rounds.")
@value_option("-o/--output", "DIR", _OUTPUT, default="bench-out")
@value_option("--strategies", "STRATEGY,..", "Strategies, as in --sync [default: all].")
@value_option("--updates", "NAME,..", "Updates per packet, in order [default: all].")
@value_option("--lcores", "LIST", _WORKERS)
@value_option("--flows", "LIST", "Numbers of flows, such as 1,1024,1M.")
@value_option("--vary", "AXIS=LIST", "Values of another axis, as above.", (), multiple=True)
@value_option("--rounds", "N", "Rounds to measure.")
@value_option("--ms", "MS", "Milliseconds of one measurement.")
def bench(schema: str, **options: Any) -> None:
    """Measure the cost of every strategy.

    Needs DPDK, meson and a compiler. Prints a verdict and tables, and writes bench.json to DIR.
    Measures all combinations of the given axes. Select processors with taskset(1).

    \b
    AXIS          values
    api           calls: single, batch, bulk
    work          cycles of other work per packet, such as 0,1000
    reads,resets  concurrent snapshots, resets of everything per second
    """
    from ..tools.bench.matrix import chosen
    from ..tools.bench.run import Request, run

    axes = chosen(options.pop("vary"), **{axis: options.pop(axis) for axis in ("lcores", "flows")})
    for name in ("strategies", "updates"):
        options[name] = _names(f"--{name}", options[name])
    command = ("ctrgen", *sys.argv[1:])
    sys.exit(run(Request(schema, axes=axes, command=command, **options)))


def _names(option: str, text: str) -> tuple[str, ...]:
    """A list of strategies or updates; settings such as `a:x=1,y=2` stay together."""
    names: list[str] = []
    for name in listed_names(option, text):
        if "=" in name and ":" not in name and names and ":" in names[-1]:
            names[-1] += f",{name}"
        else:
            names.append(name)
    return tuple(names)


_LCORES = "Number of lcores [default: that of `requires`, or 4]."
_AFFINITY = "Affinity of flows to lcores; rare: they rarely move."


@verb(STRATEGIES, 2)
@click.argument("schema", metavar="SCHEMA", shell_complete=complete)
@value_option("--lcores", "N", _LCORES)
@value_option("--flows", "N", "Flows in use, such as 1M [default: all].")
@value_option("--pps", "N", "Packets per second of all lcores together.")
@value_option("--affinity", "pinned|rare|none", _AFFINITY, default="rare")
@value_option("--api", "single|bulk", "Calls of updates [default: compare both].")
@value_option("--work", "CYCLES", "Cycles of other work per packet [default: 1000].")
@value_option("--machine", "MACHINE", "Machine to estimate for.", default="cascade-lake")
@value_option("--updates", "NAME,..", "Updates per packet [default: all].")
@options.style_option(("text", "json"))
def plan(schema: str, style: str, **given: Any) -> None:
    """Estimate memory and cost of every strategy.

    Recommends one. Builds and measures nothing; docs/benchmark.md describes the cost model.
    """
    from ..tools.plan.output import as_json, as_text
    from ..tools.plan.run import plannable, planned, usual_lcores

    checked = options.checked_schema(schema, None, only=("c",))
    options.show_findings(checked.diagnostics, "text", sys.stderr)
    module = plannable(checked)
    if module is None:
        sys.exit(checked.diagnostics.exit_code)
    called = options.listed_names("--updates", given.pop("updates"))
    given["lcores"] = given["lcores"] or usual_lcores(checked)
    plan = planned(module, called, given)
    shown = as_json if style == "json" else as_text
    click.echo(shown(plan, plan.advice()), nl=False)
    sys.exit(checked.diagnostics.exit_code)
