# SPDX-License-Identifier: BSD-3-Clause
"""The verbs about what is installed: `strategies`, `backends` and `runtime`."""

from __future__ import annotations

import click

from .completion import complete
from .options import Verb, listed_names, style_option, value_option


class PartsOption(click.Option):
    """`--with`; its help names the parts of the runtime, which are looked up when it is shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and its text."""
        from ..backends import runtimeinfo

        self.help = f"Include optional parts: {', '.join(runtimeinfo.PARTS)}; may be repeated."
        return super().get_help_record(ctx)


@click.command(cls=Verb)
@style_option(("text", "json"), show=False)
def strategies(style: str) -> None:
    """List the synchronization strategies: what each promises, and its tunables."""
    from . import listing

    click.echo(listing.strategies(style), nl=False)


@click.command(cls=Verb)
def backends() -> None:
    """List the backends: what `ctrgen build` can generate."""
    from . import listing

    click.echo(listing.backends(), nl=False)


@click.command(cls=Verb)
@value_option("--port", "posix|dpdk", "What the runtime builds on.", default="posix")
@click.option("--cflags", is_flag=True, help="Print compiler flags.")
@click.option("--sources", is_flag=True, help="Print the C files to compile.")
@click.option("--libs", is_flag=True, help="Print linker flags.")
@click.option("--path", is_flag=True, help="Print the folder of the runtime.")
@click.option("--cmake", is_flag=True, help="Print the folder of find_package(ctrgen).")
@click.option("--lines", is_flag=True, help="Print a word each line, without quotes.")
@click.option(
    "--with", "parts", cls=PartsOption, multiple=True, metavar="PART,..", shell_complete=complete
)
def runtime(
    port: str,
    cflags: bool,
    sources: bool,
    libs: bool,
    path: bool,
    cmake: bool,
    lines: bool,
    parts: tuple[str, ...],
) -> None:
    """Print what a compiler needs to use the C runtime, like pkg-config.

    cc app.c out/ep_stats.c -Iout $(ctrgen runtime --cflags --sources --libs)

    Where the runtime is below a folder with a space in its name: eval cc ...
    """
    from ..backends import runtimeinfo

    parts = listed_names("--with", *parts)
    runtimeinfo.check(port, parts)
    if cmake:
        click.echo(str(runtimeinfo.cmake()))
    if path or not (cflags or sources or libs or cmake):
        click.echo(str(runtimeinfo.path()))
    if cflags or sources or libs:
        click.echo(runtimeinfo.line(port, cflags, sources, libs, parts, lines))
