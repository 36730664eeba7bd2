# SPDX-License-Identifier: BSD-3-Clause
"""Names, included files and tags of a hostile schema: no code runs, nothing lands elsewhere."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from ctrgen.findings.printers import print_findings
from ctrgen.frontends.raw import MAX_BYTES
from ctrgen.pipeline.build import BuildRequest, build
from ctrgen.pipeline.check import check
from tests.fuzz import hostile, targets
from tests.support.strategies import USUAL

GOOD = """\
ctrgen: 1
module: ep
description: A module.
scopes:
  global:
    counters:
      pkts: {unit: packets, description: Packets.}
"""


def whole(name: str, place: str) -> dict[str, Any]:
    """A schema with a name at one place, as it would be written in YAML or JSON."""
    counter = {"unit": "packets", "description": "Packets."}
    state = {"type": "enum", "labels": {"low": 1}, "description": "A state."}
    scopes: dict[str, Any] = {"global": {"counters": {"pkts": counter}, "states": {"up": state}}}
    updates: dict[str, Any] = {"u": {"args": {"size": "uint32"}, "add": {"global.pkts": "size"}}}
    found: dict[str, Any] = {"ctrgen": 1, "module": "ep", "scopes": scopes, "updates": updates}
    flow: dict[str, Any] = {"max": 4, "counters": {"pkts": counter}}
    scopes["flow"] = flow
    if place == "module":
        found["module"] = name
    elif place == "scope":
        scopes[name] = scopes.pop("flow")
    elif place == "item":
        flow["counters"][name] = counter
    elif place == "label":
        state["labels"] = {name: 1}
    elif place == "update":
        updates[name] = updates.pop("u")
    elif place == "parameter":
        updates["u"] = {"args": {name: "uint32"}, "add": {"global.pkts": name}}
    elif place == "unit":
        flow["counters"]["more"] = {**counter, "unit": name}
    elif place == "strategy":
        found["sync"] = name
    elif place in ("name", "identity"):
        found["snmp"] = {place: name}
    else:
        flow["snmp"] = {place: name}
    return found


PLACES = ["module", "scope", "item", "label", "update", "parameter", "strategy", "name"]
PLACES += ["identity", "table", "entry"]


FINE = {
    **dict.fromkeys(PLACES, "fine"),
    "strategy": USUAL,
    "name": "FINE-MIB",
    "table": "fineTable",
    "entry": "fineEntry",
}


@pytest.mark.parametrize("place", PLACES)
def test_other_names_are_accepted_there(place: str) -> None:
    assert hostile.errors(json.dumps(whole(FINE[place], place))) == set()


@pytest.mark.parametrize("place", PLACES)
def test_names_that_are_none_are_refused_and_nothing_is_written(place: str) -> None:
    for name in hostile.NAMES:
        with targets.folder():
            text = json.dumps(whole(name, place), ensure_ascii=False)
            Path("s.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
            done = build(BuildRequest("s.yaml", "out"))
            assert done.exit_code == 1, (place, name)
            assert [path.name for path in Path().iterdir()] == ["s.yaml"]
            assert not hostile.controls(print_findings(done.diagnostics, "text")), (place, name)


def test_units_that_are_odd_stay_in_their_place() -> None:
    """A unit is free text but for spaces: what is accepted leaves the tokens as they are."""
    calm = hostile.generated(json.dumps(whole("packets", "unit")))
    for name in (*hostile.NAMES, *hostile.TEXTS):
        text = json.dumps(whole(name, "unit"), ensure_ascii=False)
        if not hostile.errors(text):
            for file, made in hostile.generated(text).items():
                assert tokens(file, made) == tokens(file, calm[file]), name


def tokens(file: str, text: str) -> list[str]:
    """The tokens of a file; a name of the MIB may end with a word of the unit."""
    found = hostile.skeleton(file, text)
    return [re.sub(r"^(epFlowMore|more)-?\w+$", r"\1", one) for one in found]


def findings(folder: Path, include: str) -> tuple[set[str], str]:
    """The rules that a schema breaks which includes a file, and all that is printed."""
    schema = folder / "s.yaml"
    schema.write_text(f"{GOOD}include: [{json.dumps(include)}]\n", "utf-8")
    done = build(BuildRequest(str(schema), str(folder / "out")))
    assert done.exit_code == 1 and not (folder / "out").exists()
    return {one.rule for one in done.diagnostics.findings}, print_findings(done.diagnostics, "text")


@pytest.mark.parametrize("name", ["/etc/passwd", "", "a\0b", "..\\x", "C:\\x"])
def test_includes_are_relative(tmp_path: Path, name: str) -> None:
    assert "include-path" in findings(tmp_path, name)[0]


@pytest.mark.parametrize("name", [".", "..", "../..", "/".join([".."] * 40), "x" * 5000, "a\nb"])
def test_includes_are_files(tmp_path: Path, name: str) -> None:
    assert "include-missing" in findings(tmp_path, name)[0]


def test_a_file_elsewhere_is_read_as_a_schema_and_is_none(tmp_path: Path) -> None:
    """It may be read, as SECURITY.md says; a finding shows a line of it, not all."""
    secret = tmp_path / "etc" / "passwd"
    secret.parent.mkdir()
    secret.write_text("root:x:0:0:root:/root:/bin/sh\n" * 50, "utf-8")
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "link").symlink_to(secret)
    for name in ("../../etc/passwd", "link"):
        _, shown = findings(inner, name)
        assert shown.count("root:x") <= 2


@pytest.mark.parametrize("name", ["fifo", "endless", "socket"])
def test_what_is_no_file_is_not_waited_for(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "fifo":
        os.mkfifo(path)
    elif name == "endless":
        path.symlink_to("/dev/zero")
    else:
        path.symlink_to("/dev/tty")
    assert "include-missing" in findings(tmp_path, name)[0]
    schema = tmp_path / "i.yaml"
    schema.write_text(f"ctrgen: 1\nimport: ./{name}\n", "utf-8")
    assert {one.rule for one in check(str(schema)).diagnostics.findings} == {"import-unknown"}


TAGS = [
    "!!python/object/apply:os.system [touch escaped]",
    "!!python/object/new:os.system [touch escaped]",
    '!!python/object/apply:subprocess.Popen [[touch, "escaped"]]',
    "!!python/name:os.system",
    "!!python/module:os",
    "!<tag:yaml.org,2002:python/object/apply:os.system> [touch escaped]",
    "!%21python/x y",
    "!!binary aGVsbG8=",
    "!!set {a}",
]


@pytest.mark.parametrize("tag", TAGS)
def test_tags_run_nothing(tag: str) -> None:
    with targets.folder():
        for text in (f"ctrgen: {tag}\n", GOOD.replace("A module.", tag), f"{tag}\n"):
            Path("s.yaml").write_text(text, "utf-8")
            done = build(BuildRequest("s.yaml", "out"))
            assert {"yaml-tag", "yaml-syntax"} & {one.rule for one in done.diagnostics.findings}
            assert [path.name for path in Path().iterdir()] == ["s.yaml"]


@pytest.mark.parametrize(
    "text",
    [b"[" * 200_000, b"{a: " * 100_000, b"- " * 100_000, b"&a " * 100_000,
     b"a: " + b"x" * MAX_BYTES, b"? " * 100_000, b"!" * 500_000,
     b"a: |\n" + b" " * 900_000, b"#" * 900_000, b"\n" * 900_000,
     b"%YAML 1.1\n" * 10_000, b"'" + b"''" * 400_000, b'"' + b"\\\n" * 300_000],
    ids=lambda text: repr(text[:4]),
)  # fmt: skip
def test_deep_and_long_files_are_refused(text: bytes) -> None:
    found = check("s.yaml", read=lambda path: text).diagnostics
    assert found.failed
    assert len(print_findings(found, "text")) < 50_000
