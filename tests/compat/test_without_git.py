# SPDX-License-Identifier: BSD-3-Clause
"""A file as the old version needs no git; a revision without git is a plain error."""

from pathlib import Path

import pytest

from tests.compat import cases
from tests.support.process import ctrgen

CASE = cases.CASES.folder("item-removed")


@pytest.fixture(autouse=True)
def no_programs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(CASE)
    monkeypatch.setenv("PATH", str(tmp_path))


def test_a_file_is_compared() -> None:
    done = ctrgen("breaking", "new.yaml", "--against", "old.yaml")
    assert done.exit_code == 1, done.output
    assert "item-removed" in done.output


def test_a_revision_is_refused() -> None:
    done = ctrgen("breaking", "new.yaml", "--against", "HEAD~1")
    assert done.exit_code == 2
    assert "there is no git" in done.output
