# SPDX-License-Identifier: BSD-3-Clause
"""Snapshots and rows of many instances are what reads of each are."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.run.variants import HARNESS, HERE
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import Build, Workshop
from tests.support.planted import Edit, planted

WHOLE = "templates/c/whole.j2"


def program(sync: str, port: str = "posix") -> Build:
    """The program of sweep.c."""
    return Build(HERE / "schemas" / "sweep.yaml", sync, (HERE / "sweep.c",), HARNESS, port)


@pytest.mark.parametrize("sync", ["per_core", "per_core_lock", "per_core_seqcount"])
def test_each_is_what_is_read(workshop: Workshop, sync: str) -> None:
    workshop.passes(program(sync), "sweep")


@needs_dpdk
def test_on_dpdk(workshop: Workshop) -> None:
    workshop.passes(program("per_core", "dpdk"), "sweep")


BUGS = {
    "an lcore that is left out": ("unsigned int n = 0; n < num", "unsigned int n = 1; n < num"),
    "no baseline": ("{{ item.name }}{{ less }};", "{{ item.name }};"),
    "no baseline of many counters": ("*value -= ctr_load{{ bits }}(base);", "(void)base;"),
    "the same row": ("copies, num, out++", "copies, num, out"),
}


@pytest.mark.deep
@pytest.mark.parametrize("bug", BUGS)
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path, bug: str) -> None:
    tree = planted(tmp_path, [Edit(WHOLE, *BUGS[bug])])
    done = workshop.attempt(program("per_core").but(tree=tree), "sweep")
    assert done.returncode != 0, done.stdout
