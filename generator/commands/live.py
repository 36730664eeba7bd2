# SPDX-License-Identifier: BSD-3-Clause
"""The verbs about running applications: `export` and `top`."""

import math
import sys
from typing import Any
from urllib.parse import urlsplit

import click

from .options import RUNNING, Option, value_option, verb

LISTEN = "127.0.0.1:9464"
"""Default address of the exporter: loopback, port of OpenTelemetry's Prometheus exporters."""

_STALE = "Report an application as hung after this time without a publication."
_ADDRESS = "Address to listen on; addresses other than loopback are open to the network."
_SERIES = "Maximum series per application; scopes share them in proportion."
_OTLP = "Also send to this OpenTelemetry collector, such as http://127.0.0.1:4318"
_HOST = "Also answer requests for this host name; may be repeated."


class _Seconds(click.FloatRange):
    """A number of seconds within limits, which NaN and infinity would pass or break."""

    def convert(self, *given: Any) -> Any:
        seconds = super().convert(*given)
        return (
            seconds if math.isfinite(seconds) else self.fail(f"{seconds} is no time.", *given[1:])
        )


def _seconds(name: str, text: str, default: float, **limits: Any) -> Option:
    return value_option(name, "SECONDS", text, default, type=_Seconds(**limits))


_stale = _seconds("--stale", _STALE, 60.0, min=0.1)
_timeout = _seconds(
    "--timeout", "Omit an application if reading it takes longer.", 8.0, min=0.1, max=3600
)
_every = click.option(
    "--all", "every", is_flag=True, help="Include instances that have counted nothing."
)


@verb(RUNNING, 1)
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True, type=click.Path())
@value_option("--listen", "HOST:PORT", _ADDRESS, LISTEN)
@value_option("--series", "N", _SERIES, 100_000, type=click.IntRange(min=1))
@_every
@value_option("--otlp", "URL", _OTLP, None)
@_timeout
@_stale
@value_option("--host/names", "NAME", _HOST, (), multiple=True)
@click.option(
    "--once", is_flag=True, help="Print OpenMetrics once, or send once to --otlp, and exit."
)
def export(
    targets: tuple[str, ...], listen: str, series: int, every: bool, otlp: str | None,
    timeout: float, stale: float, names: tuple[str, ...], once: bool,
) -> None:  # fmt: skip
    """Serve values of applications as OpenMetrics.

    Over HTTP, until interrupted.

    A TARGET is the shared segment of an application, or a folder of segments. Applications may
    start, exit and restart. --once exits with 1 if no application could be read, with --otlp also
    if sending failed. OTEL_METRIC_EXPORT_INTERVAL sets the milliseconds between two sends (60000).
    """
    from ..findings.usage import UsageError
    from ..tools.live import exporter
    from ..tools.live.model import Limits, LiveError

    if otlp is not None and not _is_url(otlp):
        raise UsageError(f"'{otlp}' is no URL of a collector", "such as http://127.0.0.1:4318")
    limits = Limits(timeout, stale)
    what = exporter.What(targets, series, every, limits, names, otlp or "")
    if once and otlp is not None:
        try:
            exporter.push_once(what)
        except LiveError as error:
            click.echo(f"ctrgen: {error}", err=True)
            sys.exit(1)
    elif once:
        text, any_shown = exporter.once(what, lambda line: click.echo(f"ctrgen: {line}", err=True))
        click.echo(text.encode(), nl=False)  # OpenMetrics is UTF-8 in every locale
        sys.exit(0 if any_shown else 1)
    else:
        exporter.serve(what, listen, lambda line: click.echo(line, err=True))


def _is_url(text: str) -> bool:
    try:
        parts = urlsplit(text)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


@verb(RUNNING, 2)
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True, type=click.Path())
@_seconds("--interval", "Time between two updates.", 1.0, min=0.1, max=3600)
@_every
@_timeout
@_stale
@click.option("--once", is_flag=True, help="Print everything once, after one interval, and exit.")
@click.option("--json", "as_data", is_flag=True, help="Print JSON; with --once.")
def top(
    targets: tuple[str, ...], interval: float, every: bool, timeout: float, stale: float,
    once: bool, as_data: bool,
) -> None:  # fmt: skip
    """Show values of applications in the terminal.

    Shows the highest rates first, until interrupted. A TARGET is as in `ctrgen export`. --once
    exits with 1 if no application could be read.
    """
    from ..findings.usage import UsageError
    from ..tools.live import screen as terminal
    from ..tools.live.model import Limits

    limits = Limits(timeout, stale)
    if as_data and not once:
        raise UsageError("--json prints once", "add --once")
    if once:
        words = {"every": every, "as_data": as_data}
        sys.exit(terminal.once(targets, interval, limits, out=sys.stdout, **words))
    try:
        terminal.run(targets, interval, limits, every=every)
    except KeyboardInterrupt:
        return
