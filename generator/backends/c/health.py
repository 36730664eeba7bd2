# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of the reports of a module about itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...model import health, ir
from .views import ModuleView


class HealthView(NamedTuple):
    """A report: its item, its greatest value and its value as expressions of C."""

    ir: ir.Item
    most: str
    value: str


def health_views(m: ModuleView) -> Iterator[HealthView]:
    """Every report of a module, in the order of `health.reports`."""
    own, losing = health.scope(m.ir), health.losing(m.ir)
    lost = [d.sym.lost for d in m.active_domains if d.layout.sync in losing]
    pairs = zip(own.items, health.reports(m.ir), strict=True) if own else ()
    for item, (report, about) in pairs:
        most, value = "UINT64_MAX", ""
        if about is None:
            more = lost if report.function == "drops" else []
            value = " + ".join(f"{name}()" for name in (m.sym[report.function], *more))
        else:
            view = m.by_name[about.name]
            limit = view.instances
            most = most if item.kind.accumulates else limit
            value = limit if report.function == "MAX" else f"{view.sym[report.function]}()"
        yield HealthView(item, most, value)
