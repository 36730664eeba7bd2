# SPDX-License-Identifier: BSD-3-Clause
"""The items of an application as data points of OpenTelemetry: names with dots, units of UCUM."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from opentelemetry.sdk.metrics import export as sdk

from ..model import ir
from . import budget
from .budget import Metric
from .model import Histogram, Instance, Item, LiveError, Module, Scope, free

Attributes = dict[str, str]
Point = sdk.NumberDataPoint | sdk.HistogramDataPoint

_UNITS = {"bytes": "By", "octets": "By", "bits": "bit", "seconds": "s", "milliseconds": "ms",
          "microseconds": "us", "nanoseconds": "ns", "percent": "%"}  # fmt: skip
_SHORTEST_WORD = 4
_NS = 1_000_000_000
_CUMULATIVE = sdk.AggregationTemporality.CUMULATIVE
_TEXTS = ("ipv4", "ipv6", "mac", "string")


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
    """The metrics in their order, at most so many points at a time."""
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
            elif item.type in _TEXTS:
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
