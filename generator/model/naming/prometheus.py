# SPDX-License-Identifier: BSD-3-Clause
"""Names in Prometheus and OpenMetrics: how a metric follows from an item of a schema."""

from __future__ import annotations

from typing import NamedTuple

from .. import ir

_SUFFIXES = {"counter": "_total", "info": "_info"}
"""What names of metrics end with, by their type."""


class Metric(NamedTuple):
    """A metric: its name as it is queried, its type, and the labels that name an instance."""

    name: str
    type: str
    labels: tuple[str, ...]

    @property
    def family(self) -> str:
        """The name without what tells a bucket of a histogram from the sum."""
        if self.type != "histogram":
            return self.name
        return self.name.removesuffix("_bucket").removesuffix("_sum")


def metric(module: ir.Module, scope: ir.Scope, item: ir.Item) -> Metric:
    """The metric of an item: `session.pkts` of `ep` is `ep_session_pkts_total{session}`.

    Items of the global scope have no scope in their names, as in C. A counter ends in `_total`;
    text is an info metric and ends in `_info`, an enumeration a state set. The counters of a
    histogram `session.sizes` make `ep_session_sizes_bucket{session, le}` and `_sum`.
    """
    if item.histogram:
        return _of_histogram(module, scope, item)
    type_ = item.kind.metric or item.value_type.metric
    labels = tuple(level.dimension for level in scope.levels)
    return Metric(name(module.name, scope.name, item.name, type_), type_, labels)


def name(module: str, scope: str, item: str, type_: str) -> str:
    """What the metric of an item is called as it is queried, by its type in Prometheus."""
    joined = "_".join([module, *([] if scope == ir.GLOBAL else [scope]), item])
    suffix = _SUFFIXES.get(type_, "")
    if type_ != "info":  # what is text has the suffix even behind itself
        joined = joined.removesuffix(suffix)
    return joined + suffix


def _of_histogram(module: ir.Module, scope: ir.Scope, item: ir.Item) -> Metric:
    words = [module.name, *([] if scope.name == ir.GLOBAL else [scope.name]), item.histogram]
    total = item.name in {histogram.sum for histogram in scope.histograms}
    labels = tuple(level.dimension for level in scope.levels)
    suffix, more = ("_sum", ()) if total else ("_bucket", ("le",))
    return Metric("_".join(words) + suffix, "histogram", labels + more)


def polled(
    module: ir.Module, scope: ir.Scope, item: ir.Item | None, role: str, moment: bool
) -> Metric:
    """The metric of what is read one object at a time, as through SNMP: that of `metric`, but for
    what such a reader cannot give.

    A bucket of a histogram is the counter of its own that it is in C, as nobody adds up the ones
    below it. A `moment` is a value of sysUpTime rather than a time: `ep_last_sysuptime_ticks`.
    What belongs to the scope and to no item is called by its `role`.
    """
    words = [module.name, *([] if scope.name == ir.GLOBAL else [scope.name])]
    labels = tuple(level.dimension for level in scope.levels)
    if item is None or moment:
        words += [role if item is None else item.name, "sysuptime_ticks"]
        return Metric("_".join(words), "gauge", labels)
    if item.histogram:
        name = "_".join([*words, item.name])
        total = any(item.name == histogram.sum for histogram in scope.histograms)
        return Metric(name if total else name + _SUFFIXES["counter"], "counter", labels)
    return metric(module, scope, item)
