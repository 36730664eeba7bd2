# SPDX-License-Identifier: BSD-3-Clause
"""The command line: its verbs, and how it ends. 0 is clean, 1 means findings or a difference, 2
wrong usage or an internal error, 130 Ctrl-C. Verbs import what they need when they run."""

import errno
import gc
import importlib
import io
import os
import pkgutil
import sys
from typing import Any, NoReturn

import click

from .. import __version__
from .. import commands as folder
from ..findings.usage import UsageError
from .options import GROUPS, Verb


def fail(message: str, hint: str = "") -> NoReturn:
    """Report wrong usage and exit with 2."""
    click.echo(f"ctrgen: error: {message}", err=True)
    if hint:
        click.echo(f"hint: {hint}", err=True)
    sys.exit(2)


class Verbs(click.Group):
    """All verbs: what one raises as wrong usage ends here."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the summaries of the verbs in their groups."""
        verbs = [verb for verb in self.commands.values() if isinstance(verb, Verb)]
        verbs.sort(key=lambda verb: verb.place)
        for title in GROUPS:
            rows = [(v.name or "", v.get_short_help_str()) for v in verbs if v.group == title]
            with formatter.section(title):
                formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        """Parse and run a verb; exit with 2 after a UsageError."""
        try:
            return super().invoke(ctx)
        except UsageError as error:
            fail(error.message, error.hint)
        except KeyboardInterrupt:
            sys.exit(130)


@click.group(
    cls=Verbs, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, "-V", "--version", prog_name="ctrgen")
def commands() -> None:
    """Generate data-plane statistics for DPDK applications from one schema.

    SCHEMA is a YAML file or an SMI module; - is standard input. `ctrgen init` writes one to
    start from.
    """


for _info in pkgutil.iter_modules(folder.__path__):
    for _each in vars(importlib.import_module(f"{folder.__name__}.{_info.name}")).values():
        if isinstance(_each, Verb):
            commands.add_command(_each)


def _close_output() -> None:
    """Let what was not printed go, so that the interpreter does not try again as it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Entry point of the `ctrgen` command. Anything unexpected is one line and exit code 2."""
    if sys.stdout is None:  # the caller closed it
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(errors="backslashreplace")  # a locale may lack a letter
    gc.disable()  # what a verb makes is wanted until it ends; to look for garbage takes a tenth
    try:
        try:
            commands(prog_name="ctrgen")
        finally:
            sys.stdout.flush()
            gc.freeze()  # nor is there any in what is left to the end of the process
    except Exception as error:
        if os.environ.get("CTRGEN_DEBUG"):
            raise
        if isinstance(error, BrokenPipeError):
            _close_output()
            sys.exit(1)
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:
            _close_output()
            fail("no space is left on the device: output is missing")
        text = f"internal error: {type(error).__name__}: {error}"
        fail(text, "CTRGEN_DEBUG=1 shows where; please report it with the schema")
