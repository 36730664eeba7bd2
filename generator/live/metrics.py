# SPDX-License-Identifier: BSD-3-Clause
"""Running applications as metrics, with the names of `model.naming.prometheus`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate, chain
from typing import Any, NamedTuple

from .. import __version__
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
    Value,
)
from .readers import Readers, Reading, Sources

MOST_SERIES = 100_000
"""Series of an application, unless told otherwise."""

_OTHERS = ("device", "callback")
"""Where counters come from that did not begin with their instance."""

_CLASH, _COLLECT = "ctrgen_metric_left_out", "ctrgen_collect_seconds"
_BUILD, _MODULE = "ctrgen_build_info", "ctrgen_module_info"
_OWN = {
    _BUILD: "Version of this exporter.",
    _MODULE: "Digest of the schema of a module, and its synchronization strategy.",
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

CREATED = "_created"
"""Ends the name of the sample that says when a counter began."""


@dataclass
class Family:
    """A metric: its name without `_total` and the like, and the lines of its samples."""

    name: str
    type: str
    text: str
    lines: list[str] = field(default_factory=list)


class _Read(NamedTuple):
    """Contents of an application: metrics, scopes shown in part, numbers of instances left
    out by module and scope, and the memory of a segment."""

    families: list[Family]
    lacking: list[tuple[str, str]]
    left_out: dict[tuple[str, str], int]
    memory: tuple[int, int] | None
    modules: dict[str, tuple[str, set[str]]]
    """By name the digest of the schema, and the strategies."""
    bare: str
    """Why there is nothing to show, else empty."""


class Applications:
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

    def collect(self) -> Iterator[Family]:
        """The metrics of all applications, those of the same name together."""
        begin = time.perf_counter()
        self.shown, self.reasons = 0, {}
        merged: dict[str, Family] = {}
        own = {name: _own_family(name, text) for name, text in _OWN.items()}
        own[_BUILD].lines.append(_line(_BUILD, 1, ("version", __version__)))
        owners = dict.fromkeys(own, "")
        for reading in self._readers.read(self._sources(), self._read):
            self._note(reading)
            for name, value, *labels in _of(reading):
                own[name].lines.append(_line(name, value, (APPLICATION, reading.name), *labels))
            for family in reading.result.families if reading.result else ():
                names = series(family.name, family.type)
                metric = merged.get(family.name) or Family(family.name, family.type, family.text)
                taken = any(owners.get(one, family.name) != family.name for one in names)
                if taken or metric.type != family.type:
                    clash = (APPLICATION, reading.name), ("metric", family.name)
                    own[_CLASH].lines.append(_line(_CLASH, 1, *clash))
                    continue
                merged[family.name] = metric
                owners.update(dict.fromkeys(names, family.name))
                metric.lines += family.lines
        own[_COLLECT].lines.append(_line(_COLLECT, time.perf_counter() - begin))
        yield from own.values()
        yield from (merged[name] for name in sorted(merged))

    def _read(self, name: str, source: Source) -> _Read:
        make = partial(_Reading, name, taken={})
        readings, lacking = budget.read(source, self._most, make)
        bare = ""
        if not source.left_out and not any(reading.instances for reading in readings):
            bare = NO_INSTANCE if readings else NO_MODULE
        modules = {each.module.name: (each.module.layout, set[str]()) for each in readings}
        for each in readings:
            modules[each.module.name][1].add(each.strategy)
        families = list(chain.from_iterable(reading.families() for reading in readings))
        return _Read(families, lacking, dict(source.left_out), source.memory(), modules, bare)

    def _note(self, reading: Reading[_Read]) -> None:
        """Whether an application has statistics, and else why not."""
        why = reading.result.bare if reading.result else str(reading.error)
        if why:
            self.reasons[reading.name] = why
        else:
            self.shown += 1


def _own_family(name: str, text: str) -> Family:
    stem, info, _ = name.partition("_info")
    return Family(stem, "info" if info else "gauge", text)


def _line(name: str, value: float, *labels: tuple[str, str]) -> str:
    text = ",".join(f'{label}="{escaped(value)}"' for label, value in labels)
    return f"{name}{{{text}}} {value!r}\n" if text else f"{name} {value!r}\n"


def _of(reading: Reading[_Read]) -> Iterator[tuple[Any, ...]]:
    """Samples about an application itself: name, value, and labels but for its own."""
    yield "ctrgen_application_up", int(reading.error is None)
    if reading.late:
        yield "ctrgen_application_late", 1
    if reading.age is not None:
        yield "ctrgen_published_age_seconds", reading.age
    if reading.result is None:
        return
    for module, (layout, strategies) in reading.result.modules.items():
        names = ("schema", layout), ("strategy", ",".join(sorted(filter(None, strategies))))
        yield _MODULE, 1, ("module", module), *names
    for module, scope in reading.result.lacking:
        yield "ctrgen_scope_left_out", 1, ("module", module), ("scope", scope)
    for (module, scope), count in reading.result.left_out.items():
        yield "ctrgen_instances_left_out", count, ("module", module), ("scope", scope)
    sizes = reading.result.memory or ()
    for kind, octets in zip(("apparent", "allocated"), sizes, strict=False):
        yield "ctrgen_segment_bytes", octets, ("kind", kind)


class _Reading:
    """The metrics of a scope while its instances are read. `taken` has the names of the application
    so far."""

    def __init__(
        self, application: str, module: Module, scope: Scope, taken: dict[str, str]
    ) -> None:
        names = (APPLICATION, *scope.names)
        self._labels = ",".join(f'{name}="{{}}"' for name in names).format
        self._application, self._names, self._taken = escaped(application), names, taken
        self.module, self.strategy = module, scope.strategy
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

    def families(self) -> Iterator[Family]:
        """The metrics that have samples, in the order of the schema."""
        return (family for family in self._families if family.lines)

    def clear(self) -> None:
        """Drop the samples of all instances."""
        for family in self._families:
            family.lines.clear()

    def add(self, instance: Instance, room: int) -> int:
        """Add the lines of an instance, unless they are more than `room`; their number."""
        self.instances += not self._own
        labels = self._labels(self._application, *map(escaped, instance.names))
        begun = f"{{{labels}}} {instance.since!r}\n"
        lines: list[tuple[list[str], str]] = []
        for at, item, family in self._items:
            value = item.shown(instance.values[at])
            if value is None:
                continue
            if family.type == "counter":
                lines.append((family.lines, f"{family.name}_total{{{labels}}} {_number(value)}\n"))
                if instance.since and item.source not in _OTHERS:
                    lines.append((family.lines, f"{family.name}{CREATED}{begun}"))
            else:
                lines += [
                    (family.lines, line) for line in self._others(family, item, labels, value)
                ]
        for histogram, family in self._histograms:
            found = [(family.lines, line) for line in _buckets(family, histogram, labels, instance)]
            lines += found
            if found and instance.since:
                lines.append((family.lines, f"{family.name}{CREATED}{begun}"))
        if len(lines) <= room:
            for target, line in lines:
                target.append(line)
        return len(lines)

    def _others(
        self, family: Family, item: Item, labels: str, value: Value | float
    ) -> Iterator[str]:
        """The lines of what is no counter."""
        if family.type == "info":
            key = _own(item.name, self._names)
            yield f'{family.name}_info{{{labels},{key}="{escaped(str(value))}"}} 1\n'
        elif family.type == "stateset":
            key = _own(family.name, self._names)
            for label, _ in item.labels:
                yield f'{family.name}{{{labels},{key}="{escaped(label)}"}} {int(label == value)}\n'
        else:
            yield f"{family.name}{{{labels}}} {_number(value)}\n"

    def _family(self, module: Module, scope: Scope, item: Item) -> Family:
        type_ = {"counter": "counter", "gauge": "gauge"}.get(item.kind) or _METRICS[item.type]
        return self._named(module, scope, item, type_, item.shown_unit)

    def _histogram(self, module: Module, scope: Scope, histogram: Histogram) -> Family:
        return self._named(module, scope, histogram, "histogram", histogram.unit)

    def _named(
        self, module: Module, scope: Scope, of: Item | Histogram, type_: str, unit: str
    ) -> Family:
        name = stem(metric_name(module.name, scope.name, of.name, type_, of.metric), type_)
        name, _ = aside(name, type_, self._taken, name)
        return Family(name, type_, _help(of.description, unit))


def _end(histogram: Histogram) -> int:
    return histogram.first + len(histogram.bounds) + 1


def _help(description: str, unit: str) -> str:
    return f"{description} [{unit}]" if unit not in ("", "1") else description


def _own(label: str, labels: Sequence[str]) -> str:
    """A label beside those of the instance."""
    while label in labels:
        label += "_own"
    return label


def _buckets(
    family: Family, histogram: Histogram, labels: str, instance: Instance
) -> Iterator[str]:
    """The buckets (each with those below it), the count and the sum of a histogram."""
    values = instance.values[histogram.first : _end(histogram)]
    if any(value is None for value in values) or instance.values[histogram.sum] is None:
        return
    sums = list(accumulate(_number(value) for value in values))
    for bound, count in zip((*map(float, histogram.bounds), "+Inf"), sums, strict=True):
        yield f'{family.name}_bucket{{{labels},le="{bound}"}} {count}\n'
    yield f"{family.name}_count{{{labels}}} {sums[-1]}\n"
    yield f"{family.name}_sum{{{labels}}} {_number(instance.values[histogram.sum])}\n"


def _number(value: object) -> float:
    """A number of a sample, which stays whole. Raises LiveError for text."""
    if isinstance(value, int):  # true and false are 1 and 0
        return int(value)
    if isinstance(value, float):
        return value
    raise LiveError(f"{value!r} stands where a number should")


def escaped(text: str) -> str:
    """The value of a label, or the text of a comment."""
    if "\\" in text or "\n" in text or '"' in text:
        return text.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")
    return text
