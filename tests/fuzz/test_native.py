# SPDX-License-Identifier: BSD-3-Clause
"""C that takes input from outside: known inputs, and some thousand new ones, under sanitizers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import native

RUNS = {"cell": 20_000, "module": 300, "agent": 1_000, "commands": 5_000}


@pytest.mark.parametrize("name", native.HARNESSES)
def test_no_input_does_harm(name: str, tmp_path: Path) -> None:
    if reason := native.lacking(name):
        pytest.skip(reason)
    done = native.replay(name, tmp_path, RUNS[name])
    assert done.returncode == 0, done.stderr[-4000:]
