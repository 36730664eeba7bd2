# SPDX-License-Identifier: BSD-3-Clause
"""Segments under failures of every call, forks, truncation, and several users of a module."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.segment.lab import HERE, segment_sources
from tests.support.cbuild import MEMORY, SANITIZED, Build, Workshop
from tests.support.planted import PROJECT, Edit, Tree, planted
from tests.support.process import run, succeed

THREADS = ("-O1", "-g1", "-fsanitize=thread")


def faults(workshop: Workshop, tree: Tree = PROJECT, flags: tuple[str, ...] = SANITIZED) -> Path:
    """The program of faults.c."""
    return workshop.program(
        Build(
            HERE / "before.yaml", "per_core", (HERE / "faults.c",), tuple(segment_sources(tree)),
            flags=flags, tree=tree,
        )
    )  # fmt: skip


@pytest.mark.parametrize("flags", [MEMORY, THREADS], ids=["asan", "tsan"])
def test_users_of_a_table_close_it_in_any_order(workshop: Workshop, flags: tuple[str, ...]) -> None:
    succeed(faults(workshop, flags=flags), "tables")


def test_a_table_that_the_first_user_frees(workshop: Workshop, tmp_path: Path) -> None:
    edit = Edit("runtime/src/ctr_control.c", "if (--(*table)[-1] == 0) {", "if (true) {")
    done = run(faults(workshop, planted(tmp_path, [edit])), "tables")
    assert done.returncode != 0 and "use-after-free" in done.stderr
