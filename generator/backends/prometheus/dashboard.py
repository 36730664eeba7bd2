# SPDX-License-Identifier: BSD-3-Clause
"""A dashboard for Grafana: a row for each scope, a panel for each metric. It shows the targets of
Prometheus that are chosen, from one application to all machines of a site."""

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
_TARGET = ("job", "instance", APPLICATION)
"""Labels that tell applications of a fleet apart, each with a variable that depends on those
before it."""


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
        "panels": list(_panels(found, f"{module.scrape_interval}s")),
    }


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
    number, top = 1, 0
    for scope, members in groupby(found, key=lambda one: one.scope):
        shown = [_panel(one, scrape) for one in _once(members) if one.metric.type != "info"]
        if not shown:
            continue
        place = {"h": 1, "w": 24, "x": 0, "y": top}
        name = scope.name.strip("_")
        title = f"{name}: {scope.description}" if scope.description else name
        yield {"id": number, "type": "row", "title": title, "gridPos": place, "panels": []}
        number, top = number + 1, top + 1
        grid = [panel for panel in shown if "repeat" not in panel]
        for at, panel in enumerate(grid):
            x, y = at % COLUMNS * WIDTH, top + at // COLUMNS * HEIGHT
            place = {"h": HEIGHT, "w": WIDTH, "x": x, "y": y}
            yield {"id": number, "gridPos": place, **panel}
            number += 1
        top += -(-len(grid) // COLUMNS) * HEIGHT
        for panel in shown:
            if "repeat" in panel:
                place = {"h": HEIGHT, "w": 24, "x": 0, "y": top}
                yield {"id": number, "gridPos": place, **panel}
                number, top = number + 1, top + HEIGHT


def _once(members: Iterator[Found]) -> Iterator[Found]:
    """Of the buckets and the sum of a histogram only the first."""
    seen = set()
    for one in members:
        if one.metric.type == "histogram":
            if one.item.histogram in seen:
                continue
            seen.add(one.item.histogram)
        yield one


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
    target = {
        "refId": "A", "expr": series, "legendFormat": legend, "datasource": _SOURCE,
        "interval": scrape,
        **({"format": "heatmap"} if kind == "heatmap" else {}),
    }  # fmt: skip
    about = histogram or item
    name = about.display or about.name.replace("_", " ")
    repeated = {"repeat": "instance", "repeatDirection": "h", "maxPerRow": COLUMNS}
    return {
        "type": kind,
        "title": f"{name}: $instance" if kind == "heatmap" else name,
        **(repeated if kind == "heatmap" else {}),
        "description": about.description,
        "datasource": _SOURCE,
        "targets": [target],
        "fieldConfig": {"defaults": {"unit": shown}, "overrides": []},
        "options": {"legend": {"showLegend": True}} if kind == "timeseries" else {},
    }
