# SPDX-License-Identifier: BSD-3-Clause
"""Files of cases are written as they were read, and those with mistakes are refused."""

import shutil
from pathlib import Path

import pytest

from tests.compat import cases as compat
from tests.diagnostics import cases as diagnostics
from tests.support.casefile import Cases


@pytest.mark.parametrize("cases", [compat.CASES, diagnostics.CASES], ids=["compat", "diagnostics"])
def test_they_are_written_as_they_were(cases: Cases, tmp_path: Path) -> None:
    files = [*cases.root.glob("*.case"), *cases.root.glob("*.yaml")]
    own = Cases(tmp_path, cases.first)
    for file in files:
        shutil.copy(file, tmp_path)
    own.write({name: own.expected(name) for name in own.names()})
    for file in files:
        assert (tmp_path / file.name).read_text("utf-8") == file.read_text("utf-8"), file.name


def test_hunks(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text("one\ntwo\nthree\nfour\n")
    case = tmp_path / "a.case"
    case.write_text(
        "== a < base.yaml ==\n1=eins\n+more\n2-two\n4+five\na.yaml:1:1: warning[x]: y\n"
    )
    assert Cases(tmp_path, "a.yaml").read("a") == {"a.yaml": "eins\nmore\nthree\nfour\nfive\n"}
    assert Cases(tmp_path, "a.yaml").expected("a") == "a.yaml:1:1: warning[x]: y\nexit 0\n"
    case.write_text("== a < base.yaml ==\n2-2\n+zwei\n")
    with pytest.raises(AssertionError, match="the hunk at 2 does not fit"):
        Cases(tmp_path, "a.yaml").read("a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-- old.yaml --\n", "does not begin with a case"),
        ("== a ==\none\n", "a case of a.case does not begin with a file"),
        ("== a ==\n== a ==\n", "there are two cases a"),
        ("== a ==\n-- b < a.case --\n1+x\nhint: y\n", "neither a hunk nor a finding: hint: y"),
    ],
)
def test_what_is_no_case(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.case").write_text(text)
    with pytest.raises(AssertionError, match=message):
        Cases(tmp_path).read("a")
