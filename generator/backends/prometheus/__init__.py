# SPDX-License-Identifier: BSD-3-Clause
"""What Prometheus makes of the metrics of `ctrgen export`: recording rules, alerts, and a dashboard
for Grafana."""

from __future__ import annotations

import json

from ...model import ir
from ...model.naming import symbols
from ...model.naming.prometheus import metrics
from ...output.render import render
from ...output.tables import document
from .. import BuiltIn, Options
from . import rules
from .dashboard import dashboard


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The rules and the dashboard; nothing of a module without metrics."""
    found = list(metrics(module))
    if not found:
        return {}
    prefix = symbols.prefix(module.name)
    recorded, alerts = list(rules.recorded(module, found)), list(rules.alerts(module, found))
    alerts += rules.reported(module, found)
    groups = {prefix: recorded, f"{prefix}_alerts": alerts}
    body = document({"groups": [{"name": n, "rules": each} for n, each in groups.items() if each]})
    return {
        f"{prefix}_rules.yml": render("prometheus/rules.yml.j2", options=options, body=body),
        f"{prefix}_dashboard.json": f"{json.dumps(dashboard(module, found), indent=2)}\n",
    }


BACKEND = BuiltIn(
    "prometheus",
    "recording rules and alerts for Prometheus, a dashboard for Grafana",
    generate,
    default=False,
)
