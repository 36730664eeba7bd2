# SPDX-License-Identifier: BSD-3-Clause
"""The folders that are searched for modules, whoever runs ctrgen, whatever the environment says."""

import os
from pathlib import Path

import pytest

from ctrgen.frontends.smi import places


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
        assert places.Library([shut], []).find("SHUT-MIB") == []
    finally:
        shut.chmod(0o700)


def test_the_edition_that_has_what_is_imported(tmp_path: Path) -> None:
    """Of several files of a module, one that has the names comes first, also from inner folders."""
    (tmp_path / "inner").mkdir()
    text = "A-MIB DEFINITIONS ::= BEGIN\na OBJECT IDENTIFIER ::= { iso 1 }\nEND\n"
    (tmp_path / "A-MIB").write_text(text, "utf-8")
    (tmp_path / "inner" / "A-MIB").write_text(text.replace("END", "-- b, c\nEND"), "utf-8")
    library = places.Library([tmp_path], [tmp_path / "inner"])
    assert library.prefer("A-MIB", ["a"]) == [tmp_path / "A-MIB"]
    assert library.prefer("A-MIB", ["a", "b"])[0] == tmp_path / "inner" / "A-MIB"
    assert library.find("A-MIB")[0] == tmp_path / "inner" / "A-MIB"
