# SPDX-License-Identifier: BSD-3-Clause
"""What one request of a manager shows belongs together, as far as the strategy can say."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.snmp import BULK, GET, Bind, Manager, Oid
from tests.support.capabilities import needs_agentx
from tests.support.cbuild import QUICK
from tests.support.planted import PROJECT, Edit, Tree, planted
from tests.support.strategies import STRATEGIES, promise

pytestmark = needs_agentx

OBJECTS: Oid = (1, 3, 6, 1, 4, 1, 32473, 6, 1)
SCALARS, PORT, FLOW = (*OBJECTS, 1), (*OBJECTS, 2, 1), (*OBJECTS, 3, 1)
TOTALS: list[Oid] = [(*SCALARS, 1, 0), (*SCALARS, 2, 0)]
EXACT = [name for name in STRATEGIES if promise(name, "exact")]
WHOLE = [name for name in EXACT if promise(name, "consistency") == "update"]
"""Strategies whose updates are one to readers of a scope."""
TOGETHER = [name for name in WHOLE if promise(name, "instances") == "one"]
"""Strategies whose updates are one to readers of several scopes."""


def cells(row: Oid) -> list[Oid]:
    """Packets of four rows, then octets of them."""
    return [(*row, column, number) for column in (2, 3) for number in (1, 2, 3, 4)]


def numbers(binds: list[Bind]) -> list[int]:
    found = [bind.value for bind in binds if isinstance(bind.value, int)]
    assert len(found) == len(binds), binds
    return found


def in_order(pkts: list[int]) -> bool:
    """Whether four rows that are counted in turn are of one moment."""
    return sorted(pkts, reverse=True) == pkts and pkts[0] - pkts[3] <= 1


@contextmanager
def counting(
    folder: Path, sync: str, tree: Tree = PROJECT, flags: tuple[str, ...] = QUICK
) -> Iterator[tuple[lab.Application, lab.Master]]:
    """The application that counts, behind a master of its own."""
    lab.generate(lab.HERE / "view.yaml", folder, sync, tree)
    program = lab.build(folder, [lab.HERE / "view_main.c"], flags=flags, tree=tree)
    master = lab.Master(folder)
    try:
        application = lab.Application(program, master.socket)
        master.wait(TOTALS[0])
        yield application, master
        assert application.end() == 0
    finally:
        master.stop()


def broken(master: lab.Master, requests: int = 300) -> dict[str, int]:
    """How many of so many requests show what no moment had."""
    found = {"rows": 0, "ports": 0, "flows": 0, "bulk": 0}
    ask = master.manager.ask
    moments = []
    for _ in range(requests):
        # The master cuts this up, at least at the borders of tables.
        got = numbers(ask(GET, [TOTALS[0], *cells(PORT), TOTALS[1]])[1])
        pkts, ports, octets = got[0], got[1:9], got[9]
        moments.append(pkts)
        found["rows"] += any(64 * a != b for a, b in zip(ports[:4], ports[4:], strict=True))
        found["ports"] += (sum(ports[:4]), sum(ports[4:])) != (pkts, octets)
        flows = numbers(ask(GET, cells(FLOW))[1])
        found["rows"] += any(64 * a != b for a, b in zip(flows[:4], flows[4:], strict=True))
        found["flows"] += not in_order(flows[:4])
        binds = ask(BULK, [(*SCALARS, 1), (*PORT, 2)], 1, 8)[1]
        pkts, *ports = numbers(binds)
        wanted = [(*SCALARS, 1, 0), *cells(PORT)]
        assert [bind.name for bind in binds] == wanted
        found["bulk"] += sum(ports[:4]) != pkts or any(
            64 * a != b for a, b in zip(ports[:4], ports[4:], strict=True)
        )
    assert moments == sorted(moments) and len(set(moments)) > 10  # it counts meanwhile
    return found


def differing(master: lab.Master, rounds: int = 20) -> dict[str, int]:
    """`broken`, until totals and rows differed: on a busy machine that can take more requests."""
    found = broken(master)
    while rounds > 0 and not (found["ports"] and found["bulk"]):
        found = {part: count + found[part] for part, count in broken(master).items()}
        rounds -= 1
    return found


@pytest.mark.one_in(12)
@pytest.mark.parametrize("sync", EXACT)
def test_one_request_is_one_view(sync: str, tmp_path: Path) -> None:
    with counting(tmp_path, sync) as (application, master):
        found = broken(master)
        counted = int(application.do("rest"))
        got = numbers(master.manager.ask(GET, [*TOTALS, *cells(PORT), *cells(FLOW)])[1])
        assert got[:2] == [counted, 64 * counted]
        assert sum(got[2:6]) == sum(got[10:14]) == counted
    if sync in TOGETHER:
        assert not any(found.values()), found
    elif sync in WHOLE:
        assert found["rows"] == 0, found


@pytest.mark.deep
def test_without_a_view_the_parts_of_a_request_differ(tmp_path: Path) -> None:
    with counting(tmp_path, "shared_lock", flags=(*QUICK, "-DCTR_AGENTX_VIEW=0")) as (_, master):
        found = differing(master)
    assert found["ports"] > 0 and found["bulk"] > 0
    assert found["rows"] == found["flows"] == 0


@pytest.mark.deep
def test_views_of_other_requests_are_not_used(tmp_path: Path) -> None:
    """A planted bug: every part of a request is a request of its own."""
    edit = Edit(
        "runtime/src/parts/agentx/ctr_agentx_view.c",
        "if (burst[i].number != 0 &&",
        "if (burst[i].number == UINT64_MAX &&",
    )
    with counting(tmp_path, "shared_lock", planted(tmp_path, [edit])) as (_, master):
        found = differing(master)
    assert found["ports"] > 0 and found["bulk"] > 0


@pytest.mark.deep
def test_managers_at_the_same_time(tmp_path: Path) -> None:
    """Requests that overlap have a view each."""
    with counting(tmp_path, "shared_lock") as (_, master):
        managers = [Manager(master.port) for _ in range(3)]
        for _ in range(200):
            for manager in managers:
                manager.send(manager.message(BULK, [(*SCALARS, 1), (*PORT, 2)], 1, 8))
            for manager in managers:
                pkts, *ports = numbers(manager.answer()[1])
                assert sum(ports[:4]) == pkts
                assert ports[4:] == [64 * n for n in ports[:4]]
        for manager in managers:
            manager.close()
