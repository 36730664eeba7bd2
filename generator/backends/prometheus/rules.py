# SPDX-License-Identifier: BSD-3-Clause
"""Recording rules for the items of a schema, and an alert for each of its notifications."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...model import health, ir
from ...model.kinds import Operation
from ...model.naming.prometheus import TARGET, Found

SCRAPES = 4
"""Intervals between scrapes that a rate is over, at least: it takes two samples, and scrapes are
late or lost."""

WINDOW = 300
"""Seconds that recorded rates are over, at least."""

SHORTEST = 60
"""Seconds that the rate of an alert is over, at least."""

FULL = 0.9
"""The part of a scope's instances from which on there is an alert."""

_LEVELS = (
    "s", "ms", "us", "ns", "min", "h", "d", "seconds", "milliseconds", "microseconds",
    "nanoseconds", "minutes", "%", "percent", "Cel", "celsius", "degrees", "dB", "dBm", "dB[m]",
    "V", "mV", "Hz",
)  # fmt: skip
"""Units of gauges whose sum over several instances is no quantity."""


def operator(item: ir.Item) -> str:
    """The PromQL aggregation over the instances of a gauge or state: the extreme of peaks, the sum
    of amounts and truths. Empty for times, levels, ratios and numbers that only identify."""
    if aggregate := item.kind.aggregates[item.least]:
        return aggregate
    if not item.kind.numeric:
        return "sum" if item.type == "bool" else ""
    amount, _, base = item.unit.partition("/")
    ratio = item.derivation is not None and item.derivation.operation is Operation.RATIO
    return "" if ratio or amount in _LEVELS or base not in ("", "s") else "sum"


def recorded(module: ir.Module, found: Sequence[Found]) -> Iterator[dict[str, str]]:
    """A rule for each counter, and for each gauge or state of several instances that has an
    `operator`: the rate, or the aggregate, of all instances together.

    They are called `LEVEL:METRIC:OPERATIONS`, as the practices of Prometheus have it.
    """
    done, window = set(), _window(module, WINDOW)
    for one in (one for one in found if one.scope.name != ir.HEALTH):
        metric, instance = one.metric, ", ".join(one.labels)
        if metric.name in done:  # another bucket of a histogram
            continue
        done.add(metric.name)
        if metric.type in ("counter", "histogram"):
            what = f"rate({metric.name}[{window}])"
            name = f"application:{metric.name.removesuffix('_total')}:rate{window}"
            yield {
                "record": name,
                "expr": f"sum without ({instance}) ({what})" if instance else what,
            }
        elif metric.type == "gauge" and instance and (fold := operator(one.item)):
            name = f"application:{metric.name}:{fold}"
            yield {"record": name, "expr": f"{fold} without ({instance}) ({metric.name})"}


def alerts(module: ir.Module, found: Sequence[Found]) -> Iterator[dict[str, Any]]:
    """An alert for each notification, with the same hysteresis."""
    by_item = {(one.scope.name, one.item.name): one for one in found}
    for told in module.notifications:
        name = f"{_pascal(module.name)}{_pascal(told.name)}"
        expression = _expression(module, name, told, by_item[told.scope, told.item])
        alert: dict[str, Any] = {"alert": name, "expr": expression}
        if told.lasts:
            alert["for"] = f"{told.lasts}s"
        alert["labels"] = {"severity": "warning"}
        alert["annotations"] = {"summary": told.description.replace("{{", "{ {")}
        yield alert


def reported(module: ir.Module, found: Sequence[Found]) -> Iterator[dict[str, Any]]:
    """Alerts about what a module reports of itself: a scope that is nearly full, and any event that
    a report counts."""
    metrics = {one.item.name: one.metric.name for one in found if one.scope.name == ir.HEALTH}
    window = _window(module, WINDOW)
    for report, about in health.reports(module):
        item = health.item_name(report, about)
        expression, lasts = f"increase({metrics[item]}[{window}]) > 0", {}
        whose = about.name if about else ""
        text = report.description.format(whose)
        if report.function == "instances":
            expression = f"{metrics[item]} / {metrics[f'{item}_max']} > {FULL}"
            text = f"More than {FULL:.0%} of the possible instances of {whose} exist."
            lasts = {"for": "10m"}
        elif not report.kind.accumulates:
            continue
        yield {
            "alert": _pascal(f"{module.name}_{item}" + ("_nearly_full" if lasts else "")),
            "expr": expression, **lasts, "labels": {"severity": "warning"},
            "annotations": {"summary": text},
        }  # fmt: skip


def _window(module: ir.Module, least: int) -> str:
    """The range of a rate: at least `least` seconds, and `SCRAPES` intervals of a module."""
    seconds = max(SCRAPES * module.scrape_interval, least)
    return f"{seconds}s" if seconds % 60 else f"{seconds // 60}m"


def _expression(module: ir.Module, name: str, told: ir.Notification, found: Found) -> str:
    item, metric = found.item, found.metric
    if told.condition is ir.Condition.BECOMES:
        if metric.type != "stateset":
            return f"{metric.name} == {told.values[0]}"
        texts = (re.escape(label.shown) for label in item.labels if label.value in told.values)
        labels = "|".join(texts).replace("\\", r"\\").replace('"', r"\"")
        return f'{metric.name}{{{metric.name}=~"{labels}"}} == 1'
    value = metric.name
    if item.kind.accumulates:
        value = _rate(found, _window(module, max(4 * told.every, SHORTEST)))
    rises = told.condition is ir.Condition.RISES
    raised = f"{value} {'>' if rises else '<'} {told.threshold}"
    if told.clear == told.threshold:
        return raised
    same = ", ".join((*TARGET, *found.labels))
    firing = f'ALERTS{{alertname="{name}", alertstate="firing"}}'
    stays = f"{value} {'>=' if rises else '<='} {told.clear}"
    return f"{raised} or ({stays} and on ({same}) {firing})"


def _rate(found: Found, window: str) -> str:
    """The rate of a counter; of a bucket without those below it, which its series has in it."""
    name, item = found.metric.name, found.item
    histogram = next((h for h in found.scope.histograms if h.name == item.histogram), None)
    if histogram is None or item.name not in histogram.buckets:
        return f"rate({name}[{window}])"
    bounds = [*map(str, map(float, histogram.bounds)), "+Inf"]
    at = histogram.buckets.index(item.name)
    rates = [f'rate({name}{{le="{bound}"}}[{window}])' for bound in bounds[max(at - 1, 0) : at + 1]]
    return rates[0] if at == 0 else f"({rates[1]} - ignoring (le) {rates[0]})"


def _pascal(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))
