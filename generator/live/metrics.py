# SPDX-License-Identifier: BSD-3-Clause
"""Running applications as metrics, with the names of `model.naming.prometheus`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, chain
from typing import NamedTuple

from prometheus_client import Metric
from prometheus_client.registry import Collector

from ..model.ir import HEALTH
from ..model.naming.prometheus import APPLICATION, aside, series, stem
from ..model.naming.prometheus import name as metric_name
from ..model.types import TYPES
from . import budget
from .model import (
    NO_INSTANCE,
    NO_MODULE,
    Histogram,
    Instance,
    Item,
    LiveError,
    Module,
    Scope,
    Source,
)
from .readers import Readers, Reading, Sources

MOST_SERIES = 100_000
"""Series of an application, unless told otherwise."""

_OTHERS = ("device", "callback")
"""Where counters come from that did not begin with their instance."""

_CLASH, _COLLECT = "ctrgen_metric_left_out", "ctrgen_collect_seconds"
_OWN = {
    "ctrgen_application_up": "Whether the application could be read.",
    "ctrgen_application_late": "Applications left out as reading them took too long.",
    "ctrgen_published_age_seconds": "Time since the application published in its segment.",
    "ctrgen_scope_left_out": "Scopes shown in part: too many series.",
    _CLASH: "Metrics whose names are taken elsewhere.",
    "ctrgen_instances_left_out": "Instances that have counted nothing yet.",
    "ctrgen_segment_bytes": "Size of the segment, and of its memory.",
    _COLLECT: "Time that reading all of this took.",
}

_METRICS = {row.constant.lower(): row.metric for row in TYPES.values()}

Labels = dict[str, str]
Sample = tuple[str, Labels, float]


@dataclass
class _Family:
    """A metric of one application: its name without `_total` and the like, and its samples."""

    name: str
    type: str
    text: str
    samples: list[Sample] = field(default_factory=list)


class _Read(NamedTuple):
    """Contents of an application: metrics, scopes shown in part, numbers of instances left
    out by module and scope, and the memory of a segment."""

    families: list[_Family]
    lacking: list[tuple[str, str]]
    left_out: dict[tuple[str, str], int]
    memory: tuple[int, int] | None
    bare: str
    """Why there is nothing to show, else empty."""


class Applications(Collector):
    """All applications that are found, read anew for each collection.

    One that cannot be read within the limits of `readers` has `ctrgen_application_up` 0 and none of
    its series, never some of them; `ctrgen_application_late` names it if the time was too short. An
    application has up to `most` series (`budget.read`), and `ctrgen_scope_left_out` names its
    scopes that lack instances for that. After a collection, `shown` is the number of applications
    with statistics, and `reasons` has for each other one why there are none.
    """

    def __init__(
        self, sources: Sources, most: int = MOST_SERIES, readers: Readers | None = None
    ) -> None:
        self._sources, self._most, self._readers = sources, most, readers or Readers()
        self.shown, self.reasons = 0, dict[str, str]()

    def collect(self) -> Iterator[Metric]:
        """The metrics of all applications, those of the same name together."""
        begin = time.perf_counter()
        self.shown, self.reasons = 0, {}
        merged: dict[str, Metric] = {}
        own = {name: Metric(name, text, "gauge") for name, text in _OWN.items()}
        owners = dict.fromkeys(own, "")
        for reading in self._readers.read(self._sources(), self._read):
            label = {APPLICATION: reading.name}
            self._note(reading)
            for name, labels, value in _of(reading):
                own[name].add_sample(name, {**label, **labels}, value)
            for family in reading.result.families if reading.result else ():
                names = series(family.name, family.type)
                metric = merged.get(family.name) or Metric(family.name, family.text, family.type)
                taken = any(owners.get(one, family.name) != family.name for one in names)
                if taken or metric.type != family.type:
                    own[_CLASH].add_sample(_CLASH, {**label, "metric": family.name}, 1)
                    continue
                merged[family.name] = metric
                owners.update(dict.fromkeys(names, family.name))
                for sample in family.samples:
                    metric.add_sample(*sample)
        own[_COLLECT].add_sample(_COLLECT, {}, time.perf_counter() - begin)
        yield from own.values()
        yield from (merged[name] for name in sorted(merged))

    def _read(self, name: str, source: Source) -> _Read:
        make = partial(_Reading, name, taken={})
        readings, lacking = budget.read(source, self._most, make)
        bare = ""
        if not source.left_out and not any(reading.instances for reading in readings):
            bare = NO_INSTANCE if readings else NO_MODULE
        families = list(chain.from_iterable(reading.families() for reading in readings))
        return _Read(families, lacking, dict(source.left_out), source.memory(), bare)

    def _note(self, reading: Reading[_Read]) -> None:
        """Whether an application has statistics, and else why not."""
        why = reading.result.bare if reading.result else str(reading.error)
        if why:
            self.reasons[reading.name] = why
        else:
            self.shown += 1


def _of(reading: Reading[_Read]) -> Iterator[Sample]:
    """What is said of an application itself, without the label that names it."""
    yield "ctrgen_application_up", {}, int(reading.error is None)
    if reading.late:
        yield "ctrgen_application_late", {}, 1
    if reading.age is not None:
        yield "ctrgen_published_age_seconds", {}, reading.age
    if reading.result is None:
        return
    for module, scope in reading.result.lacking:
        yield "ctrgen_scope_left_out", {"module": module, "scope": scope}, 1
    for (module, scope), count in reading.result.left_out.items():
        yield "ctrgen_instances_left_out", {"module": module, "scope": scope}, count
    sizes = reading.result.memory or ()
    for kind, octets in zip(("apparent", "allocated"), sizes, strict=False):
        yield "ctrgen_segment_bytes", {"kind": kind}, octets


class _Reading:
    """The metrics of a scope while its instances are read. `taken` has the names of the application
    so far."""

    def __init__(
        self, application: str, module: Module, scope: Scope, taken: dict[str, str]
    ) -> None:
        self._application, self._names, self._taken = application, scope.names, taken
        self._own = scope.name == HEALTH  # which is there even when nothing else is
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
        self.instances = 0
        """Instances that there are, also those without room."""

    def families(self) -> Iterator[_Family]:
        """The metrics that have samples, in the order of the schema."""
        return (family for family in self._families if family.samples)

    def clear(self) -> None:
        """Drop the samples of all instances."""
        for family in self._families:
            family.samples.clear()

    def add(self, instance: Instance, room: int) -> int:
        """Add the samples of an instance, unless they are more than `room`; their number."""
        self.instances += not self._own
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
