# SPDX-License-Identifier: BSD-3-Clause
"""The verbs about what is installed: `strategies`, `backends` and `runtime`."""

from __future__ import annotations

from pathlib import Path

import click

from ..findings.usage import UsageError
from .options import Verb, listed_names, parts_option, style_option, value_option


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
@click.option("--archive", is_flag=True, help="Print the library; it is built if need be.")
@click.option("--sources", is_flag=True, help="Print the C files to compile instead.")
@click.option("--libs", is_flag=True, help="Print linker flags.")
@click.option("--path", is_flag=True, help="Print the folder of the runtime.")
@click.option("--cmake", is_flag=True, help="Print the folder of find_package(ctrgen).")
@click.option("--lines", is_flag=True, help="Print a word each line, without quotes.")
@parts_option
def runtime(
    port: str,
    cflags: bool,
    archive: bool,
    sources: bool,
    libs: bool,
    path: bool,
    cmake: bool,
    lines: bool,
    parts: tuple[str, ...],
) -> None:
    """Print what a compiler needs to use the C runtime, like pkg-config.

    cc app.c out/ep_stats.c -Iout $(ctrgen runtime --cflags --archive --libs)

    The library is built once for a port, a compiler (CC) and its flags (CFLAGS), and cached. Where
    the runtime is below a folder with a space in its name: eval cc ...
    """
    from ..backends import runtimeinfo

    parts = listed_names("--with", *parts)
    runtimeinfo.check(port, parts)
    if archive and sources:
        raise UsageError("--archive has what --sources would compile", "leave one out")
    archives = _archives(port, parts) if archive else []
    if cmake:
        click.echo(str(runtimeinfo.cmake()))
    if path or not (cflags or archive or sources or libs or cmake):
        click.echo(str(runtimeinfo.path()))
    if cflags or archive or sources or libs:
        click.echo(runtimeinfo.line(port, cflags, sources, libs, parts, lines, archives))


def _archives(port: str, parts: tuple[str, ...]) -> list[Path]:
    from ..backends import archive

    return archive.path(port, parts)
