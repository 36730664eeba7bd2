# SPDX-License-Identifier: BSD-3-Clause
"""Updates of lists of instances: all of a list is counted, or the call is."""

from pathlib import Path

import pytest

from tests.support import process
from tests.xdp import lab, verifier

pytestmark = [lab.needs_bpf, pytest.mark.slow]

SCHEMA = """ctrgen: 1
module: ep
scopes:
  urr:
    max: 100
    counters:
      pkts: {unit: packets, description: Packets.}
  qer:
    max: 100
    storage: dynamic
    counters:
      pkts: {unit: packets, description: Packets.}
    gauges:
      level: {unit: items, description: Level.}
updates:
  fixed: {add: {"urr[0..3].pkts": 1}}
  lives: {add: {"qer[0..3].pkts": 1, "qer[0..3].level": 2}}
"""


@pytest.mark.parametrize("sync", lab.SYNCS)
def test_lists_are_counted(sync: str, tmp_path: Path) -> None:
    """The verifier accepts them; duplicates count twice, and a wrong list is dropped whole."""
    (tmp_path / "ep.yaml").write_text(SCHEMA, "utf-8")
    out = lab.generate(tmp_path / "ep.yaml", tmp_path / "out", "--sync", sync)
    assert verifier.accepted(out) > 0
    made = lab.compiled(lab.HERE / "lists.bpf.c", out)
    process.succeed(lab.reader(lab.HERE / "lists.c", out), made)


def test_a_list_that_is_not_checked_is_seen(tmp_path: Path) -> None:
    """Planted: the greatest index of a list is not found."""
    (tmp_path / "ep.yaml").write_text(SCHEMA, "utf-8")
    out = lab.generate(tmp_path / "ep.yaml", tmp_path / "out")
    planted = ("if (list[i] > greatest)", "if (i > num)")
    made = lab.compiled(lab.HERE / "lists.bpf.c", out, planted)
    done = process.run(lab.reader(lab.HERE / "lists.c", out), made, merged=True)
    assert (done.returncode, done.stdout) == (1, "wrong: row 3\n")
