# SPDX-License-Identifier: BSD-3-Clause
"""Names in Prometheus and OpenMetrics: how a metric follows from an item of a schema."""

from __future__ import annotations

from typing import NamedTuple

from .. import ir

TEXT = ("string", "mac", "ipv4", "ipv6")
"""State types whose value is text: an info metric with the value as a label."""


class Metric(NamedTuple):
    """A metric: its name as it is queried, its type, and the labels that name an instance."""

    name: str
    type: str
    labels: tuple[str, ...]


def metric(module: ir.Module, scope: ir.Scope, item: ir.Item) -> Metric:
    """The metric of an item: `session.pkts` of `ep` is `ep_session_pkts_total{session}`.

    Items of the global scope have no scope in their names, as in C. A counter
    ends in `_total`; text is an info metric and ends in `_info`, an
    enumeration a state set.
    """
    words = [module.name, *([] if scope.name == ir.GLOBAL else [scope.name]), item.name]
    name, kind = "_".join(words), "gauge"
    if item.kind is ir.Kind.COUNTER:
        name, kind = name.removesuffix("_total") + "_total", "counter"
    elif item.type in TEXT:
        name, kind = name + "_info", "info"
    elif item.type == "enum":
        kind = "stateset"
    return Metric(name, kind, scope.path)
