# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen export`: running applications for Prometheus."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..findings.usage import UsageError
from .page import Values, page
from .server import Answer, Page, Server
from .targets import Targets

if TYPE_CHECKING:
    from .exposition import Exposition

HINT = "pip install 'ctrgen[live]'"


def once(targets: Sequence[str], series: int) -> str:
    """All applications as OpenMetrics. Raises UsageError."""
    with Targets(targets) as found:
        return _exposition(found, series).text()


def serve(targets: Sequence[str], listen: str, series: int, say: Callable[[str], None]) -> None:
    """Serve all applications until SIGINT or SIGTERM; `say` is told where. Raises UsageError."""
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
            server.serve_forever()


def _exposition(targets: Targets, series: int) -> Exposition:
    try:
        from .exposition import Exposition
        from .metrics import Applications
    except ModuleNotFoundError as error:
        raise UsageError("exporting takes the Python package prometheus_client", HINT) from error
    return Exposition(Applications(targets.found, series))


def _one_at_a_time(pages: dict[str, Page]) -> dict[str, Page]:
    """The same for threads: many clients at once take no more memory than one, nor do they read
    an application at the same time."""
    lock = threading.Lock()

    def guarded(page: Page) -> Page:
        def answer(accept: str) -> Answer:
            with lock:
                return page(accept)

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
