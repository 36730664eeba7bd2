# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen export`: running applications for Prometheus."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import closing, nullcontext, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...findings.usage import UsageError, pip_install
from .metrics import Applications
from .model import NOTHING_FOUND, LiveError
from .page import Values, page
from .readers import Limits
from .server import Page, Server
from .targets import Targets

if TYPE_CHECKING:
    from .otlp import Pusher, Sender

_SWITCH = 0.0005  # seconds for which a thread of Python keeps others waiting; 0.005 unless set

INTERVAL = "OTEL_METRIC_EXPORT_INTERVAL"
"""Variable of the environment that states how often metrics are sent."""

LEFT_OUT = "without instances that have counted nothing, unless --all (ctrgen_instances_left_out)"


@dataclass(frozen=True)
class What:
    """What is exported: the applications at `targets`, each with up to `series` series; with
    `every`, also instances that were never touched. `names` are those of this server other than
    addresses (`Server`). All is sent to the collector `otlp` too, if there is one."""

    targets: Sequence[str]
    series: int
    every: bool = False
    limits: Limits = field(default_factory=Limits)
    names: Sequence[str] = ()
    otlp: str = ""

    def open(self) -> Targets:
        """The applications."""
        return Targets(self.targets, every=self.every)


def once(what: What, say: Callable[[str], None]) -> tuple[str, bool]:
    """All applications as OpenMetrics, and whether any has statistics; `say` reports why others
    have none. Raises UsageError."""
    with what.open() as found:
        applications = Applications(found.found, what.series, what.limits)
        text = applications.text()
        for name, why in applications.reasons.items():
            say(f"{name}: {why}")
        if not applications.shown and not applications.reasons:
            say(NOTHING_FOUND)
        return text, applications.shown > 0


def push_once(what: What) -> None:
    """Send all applications once. Raises UsageError, and LiveError if there are none, or if they
    cannot be sent."""
    with what.open() as found, closing(_sender(found, what)) as sender:
        if not sender.send():
            raise LiveError(NOTHING_FOUND)


def serve(what: What, listen: str, say: Callable[[str], None]) -> None:
    """Serve all applications until SIGINT or SIGTERM, and send them; `say` reports the address,
    what is left out, and failures of sending. Raises UsageError."""
    gc.enable()  # unlike other verbs, this one runs long
    sys.setswitchinterval(_SWITCH)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with what.open() as found, what.open() as sent:
        answers: dict[str, Page] = {
            "/": page,
            "/values.json": Values(found.found, what.limits),
            "/metrics": Applications(found.found, what.series, what.limits),
        }
        with Server(listen, answers, what.names) as server, suppress(KeyboardInterrupt):
            say(server.url)
            if not what.every:
                say(LEFT_OUT)
            with closing(_pusher(sent, what, say)) if what.otlp else nullcontext():
                server.serve_forever()


def _pusher(targets: Targets, what: What, say: Callable[[str], None]) -> Pusher:
    """The thread that reads and sends by itself."""
    sender, interval = _sender(targets, what), _interval()
    from .otlp import Pusher

    return Pusher(sender, interval, say)


def _interval() -> float:
    """Seconds between two sends, by the variable of OpenTelemetry's specification."""
    text = os.environ.get(INTERVAL, "60000")
    if not (text.isdecimal() and 1000 <= int(text) <= 86_400_000):
        raise UsageError(f"{INTERVAL}={text} is not from 1000 to 86400000 (milliseconds)")
    return int(text) / 1000


def _sender(targets: Targets, what: What) -> Sender:
    try:
        from . import otlp
    except ModuleNotFoundError as error:
        hint = pip_install("otlp")
        raise UsageError("--otlp takes the SDK of OpenTelemetry", hint) from error
    return otlp.Sender(what.otlp, targets, what.series, otlp.PATIENCE, what.limits)
