# SPDX-License-Identifier: BSD-3-Clause
"""The generated agent behind a real snmpd: values, order, changes, restarts, hostile managers."""

from __future__ import annotations

import bisect
import random
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.snmp import (
    BULK,
    COUNTER32,
    COUNTER64,
    END,
    GAUGE32,
    GET,
    INTEGER,
    IPADDRESS,
    NEXT,
    NO_INSTANCE,
    NO_OBJECT,
    OCTETS,
    SET,
    TICKS,
    Manager,
    Oid,
    integer,
    wrap,
)  # fmt: skip
from tests.cbuild import have_dpdk

pytestmark = pytest.mark.skipif(not lab.usable(), reason="needs snmpd and libsnmp-dev")

ROOT: Oid = (1, 3, 6, 1, 4, 1, 32473, 7)
OBJECTS: Oid = (*ROOT, 1)
SCALARS, PORT, QUEUE, FLOW, PEER, FEW = ((*OBJECTS, 1), *((*OBJECTS, n, 1) for n in range(2, 7)))
FIRST: Oid = (*SCALARS, 1, 0)
U32 = 2**32 - 1


def peer_index(number: int) -> Oid:
    """What peer_index() of main.c does."""
    if number % 3:
        return (number * 2654435761 & U32,)
    return (3000000000 + number % 4, number, U32 - number)


@dataclass
class Model:
    """What the application must show: every object's tag and value (None: any)."""

    flows: dict[int, int] = field(default_factory=dict)
    peers: dict[int, int] = field(default_factory=dict)
    few: set[int] = field(default_factory=set)

    def row(
        self, shown: dict[Oid, tuple[int, object]], row: Oid, index: Oid, *cells: object
    ) -> None:
        for column, cell in enumerate(cells, 2):
            if cell is not None:
                shown[(*row, column, *index)] = cell  # type: ignore[assignment]

    def shown(self) -> dict[Oid, tuple[int, object]]:
        """All objects of the module."""
        found: dict[Oid, tuple[int, object]] = {}
        wide = 0xFEDCBA9876543210
        narrow = 5_000_000_000 & U32
        remote = bytes.fromhex("20010db8") + bytes(11) + b"\xff"
        scalars: list[tuple[int, object]] = [
            (COUNTER64, wide), (COUNTER32, wide & U32), (COUNTER32, narrow), (GAUGE32, U32),
            (COUNTER64, 1 << 40), (INTEGER, 1), (INTEGER, -5), (INTEGER, 2), (TICKS, 12345),
            (IPADDRESS, bytes((192, 0, 2, 200))), (INTEGER, 2), (OCTETS, remote),
            (OCTETS, bytes((2, 0, 0, 0, 128, 1))), (OCTETS, b'A "title"'), (TICKS, None),
        ]  # fmt: skip
        for number, scalar in enumerate(scalars, 1):
            found[(*SCALARS, number, 0)] = scalar
        jump = (TICKS, None)
        for port in range(5):
            n = port * 10
            self.row(found, PORT, (port + 1,), (COUNTER64, n), (COUNTER32, n), jump)
            for queue in range(7):
                n, index = port * 100 + queue, (port + 1, queue + 1)
                drops = (COUNTER32, U32 - port)
                self.row(found, QUEUE, index, (COUNTER64, n), (COUNTER32, n), drops, jump)
        for flow, n in self.flows.items():
            hits = ((COUNTER64, n), (COUNTER32, n & U32))
            self.row(found, FLOW, (flow + 1,), *hits, (COUNTER64, 0), (COUNTER32, 0), jump)
        for peer, n in self.peers.items():
            cells = ((COUNTER64, n), (COUNTER32, n & U32), (COUNTER32, 0), jump)
            self.row(found, PEER, peer_index(peer), *cells)
        for one in sorted(self.few)[:10]:
            self.row(found, FEW, (one + 1,), (COUNTER64, 0), (COUNTER32, 0), jump)
        return found


def agrees(got: tuple[int, object], wanted: tuple[int, object]) -> bool:
    return got[0] == wanted[0] and wanted[1] in (None, got[1])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("agentx")
    lab.generate(lab.HERE / "agx.yaml", found)
    return found


@pytest.fixture(scope="module")
def program(folder: Path) -> Path:
    return lab.build(folder, [lab.HERE / "main.c"], flags=("-fsanitize=address,undefined",))


@pytest.fixture(scope="module")
def master(folder: Path) -> Iterator[lab.Master]:
    found = lab.Master(folder)
    yield found
    found.stop()


@pytest.fixture(params=["thread", "poll"])
def application(
    request: pytest.FixtureRequest, program: Path, master: lab.Master
) -> Iterator[lab.Application]:
    """The application, the agent in a thread of its own or in its loop."""
    found = lab.Application(program, master.socket, request.param)
    master.wait(FIRST)
    yield found
    assert found.end() == 0


def populate(application: lab.Application) -> Model:
    model = Model()
    for flow in (0, 1, 63, 64, 2048, 4999):
        model.flows[flow] = flow << 30
    for peer in (0, 1, 2, 3, 7, 8, 150, 297, 298, 299):
        model.peers[peer] = peer
    model.few = set(range(5, 200, 7))
    for flow, n in model.flows.items():
        assert application.do(f"create flow {flow}") == "0"
        application.do(f"add flow {flow} {n}")
    for peer, n in model.peers.items():
        assert application.do(f"create peer {peer}") == "0"
        application.do(f"add peer {peer} {n}")
    for one in model.few:
        application.do(f"create few {one}")
    application.do("changed")
    return model


def test_a_walk_shows_what_the_application_reads(
    application: lab.Application, master: lab.Master
) -> None:
    wanted = populate(application).shown()
    got = {bind.name: (bind.tag, bind.value) for bind in master.manager.walk(ROOT)}
    assert sorted(got) == sorted(wanted)
    assert not [name for name in wanted if not agrees(got[name], wanted[name])]
    few = list(wanted)[::7]
    for at in range(0, len(few), 40):
        _, binds = master.manager.ask(GET, few[at : at + 40])
        assert [b.name for b in binds if not agrees((b.tag, b.value), wanted[b.name])] == []


def near(chance: random.Random, names: list[Oid]) -> Oid:
    """A name that is, or is almost, one of the module."""
    name = list(chance.choice(names))
    for _ in range(chance.randrange(3)):
        at = chance.randrange(len(OBJECTS), len(name) + 1)
        number = chance.choice(
            [0, 1, 2, 3, 2**31 - 1, 2**31, 2**31 + 1, U32, chance.randrange(2**32)]
        )
        kind = chance.randrange(5)
        if kind == 0:
            name = name[: max(at, len(OBJECTS))]
        elif kind == 1:
            name.insert(at, number)
        elif at < len(name):
            if kind == 2:
                name[at] = number
            else:
                name[at] = max(0, min(U32, name[at] + (1 if kind == 3 else -1)))
    return tuple(name)


def change(chance: random.Random, application: lab.Application, model: Model) -> None:
    """Create or destroy some instances."""
    for scope, there, most in (("flow", model.flows, 5000), ("peer", model.peers, 300)):
        for number in chance.sample(sorted(there), len(there) // 3):
            assert application.do(f"destroy {scope} {number}") == "0"
            del there[number]
        for number in chance.sample(range(most), 8):
            if number not in there:
                assert application.do(f"create {scope} {number}") == "0"
                n = chance.randrange(2**40)
                application.do(f"add {scope} {number} {n}")
                there[number] = n
    application.do("changed")


def test_getnext_equals_the_oracle(application: lab.Application, master: lab.Master) -> None:
    chance = random.Random(3)
    model = populate(application)
    asked = 0
    while asked < 10_000:
        change(chance, application, model)
        wanted = model.shown()
        names = sorted(wanted)
        for _ in range(6):
            requests = [near(chance, names) for _ in range(40)]
            status, binds = master.manager.ask(NEXT, requests)
            assert status == 0
            for name, bind in zip(requests, binds, strict=True):
                at = bisect.bisect_right(names, name)
                if at == len(names):
                    assert bind.name[: len(ROOT)] != ROOT or bind.tag == END, f"{name}: {bind}"
                else:
                    assert bind.name == names[at], f"after {name}"
                    assert agrees((bind.tag, bind.value), wanted[bind.name]), bind
            asked += len(requests)


def test_get_equals_the_oracle(application: lab.Application, master: lab.Master) -> None:
    chance = random.Random(4)
    wanted = populate(application).shown()
    names = sorted(wanted)
    for _ in range(50):
        requests = [near(chance, names) for _ in range(40)]
        for name, bind in zip(requests, master.manager.ask(GET, requests)[1], strict=True):
            if name in wanted:
                assert agrees((bind.tag, bind.value), wanted[name]), bind
            else:
                assert bind.tag in (NO_OBJECT, NO_INSTANCE), bind


def test_rows_come_and_go_during_walks(application: lab.Application, master: lab.Master) -> None:
    """A walk ends, in order, with every row that was there all the time."""
    chance = random.Random(5)
    model = populate(application)
    stay = set(model.flows)
    column: Oid = (*FLOW, 2)
    for _ in range(5):
        at, seen = column, []
        while True:
            _, binds = master.manager.ask(BULK, [at], 0, 3)
            below = [b.name for b in binds if b.name[: len(column)] == column]
            assert below == sorted(set(below))
            assert not below or below[0] > at
            seen += [name[-1] - 1 for name in below]
            if len(below) < len(binds):
                break
            at = below[-1]
            for number in chance.sample(range(5000), 3):
                if number not in stay:
                    application.do(f"{chance.choice(['create', 'destroy'])} flow {number}")
        assert stay <= set(seen)


def test_one_request_sees_one_moment(application: lab.Application, master: lab.Master) -> None:
    busy: Oid = (*QUEUE, 2, 2, 2)
    application.do("work")
    values = []
    for _ in range(200):
        _, binds = master.manager.ask(GET, [busy, FIRST, busy, (*PORT, 2, 1), busy])
        values.append([bind.value for bind in binds if bind.name == busy])
    worked, rc = application.do("rest").split()
    assert rc == "0"
    assert all(len(set(row)) == 1 for row in values)
    moments = [row[0] for row in values]
    assert moments == sorted(moments) and len(set(moments)) > 2
    _, binds = master.manager.ask(GET, [busy])
    assert binds[0].value == int(worked) + 101


def test_a_reset_is_a_discontinuity(application: lab.Application, master: lab.Master) -> None:
    jumps = [(*PORT, 4, port) for port in range(1, 6)]
    time.sleep(0.1)
    before = master.manager.ask(GET, [lab.UPTIME])[1][0].value
    assert application.do("reset port 2") == "0"
    _, binds = master.manager.ask(GET, [lab.UPTIME, *jumps, (*PORT, 2, 3)])
    now, *times, frames = [bind.value for bind in binds]
    assert isinstance(before, int) and isinstance(now, int)
    assert times[:2] + times[3:] == [0, 0, 0, 0]
    assert before - 4 <= times[2] <= now + 4  # type: ignore[operator]
    assert frames == 0
    time.sleep(0.2)
    assert master.manager.ask(GET, jumps)[1][2].value == times[2]


def test_a_restarted_master_gets_the_values_back(
    application: lab.Application, master: lab.Master
) -> None:
    application.do("work")
    application.do("reset port 1")
    for _ in range(2):
        master.stop()
        time.sleep(0.3)
        began = time.monotonic()
        master.start()
        master.wait(FIRST)
        assert time.monotonic() - began < 2
    assert master.manager.ask(GET, [(*PORT, 4, 2)])[1][0].value == 0  # before the new master
    assert int(application.do("rest").split()[0]) > 0


def test_the_application_does_not_need_a_master(program: Path, master: lab.Master) -> None:
    application = lab.Application(program, f"unix:{master.folder}/nobody.sock", "thread")
    assert application.do("create flow 3") == "0"
    assert application.do("busy") == str(-16)  # one agent in a process
    assert application.end() == 0


def test_nothing_can_be_written(application: lab.Application, master: lab.Master) -> None:
    manager = master.manager
    message = manager.message(SET, [FIRST, (*PORT, 2, 1)], value=integer(0))
    manager.send(message.replace(b"public", b"secret"))
    time.sleep(0.3)
    manager.number += 1
    _, binds = manager.ask(GET, [FIRST])
    assert binds[0].value == 0xFEDCBA9876543210


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
    hostile.close()
    patient = Manager(master.port, timeout=20)
    assert patient.ask(GET, [FIRST])[1][0].value == 0xFEDCBA9876543210
    patient.close()
    assert int(application.do("rest").split()[0]) > 0


@pytest.mark.skipif(not have_dpdk(), reason="needs DPDK")
def test_on_dpdk(folder: Path, master: lab.Master) -> None:
    program = lab.build(folder, [lab.HERE / "main.c"], port="dpdk")
    application = lab.Application(program, master.socket, "thread")
    master.wait(FIRST)
    wanted = populate(application).shown()
    got = {bind.name: (bind.tag, bind.value) for bind in master.manager.walk(ROOT)}
    assert sorted(got) == sorted(wanted)
    assert not [name for name in wanted if not agrees(got[name], wanted[name])]
    assert application.end() == 0
