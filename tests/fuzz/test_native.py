# SPDX-License-Identifier: BSD-3-Clause
"""C that takes input from outside: known inputs, and some thousand new ones, under sanitizers."""

from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.fuzz import native
from tests.support.planted import Edit, planted

RUNS = {"cell": 20_000, "agent": 1_000}


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", native.HARNESSES)
def test_no_input_does_harm(name: str, tmp_path: Path) -> None:
    if reason := native.lacking(name):
        pytest.skip(reason)
    done = native.replay(name, tmp_path, RUNS[name])
    assert done.returncode == 0, done.stderr[-4000:]


PLANTED = {
    "cell": Edit("runtime/src/core/ctr_cell.c", "if (size == room)", "if (size > room)"),
    "agent": Edit("runtime/src/parts/agentx/ctr_agentx_rows.c",
                  "settled || (inclusive && length == levels) ? at : at + 1;",
                  "settled || inclusive ? at : at;"),
}  # fmt: skip


@pytest.mark.deep
@pytest.mark.parametrize("name", PLANTED)
def test_planted_bugs_are_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if reason := native.lacking(name):
        pytest.skip(reason)
    runtime = planted(tmp_path, [PLANTED[name]]).runtime()
    monkeypatch.setattr(runtimeinfo, "path", lambda: runtime)
    (tmp_path / "made").mkdir()
    assert native.replay(name, tmp_path / "made", 20_000).returncode != 0
