# SPDX-License-Identifier: BSD-3-Clause
"""What becomes what: a module with every kind of object, its annotations, overlays over it."""

import json
from pathlib import Path
from typing import Any

import pytest

from ctrgen.pipeline import importing
from ctrgen.pipeline.check import check
from ctrgen.publish import names
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump
from tests.support.process import ctrgen, git
from tests.support.strategies import SHARED

pytestmark = [needs_smidump, needs_base_mibs]
SHELF = smi_modules.OWN / "SHELF-MIB.txt"
ARC = "1.3.6.1.4.1.32473.77"


@pytest.fixture
def shelf() -> dict[str, Any]:
    schema, diagnostics = smi_modules.load(SHELF)
    assert schema is not None
    assert not diagnostics.failed, diagnostics.findings
    return schema


def test_the_module(shelf: dict[str, Any]) -> None:
    snmp = shelf["snmp"]
    assert shelf["module"] == "shelf"
    assert (snmp["name"], snmp["identity"], snmp["oid"]) == ("SHELF-MIB", "shelfMIB", ARC)
    assert [one["date"] for one in snmp["revisions"]] == ["2026-02-03T04:05", "2026-01-01"]
    assert snmp["nodes"] == {"shelfObjects": f"{ARC}.1"}
    assert snmp["types"]["ShelfKind"]["labels"] == {"wood": 1, "cold-steel": 2, "paper": 9}
    assert snmp["types"]["ShelfFlagsBits"]["labels"] == {"tall": 0, "deep": 1, "loud": 9}


def test_scalars(shelf: dict[str, Any]) -> None:
    scope = shelf["scopes"]["global"]
    assert scope["counters"]["visits"]["unit"] == "visits"
    assert scope["counters"]["visits"]["snmp"]["oid"] == f"{ARC}.1.2"
    people = scope["gauges"]["people"]
    assert (people["width"], people["min"], people["max"]) == (32, 0, 500)
    assert scope["states"]["open"]["snmp"]["access"] == "read-write"


def test_columns(shelf: dict[str, Any]) -> None:
    scope = shelf["scopes"]["shelf"]
    assert scope["counters"]["in_octets"]["unit"] == "octets"
    assert scope["counters"]["old"]["snmp"]["status"] == "deprecated"
    states = scope["states"]
    shown = {name: state["type"] for name, state in states.items()}
    assert shown == {
        "kind": "enum", "width": "uint32", "since": "timeticks", "address": "ipv4", "mac": "mac",
        "label": "string", "flags": "string", "oid": "string",
    }  # fmt: skip
    assert states["kind"]["labels"] == {"wood": 1, "cold_steel": 2, "paper": 9}
    assert states["kind"]["snmp"]["labels"] == {"cold_steel": "cold-steel"}
    assert states["label"]["length"] == 40


def test_indexes(shelf: dict[str, Any]) -> None:
    scopes = shelf["scopes"]
    assert [one["object"] for one in scopes["shelf"]["index"]] == ["shelfNumber"]
    assert scopes["shelf_x"]["augments"] == "shelfEntry"
    assert [one["object"] for one in scopes["book"]["index"]] == ["shelfNumber", "bookTitle"]
    assert scopes["book"]["snmp"]["implied"] is True
    assert "oid" not in scopes["book"]["index"][0]


def test_what_does_not_fit_is_said_with_its_line() -> None:
    _, diagnostics = smi_modules.load(SHELF)
    text = SHELF.read_text().splitlines()
    said = {(f.rule, text[f.span.line - 1].split()[0]) for f in diagnostics.findings}
    assert said == {
        ("import-inexact", "shelfFlags"),
        ("import-inexact", "shelfOid"),
        ("import-not-imported", "shelfOpen"),
    }


def test_import_writes_a_schema_that_checks_and_is_the_same_each_time(tmp_path: Path) -> None:
    target = tmp_path / "shelf.yaml"
    result = ctrgen("import", SHELF, "-o", target)
    assert result.exit_code == 0, result.output
    first = target.read_text()
    assert first.startswith("# A schema imported from SHELF-MIB")
    assert not check(str(target)).diagnostics.failed
    ctrgen("import", SHELF, "-o", target)
    assert target.read_text() == first
    direct, written = (ctrgen("resolve", file).stdout for file in (SHELF, target))
    ours, theirs = json.loads(direct), json.loads(written)
    for one in (ours, theirs):
        del one["source"], one["sources"]
    assert ours == theirs


def test_import_overwrites_nothing_that_was_edited(tmp_path: Path) -> None:
    target = tmp_path / "shelf.yaml"
    words = ["import", str(SHELF), "-o", str(target)]
    assert ctrgen(*words).exit_code == 0
    first = target.read_text()
    assert ctrgen(*words).exit_code == 0
    target.write_text(first + "# mine\n")
    result = ctrgen(*words)
    assert result.exit_code == 2 and "remove it first" in result.stderr
    assert target.read_text() == first + "# mine\n"


@pytest.mark.parametrize("name", [".", "", "folder", "/", "no/such/folder/x.yaml"])
def test_import_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    result = ctrgen("import", SHELF, "-o", name)
    assert result.exit_code == 2 and result.stdout == ""
    assert ("it is a folder" in result.stderr) == (name in (".", "folder", "/"))
    assert [path.name for path in tmp_path.rglob("*")] == ["folder"]


def test_import_that_fails_late_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(self: Path, target: Path) -> None:
        raise OSError(5, "the disk is gone")

    monkeypatch.setattr(Path, "replace", fail)
    target = tmp_path / "x.yaml"
    result = ctrgen("import", SHELF, "-o", target)
    assert result.exit_code == 2 and "the disk is gone" in result.stderr
    assert not list(tmp_path.iterdir())


def test_import_to_standard_output(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    printed = ctrgen("import", SHELF)
    named = ctrgen("import", SHELF, "-o", "-")
    assert printed.stdout == named.stdout and printed.stdout
    assert not list(tmp_path.iterdir())


def test_import_by_name_and_from_stdin(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    named = ctrgen("import", "SHELF-MIB", "--mib-path", smi_modules.OWN)
    piped = ctrgen("import", "-", input=SHELF.read_text())
    assert named.exit_code == piped.exit_code == 0
    assert named.stdout == piped.stdout


@pytest.mark.parametrize(
    "arguments", [["NO-SUCH-MIB"], ["no/such/file"], [str(SHELF), "--mib-path", "/no/such/folder"]]
)
def test_wrong_usage_is_2(arguments: list[str], tmp_path: Path) -> None:
    target = tmp_path / "x.yaml"
    result = ctrgen("import", *arguments, "-o", target)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert not target.exists()


@pytest.mark.parametrize("verb", ["check", "build", "resolve", "plan"])
def test_a_module_that_is_not_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, verb: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = ctrgen(verb, "NO-SUCH-MIB")
    assert result.exit_code == 2
    assert "--mib-path DIR or in SMIPATH" in result.output
    assert "--mib-path" not in ctrgen(verb, "none.yaml").output


def test_overlay(tmp_path: Path) -> None:
    (tmp_path / "SHELF-MIB.txt").write_bytes(SHELF.read_bytes())
    overlay = tmp_path / "mine.yaml"
    overlay.write_text(
        f"ctrgen: 1\nimport: SHELF-MIB\nsync: {SHARED}\n"
        "requires: {exact: true}\n"
        "scopes:\n  shelf:\n    max: 3\n    counters:\n"
        "      in_octets: {unit: bytes}\n"
        "updates:\n  put:\n    args: {size: uint32}\n"
        "    add: {shelf.in_octets: size, global.visits: 1}\n"
    )
    checked = check(str(overlay))
    assert checked.module is not None, checked.diagnostics.findings
    scope = checked.module.scope("shelf")
    assert scope.sync.strategy == SHARED
    assert scope.maxima == (3,)
    item = checked.module.item("shelf", "in_octets")
    assert (item.unit, item.description) == ("bytes", "Octets put in.")
    assert item.span.path == str(overlay)
    assert checked.module.item("shelf", "mac").span.path == str(tmp_path / "SHELF-MIB.txt")
    assert [update.name for update in checked.module.updates] == ["put"]


@pytest.mark.parametrize("given", ["[1]", "''", "no-such-file.txt", "mine.yaml"])
def test_an_overlay_of_nothing(given: str, tmp_path: Path) -> None:
    overlay = tmp_path / "mine.yaml"
    overlay.write_text(f"ctrgen: 1\nimport: {given}\n")
    checked = check(str(overlay))
    assert ("import-unknown", 2) in smi_modules.found(checked.diagnostics)


def test_names() -> None:
    assert names.words("ifHCInOctets") == ["if", "hc", "in", "octets"]
    assert names.words("dot3StatsFCSErrors") == ["dot3", "stats", "fcs", "errors"]
    assert names.module("EP-STATS-MIB") == "ep"
    assert names.module("IF-MIB") == "if_mib"
    assert names.unit("kilobits per second", "x", needed=True) == "kilobits/second"
    assert names.unit("", "ifInUcastPkts", needed=True) == "packets"


@pytest.mark.parametrize(
    "value", ["", "yes", "010", "1.5", "a: b", "# x", "-", "'", '"', "\\", "é"]
)
def test_scalars_are_read_as_they_were_written(value: str) -> None:
    from ctrgen.findings.diagnostics import Diagnostics
    from ctrgen.frontends import yaml

    node = yaml.parse("x", importing.dump("a", value), Diagnostics())
    assert node is not None
    assert node.value["a"].value == value


def test_the_folders_of_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_text("ctrgen: 1\nimport: SHELF-MIB\n")
    for command in (["check", "SHELF-MIB"], ["check", "mine.yaml"], ["build", "mine.yaml"]):
        assert ctrgen(*command).exit_code, command
        result = ctrgen(*command, "--mib-path", smi_modules.OWN)
        assert result.exit_code == 0, result.output
    others = ["resolve", "mine.yaml"], ["breaking", "mine.yaml", "--against", "mine.yaml"]
    assert all(ctrgen(*command).exit_code for command in others)
    monkeypatch.setenv("SMIPATH", str(smi_modules.OWN))
    assert not any(ctrgen(*command).exit_code for command in others)


def test_a_module_of_an_older_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "SHELF-MIB.txt"
    file.write_bytes(SHELF.read_bytes())
    for words in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "x")):
        git(tmp_path, *words)
    file.write_text(file.read_text().replace("shelfInOctets", "shelfInThings"))
    result = ctrgen("breaking", "SHELF-MIB.txt", "--against", "HEAD")
    assert result.exit_code == 1, result.output
    assert "shelfInOctets" in result.output
    file.write_bytes(SHELF.read_bytes())
    result = ctrgen("breaking", "SHELF-MIB.txt", "--against", "HEAD")
    assert result.exit_code == 0, result.output
