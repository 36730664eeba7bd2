# SPDX-License-Identifier: BSD-3-Clause
"""The verb for applications that count already."""

from pathlib import Path

import click

from ..findings.usage import UsageError, reason
from . import options


@options.verb(options.SCHEMAS, 5)
@click.argument("files", metavar="FILES", nargs=-1, required=True)
@options.value_option("--module", "NAME", "Name of the module; that of the first file's folder.")
@click.option("-o", "--output", metavar="FILE", help="File to write; the default is to print.")
@click.option("--patches", metavar="FILE", help="Script to write that puts calls in place of adds.")
def adopt(files: tuple[str, ...], module: str, output: str | None, patches: str | None) -> None:
    """Propose a schema for counters of C files.

    Finds structs of statistics, and variables that are only added to.

    It is for a person to finish: each counter has its location behind it, and at the end is what is
    left to do. docs/migrating.md goes on from there.
    """
    from ..tools.adopt.propose import proposal
    from ..tools.adopt.source import declarations, opened
    from ..tools.adopt.uses import Uses

    paths = [Path(name) for name in files]
    parsed = opened(paths)
    source = declarations(parsed)
    found = proposal(source, Uses(parsed), module or paths[0].resolve().parent.name)
    for place in source.strange:
        click.echo(f"{place}: warning: not understood; what is declared here is left out", err=True)
    if not found.scopes:
        for one in found.seen:
            click.echo(f"{one.place}: note: {one.name} {one.verdict}; {one.todo}", err=True)
        raise UsageError(
            "nothing to propose: no counter in these files",
            "adopt looks for structs called *stat*, *count*, *cnt* or *metric*, or with such a"
            " variable, and for variables that are only added to",
        )
    if patches is not None:
        _write(patches, found.patches(files))
    if output is None:
        click.echo(found.schema(), nl=False)
    else:
        _write(output, found.schema())


def _write(name: str, text: str) -> None:
    """Write a new file; never overwrite one, which may have manual changes."""
    try:
        with Path(name).open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {name}: {reason(error)}") from error
