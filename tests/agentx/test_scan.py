# SPDX-License-Identifier: BSD-3-Clause
"""What a walk passes over: columns of which nothing was ever set, objects that nobody may read."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ctrgen.pipeline.check import check
from ctrgen.publish.assign import assign
from tests.agentx import lab
from tests.agentx.snmp import COUNTER64, GET, INTEGER, NEXT, NO_OBJECT, Oid
from tests.agentx.test_imported import fill
from tests.frontends.smi.test_accepted import table
from tests.frontends.smi.test_dirty import module, put, thing
from tests.support import smi as smi_modules
from tests.support.capabilities import needs_agentx, needs_base_mibs, needs_smidump
from tests.support.planted import Edit, planted

pytestmark = needs_agentx

ROOT: Oid = (1, 3, 6, 1, 4, 1, 32473, 18, 1)
FLOW, SECRET, HALF = ((*ROOT, n, 1) for n in (2, 3, 4))
ROW: Oid = (*FLOW, 3, 1)
ROWS, SECTION = 5000, 256


@pytest.fixture(scope="module")
def served(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[lab.Master, lab.Application]]:
    with lab.serving(tmp_path_factory.mktemp("scan"), "scan", ROW) as both:
        yield both


def most_in_a_section(master: lab.Master, application: lab.Application) -> int:
    """Of the rows that are read to pass over the column."""
    application.do("seen")
    _, (bind,) = master.manager.ask(NEXT, [(*FLOW, 2)])
    assert (bind.name, bind.tag) == ((*FLOW, 3, 1), COUNTER64)
    most, rows, sections, outside = map(int, application.do("seen").split())
    assert rows >= ROWS and outside == 0
    assert sections >= rows // most
    return most


def test_a_column_of_which_nothing_was_set(served: tuple[lab.Master, lab.Application]) -> None:
    """Others who wait for the section get their turn after each 256 rows."""
    master, application = served
    assert most_in_a_section(master, application) == SECTION
    assert application.do(f"set {ROWS - 1}") == "0"
    _, (bind,) = master.manager.ask(NEXT, [(*FLOW, 2)])
    assert bind == ((*FLOW, 2, ROWS), INTEGER, 2)


BUGS = {
    "a-column-is-read-in-one-section": Edit(
        "runtime/src/parts/agentx/ctr_agentx_serve.c", "if (answer->left == 0) {", "if (false) {"
    )
}


def test_a_planted_bug_reads_a_column_in_one_section(tmp_path: Path) -> None:
    tree = planted(tmp_path, [*BUGS.values()])
    with lab.serving(tmp_path, "scan", ROW, tree=tree) as (master, application):
        assert most_in_a_section(master, application) >= ROWS


def test_objects_that_nobody_may_read(served: tuple[lab.Master, lab.Application]) -> None:
    """Neither not-accessible nor accessible-for-notify (RFC 2578, 7.3), nor what goes with them."""
    manager = served[0].manager
    assert manager.walk(SECRET) == []
    assert {bind.name[len(HALF)] for bind in manager.walk(HALF)} == {3}
    hidden = [(*SECRET, column, 1) for column in range(1, 6)] + [(*HALF, n, 1) for n in (1, 2)]
    for name in hidden:
        _, (bind,) = manager.ask(GET, [name])
        assert bind.tag >= NO_OBJECT, name


@needs_smidump
@needs_base_mibs
def test_an_imported_table_that_nobody_may_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last index is an item of the schema, as a table needs one; it is not served."""
    monkeypatch.setenv("SMIPATH", ":".join(smi_modules.base_path()))
    alone = table("tFoo", 1, "tA").replace("read-only", "not-accessible")
    notify = thing("tC", 3).replace("read-only", "accessible-for-notify")
    schema = tmp_path / "overlay.yaml"
    text = module(alone + thing("tB", 2) + notify)
    schema.write_text(f"ctrgen: 1\nimport: {put(tmp_path, text)}\n")
    checked = check(str(schema))
    assert checked.module is not None, checked.diagnostics.findings
    lock = assign(checked.module, None).lock
    lab.generate(schema, tmp_path)
    (tmp_path / "out/imported.h").write_text(fill(checked.module))
    master = lab.Master(tmp_path)
    try:
        program = lab.build(tmp_path, [lab.HERE / "imported_main.c"])
        application = lab.Application(program, master.socket)
        readable = (*next(e.oid for e in lock.entries if e.name == "tB"), 0)
        master.wait(readable)
        assert [bind.name for bind in master.manager.walk(lock.oid)] == [readable]
        assert application.end() == 0
    finally:
        master.stop()
