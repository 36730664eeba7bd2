# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen export`: running applications for Prometheus."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..findings.installation import pip_install
from ..findings.usage import UsageError
from .metrics import Applications
from .model import NOTHING_FOUND
from .page import Values, page
from .readers import Limits, Readers
from .server import Page, Server
from .targets import Targets

if TYPE_CHECKING:
    from .otlp import Sender

_SWITCH = 0.0005  # seconds for which a thread of Python keeps others waiting; 0.005 unless set

LEFT_OUT = "without instances that have counted nothing (ctrgen_instances_left_out), unless --all"


@dataclass(frozen=True)
class Push:
    """Where to send all applications over OTLP/HTTP, and how often in seconds."""

    url: str
    interval: float


@dataclass(frozen=True)
class What:
    """What is exported: the applications at `targets`, each with up to `series` series; with
    `every`, also instances that were never touched. `names` are those of this server other than
    addresses (`Server`)."""

    targets: Sequence[str]
    series: int
    every: bool = False
    limits: Limits = field(default_factory=Limits)
    names: Sequence[str] = ()

    def open(self) -> Targets:
        """The applications."""
        return Targets(self.targets, every=self.every)


def once(what: What, say: Callable[[str], None]) -> tuple[str, bool]:
    """All applications as OpenMetrics, and whether any has statistics; `say` reports why others
    have none. Raises UsageError."""
    with what.open() as found:
        applications = Applications(found.found, what.series, Readers(what.limits))
        text = applications.text()
        for name, why in applications.reasons.items():
            say(f"{name}: {why}")
        if not applications.shown and not applications.reasons:
            say(NOTHING_FOUND)
        return text, applications.shown > 0


def push_once(what: What, url: str) -> None:
    """Send all applications once. Raises UsageError, and LiveError if they cannot be sent."""
    with what.open() as found, closing(_sender(found, what, url)) as sender:
        sender.send()


def serve(what: What, listen: str, say: Callable[[str], None], push: Push | None = None) -> None:
    """Serve all applications until SIGINT or SIGTERM, and send them elsewhere; `say` reports the
    address, what is left out, and failures of sending. Raises UsageError."""
    gc.enable()  # unlike other verbs, this one runs long
    sys.setswitchinterval(_SWITCH)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with what.open() as found:
        readers = Readers(what.limits)
        answers: dict[str, Page] = {
            "/": page,
            "/values.json": Values(found.found, readers),
            "/metrics": Applications(found.found, what.series, readers),
        }
        server = Server(listen, answers, what.names)
        with server, suppress(KeyboardInterrupt):
            say(server.url)
            if not what.every:
                say(LEFT_OUT)
            with _pushed(what, say, push):
                server.serve_forever()


@contextmanager
def _pushed(what: What, say: Callable[[str], None], push: Push | None) -> Iterator[None]:
    """What is inside, while a thread sends what it reads on its own."""
    if push is None:
        yield
        return
    with what.open() as found:
        sender = _sender(found, what, push.url)
        from .otlp import Pusher

        with closing(Pusher(sender, push.interval, say)):
            yield


def _sender(targets: Targets, what: What, url: str) -> Sender:
    try:
        from . import otlp
    except ModuleNotFoundError as error:
        hint = pip_install("otlp")
        raise UsageError("--otlp takes the SDK of OpenTelemetry", hint) from error
    return otlp.Sender(url, targets, what.series, otlp.PATIENCE, Readers(what.limits))
