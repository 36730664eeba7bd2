# SPDX-License-Identifier: BSD-3-Clause
"""The generated agent behind a real snmpd: values and order, against an oracle. tests/reach has it
on DPDK."""

import bisect
import random
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.model import (
    FIRST,
    FLOW,
    HEALTH,
    MOVING,
    OBJECTS,
    PORT,
    QUEUE,
    ROOT,
    U32,
    Model,
    agrees,
    populate,
)
from tests.agentx.snmp import BULK, END, GAUGE32, GET, NEXT, NO_INSTANCE, NO_OBJECT, Bind, Oid
from tests.support.capabilities import needs_agentx

pytestmark = needs_agentx


@pytest.mark.one_in(2)
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
    if moving:  # how many there are is not fixed
        wanted |= {(*HEALTH, number, 0): (GAUGE32, None) for number in (1, 5)}
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


@pytest.mark.one_in(2)
def test_getnext_equals_the_oracle(application: lab.Application, master: lab.Master) -> None:
    follow_the_oracle(application, master, 10_000)


@pytest.mark.deep
def test_getnext_while_rows_come_and_go(program: Path, master: lab.Master) -> None:
    """What stays is found; what comes and goes is shown in its place, or not."""
    application = lab.Application(program, master.socket)
    master.wait(FIRST)
    assert application.do("churn") == "0"
    follow_the_oracle(application, master, 10_000, moving=True)
    assert int(application.do("calm").split()[0]) > 1000
    assert application.end() == 0


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
