# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen export`: running applications for Prometheus."""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..findings.usage import UsageError
from .server import Server
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
        server = Server(listen, {"/metrics": _exposition(found, series)})
        with server, _interruptible():
            say(f"{server.url}metrics")
            server.serve_forever()


def _exposition(targets: Targets, series: int) -> Exposition:
    try:
        from .exposition import Exposition
        from .metrics import Applications
    except ModuleNotFoundError as error:
        raise UsageError("exporting takes the Python package prometheus_client", HINT) from error
    return Exposition(Applications(targets.found, series))


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
