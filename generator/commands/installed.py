# SPDX-License-Identifier: BSD-3-Clause
"""The verbs about what is installed: `strategies`, `backends`, `runtime` and `completion`."""

import click

from ..findings.usage import UsageError
from . import options


@options.verb(options.STRATEGIES, 1)
@options.style_option(("text", "json"), show=False)
def strategies(style: str) -> None:
    """List the synchronization strategies.

    Shows the guarantees and tunables of each.
    """
    from ..tools.plan.strategies import listing

    click.echo(listing(style), nl=False)


@options.verb(options.GENERATED, 4)
def backends() -> None:
    """List what `ctrgen build` can generate."""
    from ..backends import discover

    found = discover()
    width = max(map(len, found.backends), default=0)
    for name, backend in found.backends.items():
        only = "" if backend.default else " (only with --only)"
        click.echo(f"{name:<{width}}  {backend.summary}{only}")
    for problem in found.problems:
        click.echo(f"problem: {problem}")


@options.verb(options.GENERATED, 3)
@options.value_option("--port", "posix|dpdk", "Platform of the runtime.", default="posix")
@click.option("--cflags", is_flag=True, help="Print compiler flags.")
@click.option("--archive", is_flag=True, help="Print the library; builds it if needed.")
@click.option("--sources", is_flag=True, help="Print the C files, instead of the library.")
@click.option("--libs", is_flag=True, help="Print linker flags.")
@click.option("--cmake", is_flag=True, help="Print the folder of find_package(ctrgen).")
@click.option("--lines", is_flag=True, help="Print one word per line, without quotes.")
@options.parts_option
def runtime(
    port: str, cflags: bool, archive: bool, sources: bool, libs: bool, cmake: bool, lines: bool,
    parts: tuple[str, ...],
) -> None:  # fmt: skip
    """Print compiler flags of the C runtime.

    Works like pkg-config; without options it prints the folder of the runtime.

    cc app.c out/ep_stats.c -Iout $(ctrgen runtime --cflags --archive --libs)

    The library is built once per port, compiler (CC) and flags (CFLAGS), and cached. If the path of
    the runtime contains a space: eval cc ...
    """
    from ..backends import archive as libraries
    from ..backends import runtimeinfo

    parts = options.listed_names("--with", *parts)
    runtimeinfo.check(port, parts)
    if archive and sources:
        raise UsageError("--archive has what --sources would compile", "leave one out")
    archives = [libraries.path(port, parts)] if archive else []
    if cmake:
        click.echo(str(runtimeinfo.cmake()))
    if not (cflags or archive or sources or libs or cmake):
        click.echo(str(runtimeinfo.path()))
    if cflags or archive or sources or libs:
        click.echo(runtimeinfo.line(port, cflags, sources, libs, parts, lines, archives))


@options.verb(options.SHELLS, 1)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell.

    Completes verbs, options, strategies and backends.

    \b
    bash: source <(ctrgen completion bash)
    zsh:  source <(ctrgen completion zsh)     after compinit
    fish: ctrgen completion fish > ~/.config/fish/completions/ctrgen.fish
    """
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(ctx.find_root().command, {}, "ctrgen", "_CTRGEN_COMPLETE").source()
    # A value may have commas: only the first one ends the kind of what is offered.
    click.echo(script.replace('string split "," $completion', 'string split -m 1 "," $completion'))
