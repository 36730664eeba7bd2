# SPDX-License-Identifier: BSD-3-Clause
"""Running applications as metrics, with the names of `model.naming.prometheus`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, chain

from prometheus_client import Metric
from prometheus_client.registry import Collector

from ..model.naming.prometheus import APPLICATION, aside, series, stem
from ..model.naming.prometheus import name as metric_name
from ..model.types import TYPES
from . import budget
from .model import Histogram, Instance, Item, LiveError, Module, Scope, Source

MOST_SERIES = 100_000
"""Series of an application, unless told otherwise."""

_OTHERS = ("device", "callback")
"""Where counters come from that did not begin with their instance."""

_COLLECT = "ctrgen_collect_seconds"

_METRICS = {row.constant.lower(): row.metric for row in TYPES.values()}

Labels = dict[str, str]
Sample = tuple[str, Labels, float]
Sources = Callable[[], Iterable[tuple[str, Source | LiveError]]]
"""Finds applications: the name of each, and how it is read or why it cannot be."""


@dataclass
class _Family:
    """A metric of one application: its name without `_total` and the like, and its samples."""

    name: str
    type: str
    text: str
    samples: list[Sample] = field(default_factory=list)


class Applications(Collector):
    """All applications that are found, read anew for each collection.

    One that cannot be read has `ctrgen_application_up` 0 and nothing else, never some of its
    series. An application has up to `most` series (`budget.read`), and `ctrgen_scope_left_out`
    names its scopes that lack instances for that.
    """

    def __init__(self, sources: Sources, most: int = MOST_SERIES) -> None:
        self._sources, self._most = sources, most

    def collect(self) -> Iterator[Metric]:
        """The metrics of all applications, those of the same name together."""
        begin = time.perf_counter()
        up = Metric("ctrgen_application_up", "Whether the application could be read.", "gauge")
        left = Metric("ctrgen_scope_left_out", "Scopes shown in part: too many series.", "gauge")
        clash = Metric(
            "ctrgen_metric_left_out", "Metrics whose names are taken elsewhere.", "gauge"
        )
        blank = Metric(
            "ctrgen_instances_left_out", "Instances that have counted nothing yet.", "gauge"
        )
        size = Metric("ctrgen_segment_bytes", "Size of the segment, and of its memory.", "gauge")
        merged: dict[str, Metric] = {}
        own = (up, left, clash, blank, size)
        owners = dict.fromkeys((*(metric.name for metric in own), _COLLECT), "")
        for name, source in self._sources():
            label = {APPLICATION: name}
            try:
                opened = _opened(source)
                make = partial(_Reading, name, taken={})
                readings, lacking = budget.read(opened, self._most, make)
                memory = opened.memory()
            except LiveError:
                up.add_sample(up.name, label, 0)
                continue
            up.add_sample(up.name, label, 1)
            for module, scope in lacking:
                left.add_sample(left.name, {**label, "module": module, "scope": scope}, 1)
            for (module, scope), count in opened.left_out.items():
                labels = {**label, "module": module, "scope": scope}
                blank.add_sample(blank.name, labels, count)
            for kind, octets in zip(("apparent", "allocated"), memory or (), strict=False):
                size.add_sample(size.name, {**label, "kind": kind}, octets)
            for family in chain.from_iterable(reading.families() for reading in readings):
                names = series(family.name, family.type)
                metric = merged.get(family.name) or Metric(family.name, family.text, family.type)
                taken = any(owners.get(one, family.name) != family.name for one in names)
                if taken or metric.type != family.type:
                    clash.add_sample(clash.name, {**label, "metric": family.name}, 1)
                    continue
                merged[family.name] = metric
                owners.update(dict.fromkeys(names, family.name))
                for sample in family.samples:
                    metric.add_sample(*sample)
        spent = Metric(_COLLECT, "Time that reading all of this took.", "gauge")
        spent.add_sample(spent.name, {}, time.perf_counter() - begin)
        yield from (*own, spent)
        yield from (merged[name] for name in sorted(merged))


def _opened(source: Source | LiveError) -> Source:
    if isinstance(source, LiveError):
        raise source
    return source


class _Reading:
    """The metrics of a scope while its instances are read. `taken` has the names of the application
    so far."""

    def __init__(
        self, application: str, module: Module, scope: Scope, taken: dict[str, str]
    ) -> None:
        self._application, self._names, self._taken = application, scope.names, taken
        fold = {
            at
            for histogram in scope.histograms
            for at in (*range(histogram.first, _end(histogram)), histogram.sum)
        }
        self._items = [
            (at, item, self._family(module, scope, item))
            for at, item in enumerate(scope.items)
            if at not in fold
        ]
        self._histograms = [(h, self._histogram(module, scope, h)) for h in scope.histograms]
        self._families = [family for _, _, family in self._items]
        self._families += [family for _, family in self._histograms]

    def families(self) -> Iterator[_Family]:
        """The metrics that have samples, in the order of the schema."""
        return (family for family in self._families if family.samples)

    def clear(self) -> None:
        """Drop the samples of all instances."""
        for family in self._families:
            family.samples.clear()

    def add(self, instance: Instance, room: int) -> int:
        """Add the samples of an instance, unless they are more than `room`; their number."""
        labels = dict(zip(self._names, instance.names, strict=True))
        labels[APPLICATION] = self._application
        before = [len(family.samples) for family in self._families]
        for at, item, family in self._items:
            family.samples += _samples(family, item, labels, instance, at)
        for histogram, family in self._histograms:
            family.samples += _buckets(family, histogram, labels, instance)
        size = sum(len(family.samples) for family in self._families) - sum(before)
        if size > room:
            for family, count in zip(self._families, before, strict=True):
                del family.samples[count:]
        return size

    def _family(self, module: Module, scope: Scope, item: Item) -> _Family:
        type_ = {"counter": "counter", "gauge": "gauge"}.get(item.kind) or _METRICS[item.type]
        return self._named(module, scope, item, type_)

    def _histogram(self, module: Module, scope: Scope, histogram: Histogram) -> _Family:
        return self._named(module, scope, histogram, "histogram")

    def _named(self, module: Module, scope: Scope, of: Item | Histogram, type_: str) -> _Family:
        name = stem(metric_name(module.name, scope.name, of.name, type_), type_)
        name, _ = aside(name, type_, self._taken, name)
        return _Family(name, type_, _help(of.description, of.unit))


def _end(histogram: Histogram) -> int:
    return histogram.first + len(histogram.bounds) + 1


def _help(description: str, unit: str) -> str:
    return f"{description} [{unit}]" if unit not in ("", "1") else description


def _samples(
    family: _Family, item: Item, labels: Labels, instance: Instance, at: int
) -> Iterator[Sample]:
    """The samples of an item of an instance; none for what has no value."""
    value = instance.values[at]
    if value is None:
        return
    name = family.name
    if family.type == "counter":
        yield f"{name}_total", labels, _number(value)
        if instance.since and item.source not in _OTHERS:
            yield f"{name}_created", labels, instance.since
    elif family.type == "info":
        yield f"{name}_info", {**labels, _own(item.name, labels): str(value)}, 1
    elif family.type == "stateset":
        key = _own(name, labels)
        for label, _ in item.labels:
            yield name, {**labels, key: label}, float(label == value)
    else:
        yield name, labels, _number(value)


def _own(label: str, labels: Labels) -> str:
    """A label beside those of the instance."""
    while label in labels:
        label += "_own"
    return label


def _buckets(
    family: _Family, histogram: Histogram, labels: Labels, instance: Instance
) -> Iterator[Sample]:
    """The buckets (each with those below it), the count and the sum of a histogram."""
    values = instance.values[histogram.first : _end(histogram)]
    if any(value is None for value in values) or instance.values[histogram.sum] is None:
        return
    sums = list(accumulate(_number(value) for value in values))
    for bound, count in zip((*map(float, histogram.bounds), "+Inf"), sums, strict=True):
        yield f"{family.name}_bucket", {**labels, "le": str(bound)}, count
    yield f"{family.name}_count", labels, sums[-1]
    yield f"{family.name}_sum", labels, _number(instance.values[histogram.sum])
    if instance.since:
        yield f"{family.name}_created", labels, instance.since


def _number(value: object) -> float:
    """A number of a sample; a whole one stays whole. Raises LiveError for text."""
    if isinstance(value, int):  # true and false are 1 and 0
        return int(value)
    raise LiveError(f"{value!r} stands where a number should")
