# SPDX-License-Identifier: BSD-3-Clause
"""The patterns of docs/peers.md: each counts what it says, and the checks see what is broken.

One program has all patterns, strategies of each kind, and copies of patterns with a bug each.
"""

import os
import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.tools.bench import machine
from tests.benchmarks.peers import build, page, run
from tests.benchmarks.peers.measured import Measured
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Build, Workshop
from tests.support.planted import Edit
from tests.support.strategies import BUFFERING, DRAINED, INEXACT, USUAL

pytestmark = [
    pytest.mark.native,
    needs_dpdk,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="patterns for x86-64"),
    pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="fewer than two processors"),
]

INSTANCES = 2000
KINDS = (USUAL, BUFFERING, DRAINED, INEXACT)
"""Strategies that strategy.c drives in different ways, with a flush and with a poll, and one that
loses updates; all are built for the page, by a test of --long (test_page.py)."""
NAMES = (*page.sources(), *KINDS)
ATTEMPTS = 30
"""How often a process counts until a race is lost that two threads run: they may not have run at
the same time in one."""


@dataclass(frozen=True)
class Broken:
    """A pattern with a bug, and the check that has to see it."""

    pattern: str
    edit: Edit
    seen: Callable[[Measured, str], bool]

    @property
    def name(self) -> str:
        """Its name in the program."""
        return f"broken_{self.pattern}"


def loses_updates(measured: Measured, name: str) -> bool:
    """Whether readers got other counts than were made."""
    return any(measured.counted[name, threads].off > 0 for threads in measured.threads)


def loses_at_reset(measured: Measured, name: str) -> bool:
    """Whether what resets took and the rest are other counts than were made."""
    return measured.resets[name].off > 0


def tears(measured: Measured, name: str) -> bool:
    """Whether packets and bytes of a read were of two moments."""
    return measured.reads[name].torn > 0


BROKEN = (
    Broken("vpp", Edit("vpp.c", "	await_at_barrier(peers_counting);\n", ""), loses_at_reset),
    Broken(
        "linux_u64",
        Edit("linux_u64.c", "of_thread[thread]", "of_thread[0 * thread]"),
        loses_updates,
    ),
    Broken("linux_u64_32", Edit("linux_u64_32.c", "!= begin);", "!= begin && false);"), tears),
)


def planted(folder: Path, broken: Broken) -> Path:
    """The file of a pattern with the bug, under another name."""
    text = (build.HERE / "patterns" / f"{broken.pattern}.c").read_text("utf-8")
    text = broken.edit.applied(text).replace(
        f'.name = "{broken.pattern}"', f'.name = "{broken.name}"'
    )
    path = folder / f"{broken.name}.c"
    path.write_text(text, "utf-8")
    return path


@pytest.fixture(scope="module")
def program(workshop: Workshop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("peers")
    patterns = [*build.PATTERNS, *(planted(folder, broken) for broken in BROKEN)]
    runtime = workshop.objects(Build(port="dpdk"), runtimeinfo.sources("dpdk"), [])
    return build.program(folder, INSTANCES, ("-O0",), patterns, runtime, KINDS)


def measured(program: Path, into: Measured, only: Iterable[str] = ()) -> Measured:
    """What one short process prints, added to what others printed."""
    cpus = machine.usable()[:2]
    into.take(run.lines(program, cpus, 1, 0.2, 300, INSTANCES, only))
    return into


@pytest.fixture(scope="module")
def one(program: Path) -> Measured:
    return measured(program, Measured())


def test_each_pattern_and_each_strategy_is_measured(one: Measured) -> None:
    assert set(page.sources()) == {path.stem for path in build.PATTERNS} - {"none"}
    broken = {case.name for case in BROKEN}
    assert {*one.octets} - broken == {"none", *NAMES}
    places = {(t, i) for t in (1, 2, 4) for i in (1, 1024, INSTANCES)}
    for name in NAMES:
        found = {(t, i) for of, t, i in one.cost if of == name}
        assert found == ({(t, 1) for t in (1, 2, 4)} if name == "rte_metrics" else places), name


def test_exact_patterns_lose_nothing(one: Measured) -> None:
    for name in filter(page.exact, NAMES):
        assert not loses_updates(one, name), name


def test_resets_that_lose_nothing_lose_nothing(one: Measured) -> None:
    for name in NAMES:
        promised = page.promise(name, "reset")
        assert (promised == "none") == (name not in one.resets), name
        if promised == "lossless":
            assert not loses_at_reset(one, name), name


def test_what_is_promised_to_be_read_together_is(one: Measured) -> None:
    for name in NAMES:
        assert one.reads[name].reads > 0, name
        if page.promise(name, "read") == "update":
            assert not tears(one, name), name


def test_what_is_flagged_and_what_is_broken_is_seen(program: Path) -> None:
    """Patterns that lose by what they say, and those with a bug: in some process."""
    wanted = {case.name: case.seen for case in BROKEN}
    for name in NAMES:
        if not page.exact(name):
            wanted[name] = loses_updates
        elif page.promise(name, "reset") == "lossy":
            wanted[name] = loses_at_reset
    assert "grout" in wanted
    found = Measured()
    for _ in range(ATTEMPTS):
        measured(program, found, wanted)
        left = [name for name, seen in wanted.items() if not seen(found, name)]
        if not left:
            return
        wanted = {name: wanted[name] for name in left}
    pytest.fail(f"not seen in {ATTEMPTS} processes: {', '.join(left)}")
