# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench` of a schema with histograms: each value in one bucket and in the sum."""

from pathlib import Path

import pytest

from tests.bench.test_bench import BRIEF, PLAINLY, bench, lost, result
from tests.support.capabilities import needs, needs_dpdk
from tests.support.strategies import LOSSY

pytestmark = [pytest.mark.slow, pytest.mark.dpdk, needs_dpdk, needs("meson", "ninja")]

SCHEMA = """\
ctrgen: 1
module: hb
scopes:
  global:
    counters:
      pkts: {unit: packets, description: Packets processed.}
    histograms:
      delays: {unit: ns, description: Time in the queue., log2: {min: 64, max: 4096}}
  session:
    max: 64
    histograms:
      sizes: {unit: By, description: Octets of packets of the session., bounds: [64, 512, 1518]}
updates:
  packet:
    args: {size: uint16, delay: uint32}
    add: {global.pkts: 1}
    observe: {session.sizes: size, global.delays: delay}
"""
UPDATES = 5
"""Counters that a packet changes: one, and of each histogram a bucket and the sum."""


@pytest.mark.deep
def test_nothing_is_lost_of_histograms(tmp_path: Path) -> None:
    """Under every strategy, in every call."""
    schema = tmp_path / "hb.yaml"
    schema.write_text(SCHEMA, "utf-8")
    done = bench(
        schema, "--vary", "api=single,bulk,batch", "--vary", "resets=0,100", "--lcores", "2",
        "--vary", "work=0", *BRIEF, "-o", tmp_path, **PLAINLY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"packet: {UPDATES} counter updates" in done.stdout
    found = lost(result(tmp_path))
    assert {share for name, share in found.items() if name not in LOSSY} == {0}
