# SPDX-License-Identifier: BSD-3-Clause
"""Snapshots and rows of many instances are what reads of each are."""

from pathlib import Path

import pytest

from tests.run.test_table import BUGS
from tests.run.variants import HARNESS, HERE
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Build, Workshop
from tests.support.planted import Bug, planted
from tests.support.strategies import STRATEGIES, USUAL, lcore_values


def program(sync: str, port: str = "posix") -> Build:
    """The program of sweep.c."""
    return Build(HERE / "schemas" / "sweep.yaml", sync, (HERE / "sweep.c",), HARNESS, port)


@pytest.mark.parametrize("sync", filter(lcore_values, STRATEGIES))
def test_each_is_what_is_read(workshop: Workshop, sync: str) -> None:
    workshop.passes(program(sync), "sweep")


@needs_dpdk
def test_on_dpdk(workshop: Workshop) -> None:
    workshop.passes(program(USUAL, "dpdk"), "sweep")


SEEN = (
    "a-snapshot-leaves-a-copy-out",
    "a-block-is-read-from-its-second-on",
    "a-snapshot-forgets-a-chunk",
)
"""Those of the library's bugs that make such reads differ."""


@pytest.mark.deep
@pytest.mark.parametrize("bug", [bug for _, bug in BUGS if bug.name in SEEN], ids=lambda b: b.name)
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path, bug: Bug) -> None:
    tree = planted(tmp_path, bug.edits)
    done = workshop.attempt(program(USUAL).but(tree=tree), "sweep")
    assert done.returncode != 0, done.stdout
