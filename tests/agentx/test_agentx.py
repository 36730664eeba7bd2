# SPDX-License-Identifier: BSD-3-Clause
"""The generated agent behind a real snmpd: values, order, changes, restarts, hostile managers."""

from __future__ import annotations

import bisect
import random
import signal
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
    Bind,
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
NOT_WRITABLE = 17


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


MOVING = {
    FLOW: {(number + 1,) for number in range(3000, 3032)},
    PEER: {peer_index(number) for number in range(200, 232)},
}
"""Indexes of the rows that come and go while main.c is told to `churn`."""


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
    for number in chance.sample(range(200), 20):
        assert (
            application.do(f"{'destroy' if number in model.few else 'create'} few {number}") == "0"
        )
        model.few ^= {number}
    application.do("changed")


def check_next(
    name: Oid, bind: Bind, wanted: dict[Oid, tuple[int, object]], names: list[Oid], moving: bool
) -> None:
    """Whether the answer is the first object behind `name`: one that stays, or a moving one."""
    at = bisect.bisect_right(names, name)
    if at < len(names) and bind.name == names[at]:
        assert agrees((bind.tag, bind.value), wanted[bind.name]), bind
    elif moving and bind.name[: len(ROOT)] == ROOT and bind.tag != END:
        assert name < bind.name and bind.name not in wanted, f"{bind} after {name}"
        assert at == len(names) or bind.name < names[at], f"{bind} after {name}"
        row, column, index = bind.name[:11], bind.name[11], bind.name[12:]
        assert index in MOVING[row] and column in (2, 3, 4, 5, 6), bind
    else:
        assert at == len(names), f"{bind} after {name}"
        assert bind.name[: len(ROOT)] != ROOT or bind.tag == END, f"{name}: {bind}"


def follow_the_oracle(
    application: lab.Application, master: lab.Master, requests: int, moving: bool = False
) -> None:
    """GETNEXT requests of random names; every now and then rows come and go, or all the time."""
    chance = random.Random(3)
    model = populate(application)
    wanted = model.shown()
    high = 0
    for number in range(requests):
        if not moving and number % 200 == 0:
            change(chance, application, model)
            wanted = model.shown()
        if number % 200 == 0:
            names = sorted(wanted)
        asked = [near(chance, names) for _ in range(chance.randrange(1, 5))]
        high += any(max(name) > 2**31 for name in asked)
        status, binds = master.manager.ask(NEXT, asked)
        assert status == 0
        for name, bind in zip(asked, binds, strict=True):
            check_next(name, bind, wanted, names, moving)
    assert high > requests // 10


def test_getnext_equals_the_oracle(application: lab.Application, master: lab.Master) -> None:
    follow_the_oracle(application, master, 10_000)


def test_getnext_while_rows_come_and_go(program: Path, master: lab.Master) -> None:
    """What stays is found; what comes and goes is shown in its place, or not."""
    application = lab.Application(program, master.socket)
    master.wait(FIRST)
    assert application.do("churn") == "0"
    follow_the_oracle(application, master, 10_000, moving=True)
    assert int(application.do("calm").split()[0]) > 1000
    assert application.end() == 0


@pytest.mark.parametrize("sync", ["per_core_seqcount", "shared_lock", "shared_buffered"])
def test_strategies(sync: str, tmp_path: Path) -> None:
    """Walks and requests under other strategies than the schema's."""
    lab.generate(lab.HERE / "agx.yaml", tmp_path, sync)
    program = lab.build(tmp_path, [lab.HERE / "main.c"], flags=("-fsanitize=address,undefined",))
    master = lab.Master(tmp_path)
    try:
        application = lab.Application(program, master.socket)
        master.wait(FIRST)
        follow_the_oracle(application, master, 10_000)
        assert application.end() == 0
    finally:
        master.stop()


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
        master.start()
        print(f"back after {master.wait(FIRST, 15):.2f} s")
    assert master.manager.ask(GET, [(*PORT, 4, 2)])[1][0].value == 0  # before the new master
    assert int(application.do("rest").split()[0]) > 0


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


def test_the_log_has_a_line_for_each_change(program: Path, tmp_path: Path) -> None:
    """A missing master is said once, not every second; so is that it came, went, came back."""
    master = lab.Master(tmp_path)
    master.stop()
    with (tmp_path / "log").open("w") as log:
        application = lab.Application(program, master.socket, log=log)
        for _ in range(2):
            time.sleep(3.5)
            master.start()
            master.wait(FIRST, 15)
            master.stop()
        time.sleep(2.5)
        assert application.end() == 0
    lines = (tmp_path / "log").read_text().splitlines()
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
    application = lab.Application(program, master.socket)
    master.wait(FIRST)
    follow_the_oracle(application, master, 2_000)
    assert application.end() == 0
