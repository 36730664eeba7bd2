# SPDX-License-Identifier: BSD-3-Clause
"""Recording rules and alerts for Prometheus, a dashboard for Grafana."""

import json
import re
from collections.abc import Iterator, Sequence
from itertools import count, groupby
from typing import Any

from ..model import health, ir
from ..model.kinds import Operation
from ..model.naming import symbols
from ..model.naming.prometheus import APPLICATION, TARGET, Found, metrics
from . import BuiltIn, Options, in_short
from .polled import in_yaml

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


def _recorded(module: ir.Module, found: Sequence[Found]) -> Iterator[dict[str, str]]:
    """A rule for each counter, and for each gauge or state of several instances that has an
    `_operator`: the rate, or the aggregate, of all instances together.

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
        elif metric.type == "gauge" and instance and (fold := _operator(one.item)):
            name = f"application:{metric.name}:{fold}"
            yield {"record": name, "expr": f"{fold} without ({instance}) ({metric.name})"}


def _alerts(module: ir.Module, found: Sequence[Found]) -> Iterator[dict[str, Any]]:
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


def _reported(module: ir.Module, found: Sequence[Found]) -> Iterator[dict[str, Any]]:
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


# ---- the dashboard ----

SCHEMA_VERSION = 39
"""Of dashboards, as Grafana 11 has it; later ones convert it."""

COLUMNS, WIDTH, HEIGHT = 3, 8, 8
"""Panels side by side, of a grid that is 24 wide."""

_RATES = {"bytes": "Bps", "By": "Bps", "bits": "bps", "bit": "bps", "packets": "pps"}
_UNITS = {"bytes": "bytes", "By": "bytes", "%": "percent", "s": "s", "ms": "ms", "us": "µs",
          "ns": "ns", "Cel": "celsius", "bit/s": "bps", "By/s": "Bps", "Hz": "hertz"}  # fmt: skip
_SOURCE = {"type": "prometheus", "uid": "${source}"}
_TARGET = ("job", "instance", APPLICATION)
"""Labels that tell applications of a fleet apart, each with a variable that depends on those
before it."""


def _dashboard(module: ir.Module, found: Sequence[Found]) -> dict[str, Any]:
    """The dashboard of a module for Grafana: a row for each scope, a panel for each metric, of the
    targets of Prometheus that are chosen, from one application to all machines of a site."""
    return {
        "uid": f"ctrgen-{module.name}"[:40],
        "title": f"{module.name}: {module.description}"[:180],
        "description": module.description, "tags": ["ctrgen"], "schemaVersion": SCHEMA_VERSION,
        "editable": True, "refresh": "30s", "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": list(_variables(found[0]))},
        "panels": list(_panels(found, f"{module.scrape_interval}s")),
    }  # fmt: skip


def _chosen(metric: str, labels: Sequence[str] = _TARGET) -> str:
    """The series of a metric that the variables of these labels choose."""
    chosen = ", ".join(f'{label}=~"${label}"' for label in labels)
    return f"{metric}{{{chosen}}}" if chosen else metric


def _variables(first: Found) -> Iterator[dict[str, Any]]:
    yield {"name": "source", "type": "datasource", "query": "prometheus", "label": "Source"}
    for at, label in enumerate(_TARGET):
        query = f"label_values({_chosen(first.metric.name, _TARGET[:at])}, {label})"
        yield {
            "name": label, "type": "query", "label": label.capitalize(), "datasource": _SOURCE,
            "query": query, "definition": query, "refresh": 2, "multi": True, "includeAll": True,
            "current": {"text": "All", "value": "$__all"},
        }  # fmt: skip
    yield {
        "name": "top", "type": "custom", "label": "Instances shown", "query": "5,10,20,50",
        "current": {"text": "10", "value": "10"},
    }  # fmt: skip


def _panels(found: Sequence[Found], scrape: str) -> Iterator[dict[str, Any]]:
    """A row for each scope, and below it its panels: those that Grafana repeats for each instance
    come last, each over the whole width."""
    top, numbers = 0, count(1)
    for scope, members in groupby(found, key=lambda one: one.scope):
        shown = [_panel(one, scrape) for one in _once(members) if one.metric.type != "info"]
        grid = [panel for panel in shown if "repeat" not in panel]
        name = scope.name.strip("_")
        title = f"{name}: {scope.description}" if scope.description else name
        if shown:
            place = _place(1, 24, 0, top)
            yield {
                "id": next(numbers), "type": "row", "title": title, "gridPos": place, "panels": [],
            }  # fmt: skip
            top += 1
        for at, panel in enumerate(grid):
            y, x = divmod(at, COLUMNS)
            place = _place(HEIGHT, WIDTH, x * WIDTH, top + y * HEIGHT)
            yield {"id": next(numbers), "gridPos": place, **panel}
        top += -(-len(grid) // COLUMNS) * HEIGHT
        for panel in (panel for panel in shown if "repeat" in panel):
            yield {"id": next(numbers), "gridPos": _place(HEIGHT, 24, 0, top), **panel}
            top += HEIGHT


def _place(height: int, width: int, x: int, y: int) -> dict[str, int]:
    return {"h": height, "w": width, "x": x, "y": y}


def _once(members: Iterator[Found]) -> Iterator[Found]:
    """Of the buckets and the sum of a histogram only the first."""
    seen = set[str]()
    for one in members:
        if one.item.histogram not in seen:
            yield one
        seen |= {one.item.histogram} if one.metric.type == "histogram" else set()


def _panel(one: Found, scrape: str) -> dict[str, Any]:
    scope, item, metric = one.scope, one.item, one.metric
    histogram = next((h for h in scope.histograms if h.name == item.histogram), None)
    unit, legend = item.unit, " ".join(f"{{{{{n}}}}}" for n in (*_TARGET, *one.labels))
    series = _chosen(metric.name)
    kind, shown = "timeseries", _UNITS.get(unit, "short")
    if metric.type == "counter":
        series, shown = f"rate({series}[$__rate_interval])", _RATES.get(unit, "cps")
    elif metric.type == "stateset":
        kind, series = "state-timeline", f"{series} == 1"
        legend = f"{legend} {{{{{metric.name}}}}}"
    elif histogram is not None:
        kind, legend = "heatmap", "{{le}}"
        buckets = _chosen(f"{metric.family}_bucket")
        series = f"sum by (le) (increase({buckets}[$__rate_interval]))"
        shown = _UNITS.get(histogram.unit, "short")
    elif item.value_type.moment:  # seconds; Grafana has dates in milliseconds
        kind, series, shown = "stat", f"{series} * 1e3", "dateTimeAsIso"
    if kind in ("timeseries", "stat"):
        series = f"{'bottomk' if item.least else 'topk'}($top, {series})"
    heat, about = kind == "heatmap", histogram or item
    name = about.display or about.name.replace("_", " ")
    target = {
        "refId": "A", "expr": series, "legendFormat": legend, "datasource": _SOURCE,
        "interval": scrape, **({"format": kind} if heat else {}),
    }  # fmt: skip
    repeated = {"repeat": "instance", "repeatDirection": "h", "maxPerRow": COLUMNS}
    return {
        "type": kind, "title": f"{name}: $instance" if heat else name,
        **(repeated if heat else {}), "description": about.description, "datasource": _SOURCE,
        "targets": [target], "fieldConfig": {"defaults": {"unit": shown}, "overrides": []},
        "options": {"legend": {"showLegend": True}} if kind == "timeseries" else {},
    }  # fmt: skip


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The rules and the dashboard; nothing of a module without metrics."""
    found = list(metrics(module))
    if not found:
        return {}
    prefix = symbols.prefix(module.name)
    alerts = [*_alerts(module, found), *_reported(module, found)]
    groups = {prefix: list(_recorded(module, found)), f"{prefix}_alerts": alerts}
    data = {"groups": [{"name": n, "rules": each} for n, each in groups.items() if each]}
    board = f"{json.dumps(_dashboard(module, found), indent=2)}\n"
    return in_yaml(module, options, "rules.yml", data) | {f"{prefix}_dashboard.json": board}


BACKEND = BuiltIn("prometheus", in_short(__doc__), generate, default=False)
