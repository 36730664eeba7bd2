# SPDX-License-Identifier: BSD-3-Clause
"""Every packet that the kernel counts is in exactly one period, however often there is a reset."""

import os
from pathlib import Path

import pytest

from tests.support import process
from tests.support.paths import EP
from tests.xdp import lab

pytestmark = [lab.needs_bpf, pytest.mark.slow]

RUNS = 5_000_000
"""Of each of two CPUs; 10^9 in all with --long."""


@pytest.fixture(scope="module", params=lab.SYNCS)
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


STEP = "former = __sync_fetch_and_add(seq, 1);"


def grouped(folder: Path, sync: str, planted: tuple[str, str] | None = None) -> int:
    """How many of the reads and resets have packets and octets that do not belong together."""
    out = lab.generate(EP, folder / "out", "--sync", sync)
    lab.compiled(lab.HERE / "ep.bpf.c", out, planted)
    lab.reader(lab.HERE / "conserve.c", out)
    status, text = conserve(out, RUNS, 0, "group")
    torn = int(text.split("torn ")[1].split()[0])
    assert status == (torn != 0), text
    return torn


def test_reads_under_a_sequence_counter_are_consistent(tmp_path: Path) -> None:
    """Each read and reset has whole updates."""
    assert grouped(tmp_path, lab.kept("sequence")) == 0


@pytest.mark.parametrize("planted", [None, (STEP, STEP.replace("1", "0"))])
def test_updates_that_readers_do_not_notice_are_seen(
    tmp_path: Path, planted: tuple[str, str] | None
) -> None:
    """Without a sequence counter, and planted: a sequence counter that does not change."""
    assert grouped(tmp_path, lab.kept("sequence" if planted else "cpus"), planted) > 0


@pytest.mark.parametrize("barriers", [True, False])
def test_steps_of_a_sequence_counter_are_full_barriers(tmp_path: Path, barriers: bool) -> None:
    """They are atomic operations with a value: others order nothing, as planted."""
    value = '__asm__ volatile("" : : "r"(former) : "memory");'
    planted = None if barriers else (value, "(void)former;")
    out = lab.generate(EP, tmp_path / "out", "--sync", lab.kept("sequence"))
    made = lab.compiled(lab.HERE / "ep.bpf.c", out, planted)
    pinned = Path("/sys/fs/bpf") / f"ctrgen-steps-{os.getpid()}"
    process.succeed("bpftool", "prog", "load", made, pinned)
    try:
        text = process.succeed("bpftool", "prog", "dump", "xlated", "pinned", pinned)
    finally:
        pinned.unlink()
    assert text.count("atomic_fetch_add((u32 *)") == (2 if barriers else 0), text
