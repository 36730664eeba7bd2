# SPDX-License-Identifier: BSD-3-Clause
"""The verbs that judge a schema and write nothing: `check`, `resolve` and `breaking`."""

from __future__ import annotations

import sys
from typing import Any

import click

from . import options
from .completion import complete

_AGAINST = "The old version: a file, a revision, or REV:PATH. git:REV is always a revision."
_ALLOW = "A change that is meant: 'RULE [SUBJECT]: REASON'. May be repeated."


@click.command(cls=options.Verb)
@click.argument("schemas", metavar="SCHEMA", nargs=-1, required=True, shell_complete=complete)
@options.findings_style
@options.sync_option
@options.mib_path_option
def check(
    schemas: tuple[str, ...], style: str, sync: str | None, mib_path: tuple[str, ...]
) -> None:
    """Print the findings about a schema, or about several, and generate nothing."""
    from ..findings.diagnostics import Diagnostics

    all_of_them = Diagnostics()
    for schema in schemas:
        all_of_them.join(options.checked_schema(schema, sync, mib_path).diagnostics)
    options.show_findings(all_of_them, style, sys.stdout)
    sys.exit(all_of_them.exit_code)


@click.command(cls=options.Verb)
@options.schema_argument
@options.sync_option
def resolve(schema: str, sync: str | None) -> None:
    """Print a schema as JSON with every default filled in."""
    import json

    from ..model.plain import to_json

    checked = options.checked_schema(schema, sync)
    options.show_findings(checked.diagnostics, "text", sys.stderr)
    if checked.module is not None:
        click.echo(json.dumps(to_json(checked.module), indent=2))
    sys.exit(checked.diagnostics.exit_code)


@click.command(cls=options.Verb)
@options.schema_argument
@options.value_option("--against", "FILE|GIT-REV", _AGAINST, None, required=True)
@options.value_option("--only", "CATEGORY,..", "Categories that matter.", (), multiple=True)
@options.value_option("--allow", "TEXT", _ALLOW, (), multiple=True)
@click.option("--strict", is_flag=True, help="Fail on warnings as well.")
@options.findings_style
def breaking(only: tuple[str, ...], style: str, **given: Any) -> None:
    """Print what a change of a schema breaks: 1 if it breaks something, 0 if not.

    Categories are c-api, c-abi, oid, semantics and prometheus. A comment in the schema allows
    a change: `# ctrgen: allow RULE [SUBJECT]: REASON`.
    """
    from .. import compat

    exit_code, diagnostics = compat.run(only=options.listed_names("--only", *only), **given)
    options.show_findings(diagnostics, style, sys.stdout)
    sys.exit(exit_code)
