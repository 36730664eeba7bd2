# SPDX-License-Identifier: BSD-3-Clause
"""Nothing uses an instance any more once all lcores have reported; planted bugs break that."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.run.tools import thread
from tests.support.capabilities import BUILT
from tests.support.cbuild import Build, Workshop
from tests.support.planted import Bug, Edit, planted

PROGRAM = Path(__file__).with_name("quiescent.c")
BUILD = Build(plain=(PROGRAM,))
POSIX = "runtime/src/port/posix/ctr_quiescent.c"
REPORT = "runtime/include/ctr_port_posix.h"
DPDK = "runtime/src/port/dpdk/ctr_quiescent.c"
EAL = ("--no-huge", "--no-pci", "--no-telemetry", "-m", "256", "--lcores=0@0")
NOT_THERE = "rte_eal_init"
"""What a program says that has not begun, so that it shows nothing."""
RUNS = 20
"""Runs in which a bug of timing would show."""
MOST = 200
"""Runs until one must show, on a machine whose cores are all in use."""

pytestmark = pytest.mark.slow


def bug(name: str, path: str, old: str, new: str) -> Bug:
    return Bug(name, (Edit(path, old, new),))


STEPS = [
    bug("report-is-lost", REPORT, "__ATOMIC_RELEASE);\n\telse",
        "__ATOMIC_RELEASE), *word = 1;\n\telse"),
    bug(
        "first-report-takes-no-part", POSIX, "slots[lcore].epoch, epoch,", "slots[lcore].epoch, 0,"
    ),
    bug("offline-is-waited-for", POSIX, "epoch != 0 && ", ""),
    bug("end-of-a-thread-is-no-offline", "runtime/src/port/posix/ctr_thread.c",
        "\tctr_quiescent_leave(ctr_posix_lcore);\n", ""),
    bug(
        "moment-is-that-of-before", POSIX, "return __atomic_add_fetch", "return __atomic_fetch_add"
    ),
    bug("passed-whatever-was-reported", POSIX, "epoch < moment", "epoch + 1 < moment"),
]  # fmt: skip
ORDERS = [
    bug("report-is-relaxed", REPORT, "__ATOMIC_RELEASE", "__ATOMIC_RELAXED"),
    bug("passed-is-relaxed", POSIX, "slots[lcore].epoch, __ATOMIC_ACQUIRE",
        "slots[lcore].epoch, __ATOMIC_RELAXED"),
]  # fmt: skip
DPDK_STEPS = [
    bug("dpdk-end-of-a-thread-is-no-offline", DPDK, "if (!__atomic_ex", "if (0 && !__atomic_ex"),
    bug("dpdk-lcore-leaves-before-it-holds-nothing", DPDK, "!ctr_port_watched()", "true"),
    bug("dpdk-now-is-the-first-moment", DPDK, "&before, moment, true", "&before, before, true"),
    bug("dpdk-offline-is-waited-for", DPDK, "\tset_variable(lcore, NULL);\n}\n\nuint64_t",
        "}\n\nuint64_t"),
    bug("dpdk-first-report-takes-no-part", DPDK, "\trte_rcu_qsbr_thread_online(v, lcore);\n", ""),
]  # fmt: skip


def run(program: Path, port: str) -> subprocess.CompletedProcess[str]:
    own = f"--file-prefix=ctrgen-quiescent-{os.getpid()}"
    words = (*EAL, own) if port == "dpdk" else ()
    done = subprocess.run(
        [program, *words], capture_output=True, text=True, timeout=120, check=False
    )
    assert NOT_THERE not in done.stderr, done.stderr
    return done


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("compiler", "port"), BUILT)
def test_nothing_is_used_after_the_moment(workshop: Workshop, compiler: str, port: str) -> None:
    program = workshop.program(BUILD.but(port=port, compiler=compiler))
    for _ in range(RUNS if port == "posix" else 3):
        done = run(program, port)
        assert done.returncode == 0 and done.stdout.endswith("ok\n"), done.stderr


@pytest.mark.native
def test_no_data_race(workshop: Workshop, tmp_path: Path) -> None:
    done = run(workshop.program(thread(BUILD)), "posix")
    assert done.returncode == 0, done.stderr


@pytest.mark.one_in(6)
@pytest.mark.native
@pytest.mark.parametrize("planted_bug", STEPS, ids=lambda b: b.name)
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path, planted_bug: Bug) -> None:
    tree = planted(tmp_path / "tree", planted_bug.edits)
    assert run(workshop.program(BUILD.but(tree=tree)), "posix").returncode != 0


@pytest.mark.one_in(2)
@pytest.mark.native
@pytest.mark.parametrize("planted_bug", ORDERS, ids=lambda b: b.name)
def test_a_relaxed_order_is_a_race(workshop: Workshop, tmp_path: Path, planted_bug: Bug) -> None:
    tree = planted(tmp_path / "tree", planted_bug.edits)
    program = workshop.program(thread(BUILD).but(tree=tree))
    assert any("data race" in run(program, "posix").stderr for _ in range(MOST))


@pytest.mark.deep
@pytest.mark.dpdk
@pytest.mark.parametrize("planted_bug", DPDK_STEPS, ids=lambda b: b.name)
def test_a_planted_bug_is_seen_with_dpdk(
    workshop: Workshop, tmp_path: Path, planted_bug: Bug, port: str
) -> None:
    if port != "dpdk":
        pytest.skip("a bug of the other port")
    tree = planted(tmp_path / "tree", planted_bug.edits)
    assert run(workshop.program(BUILD.but(port=port, tree=tree)), port).returncode != 0
