# SPDX-License-Identifier: BSD-3-Clause
"""Running applications as metrics, with the names of `model.naming.prometheus`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import accumulate

from .. import __version__
from ..model.ir import HEALTH
from ..model.naming.prometheus import APPLICATION, aside, series, stem
from ..model.naming.prometheus import name as metric_name
from ..model.types import TYPES
from . import budget
from .budget import Contents, Fact
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
    free,
)
from .readers import Readers, Reading, Sources

MOST_SERIES = 100_000  # series of an application, unless told otherwise
_OTHERS = ("device", "callback")  # where counters come from that did not begin with their instance

_CLASH, _COLLECT = "ctrgen_metric_left_out", "ctrgen_collect_seconds"
_BUILD = "ctrgen_build_info"
_OWN = {
    _BUILD: "Version of this exporter.",
    "ctrgen_module_info": "Digest of the schema of a module, and its synchronization strategy.",
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

CREATED = "_created"  # ends the name of the sample that says when a counter began


@dataclass
class Family:
    """A metric: its name without `_total` and the like, and the lines of its samples."""

    name: str
    type: str
    text: str
    lines: list[str] = field(default_factory=list)


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
        own[_BUILD].lines.append(_line(_BUILD, 1, version=__version__))
        owners = dict.fromkeys(own, "")
        for reading in self._readers.read(self._sources(), self._read):
            self._note(reading)
            for name, value, labels in (*budget.facts(reading), *_modules(reading)):
                line = _line(f"ctrgen_{name}", value, **{APPLICATION: reading.name}, **labels)
                own[f"ctrgen_{name}"].lines.append(line)
            for family in _families(reading):
                names = series(family.name, family.type)
                metric = merged.get(family.name) or Family(family.name, family.type, family.text)
                taken = any(owners.get(one, family.name) != family.name for one in names)
                if taken or metric.type != family.type:
                    clash = {APPLICATION: reading.name, "metric": family.name}
                    own[_CLASH].lines.append(_line(_CLASH, 1, **clash))
                    continue
                merged[family.name] = metric
                owners.update(dict.fromkeys(names, family.name))
                metric.lines += family.lines
        own[_COLLECT].lines.append(_line(_COLLECT, time.perf_counter() - begin))
        yield from own.values()
        yield from (merged[name] for name in sorted(merged))

    def _read(self, name: str, source: Source) -> Contents[_Samples]:
        return budget.read(source, self._most, partial(_Samples, name, taken={}))

    def _note(self, reading: Reading[Contents[_Samples]]) -> None:
        """Whether an application has statistics, and else why not."""
        why, result = str(reading.error), reading.result
        if result is not None:
            there = result.left_out or any(each.instances for each in result.scopes)
            why = "" if there else NO_INSTANCE if result.scopes else NO_MODULE
        if why:
            self.reasons[reading.name] = why
        else:
            self.shown += 1


def _own_family(name: str, text: str) -> Family:
    stem, info, _ = name.partition("_info")
    return Family(stem, "info" if info else "gauge", text)


def _line(name: str, sample: float, /, **labels: str) -> str:
    text = ",".join(f'{label}="{escaped(value)}"' for label, value in labels.items())
    return f"{name}{{{text}}} {sample!r}\n" if text else f"{name} {sample!r}\n"


def _families(reading: Reading[Contents[_Samples]]) -> Iterator[Family]:
    for each in reading.result.scopes if reading.result else ():
        yield from each.families()


def _modules(reading: Reading[Contents[_Samples]]) -> Iterator[Fact]:
    """The digest of the schema of each module, and its strategies."""
    modules: dict[str, tuple[str, set[str]]] = {}
    for each in reading.result.scopes if reading.result else ():
        modules.setdefault(each.module.name, (each.module.layout, set()))[1].add(each.strategy)
    for name, (layout, strategies) in modules.items():
        used = ",".join(sorted(filter(None, strategies)))
        yield "module_info", 1, {"module": name, "schema": layout, "strategy": used}


class _Samples:
    """The metrics of a scope while its instances are read. `taken` has the names of the application
    so far."""

    def __init__(
        self, application: str, module: Module, scope: Scope, taken: dict[str, str]
    ) -> None:
        names = (APPLICATION, *scope.names)
        self._labels = ",".join(f'{name}="{{}}"' for name in names).format
        self._application, self._names, self._taken = escaped(application), names, taken
        self.module, self.strategy, self._scope = module, scope.strategy, scope.name
        self._own = scope.name == HEALTH  # which is there even when nothing else is
        self._items = [(at, item, self._family(item)) for at, item in scope.single]
        self._histograms = [(h, self._named(h, "histogram", h.unit)) for h in scope.histograms]
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
            key = free(item.name, self._names)
            yield f'{family.name}_info{{{labels},{key}="{escaped(str(value))}"}} 1\n'
        elif family.type == "stateset":
            key = free(family.name, self._names)
            for label, _ in item.labels:
                yield f'{family.name}{{{labels},{key}="{escaped(label)}"}} {int(label == value)}\n'
        else:
            yield f"{family.name}{{{labels}}} {_number(value)}\n"

    def _family(self, item: Item) -> Family:
        type_ = {"counter": "counter", "gauge": "gauge"}.get(item.kind) or _METRICS[item.type]
        return self._named(item, type_, item.shown_unit)

    def _named(self, of: Item | Histogram, type_: str, unit: str) -> Family:
        name = metric_name(self.module.name, self._scope, of.name, type_, of.metric)
        name, _ = aside(stem(name, type_), type_, self._taken, name)
        return Family(name, type_, _help(of.description, unit))


def _help(description: str, unit: str) -> str:
    return f"{description} [{unit}]" if unit not in ("", "1") else description


def _buckets(
    family: Family, histogram: Histogram, labels: str, instance: Instance
) -> Iterator[str]:
    """The buckets (each with those below it), the count and the sum of a histogram."""
    observed = histogram.observed(instance.values)
    if observed is None:
        return
    sums = list(accumulate(observed[0]))
    for bound, count in zip((*map(float, histogram.bounds), "+Inf"), sums, strict=True):
        yield f'{family.name}_bucket{{{labels},le="{bound}"}} {count}\n'
    yield f"{family.name}_count{{{labels}}} {sums[-1]}\n"
    yield f"{family.name}_sum{{{labels}}} {observed[1]}\n"


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
