# SPDX-License-Identifier: BSD-3-Clause
"""C that takes input from outside: known inputs, and some thousand new ones, under sanitizers."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.fuzz import native

RUNS = {"cell": 20_000, "module": 300, "agent": 1_000, "commands": 5_000}


@pytest.mark.parametrize("name", native.HARNESSES)
def test_no_input_does_harm(name: str, tmp_path: Path) -> None:
    if reason := native.lacking(name):
        pytest.skip(reason)
    done = native.replay(name, tmp_path, RUNS[name])
    assert done.returncode == 0, done.stderr[-4000:]


PLANTED = {
    "cell": ("src/ctr_cell.c", "size < room - 1 && text", "size < room && text"),
    "agent": (
        "src/agentx/ctr_agentx_rows.c",
        "settled || (inclusive && length == levels) ? at : at + 1;",
        "settled || inclusive ? at : at;",
    ),
    "commands": (
        "src/bench/bench_main.c",
        "o->workers > rte_lcore_count() - 1",
        "o->workers > rte_lcore_count() + 1",
    ),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_bugs_are_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := native.lacking(name):
        pytest.skip(reason)
    file, good, bad = PLANTED[name]
    runtime = tmp_path / "runtime"
    shutil.copytree(runtimeinfo.path(), runtime, ignore=shutil.ignore_patterns("__pycache__"))
    text = (runtime / file).read_text("utf-8")
    assert good in text
    (runtime / file).write_text(text.replace(good, bad), "utf-8")
    monkeypatch.setattr(runtimeinfo, "path", lambda: runtime)
    (tmp_path / "made").mkdir()
    assert native.replay(name, tmp_path / "made", 20_000).returncode != 0
