# SPDX-License-Identifier: BSD-3-Clause
"""What one request of a manager shows of a row belongs together, if the strategy says so."""

from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.snmp import BULK, GET, Bind, Manager, Oid
from tests.support.capabilities import needs_agentx
from tests.support.planted import Edit, planted
from tests.support.strategies import STRATEGIES, UNLIKE, promise

pytestmark = needs_agentx

OBJECTS: Oid = (1, 3, 6, 1, 4, 1, 32473, 6, 1)
SCALARS, PORT, FLOW = (*OBJECTS, 1), (*OBJECTS, 2, 1), (*OBJECTS, 3, 1)
TOTALS: list[Oid] = [(*SCALARS, 1, 0), (*SCALARS, 2, 0)]
EXACT = [name for name in STRATEGIES if promise(name, "exact")]
WHOLE = [name for name in EXACT if promise(name, "consistency") == "update"]
"""Strategies whose updates are one to readers of a scope."""


def cells(row: Oid) -> list[Oid]:
    """Packets of four rows, then octets of them."""
    return [(*row, column, number) for column in (2, 3) for number in (1, 2, 3, 4)]


def numbers(binds: list[Bind]) -> list[int]:
    found = [bind.value for bind in binds if isinstance(bind.value, int)]
    assert len(found) == len(binds), binds
    return found


def torn(ports: list[int]) -> bool:
    """Whether octets of four rows are not those of their packets."""
    return any(64 * a != b for a, b in zip(ports[:4], ports[4:], strict=True))


def broken(master: lab.Master, requests: int = 300) -> int:
    """How many of so many requests show columns of a row that do not belong together."""
    found, moments = 0, []
    ask = master.manager.ask
    for _ in range(requests):
        # The master cuts this up, at least at the borders of tables.
        got = numbers(ask(GET, [TOTALS[0], *cells(PORT), TOTALS[1]])[1])
        moments.append(got[0])
        found += torn(got[1:9])
        found += torn(numbers(ask(GET, cells(FLOW))[1]))
        binds = ask(BULK, [(*SCALARS, 1), (*PORT, 2)], 1, 8)[1]
        assert [bind.name for bind in binds] == [(*SCALARS, 1, 0), *cells(PORT)]
        found += torn(numbers(binds)[1:])
    assert moments == sorted(moments) and len(set(moments)) > 10  # it counts meanwhile
    return found


@pytest.mark.one_in(12)
@pytest.mark.parametrize("sync", EXACT)
def test_a_row_is_of_one_moment(sync: str, tmp_path: Path) -> None:
    with lab.serving(tmp_path, "view", TOTALS[0], sync) as (master, application):
        found = broken(master)
        counted = int(application.do("rest").split()[0])
        got = numbers(master.manager.ask(GET, [*TOTALS, *cells(PORT), *cells(FLOW)])[1])
        assert got[:2] == [counted, 64 * counted]
        assert sum(got[2:6]) == sum(got[10:14]) == counted
    assert sync not in WHOLE or found == 0


@pytest.mark.deep
def test_views_of_other_requests_are_not_used(tmp_path: Path) -> None:
    """A planted bug: every part of a request is a request of its own."""
    edit = Edit(
        "runtime/src/parts/agentx/ctr_agentx_serve.c",
        "if (burst[i].used_ns != 0 &&",
        "if (burst[i].used_ns == UINT64_MAX &&",
    )
    tree = planted(tmp_path, [edit])
    with lab.serving(tmp_path, "view", TOTALS[0], UNLIKE[1], tree) as (master, _):
        assert any(broken(master) for _ in range(20))


@pytest.mark.deep
def test_managers_at_the_same_time(tmp_path: Path) -> None:
    """Requests that overlap have a view each."""
    with lab.serving(tmp_path, "view", TOTALS[0], UNLIKE[1]) as (master, _):
        managers = [Manager(master.port) for _ in range(3)]
        for _ in range(200):
            for manager in managers:
                manager.send(manager.message(BULK, [(*SCALARS, 1), (*PORT, 2)], 1, 8))
            for manager in managers:
                assert not torn(numbers(manager.answer()[1])[1:])
        for manager in managers:
            manager.close()
