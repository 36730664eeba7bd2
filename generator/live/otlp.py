# SPDX-License-Identifier: BSD-3-Clause
"""Running applications as metrics of OpenTelemetry: made directly, and sent with its SDK over
OTLP/HTTP. No instruments take part: what counts is the application."""

from __future__ import annotations

import itertools
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from urllib.parse import urlsplit

from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.sdk.metrics import export as sdk
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

from .. import __version__
from ..findings.usage import reason
from . import budget
from .budget import FACTS, Contents, Metric, facts
from .model import LiveError, Source
from .points import Samples, point, sliced
from .readers import Readers, Reading
from .targets import Targets

POINTS = 5000  # most data points of a request: some hundred bytes each, and collectors take 20 MiB
PATH = "/v1/metrics"  # where collectors take metrics, below their address
PATIENCE = 10.0  # most seconds for a request with all its repetitions

_LOGGER = "opentelemetry"
_PROBE = 2.0


class Sender:
    """Sends all applications to the collector at `url`, an address or one with a path, and tries
    for so many seconds. Not for several threads at a time."""

    def __init__(
        self,
        url: str,
        targets: Targets,
        series: int,
        patience: float,
        readers: Readers | None = None,
    ) -> None:
        url = url.rstrip("/")
        self.url = url if url.endswith(PATH) else url + PATH
        self._targets, self._series, self._readers = targets, series, readers or Readers()
        self._why = _Listener()
        self._exporter = OTLPMetricExporter(endpoint=self.url, timeout=patience)

    def send(self) -> None:
        """Read all, and send it. Raises LiveError if the collector does not take all of it."""
        for data in self._requests():
            self._why.first = ""
            if self._exporter.export(data) is not sdk.MetricExportResult.SUCCESS:
                raise LiveError(f"{self.url}: {self._unreachable() or self._why.first}")

    def _unreachable(self) -> str:
        """Why the collector cannot be reached, which the SDK may not report; empty if it can."""
        parts = urlsplit(self.url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            socket.create_connection((parts.hostname or "", port), _PROBE).close()
        except OSError as error:
            return reason(error)
        return ""

    def close(self) -> None:
        """Close the connection; what waits to be sent again is given up."""
        self._exporter.shutdown()
        self._why.close()

    def _requests(self) -> Iterator[sdk.MetricsData]:
        def work(name: str, source: Source) -> Contents[Samples]:
            del name
            return budget.read(source, self._series, partial(Samples, time.time_ns()))

        for reading in self._readers.read(self._targets.found(), work):
            metrics = reading.result.metrics if reading.result else ()
            for part in sliced([*_own(reading, time.time_ns()), *metrics], POINTS):
                yield _data(reading.name, part)


def _own(reading: Reading[Contents[Samples]], now: int) -> Iterable[Metric]:
    """What is said of an application itself."""
    found: dict[str, Metric] = {}
    for fact, value, attributes in facts(reading):
        if fact in FACTS:
            name, text, unit = FACTS[fact]
            metric = found.setdefault(fact, Metric(f"ctrgen.{name}", "gauge", text, unit))
            metric.samples.append(point(attributes, 0, now, value))
    return found.values()


def _data(application: str, metrics: Sequence[sdk.Metric]) -> sdk.MetricsData:
    scope = InstrumentationScope("ctrgen", __version__, "")
    scoped = [sdk.ScopeMetrics(scope, metrics, "")]
    return sdk.MetricsData([sdk.ResourceMetrics(_resource(application), scoped, "")])


@lru_cache(maxsize=64)
def _resource(application: str) -> Resource:
    """The application as OpenTelemetry has it, with OTEL_RESOURCE_ATTRIBUTES."""
    return Resource.create({"service.name": application})


class _Listener(logging.Handler):
    """Keeps what the SDK says first, instead of the terminal."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.first = ""
        self._logger = logging.getLogger(_LOGGER)
        self._logger.addHandler(self)
        self._logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it, in one line."""
        self.first = self.first or " ".join(record.getMessage().split())[:500]

    def close(self) -> None:
        """Leave the SDK as it was."""
        self._logger.removeHandler(self)
        self._logger.propagate = True
        super().close()


class Pusher:
    """A thread that sends each `interval` seconds, from the beginning on. Says when that fails and
    when it goes on; what could not be sent is forgotten, as the next values have it in them."""

    def __init__(self, sender: Sender, interval: float, say: Callable[[str], None]) -> None:
        self._sender, self._interval, self._say = sender, interval, say
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="otlp", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        failed = False
        begin = time.monotonic()
        for number in itertools.count(1):
            try:
                self._sender.send()
            except LiveError as error:
                if not failed and not self._ending.is_set():
                    self._say(f"{error}; trying again every {self._interval:g} s")
                failed = True
            else:
                if failed:
                    self._say(f"{self._sender.url}: takes metrics again")
                failed = False
            late = time.monotonic() - begin - number * self._interval
            if late > 0:  # do not make up for it
                begin += late
            if self._ending.wait(max(0.0, -late)):
                return

    def close(self) -> None:
        """End it; a request under way is given up."""
        self._ending.set()
        self._sender.close()
        self._thread.join(PATIENCE)
