# SPDX-License-Identifier: BSD-3-Clause
"""The lock whose owner inherits the priority of those that wait; planted bugs break it."""

import subprocess
from pathlib import Path

import pytest

from tests.run.tools import thread
from tests.run.variants import HARNESS, HERE, c_tests
from tests.support.capabilities import BUILT
from tests.support.cbuild import Build, Workshop, run_test
from tests.support.planted import PI, Bug, Edit, planted

BUILD = Build(plain=(HERE / "inherit.c", *HARNESS))
SOURCE = "runtime/src/strategies/ctr_pi.c"
TESTS = c_tests("inherit")
SKIPPED = 77

pytestmark = pytest.mark.slow


def bug(name: str, old: str, new: str, path: str = SOURCE) -> Bug:
    return Bug(name, (Edit(path, old, new),))


BUGS = [
    (
        "sleepers",
        bug("released-without-the-call", "rc = futex(lock, FUTEX_UNLOCK_PI);", "rc = EPERM;"),
    ),
    (
        "sleepers",
        bug("released-by-a-store", "\t\tctr_pi_wake(lock);",
            "\t\t__atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE);", PI),
    ),
    ("ended", bug("owner-that-ended-is-waited-for", "case ESRCH:", "case -1:")),
    ("forked", bug("child-keeps-the-id", "\tctr_pi_thread = 0;\n", "")),
    ("forked", bug("child-cannot-release", "if (rc != 0)", "if (rc != 0 && rc != EPERM)")),
    ("inherited", bug("sleeps-without-inheritance", "futex(lock, FUTEX_LOCK_PI)", "ENOSYS")),
]  # fmt: skip
ORDERS = [
    bug("woken-relaxed", "&lock->owner, __ATOMIC_ACQUIRE);", "&lock->owner, __ATOMIC_RELAXED);"),
    bug("waking-relaxed", "&lock->owner, 0, __ATOMIC_RELEASE);\n\tdo", "&lock->owner, 0, "
        "__ATOMIC_RELAXED);\n\tdo"),
]  # fmt: skip


def run(program: Path, test: str, seconds: int = 60) -> subprocess.CompletedProcess[str]:
    """What comes of a test; it is skipped where this process may not use real-time policies."""
    done = run_test(program, test, SECONDS=seconds)
    if done.returncode == SKIPPED:
        pytest.skip("no permission for SCHED_FIFO")
    return done


@pytest.mark.one_in(9)
@pytest.mark.parametrize(("compiler", "port"), BUILT)
@pytest.mark.parametrize("test", TESTS)
def test_it_is_passed_on(workshop: Workshop, compiler: str, port: str, test: str) -> None:
    done = run(workshop.program(BUILD.but(port=port, compiler=compiler)), test)
    assert done.returncode == 0, done.stderr


@pytest.mark.native
def test_no_data_race(workshop: Workshop, tmp_path: Path) -> None:
    """Also of those that the kernel hands the lock to."""
    done = run(workshop.program(thread(BUILD)), "sleepers")
    assert done.returncode == 0, done.stderr


@pytest.mark.native
@pytest.mark.one_in(6)
@pytest.mark.parametrize(("test", "planted_bug"), BUGS, ids=[b.name for _, b in BUGS])
def test_a_planted_bug_is_seen(
    workshop: Workshop, tmp_path: Path, test: str, planted_bug: Bug
) -> None:
    tree = planted(tmp_path / "tree", planted_bug.edits)
    assert run(workshop.program(BUILD.but(tree=tree)), test, 3).returncode != 0


@pytest.mark.native
@pytest.mark.one_in(6)
@pytest.mark.parametrize("planted_bug", ORDERS, ids=lambda b: b.name)
def test_a_relaxed_order_is_a_race(workshop: Workshop, tmp_path: Path, planted_bug: Bug) -> None:
    tree = planted(tmp_path / "tree", planted_bug.edits)
    done = run(workshop.program(thread(BUILD).but(tree=tree)), "sleepers")
    assert "data race" in done.stderr
