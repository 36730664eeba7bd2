# SPDX-License-Identifier: BSD-3-Clause
"""Running applications as one text in the format that a scraper asks for: OpenMetrics, or the older
one of Prometheus, with the names of `model.naming.prometheus`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import accumulate

from ...model.ir import HEALTH
from ...model.naming.prometheus import APPLICATION, aside, series, stem
from ...model.naming.prometheus import name as metric_name
from . import budget, server
from .budget import Contents, Metric
from .model import (
    NO_INSTANCE,
    Histogram,
    Instance,
    Item,
    Limits,
    LiveError,
    Module,
    Reading,
    Scope,
    Source,
    Sources,
    free,
    read_each,
)
from .server import Answer, Edition

MOST_SERIES = 100_000  # default limit of series of an application
_OTHERS = ("device", "callback")  # where counters come from that did not begin with their instance

_CLASH, _COLLECT = "ctrgen_metric_left_out", "ctrgen_collect_seconds"
_OWN = {
    **{f"ctrgen_{fact}": text for fact, (_, text, _) in budget.FACTS.items()},
    "ctrgen_segment_bytes": "Size of the segment, and of its memory.",
    _CLASH: "Metrics whose names are taken elsewhere.",
    _COLLECT: "Time that reading all of this took.",
}


OPENMETRICS = f"{server.OPENMETRICS}; version=1.0.0; charset=utf-8"  # in a header `Accept`
PLAIN = "text/plain; version=0.0.4; charset=utf-8"  # the older format of Prometheus

_PLAIN_TYPES = {"info": "gauge", "stateset": "gauge"}
_PLAIN_SUFFIXES = {"counter": "_total", "info": "_info"}

CREATED = "_created"  # ends the name of the sample that says when a counter began


class Applications:
    """All applications that are found, read for each collection.

    One that cannot be read within `limits` has `ctrgen_application_up` 0 and none of
    its series. An application has up to `most` series (`budget.read`). After a collection, `shown`
    is the number of applications with statistics, and `reasons` has for each other one why not.
    """

    def __init__(
        self, sources: Sources, most: int = MOST_SERIES, limits: Limits | None = None
    ) -> None:
        self._sources, self._most, self._limits = sources, most, limits or Limits()
        self.shown, self.reasons = 0, dict[str, str]()

    def __call__(self) -> Edition:
        """The applications of now: OpenMetrics for a header `Accept` that has it, or plain."""
        metrics = list(self.collect())

        def edition(accept: str) -> Answer:
            open_metrics = server.accepted(accept) == server.OPENMETRICS
            encode, type_ = (openmetrics, OPENMETRICS) if open_metrics else (plain, PLAIN)
            return Answer(type_, "".join(encode(metrics)).encode())

        return edition

    def text(self) -> str:
        """OpenMetrics."""
        return "".join(openmetrics(self.collect()))

    def collect(self) -> Iterator[Metric]:
        """The metrics of all applications, those of the same name together."""
        begin = time.perf_counter()
        self.shown, self.reasons = 0, {}
        merged: dict[str, Metric] = {}
        own = {name: Metric(name, "gauge", text) for name, text in _OWN.items()}
        owners = dict.fromkeys(own, "")
        for reading in read_each(self._sources(), self._read, self._limits):
            self._note(reading)
            for name, value, labels in budget.facts(reading):
                line = _line(f"ctrgen_{name}", value, **{APPLICATION: reading.name}, **labels)
                own[f"ctrgen_{name}"].samples.append(line)
            for each in reading.result.metrics if reading.result else ():
                names = series(each.name, each.type)
                metric = merged.get(each.name) or Metric(each.name, each.type, each.text)
                taken = any(owners.get(one, each.name) != each.name for one in names)
                if taken or metric.type != each.type:
                    clash = {APPLICATION: reading.name, "metric": each.name}
                    own[_CLASH].samples.append(_line(_CLASH, 1, **clash))
                    continue
                merged[each.name] = metric
                owners.update(dict.fromkeys(names, each.name))
                metric.samples += each.samples
        own[_COLLECT].samples.append(_line(_COLLECT, time.perf_counter() - begin))
        yield from own.values()
        yield from (merged[name] for name in sorted(merged))

    def _read(self, name: str, source: Source) -> Contents[_Samples]:
        return budget.read(source, self._most, partial(_Samples, name, {}))

    def _note(self, reading: Reading[Contents[_Samples]]) -> None:
        """Whether an application has statistics, and else why not."""
        why, result = str(reading.error), reading.result
        if result is not None:
            # metrics of the application's health exist even without other instances
            counted = (each.instances for each in result.scopes if each.scope.name != HEALTH)
            there = result.left_out or any(counted)
            why = "" if there else NO_INSTANCE
        if why:
            self.reasons[reading.name] = why
        else:
            self.shown += 1


def _line(name: str, sample: float, /, **labels: str) -> str:
    text = ",".join(f'{label}="{escaped(value)}"' for label, value in labels.items())
    return f"{name}{{{text}}} {sample!r}\n" if text else f"{name} {sample!r}\n"


class _Samples(budget.Samples):
    """The lines of a scope. `taken` has the names of the application so far."""

    def __init__(
        self, application: str, taken: dict[str, str], module: Module, scope: Scope
    ) -> None:
        self._names, self._taken = (APPLICATION, *scope.names), taken
        self._labels = ",".join(f'{name}="{{}}"' for name in self._names).format
        self._application = escaped(application)
        super().__init__(module, scope)

    def metric(self, of: Item | Histogram, unit: str) -> Metric:
        """The metric of an item or histogram, under a name that is free."""
        type_ = "histogram"
        if isinstance(of, Item):
            type_ = of.kind if of.kind in ("counter", "gauge") else of.value_type.metric
        name = metric_name(self.module.name, self.scope.name, of.name, type_, of.metric)
        name, _ = aside(stem(name, type_), type_, self._taken, name)
        about = f"{of.description} [{unit}]" if unit not in ("", "1") else of.description
        return Metric(name, type_, about)

    def made(self, instance: Instance) -> Iterator[tuple[Metric, str]]:
        """The lines of an instance."""
        labels = self._labels(self._application, *map(escaped, instance.names))
        begun = f"{CREATED}{{{labels}}} {instance.since!r}\n"
        for at, item, metric in self.items:
            value = item.shown(instance.values[at])
            if value is None:
                continue
            if metric.type == "counter":
                yield metric, f"{metric.name}_total{{{labels}}} {_number(value)}\n"
                if instance.since and item.source not in _OTHERS:
                    yield metric, metric.name + begun
            elif metric.type == "info":
                key = free(item.name, self._names)
                yield metric, f'{metric.name}_info{{{labels},{key}="{escaped(str(value))}"}} 1\n'
            elif metric.type == "stateset":
                key = free(metric.name, self._names)
                for label, _ in item.labels:
                    now = f'{labels},{key}="{escaped(label)}"'
                    yield metric, f"{metric.name}{{{now}}} {int(label == value)}\n"
            else:
                yield metric, f"{metric.name}{{{labels}}} {_number(value)}\n"
        for histogram, metric in self.histograms:
            if observed := histogram.observed(instance.values):
                for line in _buckets(metric.name, histogram, labels, *observed):
                    yield metric, line
                if instance.since:
                    yield metric, metric.name + begun


def _buckets(
    name: str, histogram: Histogram, labels: str, counts: list[int], total: int
) -> Iterator[str]:
    """The buckets (each with those below it), the count and the sum of a histogram."""
    sums = list(accumulate(counts))
    for bound, count in zip((*map(float, histogram.bounds), "+Inf"), sums, strict=True):
        yield f'{name}_bucket{{{labels},le="{bound}"}} {count}\n'
    yield f"{name}_count{{{labels}}} {sums[-1]}\n"
    yield f"{name}_sum{{{labels}}} {total}\n"


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


def openmetrics(metrics: Iterable[Metric]) -> Iterator[str]:
    """OpenMetrics 1.0.0, in pieces."""
    for metric in metrics:
        yield f"# HELP {metric.name} {escaped(metric.text)}\n"
        yield f"# TYPE {metric.name} {metric.type}\n"
        yield from metric.samples
    yield "# EOF\n"


def plain(metrics: Iterable[Metric]) -> Iterator[str]:
    """The older format, in pieces: fewer types, and `_created` is a metric of its own."""
    for metric in metrics:
        text = metric.text.replace("\\", r"\\").replace("\n", r"\n")
        name = metric.name + _PLAIN_SUFFIXES.get(metric.type, "")
        yield f"# HELP {name} {text}\n"
        yield f"# TYPE {name} {_PLAIN_TYPES.get(metric.type, metric.type)}\n"
        created, later = f"{metric.name}{CREATED}", []
        for line in metric.samples:
            if line.startswith(created):
                later.append(line)
            else:
                yield line
        if later:
            yield f"# HELP {created} {text}\n# TYPE {created} gauge\n"
            yield from later
