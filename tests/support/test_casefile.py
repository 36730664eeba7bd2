# SPDX-License-Identifier: BSD-3-Clause
"""Cases in one file are read as they were written."""

from pathlib import Path

import pytest

from tests.support.casefile import EXPECTED, Cases, marked, unmarked

BASE = "one\ntwo\nthree\nfour\n"
END = "-- exit 0 --\n"
OTHERS = {"old.yaml": ["base.yaml", "whole"], "new.yaml": ["old.yaml"]}


@pytest.mark.parametrize(
    "text", ["", BASE, "zero\n" + BASE, "one\n2\nthree\n", "two\nfour\nfive\nsix\n", "\n@@\n-- x\n"]
)
def test_as_written(tmp_path: Path, text: str) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    parts = {"old.yaml": text, "new.yaml": BASE, EXPECTED: "exit 0\n"}
    whole = "".join(f"-- {name} --\n{part}" for name, part in [*parts.items()][:2]) + END
    (tmp_path / "a.case").write_text(f"== first ==\n{whole}== second ==\n{whole}")
    (tmp_path / "b.case").write_text(f"== whole ==\n{whole}")
    for first in ("", "", "old.yaml", "old.yaml"):
        cases = Cases(tmp_path, first)
        assert cases.names() == ["first", "second", "whole"]
        assert all(cases.read(name) == parts for name in cases.names())
        cases.write(dict.fromkeys(cases.names(), "exit 0\n"), OTHERS)
    assert (cases.folder("second") / "old.yaml").read_text() == text
    cases.write(dict.fromkeys(cases.names(), "exit 1\n"), OTHERS)
    assert cases.read("first") == {**parts, EXPECTED: "exit 1\n"}


def test_what_repeats_is_a_difference(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE * 4)
    (tmp_path / "a.case").write_text(f"== a ==\n-- old.yaml --\n{BASE * 4}five\n")
    Cases(tmp_path).write({"a": "exit 0\n"}, OTHERS | {"old.yaml": ["base.yaml"]})
    text = (tmp_path / "a.case").read_text()
    assert text.startswith("== a ==\n-- old.yaml < base.yaml --\n16+five\n")


def test_a_hunk_that_does_not_fit(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    hunk = "-- old.yaml < base.yaml --\n2-2\n+zwei\n"
    (tmp_path / "a.case").write_text(f"== a ==\n{hunk}")
    with pytest.raises(AssertionError, match="the hunk at 2 does not fit"):
        Cases(tmp_path).read("a")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-- old.yaml --\n", "does not begin with a case"),
        ("== a ==\none\n", "a does not begin with a file"),
        ("== a ==\n== a ==\n", "there are two cases a"),
        ("== a ==\n-- b < c --\n1+x\nhint: y\n", "neither a hunk nor a finding: hint: y"),
    ],
)
def test_what_is_no_case(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.case").write_text(text)
    with pytest.raises(AssertionError, match=message):
        Cases(tmp_path).names()


@pytest.mark.parametrize(
    ("short", "shown"),
    [
        ("a:2:2-3: error: m\n", "a:2:2: error: m\n\ttwo\n\t^^\n"),
        ("a:1:1-1: m\nhint: x\n", "a:1:1: m\none\n^\nhint: x\n"),
        ("a:1:3-5: m\n", "a:1:3: m\none\n  ^^^\n"),
        ("a:1:1: m\nother\n^\n",) * 2,
        ("a:1:1: m\none\n ^\n",) * 2,
        ("a:1:1: m\none\n",) * 2,
        ("a:9:1: m\none\n^\n",) * 2,
        ("b:1:1: m\none\n^\n",) * 2,
        ("",) * 2,
    ],
)
def test_lines_that_are_marked(short: str, shown: str) -> None:
    """They are short only where the line and the carets are those that follow from the place."""
    files = {"a": "one\n\ttwo\n"}
    assert marked(short, files) == shown
    assert unmarked(shown, files) == short


@pytest.mark.parametrize(
    ("shown", "code", "kept"),
    [
        ("a:1:1: error[r]: m\n", 1, False),
        ("a:1:1: warning[r]: m\n", 0, False),
        ("a:1:1: error[r]: m\n", 2, True),
        ("a:1:1: warning[r]: m\n", 1, True),
        ("", 0, True),
        ("", 1, True),
    ],
)
def test_exit_codes_that_do_not_follow(tmp_path: Path, shown: str, code: int, kept: bool) -> None:
    (tmp_path / "base.yaml").write_text(BASE)
    (tmp_path / "a.case").write_text(f"== a < base.yaml ==\n4+five\n-- exit {code} --\n{shown}")
    for _ in range(2):
        cases = Cases(tmp_path, "old.yaml")
        expected = f"{shown}exit {code}\n"
        assert cases.read("a") == {"old.yaml": f"{BASE}five\n", EXPECTED: expected}
        cases.write({"a": expected}, {"old.yaml": ["base.yaml"]})
    assert ("-- exit" in (tmp_path / "a.case").read_text()) == kept


def test_a_lock_file_is_that_of_a_first_build(tmp_path: Path) -> None:
    items = "    counters:\n      pkts: {unit: packets, description: Packets.}\n"
    schema = f"ctrgen: 1\nmodule: ep\nscopes:\n  global:\n{items}snmp: {{}}\n"
    parts = f"{schema}-- a.lock < a.yaml --\n5-module EP-STATS-MIB epStatsMIB 1.3.6.1.4.1.32473.1\n"
    (tmp_path / "a.case").write_text(f"== a ==\n{parts}{END}")
    read = Cases(tmp_path, "a.yaml").read("a")["a.lock"]
    assert "commit it with a.yaml" in read and " epStatsPkts current " in read
    assert "\nmodule " not in read
