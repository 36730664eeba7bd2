# SPDX-License-Identifier: BSD-3-Clause
"""Tables that augment tables of the module: their rows are called as those, and appear and vanish
with them; so are what notifications about them carry."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.snmp import GET, NO_OBJECT, Oid
from tests.agentx.test_keys import tool
from tests.notifications.test_traps import Receiver, after
from tests.support.capabilities import SNMPTRAPD, needs, needs_agentx
from tests.support.cbuild import QUICK, SANITIZED
from tests.support.planted import PROJECT, Edit, Tree, planted

pytestmark = [
    needs("snmpwalk"),
    needs_agentx,
    pytest.mark.skipif(SNMPTRAPD is None, reason="no snmptrapd: ./dev setup"),
]

ROOT: Oid = (1, 3, 6, 1, 4, 1, 32473, 14)
TABLES = ["peer", "health", "band", "note", "port", "optics", "queue", "shaper"]
QUEUE: Oid = (*ROOT, 1, 2 + TABLES.index("queue"), 1, 2, 1, 1)


@contextmanager
def serving(
    folder: Path, tree: Tree = PROJECT, flags: tuple[str, ...] = QUICK
) -> Iterator[tuple[lab.Master, lab.Application, Receiver]]:
    """The application, behind a master of its own."""
    receiver = Receiver(folder)
    sink = f"trap2sink 127.0.0.1:{receiver.port} public\n"
    try:
        with lab.serving(
            folder, "augment", QUEUE, tree=tree, flags=flags, more=sink, forgive="libnetsnmp"
        ) as (master, application):
            yield master, application, receiver
    finally:
        receiver.stop()


Served = tuple[lab.Master, lab.Application, Receiver]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("augment"), flags=SANITIZED) as all_of_it:
        yield all_of_it


def rows(master: lab.Master, name: str) -> dict[Oid, set[int]]:
    """The indexes of the rows of a table, and the columns that each has."""
    entry = (*ROOT, 1, 2 + TABLES.index(name), 1)
    found: dict[Oid, set[int]] = {}
    for bind in master.manager.walk(entry):
        if bind.tag < NO_OBJECT:
            column, *index = bind.name[len(entry) :]
            found.setdefault(tuple(index), set()).add(column)
    return found


def do(application: lab.Application, *commands: str) -> None:
    for command in commands:
        assert application.do(command) == "0", command


def peer(number: int) -> Oid:
    return (1, 4, 192, 0, 2, 1, 4000 - number)


def same(master: lab.Master, *indexes: Oid) -> None:
    """Peers have these rows, and so has all that augments them."""
    wanted = set(indexes)
    assert set(rows(master, "peer")) == wanted
    assert set(rows(master, "health")) == wanted
    assert set(rows(master, "band")) == {(*index, n) for index in wanted for n in (1, 2)}


@pytest.mark.deep
def test_rows_with_keys_come_and_go_together(served: Served) -> None:
    master, application, _ = served
    same(master)
    do(application, "peer 7", "peer 99")
    same(master)
    do(application, "key 7", "key 99", "note 99", "note 98")
    same(master, peer(7), peer(99))
    assert set(rows(master, "note")) == {peer(99)}, "where both exist"
    assert tool(master, "snmpwalk", "agaHealthProbes", module="AGA-STATS-MIB") == [
        f'agaHealthProbes.ipv4."192.0.2.1".{4000 - number} = Counter64: {number} probes'
        for number in (99, 7)
    ]
    do(application, "gone 99", "peer 98", "key 98")
    same(master, peer(7), peer(98))
    assert set(rows(master, "note")) == {peer(98)}
    do(application, "gone 7", "gone 98")
    same(master)


def test_numbered_rows_come_and_go_together(served: Served) -> None:
    master, application, _ = served
    assert rows(master, "port") == rows(master, "optics") == {}
    for command, wanted in (
        ("port 2", {(3,)}), ("port 0", {(1,), (3,)}), ("down 2", {(1,)}), ("down 0", set()),
    ):  # fmt: skip
        do(application, command)
        assert set(rows(master, "port")) == wanted
        assert set(rows(master, "optics")) == wanted


def test_rows_of_two_levels(served: Served) -> None:
    """A row of `shaper` is at the position of the queue: its index has a number for each level."""
    master, application, _ = served
    wanted = {(port, queue) for port in (1, 2, 3) for queue in (1, 2, 3, 4)}
    assert set(rows(master, "queue")) == wanted == set(rows(master, "shaper"))
    do(application, "rate 6 7")
    entry = (*ROOT, 1, 2 + TABLES.index("shaper"), 1)
    _, (bind,) = master.manager.ask(GET, [(*entry, 1, 2, 3)])
    assert bind.value == 7
    do(application, "rate 6 0")


def told(receiver: Receiver, *, at_least: int = 0) -> list[dict[str, str]]:
    """The objects of the module that notifications carry."""
    start = f".{'.'.join(map(str, ROOT))}."
    return [
        {name.removeprefix(start): v for name, v in trap.items() if name.startswith(start)}
        for trap in receiver.traps(at_least=at_least)
    ]


def dotted(*parts: int) -> str:
    return ".".join(map(str, parts))


def test_what_is_told_of_a_row(served: Served) -> None:
    """Under its index; of one whose row is not there yet once it is."""
    _, application, receiver = served
    after(application)
    told(receiver)
    row = {name: (1, 2 + TABLES.index(name), 1) for name in TABLES}
    commands = [f"{what} 101" for what in ("backlog 7", "depth 7", "heat 2", "rate 6")]
    after(application, *commands)
    assert told(receiver, at_least=1) == [{dotted(*row["shaper"], 1, 2, 3): "101"}]
    do(application, "port 2", "peer 7", "key 7")
    found = told(receiver, at_least=3)
    assert len(found) == 3
    for wanted in (
        {dotted(*row["health"], 1, *peer(7)): "101", dotted(*row["health"], 2, *peer(7)): "7"},
        {dotted(*row["band"], 2, *peer(7), 2): "101"},
        {dotted(*row["optics"], 1, 3): "101"},
    ):
        assert wanted in found
    do(application, "down 2", "gone 7")


BUGS = {
    "rows-augment-nothing": Edit(
        "runtime/src/parts/agentx/ctr_agentx_index.c", "if (of->base == of->scope ||", "if (true ||"
    )
}


@pytest.mark.deep
def test_a_planted_bug_shows_rows_that_augment_nothing(tmp_path: Path) -> None:
    with serving(tmp_path, planted(tmp_path, [*BUGS.values()])) as (master, _, _):
        assert len(rows(master, "optics")) == 3
