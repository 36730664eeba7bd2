# SPDX-License-Identifier: BSD-3-Clause
"""Notifications as a real snmptrapd gets them, through a real snmpd."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.notifications.test_watch import HERE
from tests.support.capabilities import SNMPTRAPD, needs_agentx
from tests.support.cbuild import SANITIZED
from tests.support.process import until

pytestmark = [
    needs_agentx,
    pytest.mark.skipif(SNMPTRAPD is None, reason="no snmptrapd: ./dev setup"),
]

ROOT = ".1.3.6.1.4.1.32473.14"
DROPS, CLEARED, LOAD, LINK, UP = (f"{ROOT}.0.{n}" for n in (1, 2, 4, 8, 9))
"""OIDs of notifications: drops_high, its end, load_high, link_down, its end."""
TRAP = ".1.3.6.1.6.3.1.1.4.1.0"


class Receiver:
    """An snmptrapd on a free loopback port."""

    def __init__(self, folder: Path) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = folder / "traps"
        configuration = folder / "snmptrapd.conf"
        configuration.write_text("disableAuthorization yes\n")
        command = [str(SNMPTRAPD), "-f", "-n", "-C", "-c", str(configuration), "-OnQe"]
        command += ["-Lf", str(self.log), "-F", "%V;%v\\n", f"udp:127.0.0.1:{self.port}"]
        environment = {**os.environ, "MIBS": "", "SNMP_PERSISTENT_DIR": str(folder / "received")}
        self.process = subprocess.Popen(command, env=environment)
        self.heard = 0
        until(lambda: "NET-SNMP version" in self._written(), "snmptrapd", 20)

    def _written(self) -> str:
        return self.log.read_text("utf-8") if self.log.exists() else ""

    def traps(self, *, at_least: int = 0) -> list[dict[str, str]]:
        """What has come since the last call, of our module: values by OID. Waits for as many."""
        end = time.monotonic() + 20
        while True:
            lines = self._written().splitlines()
            binds = [line.split(";") for line in lines if f"{TRAP} = {ROOT}." in line]
            found = [dict(b.split(" = ", 1) for b in line if " = " in b) for line in binds]
            if len(found) - self.heard >= at_least or time.monotonic() > end:
                new, self.heard = found[self.heard :], len(found)
                return new
            time.sleep(0.05)

    def ids(self, *, at_least: int = 0) -> list[str]:
        """What of our module has come since the last call, by OIDs."""
        return [trap[TRAP] for trap in self.traps(at_least=at_least)]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("traps")
    lab.generate(HERE / "gw.yaml", found)
    return found


@pytest.fixture(scope="module")
def program(folder: Path) -> Path:
    return lab.build(folder, [HERE / "trap_main.c"], flags=SANITIZED)


@pytest.fixture(scope="module")
def receiver(folder: Path) -> Iterator[Receiver]:
    found = Receiver(folder)
    yield found
    found.stop()


@pytest.fixture(scope="module")
def master(folder: Path, receiver: Receiver) -> Iterator[lab.Master]:
    found = lab.Master(folder, more=f"trap2sink 127.0.0.1:{receiver.port} public\n")
    yield found
    found.stop()


@pytest.fixture
def application(program: Path, master: lab.Master) -> Iterator[lab.Application]:
    found = lab.Application(program, master.socket, forgive="libnetsnmp")
    master.wait((1, 3, 6, 1, 4, 1, 32473, 14, 1, 1, 1, 0))
    yield found
    assert found.end() == 0


def after(application: lab.Application, *commands: str) -> None:
    """Give commands, and wait until everything was evaluated behind them."""
    for command in (*commands, "judge"):
        assert application.do(command) == "0", command


def test_a_threshold(application: lab.Application, receiver: Receiver) -> None:
    """One at the threshold, none in the hysteresis, the next one only after it has cleared."""
    after(application)
    receiver.traps()
    after(application, "load 95")
    (trap,) = receiver.traps(at_least=1)
    assert trap[TRAP] == LOAD
    assert trap[f"{ROOT}.1.1.1.0"] == "95"
    for load in (71, 91, 69):
        after(application, f"load {load}")
    assert receiver.traps() == []
    after(application, "load 91")
    assert receiver.ids(at_least=1) == [LOAD]


@pytest.mark.deep
def test_a_rate_in_a_row(application: lab.Application, receiver: Receiver) -> None:
    """Under the index that the application gives, with what it carries; a reset is no rate."""
    after(application, "create 3", "add 3 100000")
    receiver.traps()
    after(application, "add 3 5000000")
    raised, cleared = receiver.traps(at_least=2)
    assert (raised[TRAP], cleared[TRAP]) == (DROPS, CLEARED)
    for trap in (raised, cleared):
        assert trap[f"{ROOT}.1.2.1.3.7.1000003"] == "5100000"
        assert trap[f"{ROOT}.1.2.1.2.7.1000003"] == "2"
    after(application, "reset 3")
    after(application)
    assert receiver.traps() == []


@pytest.mark.deep
def test_a_state(application: lab.Application, receiver: Receiver) -> None:
    after(application)
    receiver.traps()
    after(application, "link 1 2")
    (down,) = receiver.traps(at_least=1)
    assert down[TRAP] == LINK
    names = [oid for oid in down if oid.startswith(ROOT)]
    row = f"{ROOT}.1.4.1"
    assert names == [f"{row}.2.2", f"{row}.5.2", f"{row}.6.2"]
    assert (down[names[0]], down[names[1]]) == ("2", "2")
    assert down[names[2]].replace('"', "").split()[:4] == ["20", "01", "0D", "B8"]
    after(application, "link 1 3")
    assert receiver.traps() == [], "one of its labels for another"
    after(application, "link 1 1")
    assert receiver.ids(at_least=1) == [UP]


@pytest.mark.deep
def test_a_master_that_was_away(
    application: lab.Application, receiver: Receiver, master: lab.Master
) -> None:
    """What was raised meanwhile, and still is, is told when it is back; the rest is counted."""
    after(application, "link 1 1")
    receiver.traps()
    before = application.do("totals").split()
    master.stop()
    after(application, "link 1 2", "load 99")
    after(application, "link 1 1")
    master.start()
    assert receiver.ids(at_least=1) == [LOAD]
    now = application.do("totals").split()
    assert [int(b) - int(a) for a, b in zip(before, now, strict=True)] == [1, 0, 1, 0]
    after(application, "link 1 2")
    assert receiver.ids(at_least=1) == [LINK]


def test_a_master_that_hangs(program: Path, receiver: Receiver, master: lab.Master) -> None:
    """What is raised meanwhile is told when it goes on; threads of the application do not wait."""
    application = lab.Application(program, master.socket, forgive="libnetsnmp")
    try:
        master.wait((1, 3, 6, 1, 4, 1, 32473, 14, 1, 1, 1, 0))
        after(application, "link 1 1")
        receiver.traps()
        assert master.process is not None
        master.process.send_signal(signal.SIGSTOP)
        try:
            assert application.do("load 95") == "0"
            time.sleep(3)
        finally:
            master.process.send_signal(signal.SIGCONT)
        assert LOAD in receiver.ids(at_least=1)
    finally:
        assert application.end() == 0
