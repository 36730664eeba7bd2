# SPDX-License-Identifier: BSD-3-Clause
"""What `ctrgen build` says of managers, where these would not know the names of a module."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from ctrgen.frontends.smi import places
from ctrgen.pipeline import managers
from tests.support import smi_tools
from tests.support.capabilities import needs
from tests.support.paths import EP
from tests.support.planted import PROJECT
from tests.support.process import succeed

TEXT = "IMPORTS MODULE-IDENTITY FROM SNMPv2-SMI TruthValue\n  FROM SNMPv2-TC Gauge FROM HCNUM-TC;"


@pytest.fixture
def debian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A Debian without modules, but with snmpwalk; its folder /usr/share/snmp/mibs."""
    mibs = tmp_path / "mibs"
    mibs.mkdir()
    for variable in ("MIBDIRS", "SMIPATH"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(managers, "_DEFAULT", (str(mibs),))
    monkeypatch.setattr(places, "_SYSTEM", (f"{tmp_path}/libsmi*",))
    monkeypatch.setattr(managers.shutil, "which", lambda name: f"/usr/bin/{name}")
    return mibs


def said() -> str:
    line = managers.hint(Path("out"), "EP-STATS-MIB", TEXT)
    assert line.count("\n") <= 1
    return line.rstrip()


def test_a_debian_as_it_comes(debian: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = (
        "names for managers: snmpwalk -M +out -m +EP-STATS-MIB ...; missing: HCNUM-TC and 2 more "
        "(apt install snmp-mibs-downloader)"
    )
    assert said() == wanted and len(wanted) < 150
    monkeypatch.setattr(managers.shutil, "which", lambda name: None)
    assert said() == wanted.replace("apt install", "apt install snmp")


def test_modules_that_others_have(debian: Path, tmp_path: Path) -> None:
    for folder, names in (("libsmi", ("SNMPv2-SMI", "SNMPv2-TC")), ("libsmi2", ("HCNUM-TC.mib",))):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / name).touch()
    line = said()
    folders = f"{tmp_path}/libsmi2:{tmp_path}/libsmi"
    assert line == f"names for managers: snmpwalk -M +out:{folders} -m +EP-STATS-MIB ..."


def test_nothing_where_nothing_is_missing(
    debian: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SNMPv2-SMI", "SNMPv2-TC.txt", "HCNUM-TC"):
        (debian / name).touch()
    assert said() == ""
    monkeypatch.setenv("MIBDIRS", f"+{tmp_path}")
    assert said() == ""
    monkeypatch.setenv("MIBDIRS", str(tmp_path))
    assert "snmpwalk -M +out" in said(), "MIBDIRS takes the place of the default"


@needs("snmptranslate", "snmpwalk")
def test_the_line_is_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """net-snmp itself knows the names with what a real build says; a second build says nothing."""
    smi_tools.needs("snmptranslate", modules=("SNMPv2-SMI", "HCNUM-TC"))
    (tmp_path / "ep.yaml").write_text(EP.read_text("utf-8"))
    environment = {"HOME": str(tmp_path), "SMIPATH": str(smi_tools.BASE)}
    words = ("build", tmp_path / "ep.yaml", "-o", tmp_path / "out")
    first = PROJECT.run(*words, env=environment).stdout
    (line,) = (line for line in first.splitlines() if line.startswith("names for managers: "))
    options = shlex.split(line.partition(": ")[2])[1:5]
    assert "missing" not in line and options[0] == "-M" and options[2] == "-m"
    found = succeed("snmptranslate", *options, "-On", "EP-STATS-MIB::epStatsMIB", env=environment)
    assert found.startswith(".1.3.6.1.4.1.32473")
    assert "names" not in PROJECT.run(*words, env=environment).stdout
