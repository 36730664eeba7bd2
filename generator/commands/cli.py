# SPDX-License-Identifier: BSD-3-Clause
"""The command line: verbs and exit codes only.

0 is clean, 1 means findings or a difference, 2 wrong usage or an internal
error. What a verb does is imported when it runs, so that help is immediate.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, Any

import click

from .. import __version__
from .bench import bench
from .options import Verb
from .options import fail as _fail
from .options import mib_path as _mib_path
from .options import names as _names
from .plan import plan

if TYPE_CHECKING:
    from ..findings.diagnostics import Diagnostics
    from ..pipeline.check import Checked

STYLES = ("text", "json", "github", "sarif")
"""How findings can be printed; the keys of `printers.PRINTERS`."""

_schema = click.argument("schema", metavar="SCHEMA")
_style = click.option(
    "--format",
    "style",
    type=click.Choice(STYLES),
    default="text",
    show_default=True,
    help="How to print findings.",
)
_sync = click.option(
    "--sync",
    metavar="NAME",
    help="Strategy instead of the schema's: NAME or NAME:KEY=VALUE,...",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="ctrgen")
def commands() -> None:
    """Generate data-plane statistics for DPDK applications from one schema.

    SCHEMA is a YAML file or an SMI module; - is standard input. `ctrgen init` writes one to
    start from.
    """


@commands.command(cls=Verb)
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(file_okay=False))
def init(folder: str) -> None:
    """Write a commented starter schema and an example that uses it.

    Goes to the current folder, or to DIR; nothing that exists is overwritten.
    """
    from .starter import StarterError, write

    try:
        click.echo(write(folder), nl=False)
    except StarterError as error:
        _fail(str(error))


@commands.command(cls=Verb)
@_schema
@_style
@_sync
@_mib_path
def check(schema: str, style: str, sync: str | None, mib_path: tuple[str, ...]) -> None:
    """Print the findings about a schema, and generate nothing."""
    checked = _check(schema, sync, mib_path)
    _findings(checked.diagnostics, style, sys.stdout)
    sys.exit(checked.exit_code)


@commands.command(cls=Verb)
@_schema
@_style
@_sync
@_mib_path
def resolve(schema: str, style: str, sync: str | None, mib_path: tuple[str, ...]) -> None:
    """Print a schema as JSON with every default filled in."""
    import json

    from ..model.ir import to_json

    checked = _check(schema, sync, mib_path)
    _findings(checked.diagnostics, style, sys.stderr)
    if checked.module is not None:
        click.echo(json.dumps(to_json(checked.module), indent=2))
    sys.exit(checked.exit_code)


@commands.command(cls=Verb)
@_schema
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    default="out",
    show_default=True,
    help="Folder to generate into.",
)
@_sync
@click.option(
    "--only",
    metavar="BACKEND,..",
    multiple=True,
    help="Backends to run instead of the default ones.",
)
@click.option(
    "--check", "mode", flag_value="check", help="Compare with the folder: 1 if it differs."
)
@click.option("--diff", "mode", flag_value="diff", help="Like --check, and show how it differs.")
@click.option("--dry-run", "mode", flag_value="dry-run", help="Say what would be written.")
@click.option("--vendor-runtime", is_flag=True, help="Copy the C runtime into the folder as well.")
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand.")
@_mib_path
@_style
def build(schema: str, only: tuple[str, ...], mode: str | None, style: str, **options: Any) -> None:
    """Generate everything from a schema. Nothing is written unless all of it could be."""
    from ..pipeline import build as pipeline

    names = _names("--only", only)
    request = pipeline.BuildRequest(schema=schema, only=names, mode=mode or "write", **options)
    try:
        result = pipeline.build(request)
    except pipeline.RequestError as error:
        _fail(error.message, error.hint)
    _findings(result.diagnostics, style, sys.stderr)
    click.echo(result.text, nl=False)
    sys.exit(result.exit_code)


@commands.command("import", cls=Verb)
@click.argument("mib", metavar="MIB")
@_mib_path
@click.option("-o", "--output", metavar="FILE", help="File to write; the default is to print.")
@click.option("--force", is_flag=True, help="Overwrite a file that holds something else.")
@_style
def import_(
    mib: str, mib_path: tuple[str, ...], output: str | None, force: bool, style: str
) -> None:
    """Write a YAML schema from an SMIv2 module: a file, or the name of a module.

    Modules that it builds on are looked for beside it, in --mib-path, SMIPATH and MIBDIRS, and
    where systems keep them.
    """
    from ..frontends.smi import convert

    try:
        text, diagnostics = convert.run(mib, mib_path)
        _findings(diagnostics, style, sys.stderr)
        if text is not None:
            click.echo(convert.write(output or "-", text, force), nl=False)
    except convert.ConvertError as error:
        _fail(error.message, error.hint)
    sys.exit(diagnostics.exit_code)


@commands.command(cls=Verb)
@_schema
@click.option(
    "--against",
    metavar="FILE|GIT-REV",
    required=True,
    help="The old version: a file, a revision, or REV:PATH. git:REV is always a revision.",
)
@click.option("--only", metavar="CATEGORY,..", multiple=True, help="Categories that matter.")
@click.option(
    "--allow",
    metavar="TEXT",
    multiple=True,
    help="A change that is meant: 'RULE [SUBJECT]: REASON'. May be repeated.",
)
@click.option("--strict", is_flag=True, help="Fail on warnings as well.")
@_mib_path
@_style
def breaking(only: tuple[str, ...], style: str, **options: Any) -> None:
    """Print what a change of a schema breaks: 1 if it breaks something, 0 if not.

    Categories are c-api, c-abi, oid, semantics and prometheus. A comment in the schema allows
    a change: `# ctrgen: allow RULE [SUBJECT]: REASON`.
    """
    from .. import compat

    names = _names("--only", only)
    try:
        result = compat.run(compat.Request(only=names, **options))
    except compat.RequestError as error:
        _fail(error.message, error.hint)
    _findings(result.diagnostics, style, sys.stdout)
    sys.exit(result.exit_code)


@commands.command(cls=Verb)
@click.option("--format", "style", type=click.Choice(("text", "json")), default="text")
def strategies(style: str) -> None:
    """List the synchronization strategies: what each promises, and its tunables."""
    from ..reference import listing

    click.echo(listing.strategies(style), nl=False)


@commands.command(cls=Verb)
@click.option("--format", "style", type=click.Choice(("text", "json")), default="text")
def backends(style: str) -> None:
    """List the backends: what `ctrgen build` can generate."""
    from ..reference import listing

    click.echo(listing.backends(style), nl=False)


@commands.command(cls=Verb)
@click.option(
    "--port",
    default="posix",
    show_default=True,
    metavar="posix|dpdk",
    help="What the runtime builds on.",
)
@click.option("--cflags", is_flag=True, help="Print compiler flags.")
@click.option("--sources", is_flag=True, help="Print the C files to compile.")
@click.option("--libs", is_flag=True, help="Print linker flags.")
@click.option("--path", is_flag=True, help="Print the folder of the runtime.")
@click.option(
    "--with", "parts", multiple=True, metavar="agentx", help="Include a part that is optional."
)
def runtime(
    port: str, cflags: bool, sources: bool, libs: bool, path: bool, parts: tuple[str, ...]
) -> None:
    """Print what a compiler needs to use the C runtime, like pkg-config.

    cc app.c out/ep_stats.c -Iout $(ctrgen runtime --cflags --sources --libs)
    """
    from ..backends import runtimeinfo

    try:
        runtimeinfo.check(port, parts)
        if path or not (cflags or sources or libs):
            click.echo(str(runtimeinfo.path()))
        if cflags or sources or libs:
            click.echo(runtimeinfo.line(port, cflags, sources, libs, parts))
    except runtimeinfo.RuntimeInfoError as error:
        _fail(error.message, error.hint)


commands.add_command(bench)
commands.add_command(plan)


def _check(schema: str, sync: str | None, mib_path: tuple[str, ...]) -> Checked:
    from ..pipeline.build import RequestError, chosen_sync
    from ..pipeline.check import check as judge

    try:
        return judge(schema, chosen_sync(sync), mib_path=mib_path)
    except RequestError as error:
        _fail(error.message, error.hint)


def _findings(diagnostics: Diagnostics, style: str, stream: Any) -> None:
    from ..findings.printers import print_findings

    click.echo(print_findings(diagnostics, style), file=stream, nl=False)


def _close_output() -> None:
    """Let what was not printed go, so that the interpreter does not try again as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Entry point of the `ctrgen` command. Anything unexpected is one line and exit code 2."""
    try:
        try:
            commands(prog_name="ctrgen")
        finally:
            sys.stdout.flush()
    except Exception as error:
        if os.environ.get("CTRGEN_DEBUG"):
            raise
        if isinstance(error, BrokenPipeError):
            _close_output()
            sys.exit(1)
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            _close_output()
            _fail("no space is left on the device: output is missing")
        text = f"internal error: {type(error).__name__}: {error}"
        _fail(text, "CTRGEN_DEBUG=1 shows where; please report it with the schema")
