# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen export`: running applications for Prometheus."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..findings.installation import pip_install
from ..findings.usage import UsageError
from .page import Values, page
from .server import Page, Server
from .targets import Targets

if TYPE_CHECKING:
    from .exposition import Exposition
    from .otlp import Sender

LEFT_OUT = "without instances that have counted nothing (ctrgen_instances_left_out), unless --all"


@dataclass(frozen=True)
class Push:
    """Where to send all applications over OTLP/HTTP, and how often in seconds."""

    url: str
    interval: float


@dataclass(frozen=True)
class What:
    """What is exported: the applications at `targets`, each with up to `series` series; with
    `every`, also instances that were never touched."""

    targets: Sequence[str]
    series: int
    every: bool = False

    def open(self) -> Targets:
        """The applications."""
        return Targets(self.targets, every=self.every)


def once(what: What) -> str:
    """All applications as OpenMetrics. Raises UsageError."""
    with what.open() as found:
        return _exposition(found, what.series).text()


def push_once(what: What, url: str) -> None:
    """Send all applications once. Raises UsageError, and LiveError if they cannot be sent."""
    with what.open() as found, closing(_sender(found, what.series, url)) as sender:
        sender.send()


def serve(what: What, listen: str, say: Callable[[str], None], push: Push | None = None) -> None:
    """Serve all applications until SIGINT or SIGTERM, and send them elsewhere; `say` reports the
    address, what is left out, and failures of sending. Raises UsageError."""
    with what.open() as found, _collected():
        metrics = _exposition(found, what.series)
        answers: dict[str, Page] = {
            "/": page,
            "/values.json": Values(found.found),
            "/metrics": metrics,
        }
        server = Server(listen, answers)
        with server, _interruptible():
            say(server.url)
            if not what.every:
                say(LEFT_OUT)
            with _pushed(what, say, push):
                server.serve_forever()


def _exposition(targets: Targets, series: int) -> Exposition:
    try:
        from .exposition import Exposition
        from .metrics import Applications
    except ModuleNotFoundError as error:
        hint = pip_install("live")
        raise UsageError("exporting takes the Python package prometheus_client", hint) from error
    return Exposition(Applications(targets.found, series))


@contextmanager
def _pushed(what: What, say: Callable[[str], None], push: Push | None) -> Iterator[None]:
    """What is inside, while a thread sends what it reads on its own."""
    if push is None:
        yield
        return
    with what.open() as found:
        sender = _sender(found, what.series, push.url)
        from .otlp import Pusher

        with closing(Pusher(sender, push.interval, say)):
            yield


def _sender(targets: Targets, series: int, url: str) -> Sender:
    try:
        from . import otlp
    except ModuleNotFoundError as error:
        hint = pip_install("live", "otlp")
        raise UsageError("--otlp takes the SDK of OpenTelemetry", hint) from error
    return otlp.Sender(url, targets, series, otlp.PATIENCE)


@contextmanager
def _collected() -> Iterator[None]:
    """What runs long has its garbage collected, unlike other verbs."""
    gc.enable()
    try:
        yield
    finally:
        gc.disable()


@contextmanager
def _interruptible() -> Iterator[None]:
    """SIGINT and SIGTERM end what is inside, without a word."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        return
    finally:
        signal.signal(signal.SIGTERM, before)
