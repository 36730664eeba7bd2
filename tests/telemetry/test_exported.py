# SPDX-License-Identifier: BSD-3-Clause
"""What is exported of an application through telemetry, and metrics of a library that is full."""

import shlex
from pathlib import Path

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from ctrgen.model.metrics_library import ROOM
from ctrgen.tools.live.metrics import Applications
from ctrgen.tools.live.model import Module
from ctrgen.tools.live.telemetry import Telemetry
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import WARNINGS
from tests.support.planted import PROJECT
from tests.support.process import succeed
from tests.telemetry import judge, lab
from tests.telemetry.lab import EAL, HERE

# ---- all that an application has ----

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


# ---- a metrics library that is full to the last place ----


def schema(name: str, counters: int) -> str:
    """A module of so many counters."""
    items = "".join(f"      c{n}: {{unit: packets, description: It.}}\n" for n in range(counters))
    return f"ctrgen: 1\nmodule: {name}\nscopes:\n  global:\n    counters:\n{items}"


@pytest.mark.deep
def test_as_many_as_fit_and_one_more(tmp_path: Path) -> None:
    for name, counters in (("over", ROOM + 1), ("full", ROOM), ("one", 1)):
        path = tmp_path / f"{name}.yaml"
        path.write_text(schema(name, counters), "utf-8")
        only = ("--only", "c,rte_metrics")
        PROJECT.succeed("build", path, "-o", tmp_path, *only, fails=counters > ROOM)
    assert not (tmp_path / "over_stats.c").exists()
    items = " ".join(f"X(c{n})" for n in range(ROOM))
    (tmp_path / "full.h").write_text(f"#define FULL_ITEMS(X) {items}\n", "utf-8")
    parts = ("--with", "metrics", "--cflags", "--sources", "--libs")
    line = PROJECT.succeed("runtime", "--port", "dpdk", *parts)
    succeed(
        "gcc", "-std=gnu11", "-O0", *WARNINGS, "-pthread", f"-I{tmp_path}", "-o", tmp_path / "main",
        HERE / "full_main.c", *sorted(tmp_path.glob("*_stats.c")), *shlex.split(line),
    )  # fmt: skip
    printed = succeed(tmp_path / "main", *EAL, "--no-shconf", "--no-telemetry")
    told = dict(map(str.split, printed.splitlines()))
    assert told == {f"full_c{n}": str((n + 1) << 40) for n in range(ROOM)}
    assert len((tmp_path / "full_stats_metrics.h").read_text("utf-8").split('"full_c')) == ROOM + 1
