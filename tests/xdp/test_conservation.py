# SPDX-License-Identifier: BSD-3-Clause
"""Every packet that the kernel counts is in exactly one period, however often there is a reset."""

from pathlib import Path

import pytest

from tests.support import process
from tests.support.paths import EP
from tests.xdp import lab

pytestmark = [lab.needs_bpf, pytest.mark.slow]

RUNS = 5_000_000
"""Of each of two CPUs; 10^9 in all with --long."""


@pytest.fixture(scope="module", params=["per_core", "shared_atomic"])
def programs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program for the kernel and the one that resets, in a folder."""
    out = lab.generate(EP, tmp_path_factory.mktemp("xdp"), "--sync", request.param)
    lab.compiled(lab.HERE / "ep.bpf.c", out)
    lab.reader(lab.HERE / "conserve.c", out)
    return out


def conserve(programs: Path, runs: int, ms: int, how: str) -> tuple[int, str]:
    """Exit status of the program, and what it prints."""
    words = (programs / "conserve", programs / "ep.bpf.o", str(runs), str(ms), how)
    done = process.run(*words, merged=True)
    return done.returncode, done.stdout


@pytest.mark.parametrize("ms", [0, 10, 100])
def test_no_count_is_lost_or_doubled(programs: Path, ms: int, pytestconfig: pytest.Config) -> None:
    """With resets back to back, at 10 ms and at 100 ms, while two CPUs count."""
    runs = 500_000_000 if pytestconfig.getoption("--long") else RUNS
    status, text = conserve(programs, runs, ms, "baseline")
    assert status == 0, text


def test_a_reset_that_writes_zero_is_seen(programs: Path) -> None:
    """The usual way: the counts are wrong by more than 0.1 %, and this test sees it."""
    status, text = conserve(programs, RUNS, 0, "zero")
    assert status == 1, text
    counted = int(text.split()[0])
    assert abs(counted - 2 * RUNS) > 2 * RUNS // 1000, text
