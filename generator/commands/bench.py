# SPDX-License-Identifier: BSD-3-Clause
"""The verb `bench`: measure a schema, or compare two results. Imports the rest when it runs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from ..findings.usage import UsageError
from .options import Verb, mib_path_option

Command = TypeVar("Command", bound=Callable[..., Any])

COMPARE_STYLES = ("text", "json", "markdown")
"""How a comparison can be printed; the keys of `report.changes.STYLES`."""


def _axis(name: str, text: str) -> Callable[[Command], Command]:
    return click.option(f"--{name}", metavar="LIST", default="", help=text)


@click.command(cls=Verb)
@click.argument("schema", metavar="[SCHEMA]", required=False)
@click.option("--quick", "size", flag_value="quick", help="Under a minute: two places, few rounds.")
@click.option(
    "--full", "size", flag_value="full", help="More places and rounds; goes on where it was ended."
)
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    default="bench-out",
    show_default=True,
    help="Folder for the results and what is built on the way.",
)
@click.option(
    "--strategies",
    metavar="NAME,..",
    default="",
    help="Strategies, as in --sync; all if not given.",
)
@click.option("--updates", metavar="NAME,..", default="", help="Updates of a packet, in order.")
@click.option("--flow-scope", metavar="SCOPE", default="", help="Scope that exists once per flow.")
@click.option("--cores", metavar="LIST", default="", help="Processors to use, such as 0-3.")
@_axis("lcores", "Numbers of workers, such as 1,2,8; more than processors take turns on them.")
@_axis("flows", "Numbers of flows, such as 1,1024,1M.")
@_axis("distribution", "How flows follow each other: uniform, zipf, bursts:N.")
@_axis("affinity", "Flows of a worker: none (all), rare (its own, seldom others), pinned.")
@_axis("scheduler", "What hands out packets: none, dsw, distributor.")
@_axis("api", "Calls: single, items, batch, bulk.")
@_axis("work", "Cycles of other work per packet, such as 0,1000.")
@_axis("pressure", "KiB of other memory written per packet.")
@_axis("reads", "Reads of everything per second meanwhile.")
@_axis("resets", "Resets of everything per second meanwhile.")
@click.option("--rounds", metavar="N", default="", help="Rounds to measure.")
@click.option("--ms", metavar="MS", default="", help="Milliseconds of one measurement.")
@mib_path_option
@click.option(
    "--compare",
    "pair",
    nargs=2,
    metavar="BEFORE AFTER",
    help="Compare two results (bench.json): 1 if something got slower.",
)
@click.option(
    "--format",
    "style",
    type=click.Choice(COMPARE_STYLES),
    default="text",
    show_default=True,
    help="How to print a comparison.",
)
def bench(schema: str | None, pair: tuple[str, str] | None, style: str, **options: Any) -> None:
    """Measure what every strategy costs for a schema, on this machine.

    Needs DPDK, meson and a compiler. Prints a table and leaves bench.json, .csv, .md and .html in
    DIR. Axes that are given are combined with each other.
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
    found: list[str] = []
    for part in (part.strip() for part in text.split(",") if part.strip()):
        if "=" in part and ":" not in part and found and ":" in found[-1]:
            found[-1] += f",{part}"
        else:
            found.append(part)
    if text and not found:
        raise UsageError(f"{option}: '{text}' names nothing", "give names, or leave it out")
    return tuple(found)


def _compare(before: str, after: str, style: str) -> None:
    from ..bench import extra

    missing = extra.lacking(extra.COMPARISON)
    if missing:
        raise UsageError(f"results cannot be compared {missing}")
    from ..bench.compare import compare
    from ..bench.report.changes import STYLES
    from ..bench.result import load

    comparison = compare(load(before), load(after))
    click.echo(STYLES[style](comparison), nl=False)
    sys.exit(1 if comparison.worse else 0)
