# SPDX-License-Identifier: BSD-3-Clause
"""The verb for applications that count already."""

from __future__ import annotations

from pathlib import Path

import click

from ..findings.usage import UsageError, reason
from . import options


@click.command(cls=options.Verb)
@click.argument("files", metavar="FILES", nargs=-1, required=True)
@options.value_option("--module", "NAME", "Name of the module; that of the first file's folder.")
@click.option("-o", "--output", metavar="FILE", help="File to write; the default is to print.")
def adopt(files: tuple[str, ...], module: str, output: str | None) -> None:
    """Propose a schema for what C files count: their structs of statistics.

    It is for a person to finish: where each member is stands beside it, and at the end what could
    not be taken. docs/migrating.md goes on from there.
    """
    from ..adopt.propose import proposal
    from ..adopt.source import parse
    from ..output.render import render

    paths = [Path(name) for name in files]
    source = parse(paths)
    for place in source.strange:
        click.echo(f"{place}: warning: not understood; what is declared here is left out", err=True)
    found = proposal(source, module or paths[0].resolve().parent.name)
    if not found.scopes:
        raise UsageError(
            "no struct of statistics in these files",
            "adopt looks for structs called *stat*, *count* or *cnt*, or with such a variable",
        )
    text = render("adopt/schema.yaml.j2", p=found)
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        with Path(output).open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {output}: {reason(error)}") from error
