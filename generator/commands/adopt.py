# SPDX-License-Identifier: BSD-3-Clause
"""The verb for applications that count already."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..findings.usage import UsageError, reason
from . import options

if TYPE_CHECKING:
    from ..adopt.propose import Proposal


@click.command(cls=options.Verb)
@click.argument("files", metavar="FILES", nargs=-1, required=True)
@options.value_option("--module", "NAME", "Name of the module; that of the first file's folder.")
@click.option("-o", "--output", metavar="FILE", help="File to write; the default is to print.")
@click.option("--patches", metavar="FILE", help="Script to write that puts calls in place of adds.")
@click.option("--left", is_flag=True, help="List what no patch has changed; 1 if there is any.")
@click.pass_context
def adopt(
    context: click.Context,
    files: tuple[str, ...],
    module: str,
    output: str | None,
    patches: str | None,
    left: bool,
) -> None:
    """Propose a schema for what C files count: their structs of statistics.

    It is for a person to finish: where each member is stands beside it, and at the end what could
    not be taken. docs/migrating.md goes on from there.
    """
    from ..adopt.propose import proposal
    from ..adopt.source import parse
    from ..model.naming.symbols import prefix
    from ..output.render import render

    if left and (output or patches):
        raise UsageError("--left only lists", "leave --output and --patches out")
    paths = [Path(name) for name in files]
    source = parse(paths)
    found = proposal(source, module or paths[0].resolve().parent.name)
    if left:
        context.exit(_list_left(paths, found))
    for place in source.strange:
        click.echo(f"{place}: warning: not understood; what is declared here is left out", err=True)
    if not found.scopes:
        raise UsageError(
            "no struct of statistics in these files",
            "adopt looks for structs called *stat*, *count* or *cnt*, or with such a variable",
        )
    text = render("adopt/schema.yaml.j2", p=found)
    if patches is not None:
        known = {"prefix": prefix(found.module), "files": shlex.join(files)}
        _write(patches, render("adopt/patches.sh.j2", p=found, **known))
    if output is None:
        click.echo(text, nl=False)
    else:
        _write(output, text)


def _list_left(paths: list[Path], found: Proposal) -> int:
    from ..adopt.left import COCCINELLE, uses
    from ..backends import runtimeinfo

    if shutil.which(COCCINELLE) is None:
        said = f"note: no {COCCINELLE}, so nobody knows what coccinelle does not parse"
        click.echo(said, err=True)
    left = uses(paths, found, runtimeinfo.patches() / "macros.h")
    for one in left:
        click.echo(f"{one.place}: {one.what}")
    return 1 if left else 0


def _write(name: str, text: str) -> None:
    """A new file: what is there may have been finished by somebody."""
    try:
        with Path(name).open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {name}: {reason(error)}") from error
