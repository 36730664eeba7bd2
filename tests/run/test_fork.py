# SPDX-License-Identifier: BSD-3-Clause
"""What a child of fork() may do, whatever other threads were about; planted bugs break it."""

from operator import attrgetter
from pathlib import Path

import pytest

from tests.run import mutants
from tests.run.mutants import Mutant
from tests.run.variants import c_tests, forking
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Workshop
from tests.support.planted import planted
from tests.support.strategies import ALL_EXACT, EXACT, fewer

TESTS = c_tests("fork", "no_lcore", "anew")
FORKS = 100
BUGS = mutants.of("fork")
NAME = attrgetter("name")
ON_DPDK = [bug for bug in BUGS if bug.program(bug.sync).port == "dpdk"]

pytestmark = pytest.mark.slow


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
@pytest.mark.parametrize("strategy", ALL_EXACT)
@pytest.mark.parametrize("test", ["anew", "no_lcore"])
def test_a_child_on_dpdk_begins_anew(workshop: Workshop, strategy: str, test: str) -> None:
    workshop.passes(forking(strategy, "dpdk"), test)


def sees(workshop: Workshop, folder: Path, bug: Mutant) -> bool:
    """Whether its test does: a child ends by SIGALRM, or is wrong."""
    build = bug.program(bug.sync).but(tree=planted(folder, bug.edits))
    return workshop.attempt(build, bug.test, **bug.options).returncode != 0


@pytest.mark.native
@pytest.mark.one_in(96)
@pytest.mark.parametrize("bug", [bug for bug in BUGS if bug not in ON_DPDK], ids=NAME)
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path, bug: Mutant) -> None:
    assert sees(workshop, tmp_path, bug)


@pytest.mark.deep
@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize("bug", ON_DPDK, ids=NAME)
def test_a_planted_bug_is_seen_on_dpdk(workshop: Workshop, tmp_path: Path, bug: Mutant) -> None:
    assert sees(workshop, tmp_path, bug)
