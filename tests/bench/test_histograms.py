# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench` of a schema with histograms: each value in one bucket and in the sum."""

import subprocess
from pathlib import Path

import pytest

from tests.bench.test_bench import BRIEF, PLAINLY, bench, lost, result
from tests.support.capabilities import needs, needs_dpdk
from tests.support.planted import PROJECT, Edit, Tree, planted
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
BUG = Edit(
    "generator/backends/c/updates.py", 'of.sum, None, "sample", of.span', "of.sum, 1, None, of.span"
)
UPDATES = 5
"""Counters that a packet changes: one, and of each histogram a bucket and the sum."""


def measure(folder: Path, *words: str, tree: Tree = PROJECT) -> subprocess.CompletedProcess[str]:
    """A run with two lcores."""
    schema = folder / "hb.yaml"
    schema.write_text(SCHEMA, "utf-8")
    words = (*words, "--lcores", "2", "--vary", "work=0", *BRIEF, "-o", str(folder))
    return bench(schema, *words, tree=tree, **PLAINLY)


@pytest.mark.deep
def test_nothing_is_lost_of_histograms(tmp_path: Path) -> None:
    """Under every strategy, in calls of updates and of histograms alone, and in bulk."""
    done = measure(tmp_path, "--vary", "api=single,items,bulk,batch", "--vary", "resets=0,100")
    assert done.returncode == 0, done.stderr
    assert f"packet: {UPDATES} counter updates" in done.stdout
    found = lost(result(tmp_path))
    assert {share for name, share in found.items() if name not in LOSSY} == {0}


@pytest.mark.deep
def test_a_wrong_sum_is_told_on(tmp_path: Path) -> None:
    """A planted bug: an observation adds 1 to the sum, whatever was observed."""
    tree = planted(tmp_path, (BUG,))
    done = measure(tmp_path, "--strategies", "shared_lock", "--vary", "api=items", tree=tree)
    assert done.returncode == 1 and "WRONG COUNTS under shared_lock" in done.stderr
