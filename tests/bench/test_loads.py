# SPDX-License-Identifier: BSD-3-Clause
"""What packets and readers do in a benchmark: every axis, readers, pipelines, updates by weight."""

import statistics
from pathlib import Path

import pytest

from tests.bench.runs import BRIEF, MARKS, PLAINLY, bench, lost, result
from tests.support.paths import EP, ROOT

pytestmark = MARKS


@pytest.mark.deep
def test_every_axis_at_once_counts_right(plain: Path) -> None:
    done = bench(
        EP, "--strategies", "per_core_seqcount,shared_atomic", "--lcores", "2", "--vary=work=50",
        "--flows", "1,3000", "--vary=distribution=zipf,bursts:7", "--vary=affinity=rare,pinned",
        "--vary=api=items,batch,bulk", "--vary=pressure=1", "--vary=reads=200", "--vary=resets=100",
        *BRIEF, "-o", plain, **PLAINLY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = result(plain)
    assert len(found["points"]) == 2 * 2 * 2 * 2 * 3
    assert set(lost(found).values()) == {0}


@pytest.mark.deep
def test_readers_are_told_with_what_they_did(plain: Path) -> None:
    """How often and how long, by each kind of reader; and the latency of bursts meanwhile."""
    done = bench(
        EP, "--strategies", "per_core,shared_lock", "--lcores", "1", "--vary=work=0",
        "--flows", "9", "--vary=reads=1M", "--vary=resets=0,5000",
        "--vary=reader=snapshot,instances,walk",
        *BRIEF,
        "-o", plain, **PLAINLY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = result(plain)
    assert len(found["points"]) == 2 * 2 * 3 and set(lost(found).values()) == {0}
    for point in found["points"]:
        for one in point["rounds"]:
            assert one["reads"]["count"] > 0 and 0 < one["reads"]["ms"] <= one["ms"]
            assert 0.1 < one["clock"] < 10
        assert point["latency"]["generated"]["packets"] == 32
    assert "Readers: 1 lcore" in done.stdout and "1,000,000 reads a second asked for" in done.stdout
    assert len(found["floor"]["chase"]) > 10
    assert all(all(entry["cycles"]) for entry in found["floor"]["chase"])
    rested = [statistics.median(entry["cycles"]) for entry in found["floor"]["rest"]]
    assert len(rested) > 8 and rested[0] < 2000 and min(rested) >= 0


@pytest.mark.deep
def test_updates_of_less_weight_happen_less_often(plain: Path) -> None:
    """By every call; counts are exact for each, of all flows and of some of these in turn."""
    done = bench(
        ROOT / "schemas" / "upf.yaml", "--updates", "uplink=8,poll=1,downlink=3",
        "--strategies", "per_core", "--lcores", "2", "--vary=work=0",
        "--flows", "900,9", "--vary=api=single,batch,bulk,items", *BRIEF, "-o", plain, **PLAINLY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = result(plain)
    assert set(lost(found).values()) == {0} and len(found["points"]) == 8
    assert found["workload"]["every"] == {"poll": 8, "downlink": 3}
    assert "poll (1 in 8)" in done.stdout
    assert "downlink is called for one packet in 3, not in 2.66667" in done.stdout.lower()
