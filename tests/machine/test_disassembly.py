# SPDX-License-Identifier: BSD-3-Clause
"""What the compilers make of an update: as much as of the pattern by hand, and a branch.

x86-64 only. The hot path of a function is what lies before its first `ret`;
compilers put the path of threads without an lcore id behind it.
"""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ctrgen import runtimeinfo

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = [cc for cc in ("gcc", "clang") if shutil.which(cc)]
BRANCH = 2  # compare and jump: the thread has no lcore id

pytestmark = [
    pytest.mark.skipif(platform.machine() != "x86_64", reason="reads x86-64 instructions"),
    pytest.mark.skipif(not shutil.which("objdump"), reason="no objdump"),
]


def hot_paths(folder: Path, cc: str, level: str, strategy: str) -> dict[str, list[str]]:
    """Instructions of each function up to its first `ret`."""
    made = folder / "paths.o"
    command = [cc, level, "-std=gnu11", "-fno-pic", "-c", str(Path(__file__).with_name("paths.c"))]
    generated = ROOT / "generated" / strategy
    command += [*runtimeinfo.cflags("posix"), f"-I{generated}", f"-I{generated / 'bench'}"]
    command += ["-o", str(made)]
    subprocess.run(command, check=True)
    text = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", str(made)],
        check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    found: dict[str, list[str]] = {}
    for name, body in re.findall(r"<(path_\w+)>:\n(.*?)(?=\n\n|\Z)", text, re.DOTALL):
        lines = [line.split("\t", 1)[1].strip() for line in body.splitlines() if "\t" in line]
        ends = [n for n, line in enumerate(lines) if line.startswith("ret")]
        found[name] = lines[: ends[0] + 1]
    return found


@pytest.fixture(params=COMPILERS)
def cc(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=["-O2", "-O3"])
def level(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("strategy", ["per_core", "per_core_seqcount"])
def test_update_costs_one_branch_over_the_pattern_by_hand(tmp_path, cc, level, strategy):
    paths = hot_paths(tmp_path, cc, level, strategy)
    generated, hand = paths["path_generated"], paths["path_hand"]
    shown = "\n".join(["generated:", *generated, "hand:", *hand])
    assert len(generated) <= len(hand) + BRANCH, shown


def expensive(lines: list[str]) -> list[str]:
    """Locked instructions, fences, and anything on vector registers."""
    return [line for line in lines if re.search(r"\block\b|\bxchg\b|fence|%[xyz]mm", line)]


@pytest.mark.parametrize("strategy", ["per_core", "per_core_seqcount"])
def test_update_is_plain_scalar_code(tmp_path, cc, level, strategy):
    paths = hot_paths(tmp_path, cc, level, strategy)
    assert expensive(paths["path_generated"]) == []


@pytest.mark.parametrize("strategy", ["shared_atomic", "shared_lock", "per_core_lock"])
def test_the_scan_sees_locked_instructions(tmp_path, cc, level, strategy):
    paths = hot_paths(tmp_path, cc, level, strategy)
    assert expensive(paths["path_generated"])


def test_the_scan_sees_fused_adds(tmp_path):
    """gcc makes one vector add of adjacent `+=`: what per_core must not become."""
    if "gcc" not in COMPILERS:
        pytest.skip("no gcc")
    paths = hot_paths(tmp_path, "gcc", "-O3", "shared_unsync")
    assert expensive(paths["path_generated"])
