# SPDX-License-Identifier: BSD-3-Clause
"""The items of an application as data points of OpenTelemetry: names with dots, units of UCUM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from opentelemetry.sdk.metrics.export import (
    AggregationTemporality,
    Gauge,
    Histogram,
    HistogramDataPoint,
    Metric,
    NumberDataPoint,
    Sum,
)

from ..model import ir
from .model import Histogram as Buckets
from .model import Instance, Item, LiveError, Module, Scope, free

Attributes = dict[str, str]
Point = NumberDataPoint | HistogramDataPoint

_UNITS = {"bytes": "By", "octets": "By", "bits": "bit", "seconds": "s", "milliseconds": "ms",
          "microseconds": "us", "nanoseconds": "ns", "percent": "%"}  # fmt: skip
_SHORTEST_WORD = 4
_NS = 1_000_000_000
_KINDS = {"counter": "sum"}
_TEXTS = ("ipv4", "ipv6", "mac", "string")


@dataclass
class Made:
    """A metric of an application. `kind` is `sum`, `gauge` or `histogram`."""

    name: str
    description: str
    unit: str
    kind: str
    points: list[Point] = field(default_factory=list)

    def metric(self, first: int, count: int) -> Metric:
        """The metric with some of its points."""
        points = self.points[first : first + count]
        data: Sum | Gauge | Histogram
        if self.kind == "sum":
            data = Sum(_numbers(points), AggregationTemporality.CUMULATIVE, is_monotonic=True)
        elif self.kind == "gauge":
            data = Gauge(_numbers(points))
        else:
            some = [one for one in points if isinstance(one, HistogramDataPoint)]
            data = Histogram(some, AggregationTemporality.CUMULATIVE)
        return Metric(self.name, self.description, self.unit, data)


def _numbers(points: Sequence[Point]) -> list[NumberDataPoint]:
    return [one for one in points if isinstance(one, NumberDataPoint)]


def sliced(metrics: Sequence[Made], most: int) -> Iterator[list[Metric]]:
    """The metrics in their order, at most so many points at a time."""
    part: list[Metric] = []
    room = most
    for metric in metrics:
        first = 0
        while first < len(metric.points):
            count = min(room, len(metric.points) - first)
            part.append(metric.metric(first, count))
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


def point(attributes: Attributes, start: int, now: int, value: float) -> NumberDataPoint:
    """A number at a time; what OTLP has no integer for is a double."""
    fits = isinstance(value, int) and -(2**63) <= value < 2**63
    return NumberDataPoint(attributes, start, now, int(value) if fits else float(value))


class Samples:
    """The metrics of a scope at a time in nanoseconds, while its instances are read."""

    def __init__(self, module: Module, scope: Scope, now: int) -> None:
        self._scope, self._now = scope, now
        self._stem = [module.name, *([] if scope.name in ir.NAMELESS else [scope.name])]
        self._items = [
            (
                at,
                item,
                self._made(item, item.shown_unit, "sum" if item.kind == "counter" else "gauge"),
            )
            for at, item in scope.single
        ]
        self._histograms = [(h, self._made(h, h.unit, "histogram")) for h in scope.histograms]

    @property
    def metrics(self) -> list[Made]:
        """All metrics, in the order of the schema."""
        single = [metric for _, _, metric in self._items]
        return single + [metric for _, metric in self._histograms]

    def _made(self, of: Item | Buckets, shown_unit: str, kind: str) -> Made:
        return Made(".".join([*self._stem, of.name]), of.description, unit(shown_unit), kind)

    def clear(self) -> None:
        """Drop the points of all instances."""
        for metric in self.metrics:
            metric.points = []

    def add(self, instance: Instance, room: int) -> int:
        """Add the points of an instance, unless they are more than `room`; their number."""
        found = list(self._points(instance))
        size = sum(len(points) for _, points in found)
        if size <= room:
            for metric, points in found:
                metric.points += points
        return size

    def _points(self, instance: Instance) -> Iterator[tuple[Made, list[Point]]]:
        """The points of an instance, with their metrics."""
        attributes = dict(zip(self._scope.names, instance.names, strict=True))
        start = int(instance.since * _NS)
        for at, item, metric in self._items:
            value = item.shown(instance.values[at])
            if value is None:
                continue
            if item.type == "enum":
                yield metric, [*self._states(item, attributes, str(value))]
            elif item.type in _TEXTS:
                own = {**attributes, free(item.name, attributes): str(value)}
                yield metric, [point(own, 0, self._now, 1)]
            elif isinstance(value, int | float):
                begin = start if metric.kind == "sum" else 0
                yield metric, [point(attributes, begin, self._now, value)]
            else:
                raise LiveError(f"{value!r} stands where a number should")
        for one, metric in self._histograms:
            yield metric, [*self._buckets(one, attributes, start, instance)]

    def _states(self, item: Item, attributes: Attributes, now: str) -> Iterator[NumberDataPoint]:
        """A point for each label: 1 for that of now."""
        key = free(item.name, attributes)
        for label, _ in item.labels:
            yield point({**attributes, key: label}, 0, self._now, label == now)

    def _buckets(
        self, one: Buckets, attributes: Attributes, start: int, instance: Instance
    ) -> Iterator[HistogramDataPoint]:
        """The histogram of an instance, or nothing."""
        if observed := one.observed(instance.values):
            counts, total = observed
            yield HistogramDataPoint(
                attributes, start, self._now, sum(counts), float(total), counts,
                [float(bound) for bound in one.bounds], _NONE, _NONE,
            )  # fmt: skip


_NONE: float = None  # type: ignore[assignment]
"""The least and the greatest value of a histogram, which nobody keeps: optional in OTLP."""
