# SPDX-License-Identifier: BSD-3-Clause
"""The agent when things go wrong: resets, restarts and hangs of the master, hostile managers."""

import random
import signal
import stat
import time
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.model import FIRST, FLOW, PEER, PORT, QUEUE, ROOT, SCALARS, U32, agrees, populate
from tests.agentx.snmp import (
    BULK,
    COUNTER32,
    COUNTER64,
    GAUGE32,
    GET,
    IPADDRESS,
    NEXT,
    OCTETS,
    SET,
    TICKS,
    Manager,
    Oid,
    integer,
    wrap,
)
from tests.support.capabilities import needs_agentx

pytestmark = needs_agentx

NOT_WRITABLE = 17


def test_a_reset_is_a_discontinuity(application: lab.Application, master: lab.Master) -> None:
    jumps = [(*PORT, 4, port) for port in range(1, 6)]
    time.sleep(0.1)
    before = master.manager.ask(GET, [lab.UPTIME])[1][0].value
    assert application.do("reset port 2") == "0"
    _, binds = master.manager.ask(GET, [lab.UPTIME, *jumps, (*PORT, 2, 3)])
    now, *times, frames = [bind.value for bind in binds]
    assert isinstance(before, int) and isinstance(now, int)
    began = times[:1] * 4  # when the application began to count, for all but the port
    assert times[:2] + times[3:] == began and began[0] < times[2]  # type: ignore[operator]
    assert before - 4 <= times[2] <= now + 4  # type: ignore[operator]
    assert frames == 0
    time.sleep(0.2)
    assert master.manager.ask(GET, jumps)[1][2].value == times[2]


@pytest.mark.parametrize("loop", ["thread", "poll"])
def test_a_restarted_master_gets_the_values_back(
    program: Path, master: lab.Master, loop: str
) -> None:
    """Memory that the library loses when a master ends while it registers is not ours."""
    application = lab.Application(program, master.socket, loop, forgive="libnetsnmp.so")
    master.wait(FIRST)
    application.do("work")
    application.do("reset port 1")
    for _ in range(2):
        master.stop()
        time.sleep(0.3)
        master.start()
        print(f"back after {master.wait(FIRST, 15):.2f} s")
    assert master.manager.ask(GET, [(*PORT, 4, 2)])[1][0].value == 0  # before the new master
    assert int(application.do("rest").split()[0]) > 0
    assert application.end() == 0


def test_a_master_that_hangs(program: Path, tmp_path: Path) -> None:
    """The application counts, and the values are there when the master goes on."""
    master = lab.Master(tmp_path)
    assert master.process is not None
    application = lab.Application(program, master.socket)
    try:
        master.wait(FIRST)
        master.process.send_signal(signal.SIGSTOP)
        assert application.do("work") == "0"
        time.sleep(2.5)  # the agent pings every second
        worked, rc = application.do("rest").split()
        assert rc == "0" and int(worked) > 100_000
        master.process.send_signal(signal.SIGCONT)
        print(f"back after {master.wait(FIRST, 20):.2f} s")
        busy: Oid = (*QUEUE, 2, 2, 2)
        assert master.manager.ask(GET, [busy])[1][0].value == int(worked) + 101
        master.process.send_signal(signal.SIGSTOP)
        time.sleep(1.5)
        began = time.monotonic()
        assert application.end() == 0
        print(f"ended after {time.monotonic() - began:.2f} s")
    finally:
        master.process.send_signal(signal.SIGCONT)
        master.stop()


@pytest.mark.deep
def test_the_log_has_a_line_for_each_change(program: Path, tmp_path: Path) -> None:
    """A missing master is said once, not every second; so is that it came, went, came back.

    Memory that the library loses when a master ends while it registers is not ours.
    """
    master = lab.Master(tmp_path)
    master.stop()
    with (tmp_path / "log").open("w") as log:
        application = lab.Application(program, master.socket, log=log, forgive="libnetsnmp.so")
        for _ in range(2):
            time.sleep(3.5)
            master.start()
            master.wait(FIRST, 15)
            master.stop()
        time.sleep(2.5)
        assert application.end() == 0
    lines = (tmp_path / "log").read_text().splitlines()
    # The library says when it had to wait for its own lock, on a busy machine.
    lines = [line for line in lines if "_callback_lock" not in line]
    print("\n".join(lines))
    assert [n for n, line in enumerate(lines) if "no AgentX master at" in line] == [0]
    assert len(lines) == 5, lines


def test_the_application_does_not_need_a_master(program: Path, master: lab.Master) -> None:
    application = lab.Application(program, f"unix:{master.folder}/nobody.sock", "thread")
    assert application.do("create flow 3") == "0"
    assert application.do("busy") == str(-16)  # one agent in a process
    assert application.end() == 0


def test_nothing_can_be_written(application: lab.Application, master: lab.Master) -> None:
    """Every object, with values of every type, those it has and new rows included."""
    wanted = populate(application).shown()
    values = [
        integer(0), integer(1), integer(-5), integer(7, COUNTER32), integer(7, GAUGE32),
        integer(7, TICKS), integer(7, COUNTER64), wrap(OCTETS, b"new"), wrap(OCTETS, b""),
        wrap(IPADDRESS, bytes(4)), wrap(0x44, b"\x9f\x78\x04\x00\x00\x00\x00"),
    ]  # fmt: skip
    writer = Manager(master.port, 5, b"secret")
    new: list[Oid] = [(*FLOW, 2, 4000), (*PEER, 2, 1, 2, 3), (*PORT, 9, 1), (*SCALARS, 99, 0)]
    for oid in [*sorted(wanted)[::3], *new]:
        status, _ = writer.ask(SET, [oid], value=values[hash(oid) % len(values)])
        assert status == NOT_WRITABLE, oid
    for value in values:
        assert writer.ask(SET, [FIRST, (*PORT, 2, 1)], value=value)[0] == NOT_WRITABLE
        assert master.manager.ask(SET, [FIRST], value=value)[0] != 0
    writer.close()
    got = {bind.name: (bind.tag, bind.value) for bind in master.manager.walk(ROOT)}
    assert sorted(got) == sorted(wanted)
    assert not [name for name in wanted if not agrees(got[name], wanted[name])]


def test_sockets_are_the_owners_alone(application: lab.Application, master: lab.Master) -> None:
    mode = Path(master.socket.removeprefix("unix:")).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def test_hostile_requests(application: lab.Application, master: lab.Master) -> None:
    """Whatever a manager sends, the application counts, and answers the next one."""
    chance = random.Random(6)
    application.do("work")
    hostile = Manager(master.port)
    good = hostile.message(BULK, [FIRST, PORT, QUEUE], 0, 50)
    for _ in range(300):
        data = bytearray(good)
        for _ in range(chance.randrange(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        hostile.send(bytes(data[: chance.randrange(len(data)) + 1]))
    for kind in range(0xA0, 0xA9):
        hostile.send(hostile.message(kind, [FIRST], 2**31 - 1, 2**31 - 1))
    hostile.send(hostile.message(BULK, [ROOT], -1, -1))
    hostile.send(hostile.message(BULK, [ROOT] * 500, 0, 2**31 - 1))
    hostile.send(hostile.message(GET, [(*QUEUE, *[U32] * 118)] * 50))
    hostile.send(hostile.message(NEXT, [(*ROOT, *[U32] * 300)]))
    hostile.send(hostile.message(SET, [FIRST], value=wrap(OCTETS, bytes(40_000))))
    hostile.send(b"\x30\x84\xff\xff\xff\xff" + bytes(60_000))
    for _ in range(300):
        hostile.send(chance.randbytes(chance.randrange(1, 400)))
        hostile.send(b"\x30\x82" + chance.randbytes(chance.randrange(400)))
    writer = Manager(master.port, community=b"secret")
    for value in (integer(-(2**63)), wrap(COUNTER64, bytes(40)), wrap(0x7F, bytes(9)), b"\x02"):
        writer.send(writer.message(SET, [FIRST, (*QUEUE, 2, 2, 2)] * 40, value=value))
    writer.close()
    hostile.close()
    master.wait(FIRST, 60)  # the system drops what comes faster than snmpd reads it
    patient = Manager(master.port, timeout=20)
    assert patient.ask(GET, [FIRST])[1][0].value == 0xFEDCBA9876543210
    worked, rc = application.do("rest").split()
    busy: Oid = (*QUEUE, 2, 2, 2)
    assert rc == "0" and int(worked) > 0
    assert patient.ask(GET, [busy])[1][0].value == int(worked) + 101
    patient.close()


def test_a_manager_that_asks_for_very_much(
    application: lab.Application, master: lab.Master
) -> None:
    """The answer holds what fits, right and in order; the totals stay right."""
    wanted = populate(application).shown()
    application.do("work")
    names = sorted(wanted)
    manager = Manager(master.port, timeout=20)
    status, binds = manager.ask(BULK, [ROOT], 0, 2**31 - 1)
    assert status == 0 and len(binds) >= 100
    ours = [bind.name for bind in binds if bind.name[: len(ROOT)] == ROOT]
    assert ours == names[: len(ours)]
    still: list[Oid] = [name for name in names if name[: len(QUEUE)] != QUEUE] * 4
    status, binds = manager.ask(GET, still)
    if status == 0:
        assert not [b for b in binds if not agrees((b.tag, b.value), wanted[b.name])]
    worked, _ = application.do("rest").split()
    busy: Oid = (*QUEUE, 2, 2, 2)
    assert manager.ask(GET, [busy])[1][0].value == int(worked) + 101
    manager.close()
