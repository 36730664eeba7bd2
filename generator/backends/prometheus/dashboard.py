# SPDX-License-Identifier: BSD-3-Clause
"""A dashboard for Grafana: a row for each scope, a panel for each metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from ...model import ir
from ...model.naming.prometheus import APPLICATION, Found

SCHEMA_VERSION = 39
"""Of dashboards, as Grafana 11 has it; later ones convert it."""

COLUMNS, WIDTH, HEIGHT = 3, 8, 8
"""Panels side by side, of a grid that is 24 wide."""

_RATES = {"bytes": "Bps", "By": "Bps", "bits": "bps", "bit": "bps", "packets": "pps"}
_UNITS = {"bytes": "bytes", "By": "bytes", "%": "percent", "s": "s", "ms": "ms", "us": "µs",
          "ns": "ns", "Cel": "celsius", "bit/s": "bps", "By/s": "Bps", "Hz": "hertz"}  # fmt: skip
_SOURCE = {"type": "prometheus", "uid": "${source}"}
_CHOSEN = '{application=~"$application"}'


def dashboard(module: ir.Module, found: Sequence[Found]) -> dict[str, Any]:
    """The dashboard of a module, as Grafana imports it."""
    return {
        "uid": f"ctrgen-{module.name}"[:40],
        "title": f"{module.name}: {module.description}"[:180],
        "description": module.description,
        "tags": ["ctrgen"],
        "schemaVersion": SCHEMA_VERSION,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-1h", "to": "now"},
        "templating": {"list": list(_variables(found[0]))},
        "panels": list(_panels(found)),
    }


def _variables(first: Found) -> Iterator[dict[str, Any]]:
    query = f"label_values({first.metric.name}, application)"
    yield {"name": "source", "type": "datasource", "query": "prometheus", "label": "Source"}
    yield {
        "name": "application", "type": "query", "label": "Application", "datasource": _SOURCE,
        "query": query, "definition": query, "refresh": 2, "multi": True, "includeAll": True,
        "current": {"text": "All", "value": "$__all"},
    }  # fmt: skip
    yield {
        "name": "top", "type": "custom", "label": "Instances shown", "query": "5,10,20,50",
        "current": {"text": "10", "value": "10"},
    }  # fmt: skip


def _panels(found: Sequence[Found]) -> Iterator[dict[str, Any]]:
    """A row for each scope, and below it its panels."""
    number, top = 1, 0
    for scope, members in groupby(found, key=lambda one: one.scope):
        shown = [one for one in _once(members) if one.metric.type != "info"]
        if not shown:
            continue
        place = {"h": 1, "w": 24, "x": 0, "y": top}
        title = f"{scope.name}: {scope.description}" if scope.description else scope.name
        yield {"id": number, "type": "row", "title": title, "gridPos": place, "panels": []}
        number, top = number + 1, top + 1
        for at, one in enumerate(shown):
            x, y = at % COLUMNS * WIDTH, top + at // COLUMNS * HEIGHT
            place = {"h": HEIGHT, "w": WIDTH, "x": x, "y": y}
            yield {"id": number, "gridPos": place, **_panel(one)}
            number += 1
        top += -(-len(shown) // COLUMNS) * HEIGHT


def _once(members: Iterator[Found]) -> Iterator[Found]:
    """Of the buckets and the sum of a histogram only the first."""
    seen = set()
    for one in members:
        if one.metric.type == "histogram":
            if one.item.histogram in seen:
                continue
            seen.add(one.item.histogram)
        yield one


def _panel(one: Found) -> dict[str, Any]:
    scope, item, metric = one.scope, one.item, one.metric
    histogram = next((h for h in scope.histograms if h.name == item.histogram), None)
    unit, legend = item.unit, " ".join(f"{{{{{n}}}}}" for n in (APPLICATION, *one.labels))
    series = f"{metric.name}{_CHOSEN}"
    kind, shown = "timeseries", _UNITS.get(unit, "short")
    if metric.type == "counter":
        series, shown = f"rate({series}[$__rate_interval])", _RATES.get(unit, "cps")
    elif metric.type == "stateset":
        kind, series = "state-timeline", f"{series} == 1"
        legend = f"{legend} {{{{{metric.name}}}}}"
    elif histogram is not None:
        kind, legend = "heatmap", "{{le}}"
        series = f"sum by (le) (increase({metric.family}_bucket{_CHOSEN}[$__rate_interval]))"
        shown = _UNITS.get(histogram.unit, "short")
    elif item.value_type.moment:  # nanoseconds; Grafana has dates in milliseconds
        kind, series, shown = "stat", f"{series} / 1e6", "dateTimeAsIso"
    if scope.levels and kind in ("timeseries", "stat"):
        series = f"{'bottomk' if item.least else 'topk'}($top, {series})"
    target = {
        "refId": "A", "expr": series, "legendFormat": legend, "datasource": _SOURCE,
        **({"format": "heatmap"} if kind == "heatmap" else {}),
    }  # fmt: skip
    about = histogram or item
    return {
        "type": kind,
        "title": about.name.replace("_", " "),
        "description": about.description,
        "datasource": _SOURCE,
        "targets": [target],
        "fieldConfig": {"defaults": {"unit": shown}, "overrides": []},
        "options": {"legend": {"showLegend": bool(scope.levels)}} if kind == "timeseries" else {},
    }
