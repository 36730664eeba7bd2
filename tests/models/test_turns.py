# SPDX-License-Identifier: BSD-3-Clause
"""What lcores hold back is applied once, in every order of the accesses to shared words.

The program runs all of them itself, in turns of one thread, with generated code as it is shipped:
turns.c. No GenMC takes part. Each bug must be seen in a scenario.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.models import genmc
from tests.support import process
from tests.support.cbuild import Build, Workshop, figures
from tests.support.planted import PROJECT, Bug, Edit, Tree, planted

HERE = Path(__file__).parent
SYNC = "templates/c/sync/shared_coalesced/sync.j2"
PLACES = "runtime/include/ctr_held.h"
LEAST = {"sums": 1_000, "flush": 20, "lives": 100}
"""Orders that there are at least."""


def bug(name: str, path: str, old: str, new: str) -> Bug:
    return Bug(name, (Edit(path, old, new),))


BUGS = [
    ("sums", bug("evicted-without-atomics", PLACES, "ctr_atomic_add64(word, n)",
                 "ctr_add64(word, n)")),
    ("sums", bug("delta-is-kept", PLACES, "\t\tctr_store64(delta, 0);\n", "")),
    ("sums", bug("evicted-delta-is-lost", SYNC, "\t\t{{ s.sym.evict }}(held);\n\theld->head.of",
                 "\t\theld->delta.events = 0;\n\theld->head.of")),
    ("sums", bug("reset-loads-then-stores", SYNC, "ctr_exchange{{ bits }}", "ctr_take{{ bits }}")),
    ("sums", bug("place-of-another-is-taken", SYNC, "held->head.of == of",
                 "held->head.of != NULL")),
    ("flush", bug("place-in-use-is-in-no-line", SYNC,
                  "\t\tctr_held_join(&cache->ctr_line, &held->head);", "\t\t;")),
    ("flush", bug("end-of-an-empty-line-is-kept", PLACES,
                  "\tif (line->first == 0)\n\t\tline->last = 0;\n", "")),
    ("flush", bug("flushed-place-keeps-its-element", SYNC, "\t\theld->of = NULL;\n\t}\n}",
                  "\t}\n}")),
    ("lives", bug("report-flushes-nothing", SYNC, "{% elif d.settles %}", "{% elif false %}")),
    ("lives", bug("any-report-settles", "templates/c/life.j2",
                  "!ctr_settled_since(&{{ d.sym.told }}, record->moment)", "false")),
]  # fmt: skip


def run(
    workshop: Workshop, scenario: str, tree: Tree = PROJECT
) -> subprocess.CompletedProcess[str]:
    """All orders of a scenario."""
    build = Build(
        genmc.HERE / "things.yaml",
        "shared_coalesced:entries=1",
        (HERE / "turns.c",),
        flags=("-O2", "-include", str(HERE / "turns.h")),
        tree=tree,
    )
    return process.run(workshop.program(build), scenario, timeout=120)


@pytest.mark.native
@pytest.mark.parametrize("scenario", LEAST)
def test_every_order_is_right(workshop: Workshop, scenario: str) -> None:
    done = run(workshop, scenario)
    assert done.returncode == 0, done.stderr
    found = figures(done.stdout)
    assert found["orders"] >= LEAST[scenario]
    assert (found["ends"] > 0) == (scenario == "lives")


@pytest.mark.native
@pytest.mark.one_in(10)
@pytest.mark.parametrize(("scenario", "planted_bug"), BUGS, ids=[b.name for _, b in BUGS])
def test_a_planted_bug_is_seen(
    workshop: Workshop, tmp_path: Path, scenario: str, planted_bug: Bug
) -> None:
    assert run(workshop, scenario, planted(tmp_path, planted_bug.edits)).returncode == 1
