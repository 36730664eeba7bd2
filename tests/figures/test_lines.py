# SPDX-License-Identifier: BSD-3-Clause
"""Generated code is as short as one would have written it. Bounds grow with features only: aims for
headers are 1,500 lines for `upf` and 12,000 for 500 + 500 counters."""

from pathlib import Path

import pytest

from tests.figures.measure import Bench
from tests.support import wide
from tests.support.paths import EP

UPF = EP.with_name("upf.yaml")


def lines(bench: Bench, schema: Path) -> tuple[int, int]:
    """Those of the header and of the source."""
    out = bench.scratch() / "out"
    bench.tree.succeed("build", schema, "-o", out, "--only", "c")
    header, source = (next(out.glob(f"*_stats.{ending}")) for ending in "hc")
    return header.read_bytes().count(b"\n"), source.read_bytes().count(b"\n")


@pytest.mark.parametrize(("schema", "header", "source"), [(EP, 300, 210), (UPF, 1714, 800)])
def test_a_schema_of_the_project(bench: Bench, schema: Path, header: int, source: int) -> None:
    found = lines(bench, schema)
    assert found[0] <= header and found[1] <= source, found


def test_many_counters(bench: Bench) -> None:
    """500 + 500 counters in two scopes, and 100 updates."""
    schema = bench.scratch() / "halves.yaml"
    schema.write_text(wide.halves(), "utf-8")
    header, source = lines(bench, schema)
    assert header <= 14_250 and source <= 2_800
