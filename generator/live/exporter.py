# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen export`: running applications for Prometheus."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..findings.installation import pip_install
from ..findings.usage import UsageError
from .page import Values, page
from .server import Answer, Page, Server
from .targets import Targets

if TYPE_CHECKING:
    from .exposition import Exposition
    from .otlp import Sender


@dataclass(frozen=True)
class Push:
    """Where to send all applications over OTLP/HTTP, and how often in seconds."""

    url: str
    interval: float


def once(targets: Sequence[str], series: int) -> str:
    """All applications as OpenMetrics. Raises UsageError."""
    with Targets(targets) as found:
        return _exposition(found, series).text()


def push_once(targets: Sequence[str], series: int, url: str) -> None:
    """Send all applications once. Raises UsageError, and LiveError if they cannot be sent."""
    with Targets(targets) as found, closing(_sender(found, series, url)) as sender:
        sender.send()


def serve(
    targets: Sequence[str], listen: str, series: int, say: Callable[[str], None],
    push: Push | None = None,
) -> None:  # fmt: skip
    """Serve all applications until SIGINT or SIGTERM, and send them elsewhere; `say` is told
    where, and when sending fails. Raises UsageError."""
    with Targets(targets) as found, _collected():
        metrics = _exposition(found, series)
        answers: dict[str, Page] = {
            "/": page,
            "/values.json": Values(found.found),
            "/metrics": metrics,
        }
        server = Server(listen, _one_at_a_time(answers))
        with server, _interruptible():
            say(server.url)
            with _pushed(targets, series, say, push):
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
def _pushed(
    targets: Sequence[str], series: int, say: Callable[[str], None], push: Push | None
) -> Iterator[None]:
    """What is inside, while a thread sends what it reads on its own."""
    if push is None:
        yield
        return
    with Targets(targets) as found:
        sender = _sender(found, series, push.url)
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


def _one_at_a_time(pages: dict[str, Page]) -> dict[str, Page]:
    """The same for threads: many clients at once take no more memory than one, nor do they read
    an application at the same time. Garbage waits meanwhile: to look for it among a million
    samples takes a third of the time, and grows with them."""
    lock = threading.Lock()

    def guarded(page: Page) -> Page:
        def answer(accept: str) -> Answer:
            with lock:
                gc.disable()
                try:
                    return page(accept)
                finally:
                    gc.enable()

        return answer

    return {path: guarded(page) for path, page in pages.items()}


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
