# SPDX-License-Identifier: BSD-3-Clause
"""Bugs that were found stay mended: main.c has a check for each, run under every strategy."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.strategies.catalogue import all_strategies

HERE = Path(__file__).parent
STRATEGIES = [name for name, found in all_strategies().items() if "static" in found.storage]


@pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_mended_bugs(tmp_path: Path, strategy: str) -> None:
    result = build(BuildRequest(str(HERE / "schema.yaml"), str(tmp_path), sync=strategy))
    assert result.exit_code == 0
    command = [
        "gcc",
        "-O2",
        "-std=gnu11",
        "-Wall",
        "-Wextra",
        "-Werror",
        *runtimeinfo.cflags("posix"),
        f"-I{tmp_path}",
    ]
    command += [str(HERE / "main.c"), str(tmp_path / "reg_stats.c")]
    command += [*map(str, runtimeinfo.sources("posix")), "-pthread", "-o", str(tmp_path / "main")]
    subprocess.run(command, check=True)
    ran = subprocess.run([str(tmp_path / "main")], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stdout
