# SPDX-License-Identifier: BSD-3-Clause
"""The verbs that write files: `init`, `build` and `import`."""

from __future__ import annotations

import sys
from typing import Any

import click

from .options import (
    Verb,
    findings_style,
    listed_names,
    mib_path_option,
    schema_argument,
    show_findings,
    sync_option,
    value_option,
)

_ONLY = "Backends to run instead of the default ones."


@click.command(cls=Verb)
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(file_okay=False))
def init(folder: str) -> None:
    """Write a commented starter schema and an example that uses it.

    Goes to the current folder, or to DIR; nothing that exists is overwritten.
    """
    from .starter import write

    click.echo(write(folder), nl=False)


@click.command(cls=Verb)
@schema_argument
@value_option("-o/--output", "DIR", "Folder to generate into.", default="out")
@sync_option
@click.option("--only", metavar="BACKEND,..", multiple=True, help=_ONLY)
@click.option(
    "--check", "mode", flag_value="check", help="Compare with the folder: 1 if it differs."
)
@click.option("--diff", "mode", flag_value="diff", help="Like --check, and show how it differs.")
@click.option("--dry-run", "mode", flag_value="dry-run", help="Say what would be written.")
@click.option("--vendor-runtime", is_flag=True, help="Copy the C runtime into the folder as well.")
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand.")
@mib_path_option
@findings_style
def build(schema: str, only: tuple[str, ...], mode: str | None, style: str, **options: Any) -> None:
    """Generate everything from a schema. Nothing is written unless all of it could be."""
    from ..pipeline import build as pipeline

    names = listed_names("--only", *only)
    request = pipeline.BuildRequest(schema, only=names, mode=mode or "write", **options)
    result = pipeline.build(request)
    show_findings(result.diagnostics, style, sys.stderr)
    click.echo(result.text, nl=False)
    sys.exit(result.exit_code)


@click.command("import", cls=Verb)
@click.argument("mib", metavar="MIB")
@mib_path_option
@click.option("-o", "--output", metavar="FILE", help="File to write; the default is to print.")
@click.option("--force", is_flag=True, help="Overwrite a file that holds something else.")
@findings_style
def import_(
    mib: str, style: str, output: str | None, mib_path: tuple[str, ...], force: bool
) -> None:
    """Write a YAML schema from an SMIv2 module: a file, or the name of a module.

    Modules that it builds on are looked for beside it, in --mib-path, SMIPATH and MIBDIRS, and
    where systems keep them.
    """
    from ..frontends.smi import convert

    text, diagnostics = convert.run(mib, mib_path)
    show_findings(diagnostics, style, sys.stderr)
    if text is not None:
        click.echo(convert.write(output or "-", text, force), nl=False)
    sys.exit(diagnostics.exit_code)
