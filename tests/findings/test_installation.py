# SPDX-License-Identifier: BSD-3-Clause
"""The one text that says how to install more of ctrgen."""

import re
import sys
import sysconfig
from importlib import metadata
from pathlib import Path

import pytest

from ctrgen.findings.usage import pip_install
from tests.support.paths import ROOT
from tests.support.process import succeed

HELPER = "generator/findings/usage.py"
REQUIRES = ["click>=8.1", 'numpy>=1.26; extra == "bench"', "scipy>=1.13 ; extra == 'bench'",
            'pysmi>=2.0; extra == "snmp"']  # fmt: skip
PACKAGES = "pip install 'numpy>=1.26' 'scipy>=1.13'"


class Installed:
    """The metadata of an installation."""

    requires = REQUIRES


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda name: Installed())


def test_the_command() -> None:
    assert pip_install("bench") == PACKAGES
    assert pip_install("bench", "snmp") == f"{PACKAGES} 'pysmi>=2.0'"


def test_the_system_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    assert pip_install("snmp") == "pip install 'pysmi>=2.0'"
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    said = pip_install("snmp")
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
