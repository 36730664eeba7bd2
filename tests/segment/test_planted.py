# SPDX-License-Identifier: BSD-3-Clause
"""Bugs in the writer and the readers of segments, which the tests must see."""

from pathlib import Path

import pytest

from tests.segment.lab import Application, application, peek, python_dump
from tests.segment.test_corrupt import displays
from tests.segment.test_segment import odd, records
from tests.support.cbuild import SANITIZED, Workshop
from tests.support.planted import Edit, planted
from tests.support.process import run, succeed

CHECK = "runtime/src/parts/segment/ctr_segment_check.c"
READER = "runtime/src/parts/segment/ctr_segment_reader.c"
WRITE = "runtime/src/parts/segment/ctr_segment_write.c"


@pytest.fixture
def final(workshop: Workshop, tmp_path: Path) -> Path:
    """The file of an application that has ended."""
    app = Application(application(workshop), tmp_path / "app.seg")
    app.do("final")
    assert app.end() == 0
    return tmp_path / "app.seg"


@pytest.mark.parametrize(
    "edit",
    [
        Edit(CHECK, "fits(scope->records, (uint64_t)scope->stride * scope->total, size)", "true"),
        Edit(CHECK, "fits(item->offset, item->size, scope->value_size)", "scope != NULL"),
    ],
    ids=["records", "items"],
)
def test_checks_that_are_left_out(
    workshop: Workshop, final: Path, tmp_path: Path, edit: Edit
) -> None:
    done = run(peek(workshop, planted(tmp_path, [edit]), SANITIZED), "fuzz", final, "20000")
    assert done.returncode != 0, "nothing happened"


def test_texts_that_are_not_looked_at(workshop: Workshop, final: Path, tmp_path: Path) -> None:
    displays(final, 2**32 - 1)
    edit = Edit(CHECK, "(uint32_t)label[first + i].value", "label[first + i].name")
    done = run(peek(workshop, planted(tmp_path / "tree", [edit])), "dump", final)
    assert done.stdout != run(peek(workshop), "dump", final).stdout


@pytest.mark.parametrize("count", ["(before & 1)", "(before.seq & 1)"])
def test_odd_counts_that_are_believed(
    workshop: Workshop, final: Path, tmp_path: Path, count: str
) -> None:
    edit = Edit(READER, f"if ({count} != 0", "if (false")
    odd(final, records(final, "eternal"))
    wrong = run(peek(workshop, planted(tmp_path, [edit])), "dump", final)
    assert wrong.returncode or wrong.stdout != succeed(peek(workshop), "dump", final)


@pytest.mark.deep
def test_instances_that_are_not_forgotten(workshop: Workshop, tmp_path: Path) -> None:
    edit = Edit(WRITE, "clear_rows(segment, place, at, next);", ";")
    program = application(workshop, tree=planted(tmp_path, [edit]))
    app = Application(program, tmp_path / "app.seg")
    app.do("destroy", "publish")
    assert python_dump(tmp_path / "app.seg") != app.dump()
    assert app.end() == 0
