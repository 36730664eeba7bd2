# SPDX-License-Identifier: BSD-3-Clause
"""Generated code is as short as one would have written it. Bounds of headers only fall: aims are
300 lines for `ep`, 1,500 for `upf` and 12,000 for 500 + 500 counters."""

from __future__ import annotations

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


@pytest.mark.parametrize(("schema", "header", "source"), [(EP, 300, 220), (UPF, 1500, 1000)])
def test_a_schema_of_the_project(bench: Bench, schema: Path, header: int, source: int) -> None:
    found = lines(bench, schema)
    assert found[0] <= header and found[1] <= source, found


def test_many_counters(bench: Bench) -> None:
    """500 + 500 counters in two scopes, and 100 updates."""
    schema = bench.scratch() / "halves.yaml"
    schema.write_text(wide.halves(), "utf-8")
    header, source = lines(bench, schema)
    assert header <= 12_000 and source <= 3_000
