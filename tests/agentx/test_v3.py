# SPDX-License-Identifier: BSD-3-Clause
"""SNMPv3 in docs/operations.md: its files in an snmpd of our own, its commands, their output."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.docs.test_docs import blocks
from tests.support import smi_tools
from tests.support.capabilities import needs, needs_agentx
from tests.support.paths import SCHEMAS
from tests.support.process import run

pytestmark = [needs("snmpwalk", "snmpget"), needs_agentx]

PAGE = blocks("operations.md")
COMMANDS = [b.word for b in PAGE if b.language == "sh" and b.word not in ("", "no-run")]
OID = (1, 3, 6, 1, 4, 1, 32473, 1)


def shown(language: str, word: str) -> str:
    """The text of one block of the page."""
    (text,) = (b.text for b in PAGE if (b.language, b.word) == (language, word))
    return text


class Secure(lab.Master):
    """An snmpd with the configuration of the page; only folders, port and owner are others."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.stop()
        kept = folder / "kept" / "snmpd.conf"
        kept.write_text(shown("text", "/var/lib/snmp/snmpd.conf"), "utf-8")
        text = shown("text", "/etc/snmp/snmpd.conf")
        text = text.replace("unix:/run/ep/agentx.sock", self.socket).replace(" root ep\n", "\n")
        text += f"agentAddress udp:127.0.0.1:{self.port}\n"
        (folder / "snmpd.conf").write_text(text, "utf-8")
        home = folder / ".snmp"
        home.mkdir()
        (home / "snmp.conf").write_text(shown("text", "~/.snmp/snmp.conf"), "utf-8")
        assert lab.SNMPD is not None
        command = [lab.SNMPD, "-f", "-Lf", str(folder / "snmpd.log")]
        environment = {
            **os.environ, "MIBS": "", "SNMPCONFPATH": f"{folder}:{folder}/kept",
            "SNMP_PERSISTENT_DIR": str(folder / "kept"),
        }  # fmt: skip
        self.process = subprocess.Popen(command, env=environment)

    def tell(self, command: str) -> str:
        """What a command of the page prints, standard error included."""
        environment = {
            "HOME": str(self.folder), "MIBDIRS": f"{smi_tools.BASE}:{self.folder}/out", "MIBS": "",
            "SNMP_PERSISTENT_DIR": str(self.folder / "manager"), "LC_ALL": "C",
        }  # fmt: skip
        command = command.replace("localhost", f"127.0.0.1:{self.port}")
        return run("sh", "-ec", command, env=environment, merged=True).stdout


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Secure]:
    smi_tools.needs("snmpwalk", modules=("HCNUM-TC",))
    folder = tmp_path_factory.mktemp("v3")
    for path in SCHEMAS.glob("ep.*"):
        shutil.copy(path, folder)
    lab.generate(folder / "ep.yaml", folder)
    program = lab.build(folder, [lab.HERE / "v3_main.c"])
    (folder / "manager").mkdir()
    found = Secure(folder)
    try:
        application = lab.Application(program, found.socket)
        for _ in range(100):  # until snmpd is up, and the agent has connected
            if expected("walk") in found.tell(shown("sh", "walk")):
                break
            time.sleep(0.1)
        yield found
        assert application.end() == 0
    finally:
        found.stop()


def expected(word: str) -> str:
    return shown("text", word).strip()


@pytest.mark.parametrize("word", COMMANDS)
def test_a_command_prints_what_the_page_says(master: Secure, word: str) -> None:
    assert expected(word) in master.tell(shown("sh", word))


def test_the_walk_shows_the_module_alone(master: Secure) -> None:
    printed = master.tell(shown("sh", "walk").replace("EP-STATS-MIB::epStatsMIB", ".1.3"))
    lines = [line for line in printed.splitlines() if " = " in line]
    assert expected("walk") in lines
    ours = [line for line in lines if line.startswith("EP-STATS-MIB::")]
    rest = [line for line in lines if line not in ours]
    assert len(ours) > 4 and all("sysUpTime" in line or ".1.1.3.0" in line for line in rest), rest


def test_the_passphrases_leave_the_disk(master: Secure) -> None:
    """snmpd writes its file when it is told to: keys of this host stand for the passphrases."""
    assert master.process is not None
    master.process.send_signal(15)
    master.process.wait(20)
    text = (master.folder / "kept" / "snmpd.conf").read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert any(line.startswith("usmUser ") for line in lines)
    assert not any("lcores" in line or line.startswith("createUser") for line in lines)
