# SPDX-License-Identifier: BSD-3-Clause
"""The verbs about running applications: `export`."""

from __future__ import annotations

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
