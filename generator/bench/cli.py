# SPDX-License-Identifier: BSD-3-Clause
"""The verb `bench`: measure a schema, or compare two results. Imports the rest when it runs."""

from __future__ import annotations

import sys

import click

COMPARE_STYLES = ("text", "json", "markdown")
"""How a comparison can be printed; the keys of `report.changes.STYLES`."""


@click.command()
@click.argument("schema", metavar="[SCHEMA]", required=False)
@click.option("--quick", "effort", flag_value="quick", help="Under a minute, fewer rounds.")
@click.option("--full", "effort", flag_value="full", help="Every axis; as long as it takes.")
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    default="bench-out",
    show_default=True,
    help="Folder for the results and what is built on the way.",
)
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
def bench(
    schema: str | None, effort: str | None, output: str, pair: tuple[str, str] | None, style: str
) -> None:
    """Measure what every strategy costs for a schema, on this machine.

    Needs DPDK and a compiler. Prints a table and leaves bench.json, .csv, .md and .html in DIR.
    """
    if pair and not schema:
        _compare(*pair, style)
    elif schema and not pair:
        from .run import run

        sys.exit(run(schema, effort or "default", output))
    else:
        raise click.UsageError("give a SCHEMA to measure, or two results to --compare")


def _compare(before: str, after: str, style: str) -> None:
    from ..cli import _fail
    from .compare import compare
    from .report.changes import STYLES
    from .result import BenchFileError, load

    try:
        found = compare(load(before), load(after))
    except BenchFileError as error:
        _fail(error.message, error.hint)
    click.echo(STYLES[style](found), nl=False)
    sys.exit(1 if found.worse else 0)
