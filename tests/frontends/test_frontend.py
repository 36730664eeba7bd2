# SPDX-License-Identifier: BSD-3-Clause
"""Reading YAML: values, positions, limits, includes."""

import io
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml as pyyaml

from ctrgen import frontends
from ctrgen.findings.diagnostics import Diagnostics
from ctrgen.findings.printers import print_findings
from ctrgen.frontends import yaml
from ctrgen.frontends.raw import Raw


def read(text: str) -> Raw:
    diagnostics = Diagnostics()
    root = yaml.parse("x", text, diagnostics)
    assert root is not None, print_findings(diagnostics)
    assert not diagnostics.findings
    return Raw("x", "x", root)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("true", True),
        ("FALSE", False),
        ("~", None),
        ("", None),
        ("null", None),
        ("010", 10),
        ("0x10", 16),
        ("0o17", 15),
        ("1_000", "1_000"),
        ("-5", -5),
        ("1.5", 1.5),
        ("1e3", 1000.0),
        ("12:30", "12:30"),
        ("2024-01-01", "2024-01-01"),
        ("9" * 41, "9" * 41),
        ("'5'", "5"),
        ("[1, a]", [1, "a"]),
        ("{a: {b: 1}}", {"a": {"b": 1}}),
        (".", "."),
        ("-", "-"),
    ],
)
def test_values(text: str, value: Any) -> None:
    if text == "-":
        text = "'-'"
    assert read(f"key: {text}").data == {"key": value}


def test_keys_are_text() -> None:
    assert read("1: a\ntrue: b\nnull: c\n").data == {"1": "a", "true": "b", "null": "c"}


def test_positions_count_characters() -> None:
    raw = read('a:\n  "größe": {日本: [x, yz]}\n')
    span = raw.value_span(("a", "größe", "日本", 1))
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 21, 2, 23)
    key = raw.key_span(("a", "größe"))
    assert (key.line, key.column, key.end_column) == (2, 3, 10)


def test_position_of_what_is_not_there_is_that_around_it() -> None:
    raw = read("a: {b: 1}\n")
    assert raw.value_span(("a", "c", "d")) == raw.value_span(("a",))
    assert raw.has(("a", "b"))
    assert not raw.has(("a", "b", "c"))


def test_an_alias_is_where_it_is_written() -> None:
    raw = read("a: &x {p: 1}\nb: *x\n")
    assert raw.data["a"] == raw.data["b"]
    assert raw.data["a"] is not raw.data["b"]
    assert raw.value_span(("b",)).line == 2


def test_byte_order_mark_is_skipped() -> None:
    diagnostics = Diagnostics()
    assert yaml.decode("x", b"\xef\xbb\xbfa: 1", diagnostics) == "a: 1"
    assert yaml.decode("x", b"\xef\xbb\xbfa: 1\n\xff", diagnostics) is None
    (finding,) = diagnostics.findings
    assert (finding.rule, finding.span.line, finding.span.column) == ("not-utf8", 2, 1)


def test_the_python_parser_does_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(pyyaml, "CSafeLoader", raising=False)
    assert read("a: {b: [1, *x]}\n".replace("*x", "x")).data == {"a": {"b": [1, "x"]}}
    diagnostics = Diagnostics()
    assert yaml.parse("x", "a: " + "[" * 5000, diagnostics) is None
    assert diagnostics.failed


@pytest.mark.parametrize("depth", [33, 1000, 100_000])
def test_depth_is_bounded(depth: int) -> None:
    diagnostics = Diagnostics()
    assert yaml.parse("x", "a: " + "[" * depth, diagnostics) is None
    assert diagnostics.failed


def _load(path: str) -> tuple[list[Raw], Diagnostics]:
    diagnostics = Diagnostics()
    return frontends.load(path, diagnostics), diagnostics


def test_includes_in_order(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "top.yaml").write_text("include: [sub/a.yaml, b.yaml]\n")
    (tmp_path / "sub" / "a.yaml").write_text("include: [c.yaml]\n")
    (tmp_path / "sub" / "c.yaml").write_text("x: 1\n")
    (tmp_path / "b.yaml").write_text("x: 1\n")
    raws, diagnostics = _load(str(tmp_path / "top.yaml"))
    assert not diagnostics.findings
    assert [raw.source for raw in raws] == ["top.yaml", "sub/a.yaml", "sub/c.yaml", "b.yaml"]


def test_a_link_to_itself_is_a_cycle(tmp_path: Path) -> None:
    (tmp_path / "top.yaml").write_text("include: [link.yaml]\n")
    (tmp_path / "link.yaml").symlink_to("top.yaml")
    _, diagnostics = _load(str(tmp_path / "top.yaml"))
    assert [finding.rule for finding in diagnostics.findings] == ["include-cycle"]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a: 1\n")))
    raws, diagnostics = _load("-")
    assert not diagnostics.findings
    assert (raws[0].path, raws[0].data) == ("<stdin>", {"a": 1})


@pytest.mark.parametrize("path", ["", ".", "no/such/file", "a\0b"])
def test_unreadable(path: str) -> None:
    raws, diagnostics = _load(path)
    assert not raws
    assert diagnostics.unreadable
    assert diagnostics.exit_code == 2
