# SPDX-License-Identifier: BSD-3-Clause
"""Modules are found by what files define, in the folders that are searched."""

import os
from pathlib import Path

import pytest

from ctrgen.frontends.smi import places
from tests.frontends.smi.test_dirty import module, put, thing
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_base_mibs, needs_smidump

# ---- modules are found by what files define ----

MODULE = "{0}-MIB DEFINITIONS ::= BEGIN\nIMPORTS a FROM B-MIB c FROM C-MIB;\nEND\n"
OLD = 1_000_000_000
"""A time (s) long ago."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mibs").mkdir()
    return tmp_path / "mibs"


def write(file: Path, text: str) -> Path:
    file.write_text(text, "utf-8")
    os.utime(file, (OLD, OLD))
    return file


def found(folder: Path, name: str) -> list[str]:
    return [file.name for file in places.Library([folder]).find(name)]


def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are read from now on."""
    names: list[str] = []
    before = places.defined

    def defined(path: Path) -> places.Modules:
        names.append(path.name)
        return before(path)

    monkeypatch.setattr(places, "defined", defined)
    return names


def test_a_file_of_any_name(folder: Path) -> None:
    write(folder / "v12.3-final (2).bak", MODULE.format("A"))
    write(folder / "A-MIB", "-- this was A-MIB\n" + MODULE.format("Z"))
    assert found(folder, "A-MIB") == ["v12.3-final (2).bak"]
    assert found(folder, "Z-MIB") == ["A-MIB"]


def test_comments_and_texts_define_nothing(folder: Path) -> None:
    text = "-- A-MIB DEFINITIONS ::= BEGIN\n" + MODULE.format("Z")
    text = text.replace("END", 'z OBJECT-TYPE DESCRIPTION "\nA-MIB DEFINITIONS ::= BEGIN"\nEND')
    write(folder / "z", text)
    assert found(folder, "A-MIB") == []
    assert found(folder, "Z-MIB") == ["z"]


def test_several_modules_in_a_file(folder: Path) -> None:
    write(folder / "all", "".join(map(MODULE.format, "ABC")))
    library = places.Library([folder])
    assert library.closure(["A-MIB"]).keys() == {"A-MIB", "B-MIB", "C-MIB"}


def test_the_files_own_name_comes_first_and_folders_in_order(folder: Path) -> None:
    for name in ("0", "A-MIB.txt", "z"):
        write(folder / name, MODULE.format("A"))
    assert found(folder, "A-MIB") == ["A-MIB.txt", "0", "z"]
    assert found(folder, "B-MIB") == []


def test_a_file_that_changes_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(50):
        write(folder / f"{number}", MODULE.format(f"A{number}"))
    assert found(folder, "A7-MIB") == ["7"]
    names = reads(monkeypatch)
    assert found(folder, "A7-MIB") == ["7"]
    assert names == []
    write(folder / "7", MODULE.format("NEW"))
    (folder / "8").unlink()
    assert found(folder, "NEW-MIB") == ["7"]
    assert found(folder, "A7-MIB") == found(folder, "A8-MIB") == []
    assert names == ["7"]


def test_what_is_no_module_is_not_read_to_its_end(folder: Path) -> None:
    write(folder / "binary", "\0" + MODULE.format("A"))
    write(folder / "far", "x\n" * places.FIRST + MODULE.format("A"))
    os.mkfifo(folder / "pipe")
    (folder / "gone").symlink_to(folder / "nowhere")
    assert found(folder, "A-MIB") == []


@needs_smidump
@needs_base_mibs
def test_smidump_gets_modules_from_files_of_any_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two in one file; the second builds on the first."""
    first = module("uNode OBJECT IDENTIFIER ::= { tMIB 9 }").replace("tMIB", "uMIB")
    second = first.replace("U-MIB", "V-MIB").replace("uMIB", "vMIB").replace("uNode", "vNode")
    both = first.replace("T-MIB", "U-MIB") + second.replace("T-MIB", "V-MIB")
    (folder / "several.txt").write_text(both, "utf-8")
    text = module(thing("tA", 1), more="\n    uNode FROM U-MIB vNode FROM V-MIB")
    text = text.replace("{ tMIB 1 }", "{ uNode 1 }")
    schema, _ = smi_modules.loaded(put(tmp_path, text), str(folder))
    assert schema["scopes"]["global"]["counters"]["a"]["snmp"]["oid"].endswith(".99.9.1")


@needs_smidump
@needs_base_mibs
def test_base_modules_of_the_first_smi_need_not_be_there(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.frontends.smi.mutants import FIRST_SMI

    monkeypatch.setattr(places, "folders", lambda first, home: [folder])
    schema, _ = smi_modules.loaded(put(tmp_path, FIRST_SMI, "OLD-MIB"))
    assert schema["scopes"].keys() == {"global", "old"}


# ---- the folders that are searched for modules ----


def test_a_user_without_a_home_has_the_other_folders(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def unknown(user: object) -> None:
        raise KeyError(user)

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert places.folders((str(tmp_path),), None)[0] == tmp_path


def test_folders_that_are_none_are_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    rubbish = os.pathsep.join(["rubbish", "/nonexistent", "", f"{tmp_path}/file", str(tmp_path)])
    monkeypatch.setenv("SMIPATH", rubbish)
    monkeypatch.setenv("MIBDIRS", "+" + rubbish)
    found = places.folders((), None)
    assert found[0] == tmp_path
    assert all(folder.is_dir() for folder in found)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everywhere")
def test_folders_that_may_not_be_read_have_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shut = tmp_path / "shut"
    (shut / "mibs").mkdir(parents=True)
    (shut / "SHUT-MIB").touch()
    monkeypatch.setenv("SMIPATH", f"{shut}{os.pathsep}{shut}/mibs")
    shut.chmod(0)
    try:
        assert shut / "mibs" not in places.folders((), None)
        assert places.Library([shut]).find("SHUT-MIB") == []
    finally:
        shut.chmod(0o700)
