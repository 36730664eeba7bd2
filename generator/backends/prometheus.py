# SPDX-License-Identifier: BSD-3-Clause
"""Recording rules and alerts for Prometheus, a dashboard for Grafana."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from ..model import health, ir
from ..model.kinds import Operation
from ..model.naming import symbols
from ..model.naming.prometheus import TARGET, Found, metrics
from ..output.render import render
from . import BuiltIn, Options, in_short
from .polled import in_yaml

SCRAPES = 4  # intervals of scrapes in a rate, at least: it takes two samples, and some are lost
WINDOW, SHORTEST = 300, 60  # seconds of recorded rates and of rates of alerts, at least
_LEVELS = (
    "s", "ms", "us", "ns", "min", "h", "d", "seconds", "milliseconds", "microseconds",
    "nanoseconds", "minutes", "%", "percent", "Cel", "celsius", "degrees", "dB", "dBm", "dB[m]",
    "V", "mV", "Hz",
)  # units of gauges whose sum is no quantity # fmt: skip
Items = dict[tuple[str, str], Found]


def _operator(item: ir.Item) -> str:
    """The PromQL aggregation over the instances of a gauge or state: the extreme of peaks, the sum
    of amounts and truths. Empty for times, levels, ratios and numbers that only identify."""
    if aggregate := item.kind.aggregates[item.least]:
        return aggregate
    if not item.kind.numeric:
        return "sum" if item.type == "bool" else ""
    amount, _, base = item.unit.partition("/")
    ratio = item.derivation is not None and item.derivation.operation is Operation.RATIO
    return "" if ratio or amount in _LEVELS or base not in ("", "s") else "sum"


def _recorded(found: Sequence[Found]) -> Iterator[tuple[Found, str]]:
    """Each metric that is recorded for all instances together, with the aggregation: counters, and
    gauges or states of several instances that have an `_operator`."""
    names = {one.metric.name: one for one in reversed(found) if one.scope.name != ir.HEALTH}
    for one in reversed(names.values()):
        if one.metric.type in ("counter", "histogram"):
            yield one, "rate"
        elif one.metric.type == "gauge" and one.labels and (fold := _operator(one.item)):
            yield one, fold


def _notifications(module: ir.Module, by_item: Items) -> Iterator[tuple[Any, ...]]:
    """Each notification with its metric, and the value or the pattern of labels to compare."""
    for notification in module.notifications:
        found, labels = by_item[notification.scope, notification.item], ""
        value, item = found.metric.name, found.item
        if item.kind.accumulates:
            value = _rate(found, _window(module, max(4 * notification.every, SHORTEST)))
        if found.metric.type == "stateset":
            texts = (
                re.escape(label.shown)
                for label in item.labels
                if label.value in notification.values
            )
            labels = "|".join(texts).replace("\\", r"\\").replace('"', r"\"")
        yield notification, found, value, labels


def _reports(module: ir.Module, by_item: Items) -> Iterator[tuple[str, ...]]:
    """What a module reports of itself and alerts are about: how full a scope is, with the metric
    of its size, and events."""
    for report, about in health.reports(module):
        item, scope = health.item_name(report, about), about.name if about else ""
        size = by_item.get((ir.HEALTH, f"{item}_max")) if report.function == "instances" else None
        if size or report.kind.accumulates:
            most, metric = size.metric.name if size else "", by_item[ir.HEALTH, item].metric.name
            yield item, metric, most, report.description.format(scope), scope


def _window(module: ir.Module, least: int) -> str:
    """The range of a rate: at least `least` seconds, and `SCRAPES` intervals of a module."""
    seconds = max(SCRAPES * module.scrape_interval, least)
    return f"{seconds}s" if seconds % 60 else f"{seconds // 60}m"


def _rate(found: Found, window: str) -> str:
    """The rate of a counter; of a bucket without those below it, which its series has in it."""
    name, item = found.metric.name, found.item.name
    histogram = next((h for h in found.scope.histograms if item in h.buckets), None)
    if histogram is None:
        return f"rate({name}[{window}])"
    bounds = [*map(str, map(float, histogram.bounds)), "+Inf"]
    at = histogram.buckets.index(item)
    rates = [f'rate({name}{{le="{bound}"}}[{window}])' for bound in bounds[max(at - 1, 0) : at + 1]]
    return rates[0] if at == 0 else f"({rates[1]} - ignoring (le) {rates[0]})"


def _shown(found: Sequence[Found]) -> Iterator[tuple[ir.Scope, list[Any]]]:
    """The metrics of each scope, with their histograms: of one, only the first counter."""
    for scope, members in groupby(found, key=lambda one: one.scope):
        firsts: dict[str, Found] = {}
        for one in (each for each in members if each.metric.type != "info"):
            firsts.setdefault(one.item.histogram or one.item.name, one)
        histograms = {histogram.name: histogram for histogram in scope.histograms}
        yield scope, [(one, histograms.get(one.item.histogram)) for one in firsts.values()]


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The rules and the dashboard; nothing of a module without metrics."""
    found = list(metrics(module))
    if not found:
        return {}
    by_item = {(one.scope.name, one.item.name): one for one in found}
    prefix, shown = symbols.prefix(module.name), [*_shown(found)]
    rules = render(
        "monitoring/rules.json.j2", m=module, recorded=[*_recorded(found)],
        notifications=[*_notifications(module, by_item)], reports=[*_reports(module, by_item)],
        window=_window(module, WINDOW), target=TARGET, prefix=prefix,
    )  # fmt: skip
    board = render("monitoring/dashboard.json.j2", m=module, rows=shown, first=found[0].metric)
    files = in_yaml(module, options, "rules.yml", json.loads(rules))
    return {**files, f"{prefix}_dashboard.json": f"{json.dumps(json.loads(board), indent=2)}\n"}


BACKEND = BuiltIn("prometheus", in_short(__doc__), generate, default=False)
