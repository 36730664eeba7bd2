# SPDX-License-Identifier: BSD-3-Clause
"""Names in Prometheus and OpenMetrics: how a metric follows from an item of a schema."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from .. import health, ir
from .names import SUFFIX

_SUFFIXES = {"counter": "_total", "info": "_info"}
"""Suffixes of names of metrics, by type."""

_SERIES = {
    "counter": ("_total", "_created"),
    "histogram": ("_bucket", "_count", "_sum", "_created"),
    "info": ("_info",),
}
"""Suffixes of names of series, by type of the family; OpenMetrics parsers reserve all."""

Owner = TypeVar("Owner")

APPLICATION = "application"
"""The label that distinguishes the applications of an exporter."""

TARGET = (APPLICATION, "instance", "job")
"""Labels of a series in addition to those of its instance in the application."""


class Metric(NamedTuple):
    """A metric: its name as it is queried, its type, and the labels that name an instance."""

    name: str
    type: str
    labels: tuple[str, ...]

    @property
    def family(self) -> str:
        """The name without the suffix of a histogram's bucket or sum."""
        if self.type != "histogram":
            return self.name
        return self.name.removesuffix("_bucket").removesuffix("_sum")


def metric(module: ir.Module, scope: ir.Scope, item: ir.Item) -> Metric:
    """The metric of an item: `session.pkts` of `ep` is `ep_session_pkts_total{session}`, the
    counters of a histogram are `ep_session_sizes_bucket{session, le}` and `_sum`. Text is an info
    metric, an enumeration a state set. A name from the schema replaces all before such
    endings."""
    if item.histogram:
        return _of_histogram(module, scope, item)
    type_ = item.kind.metric or item.value_type.metric
    labels = tuple(level.dimension for level in scope.levels)
    return Metric(name(module.name, scope.name, item.name, type_, item.metric), type_, labels)


def name(module: str, scope: str, item: str, type_: str, given: str = "") -> str:
    """What the metric of an item is called as it is queried, by its type in Prometheus; `given` is
    the name that the schema gives it."""
    joined = given or "_".join([module, *([] if scope in ir.NAMELESS else [scope]), item])
    suffix = _SUFFIXES.get(type_, "")
    if type_ != "info":  # text has the suffix even twice
        joined = joined.removesuffix(suffix)
    return joined + suffix


class Found(NamedTuple):
    """An item that outputs show, with its metric."""

    scope: ir.Scope
    item: ir.Item
    metric: Metric
    labels: tuple[str, ...]
    """Those of its instances, as `labels` has them."""
    beside: ir.Item | None
    """The item before it that has a series of the same name, if it stepped aside for one."""


def metrics(module: ir.Module) -> Iterator[Found]:
    """What readers of running applications tell of a module, in the order of the schema; instances
    that are embedded in the application's own objects cannot be read. Of two metrics with one
    name the later one steps aside, as `aside` has it."""
    taken: dict[str, ir.Item | None] = {}
    for scope in health.shown(module):
        if scope.storage is ir.Storage.EMBEDDED:
            continue
        families: dict[str, tuple[str, ir.Item | None]] = {}
        keys = ((level, module.scope(level.scope).key) for level in scope.levels)
        instance = labels((level.dimension, [part.name for part in key]) for level, key in keys)
        for item in sorted(scope.items, key=lambda item: bool(item.histogram)):
            found = metric(module, scope, item)
            key, family = item.histogram or item.name, stem(found.family, found.type)
            if key not in families:
                families[key] = aside(family, found.type, taken, item)
            name, beside = families[key]
            whole = found.type in _SERIES
            name += found.name.removeprefix(family) if whole else ""
            yield Found(scope, item, Metric(name, found.type, found.labels), instance, beside)


def labels(indexes: Iterable[tuple[str, Sequence[str]]]) -> tuple[str, ...]:
    """The labels that tell instances apart, of indexes with the parts of their keys: the parts, or
    the index itself where there are none. What would be there twice has the index in front. What
    other labels are called becomes `exported_...`, as Prometheus does it."""
    pairs = [(index, part) for index, parts in indexes for part in parts or (index,)]
    often = Counter(part for _, part in pairs)
    names = (
        part if often[part] == 1 or part == index else f"{index}_{part}" for index, part in pairs
    )
    return tuple(f"exported_{name}" if name in (*TARGET, "le") else name for name in names)


def stem(family: str, type_: str) -> str:
    """Names of OpenMetrics metrics without the suffix of their type."""
    if type_ == "histogram":
        return family
    return family.removesuffix("_total").removesuffix("_info")


def series(family: str, type_: str) -> tuple[str, ...]:
    """All names that a family takes in an exposition: its own, and those of its series."""
    return family, *(family + end for end in _SERIES.get(type_, ()))


def aside(name: str, type_: str, taken: dict[str, Owner], owner: Owner) -> tuple[str, Owner | None]:
    """The name of a family next to those whose series are `taken`, which its own series join:
    `x_own` for a second `x`, as in C; and the owner of the first series that is the same."""
    beside, names = None, series(name, type_)
    while not taken.keys().isdisjoint(names):
        beside = beside or next(taken[taken_name] for taken_name in names if taken_name in taken)
        name += SUFFIX
        names = series(name, type_)
    taken.update(dict.fromkeys(names, owner))
    return name, beside


def _of_histogram(module: ir.Module, scope: ir.Scope, item: ir.Item) -> Metric:
    start = name(module.name, scope.name, item.histogram, "histogram", item.metric)
    total = item.name in {histogram.sum for histogram in scope.histograms}
    labels = tuple(level.dimension for level in scope.levels)
    suffix, more = ("_sum", ()) if total else ("_bucket", ("le",))
    return Metric(start + suffix, "histogram", labels + more)


def polled(
    module: ir.Module, scope: ir.Scope, item: ir.Item | None, role: str, moment: bool
) -> Metric:
    """The metric of what is read one object at a time, as through SNMP. A bucket of a histogram is
    a counter of its own, not cumulative; a `moment` is a value of sysUpTime,
    `ep_last_sysuptime_ticks`. An object of the scope itself is called by its `role`."""
    labels = tuple(level.dimension for level in scope.levels)
    given = ""
    if item is not None and item.metric:
        given = item.metric + (item.name.removeprefix(item.histogram) if item.histogram else "")
    start = name(module.name, scope.name, role if item is None else item.name, "", given)
    if item is None or moment:
        return Metric(f"{start}_sysuptime_ticks", "gauge", labels)
    if item.histogram:
        total = any(item.name == histogram.sum for histogram in scope.histograms)
        return Metric(start if total else start + _SUFFIXES["counter"], "counter", labels)
    return metric(module, scope, item)


def displays(module: ir.Module, scope: ir.Scope) -> Iterator[tuple[str, str]]:
    """Names of a scope with a text: `value INDEX LABEL`, `part INDEX PART LABEL`,
    `label ITEM LABEL`, `item NAME` or `metric NAME`, each with it."""
    for level in scope.levels:
        for name, text in zip(level.labels, level.texts, strict=False):
            yield f"value {level.dimension} {name}", text
        owner = module.scope(level.scope)
        for part in owner.key if level == owner.own[-1] else ():
            for label in (label for label in part.labels if label.text):
                yield f"part {level.dimension} {part.name} {label.name}", label.text
    items = [item for item in scope.items if not item.histogram]
    entries: list[ir.Item | ir.Histogram] = [*items, *scope.histograms]
    for entry in entries:
        if entry.display:
            yield f"item {entry.name}", entry.display
        if entry.metric:
            yield f"metric {entry.name}", entry.metric
    for item in items:
        for label in (label for label in item.labels if label.text):
            yield f"label {item.name} {label.name}", label.text
