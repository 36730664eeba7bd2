# SPDX-License-Identifier: BSD-3-Clause
"""What an evaluation of 100,000 instances reads, and how long it takes, which is only printed."""

from pathlib import Path

import pytest

from tests.notifications.test_watch import HERE
from tests.support.cbuild import WARNINGS, Build, shared
from tests.support.planted import PROJECT
from tests.support.process import succeed

SCHEMA = """\
ctrgen: 1
module: cost
scopes:
  flow:
    max: 100000
    counters:
      pkts: {unit: packets, description: Packets.}
      drops: {unit: packets, description: Packets dropped.}
notifications:
  drops_high: {of: flow.drops, rises_above: 1000, clears_below: 800, description: Many drops.}
  idle:
    description: A flow is idle.
    of: flow.pkts
    falls_below: 1
    lasts: 1h
    at_most: {count: 2, within: 1h}
"""
ROWS, SECTIONS = 100_000, 64 * 256


@pytest.mark.deep
def test_the_cost_of_100_000_instances(tmp_path: Path) -> None:
    schema = tmp_path / "cost.yaml"
    schema.write_text(SCHEMA, "utf-8")
    PROJECT.succeed("build", schema, "-o", tmp_path / "out", "--only", "c")
    program, out = tmp_path / "cost", tmp_path / "out"
    made = Build(flags=("-O2", *WARNINGS))
    shared().link(program, made, [HERE / "cost_main.c", out / "cost_stats.c"], [out])
    rows, raised, calls, busy = map(int, succeed(program).split())
    assert rows == 3 * ROWS, "each instance once in each of three evaluations"
    assert raised == 1
    assert calls >= 3 * -(-ROWS // SECTIONS), "requests are answered in between"
    print(f"\n100,000 instances, two notifications: {busy / 3e6:.1f} ms an evaluation")
