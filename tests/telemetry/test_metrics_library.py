# SPDX-License-Identifier: BSD-3-Clause
"""DPDK's metrics library, full to the last place."""

import shlex
from pathlib import Path

import pytest

from ctrgen.model.metrics_library import ROOM
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import WARNINGS
from tests.support.planted import PROJECT
from tests.support.process import succeed
from tests.telemetry.lab import EAL, HERE

pytestmark = [needs_dpdk, pytest.mark.dpdk]


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
