# SPDX-License-Identifier: BSD-3-Clause
"""All that an application has, through telemetry into OpenMetrics, as the C API says it."""

from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from ctrgen.tools.live.metrics import Applications
from ctrgen.tools.live.model import Module
from ctrgen.tools.live.telemetry import Telemetry
from tests.support.capabilities import needs_dpdk
from tests.telemetry import judge, lab

pytestmark = [needs_dpdk, pytest.mark.dpdk]


def names(module: Module) -> dict[str, tuple[str, str]]:
    """Scope and item of each counter and gauge that is in no histogram, by the metric's name."""
    found = {}
    for scope in module.scopes:
        folded = {
            at
            for one in scope.histograms
            for at in (*range(one.first, one.first + len(one.bounds) + 1), one.sum)
        }
        stem = f"{module.name}_" if scope.name == "global" else f"{module.name}_{scope.name}_"
        for at, item in enumerate(scope.items):
            if item.kind != "state" and at not in folded:
                suffix = "_total" if item.kind == "counter" else ""
                found[f"{stem}{item.name.removesuffix(suffix)}{suffix}"] = scope.name, item.name
    return found


@pytest.mark.deep
def test_five_thousand_counters(wide: Path) -> None:
    """Each is told once, with the value that the C API gives."""
    application = lab.Application(wide)
    source = Telemetry(application.socket)
    (module,) = source.modules()
    known = names(module)
    places = {
        (scope.name, instance.names): instance.indexes
        for scope in module.scopes
        for instance in source.read(module, scope)
    }
    text = Applications({"a": source}.items).text()
    told: judge.Values = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name not in known:
                continue
            scope, item = known[sample.name]
            labels = next(one for one in module.scopes if one.name == scope).names
            indexes = places[scope, tuple(sample.labels[label] for label in labels)]
            key = (scope, *map(str, indexes), item)
            assert key not in told
            told[key] = int(sample.value)
    counted = set(known.values())
    values = application.values()
    wanted = {at: n % 2**64 for at, n in values.items() if (at[0], at[-1]) in counted}
    source.close()
    assert application.end() == 0
    assert told == wanted
    assert len(told) > 5000
