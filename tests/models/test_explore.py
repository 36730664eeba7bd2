# SPDX-License-Identifier: BSD-3-Clause
"""Every model holds in the executions that explore.c runs, and shows its bugs there."""

from pathlib import Path

import pytest

from tests.models import explore
from tests.models.cases import RC11, Case, Model
from tests.models.catalogue import CASES, MODELS, UNSEEN
from tests.support.cbuild import Workshop

BUGS = [case for case in CASES if case.bug and case.memory == RC11]
FAULTS = {
    "lost_add": "wrong",
    "race": "race",
    "mixed": "race",
    "deadlock": "deadlock",
    "waits": "deadlock",
    "livelock": "livelock",
    "spins": "livelock",
    "unpublished": "wrong",
    "unacquired": "race",
    "overtaken": "wrong",
    "right": "",
    "fenced": "",
}
"""What a program of two threads does, and what must be reported."""

MEMORY = "explore_memory.c"
BROKEN = {
    "races are not looked for": ("race", MEMORY, "cell->by[i].time[k] > me()->now.at[i]", "false"),
    "each load acquires": ("unacquired", MEMORY, "if (acquires(order))\n\t\tjoin(&me()->now, &st",
                           "if (true)\n\t\tjoin(&me()->now, &st"),
    "each store releases": ("unpublished", MEMORY, ": me()->released;", ": me()->now;"),
    "loads return the last store": ("overtaken", MEMORY, "older[n++] = i;", "continue;"),
    "fences have no order": ("fenced", MEMORY, "join_constant(&me()->now, &x->constant);", ""),
    "acquire fences do nothing": ("right", MEMORY, "join(&me()->now, &me()->acquired);", ";"),
    "no thread is preempted": ("lost_add", MEMORY, "if (at->shared)\n", "if (false)\n"),
    "mutexes order nothing": ("right", "explore.c", "mutex->seen = me()->now;", ""),
}  # fmt: skip
"""What is wrong with explore.c then, which program shows it, and the edit."""


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_model_holds(model: Model, workshop: Workshop, tmp_path: Path) -> None:
    found = explore.outcome(workshop, tmp_path, Case(model))
    assert found.code == 0, found.text


@pytest.mark.one_in(20)
@pytest.mark.parametrize("case", BUGS, ids=lambda case: case.name)
def test_a_bug_is_seen(case: Case, workshop: Workshop, tmp_path: Path) -> None:
    """But for those of which only GenMC can show something: that list is exact."""
    found = explore.outcome(workshop, tmp_path, case)
    assert (found.code != 0) == (case.name not in UNSEEN), found.text


def test_what_only_genmc_sees_is_there() -> None:
    assert set(UNSEEN) <= {case.name for case in BUGS}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_reported(fault: str, workshop: Workshop, tmp_path: Path) -> None:
    words = [f"-DFAULT={fault}"]
    found = explore.explored(workshop, tmp_path, explore.HERE / "faults.c", words, 2_000)
    assert found.fault == FAULTS[fault], found.text


@pytest.mark.parametrize("name", BROKEN)
def test_a_fault_of_the_checker_is_seen(name: str, workshop: Workshop, tmp_path: Path) -> None:
    fault, path, old, new = BROKEN[name]
    for source in explore.HERE.glob("explore*.c"):
        text = source.read_text("utf-8")
        assert source.name != path or text.count(old) == 1
        (tmp_path / source.name).write_text(text.replace(old, new) if source.name == path else text)
    words = [f"-DFAULT={fault}"]
    found = explore.explored(
        workshop, tmp_path, explore.HERE / "faults.c", words, 2_000, checker=tmp_path
    )
    assert found.fault != FAULTS[fault], found.text


def test_executions_are_the_same_each_time(workshop: Workshop, tmp_path: Path) -> None:
    words = ["-DFAULT=overtaken"]
    found = {
        explore.explored(workshop, tmp_path, explore.HERE / "faults.c", words, 2_000).text
        for _ in range(2)
    }
    assert len(found) == 1
