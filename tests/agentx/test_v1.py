# SPDX-License-Identifier: BSD-3-Clause
"""Managers of SNMPv1, which have no Counter64, walk past large tables of it; others see all."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.agentx import lab
from tests.agentx.snmp import BULK, COUNTER64, Manager, Oid
from tests.support.capabilities import needs, needs_agentx
from tests.support.planted import PROJECT, Edit, Tree, planted
from tests.support.process import run

pytestmark = [needs_agentx, needs("snmpwalk")]

ROOT: Oid = (1, 3, 6, 1, 4, 1, 32473, 5)
WIDE, MIXED, FEW = ((*ROOT, 1, table, 1) for table in (2, 3, 4))
ROWS, MIXED_ROWS = 100_000, 20_000
SERVE = "runtime/src/parts/agentx/ctr_agentx_serve.c"
UNLIMITED = "maxGetbulkResponses -1\nmaxGetbulkRepeats -1\n"


@contextmanager
def serving(folder: Path, tree: Tree = PROJECT) -> Iterator[lab.Master]:
    """The tables of wide.yaml behind a master that does not limit a GETBULK."""
    place = folder / "made"
    place.mkdir()
    lab.generate(lab.HERE / "wide.yaml", place, tree=tree)
    program = lab.build(place, [lab.HERE / "wide_main.c"], tree=tree)
    master = lab.Master(place, more=UNLIMITED)
    application = lab.Application(program, master.socket)
    try:
        master.wait((*FEW, 2, 1))
        yield master
    finally:
        application.process.communicate()
        master.stop()


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Iterator[lab.Master]:
    with serving(tmp_path_factory.mktemp("v1")) as found:
        yield found


def walked(master: lab.Master, oid: Oid, *options: str) -> tuple[list[tuple[int, ...]], str]:
    """What snmpwalk shows of SNMPv1, values behind indexes, and what it complains about."""
    dotted = ".".join(map(str, oid))
    words = ["-v1", "-c", "public", "-On", "-m", "", "-M", "", *options]
    done = run("snmpwalk", *words, f"127.0.0.1:{master.port}", dotted)
    shown = re.findall(rf"^\.{re.escape(dotted)}\.([\d.]+) = Gauge32: (\d+)$", done.stdout, re.M)
    assert len(shown) == len(done.stdout.splitlines()), done.stdout[:1000]
    return [(*map(int, name.split(".")), int(value)) for name, value in shown], done.stderr


def test_a_table_of_nothing_else_is_passed(master: lab.Master) -> None:
    """Two columns of 100,000 rows, and one of 20,000 behind them, with snmpwalk's defaults."""
    assert walked(master, WIDE) == ([], "")


def test_a_walk_shows_all_other_columns(master: lab.Master) -> None:
    mixed = [(1, 3, 1, 3, row, row) for row in range(1, MIXED_ROWS + 1)]
    few = [(1, 4, 1, 2, row, row) for row in range(1, 4)]
    shown, complaint = walked(master, (*ROOT, 1))
    assert complaint == ""
    assert [(1, *row) for row in shown] == mixed + few


def test_other_managers_see_every_row(master: lab.Master) -> None:
    manager = Manager(master.port, timeout=20)
    rows = manager.walk((*WIDE, 2), 100)
    assert [(*bind.name, bind.value) for bind in rows] == [
        (*WIDE, 2, row, row) for row in range(1, ROWS + 1)
    ]
    manager.close()


def see_all_of_one_message(master: lab.Master) -> None:
    """A message that is nearly as large as UDP allows has one row after another."""
    manager = Manager(master.port, timeout=60)
    status, binds = manager.ask(BULK, [(*WIDE, 2)], 0, 2500)
    assert status == 0 and len(binds) == 2500
    for row, bind in enumerate(binds, 1):
        assert (bind.name, bind.tag) == ((*WIDE, 2, row), COUNTER64)
    manager.close()


def test_a_getbulk_sees_all_rows(master: lab.Master) -> None:
    see_all_of_one_message(master)


BUGS = {
    "asks-row-by-row": Edit(SERVE, "most = CTR_AGENTX_WIDE;", "most = 0;"),
    "gives-up-too-early": Edit(SERVE, "most = CTR_AGENTX_WIDE;", "most = 16384;"),
}


@pytest.mark.deep
@pytest.mark.parametrize("name", BUGS)
def test_planted_bugs_are_seen(name: str, tmp_path: Path) -> None:
    """A manager that does not ask again: 220,000 answers do not come within a second."""
    with serving(tmp_path, planted(tmp_path, [BUGS[name]])) as master:
        if name == "asks-row-by-row":
            assert "Timeout" in walked(master, WIDE, "-r", "0")[1]
        else:
            with pytest.raises(AssertionError):
                see_all_of_one_message(master)
