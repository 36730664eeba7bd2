# SPDX-License-Identifier: BSD-3-Clause
"""Instances of dynamic scopes begin and end while the kernel counts in them."""

import os
from pathlib import Path

import pytest

from tests.support import process
from tests.support.paths import APPS
from tests.xdp import lab

pytestmark = [lab.needs_bpf, pytest.mark.slow]

FLOWS = APPS / "xdp"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program for the kernel of the example, and what is generated for it."""
    out = lab.generate(FLOWS / "flows.yaml", tmp_path_factory.mktemp("lives"))
    lab.compiled(FLOWS / "flows.bpf.c", out)
    return out


def lives(out: Path) -> tuple[int, str]:
    """Exit status of the program and its output."""
    pins = Path("/sys/fs/bpf") / f"ctrgen-lives-{os.getpid()}"
    try:
        words = (out / "lives", out / "flows.bpf.o", pins, "3000000")
        done = process.run(*words, merged=True)
    finally:
        process.run("rm", "-rf", pins)
    return done.returncode, done.stdout


def test_final_counts_are_whole(out: Path) -> None:
    """Final counts of all lives and packets of no known flow are all packets; and a process that
    attaches later begins at 0."""
    lab.reader(lab.HERE / "lives.c", out)
    status, text = lives(out)
    assert status == 0, text


def test_an_end_without_a_grace_period_is_seen(out: Path) -> None:
    """Planted: final counts are collected while programs may still have the index."""
    lab.reader(lab.HERE / "lives.c", out, planted=(
        "(void)syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);", ""))  # fmt: skip
    status, text = lives(out)
    assert status == 1 and "wrong: a grace period for each end" in text, text
