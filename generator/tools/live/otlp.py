# SPDX-License-Identifier: BSD-3-Clause
"""Running applications as metrics of OpenTelemetry: made directly, and sent with its SDK over
OTLP/HTTP. No instruments are used, as the application counts."""

import logging
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from urllib.parse import urlsplit

import requests
from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceResponse,
)
from opentelemetry.sdk.metrics import export as sdk
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

from ... import __version__
from ...findings.printers import visible
from ...findings.usage import reason
from ...model import ir
from . import budget
from .budget import FACTS, Contents, Metric, facts
from .model import (
    Histogram,
    Instance,
    Item,
    Limits,
    LiveError,
    Module,
    Reading,
    Scope,
    Source,
    free,
    read_each,
)
from .targets import Targets

Attributes = dict[str, str]
Point = sdk.NumberDataPoint | sdk.HistogramDataPoint

_UNITS = {"bytes": "By", "octets": "By", "bits": "bit", "seconds": "s", "milliseconds": "ms",
          "microseconds": "us", "nanoseconds": "ns", "percent": "%"}  # fmt: skip
_SHORTEST_WORD = 4
_NS = 1_000_000_000
_CUMULATIVE = sdk.AggregationTemporality.CUMULATIVE


def _sent(metric: Metric, first: int, count: int) -> sdk.Metric:
    """A metric with some of its points. Its type is `sum`, `gauge` or `histogram`."""
    points = metric.samples[first : first + count]
    data: sdk.Sum | sdk.Gauge | sdk.Histogram = sdk.Gauge(points)
    if metric.type == "sum":
        data = sdk.Sum(points, _CUMULATIVE, is_monotonic=True)
    elif metric.type == "histogram":
        data = sdk.Histogram(points, _CUMULATIVE)
    return sdk.Metric(metric.name, metric.text, metric.unit, data)


def sliced(metrics: Iterable[Metric], most: int) -> Iterator[list[sdk.Metric]]:
    """The metrics in their order, at most `most` points at a time."""
    part: list[sdk.Metric] = []
    room = most
    for metric in metrics:
        first = 0
        while first < len(metric.samples):
            count = min(room, len(metric.samples) - first)
            part.append(_sent(metric, first, count))
            first, room = first + count, room - count
            if not room:
                yield part
                part, room = [], most
    if part:
        yield part


def unit(text: str) -> str:
    """The unit of an item in UCUM: a plain word of a schema is an annotation, `{packets}`."""
    if text in _UNITS:
        return _UNITS[text]
    word = text.isascii() and text.isalpha() and text.islower() and len(text) >= _SHORTEST_WORD
    return f"{{{text}}}" if word else text


def point(attributes: Attributes, start: int, now: int, value: float) -> sdk.NumberDataPoint:
    """A number at a time; what OTLP has no integer for is a double."""
    fits = isinstance(value, int) and -(2**63) <= value < 2**63
    return sdk.NumberDataPoint(attributes, start, now, int(value) if fits else float(value))


class Samples(budget.Samples):
    """The points of a scope at a time in nanoseconds."""

    def __init__(self, now: int, module: Module, scope: Scope) -> None:
        self._now = now
        super().__init__(module, scope)

    def metric(self, of: Item | Histogram, shown_unit: str) -> Metric:
        """The metric of an item or histogram."""
        kind = "histogram"
        if isinstance(of, Item):
            kind = "sum" if of.kind == "counter" else "gauge"
        stem = [] if self.scope.name in ir.NAMELESS else [self.scope.name]
        name = ".".join([self.module.name, *stem, of.name])
        return Metric(name, kind, of.description, unit(shown_unit))

    def made(self, instance: Instance) -> Iterator[tuple[Metric, Point]]:
        """The points of an instance."""
        attributes = dict(zip(self.scope.names, instance.names, strict=True))
        start = int(instance.since * _NS)
        for at, item, metric in self.items:
            value = item.shown(instance.values[at])
            if value is None:
                continue
            key = free(item.name, attributes)
            if item.type == "enum":  # a point for each label: 1 for that of now
                for label, _ in item.labels:
                    yield metric, point({**attributes, key: label}, 0, self._now, label == value)
            elif item.value_type.text:
                yield metric, point({**attributes, key: str(value)}, 0, self._now, 1)
            elif isinstance(value, int | float):
                begin = start if metric.type == "sum" else 0
                yield metric, point(attributes, begin, self._now, value)
            else:
                raise LiveError(f"{value!r} stands where a number should")
        for one, metric in self.histograms:
            if observed := one.observed(instance.values):
                counts, total = observed
                yield metric, sdk.HistogramDataPoint(
                    attributes, start, self._now, sum(counts), float(total), counts,
                    [float(bound) for bound in one.bounds], _NONE, _NONE,
                )  # fmt: skip


_NONE: float = None  # type: ignore[assignment]  # least and greatest of a histogram: optional


POINTS = 5000  # most data points of a request: some hundred bytes each, and collectors take 20 MiB
PATH = "/v1/metrics"  # where collectors take metrics, below their address
PATIENCE = 10.0  # most seconds for a request with all its repetitions

_LOGGER = "opentelemetry"
_PROBE = 2.0


class Sender:
    """Sends all applications to the collector at `url`, an address or one with a path, and tries
    for so many seconds. Not for several threads at a time."""

    def __init__(
        self, url: str, targets: Targets, series: int, patience: float, limits: Limits | None = None
    ) -> None:
        url = url.rstrip("/")
        self.url = url if url.endswith(PATH) else url + PATH
        self._targets, self._series, self._limits = targets, series, limits or Limits()
        self._why = _Listener()
        self._lost = self._moved = ""
        session = requests.Session()
        session.hooks["response"].append(self._answered)
        given = any(name.endswith("_CREDENTIAL_PROVIDER") for name in os.environ)  # of a session
        self._exporter = OTLPMetricExporter(
            endpoint=self.url, timeout=patience, session=None if given else session
        )

    def send(self) -> bool:
        """Read all, send it, and return whether there was any. Raises LiveError if the collector
        does not take all of it."""
        data, self._lost = None, ""
        for data in self._requests():
            self._why.first = ""
            if self._exporter.export(data) is not sdk.MetricExportResult.SUCCESS:
                raise LiveError(f"{self.url}: {self._unreachable() or self._why.first}")
            self._lost = self._lost or self._moved
        if self._lost:
            raise LiveError(f"{self.url}: {self._lost}")
        return data is not None

    def _answered(self, response: requests.Response, *_: object, **__: object) -> None:
        """Note what is lost although the SDK takes the response for success."""
        self._moved = ""  # what a redirect had, if the SDK follows it
        if response.is_redirect:
            text = f"values are lost: redirected to {response.headers['location']}"
            self._moved = visible(" ".join(text.split())[:500])
            return
        try:
            answer = ExportMetricsServiceResponse.FromString(response.content)
        except DecodeError:
            return
        rejected = answer.partial_success.rejected_data_points
        text = f"{rejected} data points rejected: {answer.partial_success.error_message}"
        if response.ok and rejected:
            self._lost = self._lost or visible(" ".join(text.split())[:500])

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
        """Close the connection and drop pending retries."""
        self._exporter.shutdown()
        self._why.close()

    def _requests(self) -> Iterator[sdk.MetricsData]:
        def work(name: str, source: Source) -> Contents[Samples]:
            del name
            return budget.read(source, self._series, partial(Samples, time.time_ns()))

        for reading in read_each(self._targets.found(), work, self._limits):
            metrics = reading.result.metrics if reading.result else ()
            for part in sliced([*_own(reading, time.time_ns()), *metrics], POINTS):
                yield _data(reading.name, part)


def _own(reading: Reading[Contents[Samples]], now: int) -> Iterable[Metric]:
    """The metrics about an application itself."""
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
    """Captures the first message of the SDK instead of printing it."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.first = ""
        self._logger = logging.getLogger(_LOGGER)
        self._logger.addHandler(self)
        self._logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it, in one line."""
        self.first = self.first or visible(" ".join(record.getMessage().split())[:500])

    def close(self) -> None:
        """Leave the SDK as it was."""
        self._logger.removeHandler(self)
        self._logger.propagate = True
        super().close()


class Pusher:
    """A thread that sends at once and every `interval` seconds. Reports failure and recovery.
    Failed sends are dropped, as values are cumulative."""

    def __init__(self, sender: Sender, interval: float, say: Callable[[str], None]) -> None:
        self._sender, self._interval, self._say = sender, interval, say
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="otlp", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        failed = ended = False
        while not ended:
            begin = time.monotonic()
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
            ended = self._ending.wait(max(0.0, begin + self._interval - time.monotonic()))

    def close(self) -> None:
        """End the thread and abort a request in progress."""
        self._ending.set()
        self._sender.close()
        self._thread.join(PATIENCE)
