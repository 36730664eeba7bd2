# SPDX-License-Identifier: BSD-3-Clause
"""Recording rules and alerts for Prometheus, a dashboard for Grafana."""

from __future__ import annotations

import json

from ...model import ir
from ...model.naming import symbols
from ...model.naming.prometheus import metrics
from .. import BuiltIn, Options, in_short
from ..polled import in_yaml
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
    data = {"groups": [{"name": n, "rules": each} for n, each in groups.items() if each]}
    board = f"{json.dumps(dashboard(module, found), indent=2)}\n"
    return in_yaml(module, options, "rules.yml", data) | {f"{prefix}_dashboard.json": board}


BACKEND = BuiltIn("prometheus", in_short(__doc__), generate, default=False)
