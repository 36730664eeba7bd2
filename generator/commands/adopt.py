# SPDX-License-Identifier: BSD-3-Clause
"""The verb for applications that count already."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from ..findings.usage import UsageError, reason
from . import options

if TYPE_CHECKING:
    from ..tools.adopt.propose import Proposal
    from ..tools.adopt.source import File


@options.verb(options.SCHEMAS, 5)
@click.argument("files", metavar="FILES", nargs=-1, required=True)
@options.value_option("--module", "NAME", "Name of the module; that of the first file's folder.")
@click.option("-o", "--output", metavar="FILE", help="File to write; the default is to print.")
@click.option("--patches", metavar="FILE", help="Script to write that puts calls in place of adds.")
@click.option("--report", is_flag=True, help="Print a row for each candidate, no schema.")
@click.option("--left", is_flag=True, help="List what no patch has changed; 1 if there is any.")
@options.value_option("--of", "NAMES", "With --left: counters of a former proposal, s.rx,n.")
@click.pass_context
def adopt(
    context: click.Context,
    files: tuple[str, ...],
    module: str,
    output: str | None,
    patches: str | None,
    report: bool,
    left: bool,
    of: str,
) -> None:
    """Propose a schema for counters of C files.

    Finds structs of statistics, and variables that are only added to.

    It is for a person to finish: each counter has its location behind it, and at the end is what is
    left to do. docs/migrating.md goes on from there.
    """
    from ..tools.adopt import shown
    from ..tools.adopt.propose import proposal
    from ..tools.adopt.source import declarations, opened
    from ..tools.adopt.uses import Uses

    if left and (output or patches or report):
        raise UsageError("--left only lists", "leave --output, --patches and --report out")
    paths = [Path(name) for name in files]
    parsed = opened(paths)
    source = declarations(parsed)
    found = proposal(source, Uses(parsed), module or paths[0].resolve().parent.name)
    if left:
        context.exit(_list_left(parsed, found, of.split(",") if of else []))
    for place in source.strange:
        click.echo(f"{place}: warning: not understood; what is declared here is left out", err=True)
    if report and found.seen:
        click.echo(shown.report(found, in_terminal()), nl=False)
    if not found.scopes:
        _refuse(found, report)
    text = shown.schema(found)
    if patches is not None:
        _write(patches, shown.patches(found, files))
    if output is None and not report:
        click.echo(text, nl=False)
    elif output is not None:
        _write(output, text)


def in_terminal() -> bool:
    """Whether a person reads along."""
    return sys.stdout.isatty()


def _refuse(found: Proposal, shown: bool) -> NoReturn:
    for one in () if shown else found.seen:
        what = f"{one.name} ({one.pattern}) {one.verdict}"
        click.echo(f"{one.place}: note: {what}{'; ' + one.todo if one.todo else ''}", err=True)
    raise UsageError(
        "nothing to propose: no counter in these files",
        "adopt looks for structs called *stat*, *count*, *cnt* or *metric*, or with such a"
        " variable, and for variables that are only added to",
    )


def _list_left(files: list[File], found: Proposal, of: list[str]) -> int:
    from ..backends import runtimeinfo
    from ..tools.adopt.left import COCCINELLE, uses

    if shutil.which(COCCINELLE) is None:
        said = f"note: no {COCCINELLE}, so what coccinelle does not parse is not known"
        click.echo(said, err=True)
    left = uses(files, found, of, runtimeinfo.patches() / "macros.h")
    for place, words in left:
        click.echo(f"{place}: {words}")
    return 1 if left else 0


def _write(name: str, text: str) -> None:
    """Write a new file; never overwrite one, which may have manual changes."""
    try:
        with Path(name).open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {name}: {reason(error)}") from error
