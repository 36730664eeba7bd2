# SPDX-License-Identifier: BSD-3-Clause
"""The verbs about a schema: `init`, `build`, `docs`, `import` and `adopt` write, the others judge.
`check`, `resolve` and `breaking` write no file."""

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from ..findings.usage import UsageError
from . import options
from .completion import complete

FILES = ("stats.yaml", "main.c")
"""What is written, in this order; a file each under templates/init/."""

_NEXT = """\
  ctrgen build stats.yaml -o out
  cc -O2 main.c out/app_stats.c -Iout \\
     $(ctrgen runtime --port posix --cflags --archive --libs) -o example
  ./example
Then edit `sync:` in stats.yaml and repeat these steps; main.c does not change.
"""

_ONLY = "Backends to run, instead of `outputs:` of the schema or the default ones."
_DEPFILE = "Write what the output depends on, for make, ninja."


@options.verb(options.SCHEMAS, 1)
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(file_okay=False))
def init(folder: str) -> None:
    """Write a starter schema and an example.

    Both are written to DIR (default: the current folder). Existing files are not overwritten.
    """
    from importlib import resources

    from ..output import staging

    target = Path(folder)
    for name in FILES:
        if (target / name).exists() or (target / name).is_symlink():
            raise UsageError(f"{target / name} exists already; nothing was written")
    root = resources.files("ctrgen.templates") / "init"
    texts = {name: (root / name).read_text("utf-8") for name in FILES}
    try:
        staging.commit(target, {target / name: text for name, text in texts.items()})
    except staging.OutputError as error:
        raise UsageError(f"cannot write to {target}: {error.reason}") from error
    wrote = "".join(f"wrote {target / name}\n" for name in FILES)
    folder_first = "" if target == Path() else f"  cd {shlex.quote(str(target))}\n"
    click.echo(f"{wrote}\nNext:\n{folder_first}{_NEXT}", nl=False)


@options.verb(options.GENERATED, 1)
@options.schema_argument
@options.value_option("-o/--output", "DIR", "Folder to generate into.", default="out")
@options.sync_option
@options.value_option("--only", "BACKEND,..", _ONLY, (), multiple=True)
@click.option(
    "--check", "mode", flag_value="check", help="Compare with the folder; fail if it differs."
)
@click.option("--diff", "mode", flag_value="diff", help="Like --check, and print the differences.")
@click.option("--list-outputs", "mode", flag_value="list", help="Print the files, one per line.")
@options.value_option("--depfile", "FILE", _DEPFILE, None)
@options.value_option("--stamp", "FILE", "Write an empty file after success.", None)
@click.option("-q", "--quiet", is_flag=True, help="Print findings only.")
@click.option("--vendor-runtime", is_flag=True, help="Copy the required parts of the C runtime.")
@options.parts_option
@click.option("--force", is_flag=True, help="Overwrite files that are not from this schema.")
@options.mib_path_option
@options.findings_style
def build(
    schema: str, only: tuple[str, ...], mode: str | None, style: str, quiet: bool, **given: Any
) -> None:
    """Generate everything from a schema.

    Writes all files, or none if there is an error.
    """
    from ..output import emit
    from ..pipeline import build as pipeline

    names = options.listed_names("--only", *only)
    parts = options.listed_names("--with", *given.pop("parts"))
    request = pipeline.BuildRequest(schema, only=names, mode=mode or "write", parts=parts, **given)
    result = pipeline.build(request)
    alone = style != "text" and mode not in ("diff", "list")
    if style != "text":
        emit.report(result.differences, result.diagnostics)
    options.show_findings(result.diagnostics, style, sys.stdout if alone else sys.stderr)
    if mode == "list" or not (quiet or alone):
        click.echo(result.text, nl=False)
    sys.exit(result.exit_code)


@options.verb(options.GENERATED, 2)
@options.schema_argument
@options.value_option("-o/--output", "DIR", "Folder to write into.", default="out")
def docs(schema: str, output: str) -> None:
    """Write the reference page of a schema.

    In Markdown: unit, description, C calls, OIDs, and names in SNMP and Prometheus of each item.
    Same as `ctrgen build --only docs`.
    """
    from ..pipeline import build as pipeline

    result = pipeline.build(pipeline.BuildRequest(schema, output, only=("docs",)))
    options.show_findings(result.diagnostics, "text", sys.stderr)
    click.echo(result.text, nl=False)
    sys.exit(result.exit_code)


@options.verb(options.SCHEMAS, 4, "import")
@click.argument("mib", metavar="MIB", shell_complete=complete)
@options.mib_path_option
@options.value_option("-o/--output", "FILE", "File to write; the default is to print.", None)
def import_(mib: str, output: str | None, mib_path: tuple[str, ...]) -> None:
    """Convert an SMIv2 module to a YAML schema.

    MIB is a file, or the name of a module. Imported modules are searched in its folder, in
    --mib-path, SMIPATH and MIBDIRS, and in the default folders of the system.
    """
    from ..pipeline import importing

    text, diagnostics = importing.run(mib, mib_path)
    options.show_findings(diagnostics, "text", sys.stderr)
    if text is not None:
        shown = importing.save((output or "-", text))[0]
        click.echo(shown if output not in (None, "-") else shown.encode(), nl=False)
    sys.exit(diagnostics.exit_code)


_AGAINST = "The old version: a file, a revision, or REV:PATH. git:REV is always a revision."


@options.verb(options.SCHEMAS, 2)
@click.argument("schemas", metavar="SCHEMA", nargs=-1, required=True, shell_complete=complete)
@options.findings_style
@options.sync_option
@options.mib_path_option
def check(
    schemas: tuple[str, ...], style: str, sync: str | None, mib_path: tuple[str, ...]
) -> None:
    """Check schemas and print the findings."""
    from ..findings.diagnostics import Diagnostics

    all_of_them = Diagnostics()
    for schema in schemas:
        all_of_them.join(options.checked_schema(schema, sync, mib_path).diagnostics)
    options.show_findings(all_of_them, style, sys.stdout)
    sys.exit(all_of_them.exit_code)


@options.verb(options.SCHEMAS, 3)
@options.schema_argument
def resolve(schema: str) -> None:
    """Print a schema with all defaults, as JSON."""
    from ..pipeline.check import as_json

    checked = options.checked_schema(schema, None)
    options.show_findings(checked.diagnostics, "text", sys.stderr)
    if checked.module is not None:
        click.echo(as_json(checked.module))
    sys.exit(checked.diagnostics.exit_code)


@options.verb(options.SCHEMAS, 6)
@options.schema_argument
@options.value_option("--against", "FILE|GIT-REV", _AGAINST, None, required=True)
@options.value_option("--only", "CATEGORY,..", "Report only these categories.", (), multiple=True)
@click.option("--strict", is_flag=True, help="Fail on warnings, too.")
@options.findings_style
def breaking(only: tuple[str, ...], style: str, **given: Any) -> None:
    """Report changes that break users of a schema.

    Exits with 1 if there are any. Categories are c-api, c-abi, oid, semantics and prometheus.
    A comment in the schema allows a change: `# ctrgen: allow RULE [SUBJECT]: REASON`.
    """
    from ..tools import compat

    exit_code, diagnostics = compat.run(only=options.listed_names("--only", *only), **given)
    options.show_findings(diagnostics, style, sys.stdout)
    sys.exit(exit_code)


@options.verb(options.SCHEMAS, 5)
@click.argument("files", metavar="FILES", nargs=-1, required=True)
@options.value_option("--module", "NAME", "Name of the module [default: the first file's folder].")
@click.option("-o", "--output", metavar="FILE", help="File to write; the default is to print.")
@click.option("--patches", metavar="FILE", help="Script to write, which replaces adds by calls.")
def adopt(files: tuple[str, ...], module: str, output: str | None, patches: str | None) -> None:
    """Propose a schema for counters of C files.

    Finds structs of statistics, and variables that are only added to.

    Edit the proposal: it names the source location of each counter, and lists open points at the
    end. docs/migrating.md has the next steps.
    """
    from ..pipeline.importing import save
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
    texts = [(output or "-", found.schema())]
    texts += [] if patches is None else [(patches, found.patches(files))]
    schema, *script = save(*texts)
    for text in script:
        click.echo(text, nl=False, err=patches != "-")
    click.echo(schema if output not in (None, "-") else schema.encode(), nl=False)
