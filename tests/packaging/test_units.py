# SPDX-License-Identifier: BSD-3-Clause
"""The units of systemd: right, and restricted as docs/operations.md says; and the commands of that
page."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.live import lab
from tests.support.paths import ROOT

DEBIAN = ROOT / ".ci" / "debian"
UNITS = {"ctrgen-export": ("", 1.5), "ctr-openmetrics": ("", 1.5), "ctrgen-agent@": ("x", 1.0)}
"""By name the instance, and the greatest exposure."""
OF_BOTH = (
    "DynamicUser=yes", "ProtectSystem=strict", "ProtectHome=yes", "PrivateTmp=yes",
    "NoNewPrivileges=yes", "CapabilityBoundingSet=", "SystemCallFilter=@system-service",
)  # fmt: skip


def offline() -> bool:
    """Whether systemd-analyze is there and judges files (systemd 250)."""
    if shutil.which("systemd-analyze") is None:
        return False
    done = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True)
    return int(done.stdout.split()[1]) >= 250


needs_systemd = pytest.mark.skipif(not offline(), reason="no systemd-analyze 250")


def text_of(name: str) -> str:
    if name == "ctr-openmetrics":
        return (DEBIAN / f"{name}.service").read_text("utf-8")
    package = "ctrgen@" if name.endswith("@") else "ctrgen"  # as debhelper has it
    return (DEBIAN / f"{package}.{name.rstrip('@')}.service").read_text("utf-8")


def found(folder: Path, name: str, text: str) -> tuple[str, float]:
    """What systemd says of a unit, whose program is another one that exists; and its exposure."""
    text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE)
    (folder / f"{name}{UNITS[name][0]}.service").write_text(text, "utf-8")
    path = str(folder / f"{name}{UNITS[name][0]}.service")

    def said(*words: str) -> str:
        command = ["systemd-analyze", *words, path]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    verdict = said("verify", "--man=no")
    about = [line for line in verdict.splitlines() if name.rstrip("@") in line]
    exposure = re.search(
        r"Overall exposure level for \S+: ([0-9.]+)", said("security", "--offline=true")
    )
    assert exposure is not None
    return "\n".join(about), float(exposure[1])


@needs_systemd
@pytest.mark.parametrize("name", UNITS)
def test_a_unit(name: str, tmp_path: Path) -> None:
    verdict, exposure = found(tmp_path, name, text_of(name))
    assert verdict == ""
    assert exposure <= UNITS[name][1]


@needs_systemd
@pytest.mark.parametrize("name", UNITS)
@pytest.mark.parametrize("line", ["CapabilityBoundingSet=", "SystemCallFilter=@system-service"])
def test_a_unit_that_is_less_restricted(name: str, line: str, tmp_path: Path) -> None:
    """Planted."""
    text = text_of(name)
    assert text.count(f"\n{line}\n") == 1
    _, exposure = found(tmp_path, name, text.replace(f"\n{line}\n", "\n"))
    assert exposure > UNITS[name][1]
    verdict, _ = found(tmp_path, name, text.replace("ProtectSystem=", "ProtectsSystem="))
    assert re.search("Unknown key.* 'ProtectsSystem'", verdict)


@pytest.mark.parametrize("name", UNITS)
def test_what_units_must_have(name: str) -> None:
    lines = text_of(name).splitlines()
    assert [line for line in OF_BOTH if line not in lines] == []
    assert f"MemoryMax={'256M' if name == 'ctr-openmetrics' else '1G'}" in lines
    families = "AF_UNIX" if name.endswith("@") else "AF_UNIX AF_INET AF_INET6"
    assert f"RestrictAddressFamilies={families}" in lines


def test_the_groups_of_units_are_made() -> None:
    made = re.findall(r"^g (\S+) -$", (DEBIAN / "sysusers.d/ctrgen.conf").read_text(), re.MULTILINE)
    used = re.findall(
        r"^(?:Supplementary)?Groups?=(\S+)$", "".join(map(text_of, UNITS)), re.MULTILINE
    )
    assert sorted(set(used)) == sorted(made)


def commands() -> list[str]:
    """The commands of the page's table that need no other program of an operator."""
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    rows = page.partition("\n## Who may read\n")[2].splitlines()
    found = [match[1] for row in rows if (match := re.search(r"\| `([^`]+)` \|$", row))]
    return [command for command in found if not command.startswith(("snmpwalk", "stat"))]


def test_commands_of_the_page(tmp_path: Path) -> None:
    exporter = lab.Exporter(tmp_path)
    try:
        told = []
        for command in commands():
            words = command.replace("9464", str(exporter.port))
            words = words.replace("$(pgrep -of 'ctrgen export')", str(exporter.process.pid))
            done = subprocess.run(["sh", "-ec", words], capture_output=True, text=True, check=True)
            told.append(done.stdout)
    finally:
        exporter.end()
    sockets, status, line = told
    assert f"127.0.0.1:{exporter.port}" in sockets
    assert status == "421\n"
    assert " export " in line
