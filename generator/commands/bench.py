# SPDX-License-Identifier: BSD-3-Clause
"""The verb `bench`: measure a schema, or compare two results. Imports the rest when it runs."""

from __future__ import annotations

import sys
from typing import Any

import click

from .completion import complete
from .options import Option, Verb, listed_names, style_option, value_option

_OUTPUT = "Folder for the results and what is built on the way."
_COMPARE = "Compare two results (bench.json): 1 if something got slower."


def _axis(name: str, text: str) -> Option:
    return value_option(f"--{name}", "LIST", text)


@click.command(cls=Verb)
@click.argument("schema", metavar="[SCHEMA]", required=False, shell_complete=complete)
@click.option("--quick", "size", flag_value="quick", help="Under a minute: two places, few rounds.")
@click.option(
    "--full", "size", flag_value="full", help="More places and rounds; goes on where it was ended."
)
@value_option("-o/--output", "DIR", _OUTPUT, default="bench-out")
@value_option("--strategies", "STRATEGY,..", "Strategies, as in --sync; all if not given.")
@value_option("--updates", "NAME,..", "Updates of a packet, in order; NAME=8: 8 times as often.")
@_axis("cores", "Processors to use, such as 0-3.")
@_axis("lcores", "Numbers of workers, such as 1,2,8; more than processors take turns on them.")
@_axis("flows", "Numbers of flows, such as 1,1024,1M.")
@_axis("distribution", "How flows follow each other: uniform, zipf, bursts:N.")
@_axis("affinity", "Flows of a worker: none (all), rare (its own, seldom others), pinned.")
@_axis("scheduler", "How packets come to workers: none, dsw, distributor, pipeline.")
@_axis("api", "Calls: single, items, batch, bulk.")
@_axis("work", "Cycles of other work per packet, such as 0,1000.")
@_axis("pressure", "KiB of other memory written per packet.")
@_axis("reads", "Reads of everything per second meanwhile.")
@_axis("resets", "Resets of everything per second meanwhile.")
@_axis("reader", "How everything is read: snapshot, instances, walk (as the SNMP agent).")
@value_option("--huge", "WHEN", "Huge pages: auto (if all fit), on, off.", default="auto")
@value_option("--rounds", "N", "Rounds to measure.")
@value_option("--ms", "MS", "Milliseconds of one measurement.")
@click.option("--compare", "pair", nargs=2, metavar="BEFORE AFTER", help=_COMPARE)
@style_option(("text", "json"), "How to print a comparison.")
def bench(schema: str | None, pair: tuple[str, str] | None, style: str, **options: Any) -> None:
    """Measure what every strategy costs for a schema, on this machine.

    Needs DPDK, meson and a compiler. Prints a verdict and tables, and leaves bench.json and
    bench.html in DIR. Axes that are given are combined with each other.
    """
    if pair and not schema:
        _compare(*pair, style)
    elif schema and not pair:
        sys.exit(_measure(schema, options))
    else:
        raise click.UsageError("give a SCHEMA to measure, or two results to --compare")


def _measure(schema: str, options: dict[str, Any]) -> int:
    from ..bench.matrix import AXES
    from ..bench.run import Request, run

    axes = {axis: options.pop(axis) for axis in AXES}
    for name in ("strategies", "updates"):
        options[name] = _names(f"--{name}", options[name])
    options["size"] = options["size"] or "usual"
    command = ("ctrgen", *sys.argv[1:])
    return run(Request(schema, axes=axes, command=command, **options))


def _names(option: str, text: str) -> tuple[str, ...]:
    """A list of strategies or updates; settings such as `a:x=1,y=2` stay together."""
    names: list[str] = []
    for name in listed_names(option, text):
        if "=" in name and ":" not in name and names and ":" in names[-1]:
            names[-1] += f",{name}"
        else:
            names.append(name)
    return tuple(names)


def _compare(before: str, after: str, style: str) -> None:
    from ..bench.compare import compare
    from ..bench.report.changes import STYLES
    from ..bench.result import load

    comparison = compare(load(before), load(after))
    click.echo(STYLES[style](comparison), nl=False)
    sys.exit(1 if comparison.worse else 0)
