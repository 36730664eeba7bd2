# SPDX-License-Identifier: BSD-3-Clause
"""Cases in one file are read as they were written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import casefile

BASE = "one\ntwo\nthree\nfour\n"


@pytest.mark.parametrize(
    "text", ["", BASE, "zero\n" + BASE, "one\n2\nthree\n", "two\nfour\nfive\nsix\n", "\n@@\n-- x\n"]
)
def test_as_written(tmp_path: Path, text: str) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    parts = {"old.yaml": text, "new.yaml": BASE, "expected.txt": "exit 0\n"}
    path = tmp_path / "a.case"
    casefile.write(path, parts, {"old.yaml": "base.yaml", "new.yaml": "old.yaml"})
    assert casefile.read(path) == parts
    assert (casefile.folder(path) / "old.yaml").read_text() == text


def test_a_hunk_that_does_not_fit(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "a.case").write_text("-- old.yaml < base.yaml --\n@@ -2 +2 @@\n-2\n+zwei\n")
    with pytest.raises(AssertionError, match="the hunk at 2 does not fit"):
        casefile.read(tmp_path / "a.case")
