# SPDX-License-Identifier: BSD-3-Clause
"""What a child of fork() may do, whatever other threads were about; planted bugs break it."""

import subprocess
from pathlib import Path

import pytest

from tests.run.mutants import VALUES, operations
from tests.run.variants import c_tests, forking
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Workshop
from tests.support.planted import Bug, Edit, planted
from tests.support.strategies import EXACT, STRATEGIES, USUAL, fewer

TESTS = c_tests("fork", "no_lcore", "anew")
FORKS = 100
MANY = 1000
"""Forks in which a bug of timing must show: a child ends by SIGALRM, or is wrong."""
OTHERS = "runtime/src/core/module.c"
FORK = "runtime/src/core/ctr_fork.c"
CHANGE = "runtime/src/core/ctr_change.c"
POSIX = "runtime/src/port/posix/ctr_thread.c"
DPDK = "runtime/src/port/dpdk/ctr_thread.c"

pytestmark = pytest.mark.slow


def bug(name: str, path: str, old: str, new: str) -> Bug:
    return Bug(name, (Edit(path, old, new),))


BUGS = [
    (USUAL, "past_a_read_section", bug(
        "fork-waits-for-read-sections", "runtime/src/core/ctr_control.c",
        "ctr_control_hold(control);\n\tcontrol->end",
        "ctr_control_lock(control);\n\tcontrol->end")),
    (USUAL, "beside_readers", bug(
        "control-lock-of-before", "runtime/src/core/ctr_control.c",
        "*control = (struct ctr_control)CTR_CONTROL_INITIALIZER;", ";")),
    (USUAL, "in_a_read_section", bug(
        "read-section-is-lost", "runtime/src/core/ctr_control.c",
        "control->next)\n\t\tcontrol->forks = ctr_forks;", "control->next)\n\t\t;")),
    (USUAL, "quiescence", bug(
        "reports-are-waited-for", POSIX,
        "\t\tctr_quiescent_leave(lcore);\n", "")),
    (USUAL, "ids_are_given_back", bug(
        "ids-stay-taken", POSIX, "ctr_quiescent_leave(lcore);\n\t\tid_taken[lcore] = false;",
        "ctr_quiescent_leave(lcore);")),
    ("shared_buffered", "held_back", bug(
        "held-back-for-ever", POSIX, "\t\t\twatcher_down(lcore);\n\t\tctr_quiescent_leave",
        "\t\t\t;\n\t\tctr_quiescent_leave")),
    ("shared_atomic", "in_a_creation", bug(
        "change-is-not-waited-for", CHANGE,
        "\t(void)pthread_rwlock_wrlock(&fork_changes);\n", "\t(void)fork_changes;\n")),
    (USUAL, "in_a_nested_change", bug(
        "nested-change-waits-for-fork", CHANGE, "if (change_depth++ == 0)",
        "if (change_depth++ == 0 || true)")),
    (USUAL, "beside_setters", bug(
        "setter-is-waited-for", VALUES,
        "\t\tctr_seq_repair(cell_seq(v, part));\n", "\t\t;\n")),
    *((f"shared_lock:lock={kind}", "beside_updates", bug(
        f"{kind}-lock-stays-taken", operations("shared_lock"),
        "\t\tctr_store64((uint64_t *)own->lock, 0);\n", ""))
      for kind in ("spin", "ticket", "mcs", "pi")),
    *((f"shared_lock:lock={kind}", "in_a_read_section", bug(
        f"own-{kind}-lock-is-released", operations("shared_lock"),
        "if (ctr_control_reads(domain->module->control))\n\t\t\tacquire(",
        "if (false)\n\t\t\tacquire("))
      for kind in ("spin", "ticket")),
    ("shared_lock:granularity=instance", "beside_updates", bug(
        "element-stays-locked", operations("shared_lock"),
        "\t\t\t\tctr_store64((uint64_t *)element, 0);", "\t\t\t\t;")),
    ("shared_buffered", "beside_updates", bug(
        "pool-stays-locked", operations("shared_buffered"),
        "\tctr_spin_reinit(&pool_of(domain)->lock, has_lock(domain));\n", "")),
    ("per_core_lock", "beside_updates", bug(
        "instance-stays-locked", operations("per_core_lock"),
        "\t\tctr_owned_reinit((struct ctr_owned *)copy);", "\t\t;")),
    ("per_core_seqcount", "beside_updates", bug(
        "shared-instance-stays-locked", OTHERS,
        "\t\t\tctr_spin_reinit(domain->others, false);\n", "\t\t\t;\n")),
    (USUAL, "beside_registrations", bug(
        "registration-is-not-waited-for", POSIX,
        "\tif (step == CTR_FORK_PREPARE)\n\t\t(void)pthread_mutex_lock(&ids_lock);\n\telse if "
        "(step == CTR_FORK_PARENT)\n\t\t(void)pthread_mutex_unlock(&ids_lock);\n\telse\n"
        "\t\tids_lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;",
        "\t\t(void)step;")),
]  # fmt: skip
DPDK_BUGS = [
    (USUAL, "anew", bug("child-counts-for-the-parent", FORK, "if (!CTR_FORK_COPIES)",
                             "if (false)")),
    (USUAL, "anew", bug("child-is-in-the-parents-heap", DPDK,
                             "if (forked) { /* Of", "if (false) { /* Of")),
    (USUAL, "no_lcore", bug("child-gets-an-id", DPDK,
                                 "\t\tif (forked)\n\t\t\treturn -ENOTSUP;\n", "")),
]  # fmt: skip


@pytest.mark.one_in(16)
@pytest.mark.native  # qemu 7.2 ends with an assertion of its own when a child makes a thread
@pytest.mark.parametrize(
    "variant", [pytest.param(v, marks=[pytest.mark.deep] if ":" in v else []) for v in EXACT]
)
@pytest.mark.parametrize("test", TESTS)
def test_a_child_does_everything(workshop: Workshop, variant: str, test: str) -> None:
    workshop.passes(forking(variant), test, FORKS=fewer(variant, FORKS, 5))


@pytest.mark.one_in(9)
@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize("strategy", [name for name in STRATEGIES if name in EXACT])
@pytest.mark.parametrize("test", ["anew", "no_lcore"])
def test_a_child_on_dpdk_begins_anew(workshop: Workshop, strategy: str, test: str) -> None:
    workshop.passes(forking(strategy, "dpdk"), test)


def attempt(
    workshop: Workshop, folder: Path, planted_bug: Bug, variant: str, test: str, port: str
) -> subprocess.CompletedProcess[str]:
    """What comes of a test of the program with a bug."""
    build = forking(variant, port).but(tree=planted(folder / "tree", planted_bug.edits))
    return workshop.attempt(build, test, FORKS=MANY, SECONDS=2)


@pytest.mark.native
@pytest.mark.one_in(96)
@pytest.mark.parametrize(("variant", "test", "planted_bug"), BUGS, ids=[b.name for *_, b in BUGS])
def test_a_planted_bug_is_seen(
    workshop: Workshop, tmp_path: Path, variant: str, test: str, planted_bug: Bug
) -> None:
    assert attempt(workshop, tmp_path, planted_bug, variant, test, "posix").returncode != 0


@pytest.mark.deep
@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize(
    ("variant", "test", "planted_bug"), DPDK_BUGS, ids=[b.name for *_, b in DPDK_BUGS]
)
def test_a_planted_bug_is_seen_on_dpdk(
    workshop: Workshop, tmp_path: Path, variant: str, test: str, planted_bug: Bug
) -> None:
    assert attempt(workshop, tmp_path, planted_bug, variant, test, "dpdk").returncode != 0
