# SPDX-License-Identifier: BSD-3-Clause
"""The one text that says how to install more of ctrgen, for each way to install it."""

from __future__ import annotations

import json
import re
import sys
import sysconfig
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from ctrgen.findings.installation import pip_install
from tests.support.paths import ROOT
from tests.support.process import succeed

HELPER = "generator/findings/installation.py"
REQUIRES = ["click>=8.1", 'numpy>=1.26; extra == "bench"', "scipy>=1.13 ; extra == 'bench'",
            'pysmi>=2.0; extra == "snmp"']  # fmt: skip
PACKAGES = "pip install 'numpy>=1.26' 'scipy>=1.13'"
COMMIT = {"vcs": "git", "commit_id": "9a13f47c"}


class Installed:
    """What pip has noted of an installation; None: nothing, as in Debian's package."""

    requires = REQUIRES

    def __init__(self, noted: dict[str, Any] | None) -> None:
        self.noted = noted

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self.noted is None else json.dumps(self.noted)


def advice(monkeypatch: pytest.MonkeyPatch, noted: dict[str, Any] | None, *extras: str) -> str:
    monkeypatch.setattr(metadata, "distribution", lambda name: Installed(noted))
    return pip_install(*extras)


@pytest.mark.parametrize(
    ("noted", "says"),
    [
        ({"url": "file://{}", "dir_info": {}}, "pip install '{}[bench]'"),
        ({"url": "file://{}", "dir_info": {"editable": True}}, "pip install -e '{}[bench]'"),
        ({"url": "file://{}%20b", "archive_info": {}}, "pip install '{} b[bench]'"),
        ({"url": "file://{}/gone", "dir_info": {}}, PACKAGES),
        ({"url": "https://a.b/c.whl", "archive_info": {}},
         "pip install 'ctrgen[bench] @ https://a.b/c.whl'"),
        ({"url": "https://a.b/c", "vcs_info": COMMIT},
         "pip install 'ctrgen[bench] @ git+https://a.b/c@9a13f47c'"),
        (None, PACKAGES),
    ],
)  # fmt: skip
def test_the_command(
    noted: dict[str, Any] | None, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "a"
    there.mkdir()
    (tmp_path / "a b").touch()
    if noted is not None:
        noted = {**noted, "url": noted["url"].format(there)}
    assert advice(monkeypatch, noted, "bench") == says.format(there)


def test_several_extras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    noted = {"url": f"file://{tmp_path}", "dir_info": {}}
    assert advice(monkeypatch, noted, "live", "otlp") == f"pip install '{tmp_path}[live,otlp]'"


def test_the_system_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    assert advice(monkeypatch, None, "snmp") == "pip install 'pysmi>=2.0'"
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    said = advice(monkeypatch, None, "snmp")
    assert said == "pip install --break-system-packages 'pysmi>=2.0'"


def test_modules_that_are_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)
    assert pip_install("bench") == f"pip install '{ROOT}[bench]'"


# ---- no other text ----

BY_NAME = re.compile(r"pip\d? install\s+(?:-\S+\s+)*['\"`]?ctrgen(?![-/\w]|\S* @)")
"""A command that takes ctrgen from a package index, which has none."""


def commands(path: str, text: str) -> list[str]:
    """Commands that install ctrgen by its name; in the generator any that installs by pip."""
    pattern = re.compile("pip install") if path.startswith("generator/") else BY_NAME
    return [f"{path}: {match[0]}" for match in pattern.finditer(text) if path != HELPER]


def test_no_text_installs_ctrgen_by_its_name() -> None:
    """CHANGELOG.md and the tests have what former versions printed."""
    names = succeed("git", "ls-files", cwd=ROOT).splitlines()
    names = [name for name in names if not name.startswith(("tests/", "CHANGELOG", "LICENSE"))]
    found: list[str] = []
    for name in names:
        found += commands(name, (ROOT / name).read_text("utf-8", errors="replace"))
    assert HELPER in names and found == []


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/a.md", "pip install ctrgen"),
        ("docs/a.md", "`pip install -U 'ctrgen[live]'`"),
        ("templates/a.j2", "install ctrgen (pip install ctrgen);"),
        ("generator/a.py", "pip install matplotlib"),
    ],
)
def test_a_planted_text_is_seen(path: str, text: str) -> None:
    assert len(commands(path, text)) == 1


@pytest.mark.parametrize(
    "text",
    ["pip install .", "pip install '.[live]'", "pip install dist/ctrgen-*.whl",
     "pip install git+https://git.example.com/ctrgen", "pip install ctrgen-0.2.0.whl"],
)  # fmt: skip
def test_a_command_that_works_is_none(text: str) -> None:
    assert commands("docs/a.md", text) == []
