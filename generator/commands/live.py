# SPDX-License-Identifier: BSD-3-Clause
"""The verbs about running applications: `export` and `top`."""

from __future__ import annotations

import sys

import click

from .options import Verb

LISTEN = "127.0.0.1:9464"
"""Where the exporter is unless told otherwise: the port that Prometheus exporters of OpenTelemetry
have, on loopback."""


@click.command(cls=Verb)
@click.argument("targets", metavar="[TARGET]...", nargs=-1, type=click.Path())
@click.option(
    "--listen", metavar="HOST:PORT", default=LISTEN, show_default=True,
    help="Address to serve at; any other than loopback can be read by everybody who reaches it.",
)  # fmt: skip
@click.option(
    "--series", metavar="N", type=click.IntRange(min=1), default=100_000, show_default=True,
    help="Most series of an application: a scope that would have more is left out, and said so.",
)  # fmt: skip
@click.option("--once", is_flag=True, help="Print OpenMetrics once, and serve nothing.")
def export(targets: tuple[str, ...], listen: str, series: int, once: bool) -> None:
    """Show what running applications count, as OpenMetrics over HTTP, until interrupted.

    A TARGET is a shared segment or the telemetry socket of a DPDK application, or a folder of
    them; without one, all telemetry sockets of this user. Applications may come, go and restart.
    """
    from ..live import exporter

    if once:
        click.echo(exporter.once(targets, series), nl=False)
    else:
        exporter.serve(targets, listen, series, lambda line: click.echo(line, err=True))


@click.command(cls=Verb)
@click.argument("targets", metavar="[TARGET]...", nargs=-1, type=click.Path())
@click.option(
    "--interval", metavar="SECONDS", type=click.FloatRange(min=0.1, max=3600), default=1.0,
    show_default=True, help="Time between two looks.",
)  # fmt: skip
@click.option("--once", is_flag=True, help="Print all of it once, after one interval.")
@click.option("--json", "as_data", is_flag=True, help="With --once: for programs.")
def top(targets: tuple[str, ...], interval: float, once: bool, as_data: bool) -> None:
    """Show what running applications count in the terminal, the fastest first, until interrupted.

    A TARGET is as in `ctrgen export`. The exit code of --once is 1 if nothing could be read.
    """
    from ..findings.usage import UsageError
    from ..live import top as terminal

    if as_data and not once:
        raise UsageError("--json prints once", "add --once")
    if once:
        sys.exit(terminal.once(targets, interval, as_data=as_data, out=sys.stdout))
    try:
        terminal.run(targets, interval)
    except KeyboardInterrupt:
        return
