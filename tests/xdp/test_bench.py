# SPDX-License-Identifier: BSD-3-Clause
"""The benchmark of XDP programs runs, and a generated update costs less than a hash by hand."""

from pathlib import Path

import pytest

from tests.xdp import bench, lab

pytestmark = [lab.needs_bpf, pytest.mark.slow]


@pytest.mark.deep
def test_an_update_costs_less_than_a_hash(tmp_path: Path) -> None:
    """Of interleaved rounds, by their least: noise makes no program faster."""
    least = {name: ns for name, (ns, _) in bench.measure(tmp_path, "per_core", 15, 100_000).items()}
    assert least.keys() == {"nothing", "generated", "hand_hash", "hand_array"}
    assert least["nothing"] <= least["generated"] < least["hand_hash"]
