# SPDX-License-Identifier: BSD-3-Clause
"""Segments under failures of every call, forks, truncation, and several users of a module."""

from pathlib import Path

import pytest

from tests.run.tools import THREAD
from tests.run.variants import HARNESS
from tests.segment.lab import HERE, segment_sources
from tests.support.cbuild import QUICK, SANITIZED, Build, Workshop, c_tests
from tests.support.planted import PROJECT, Edit, Tree, planted
from tests.support.process import run, succeed
from tests.support.strategies import USUAL

CALLS = (
    *("malloc", "calloc", "realloc", "posix_memalign", "strdup", "mkostemp", "memfd_create",
      "fallocate", "ftruncate"),
    *("fchmod", "fstat", "mmap", "mprotect", "pread", "linkat", "rename", "open", "fcntl"),
)  # fmt: skip
"""What fails in turn."""
CASES = [test for test in c_tests(HERE / "faults.c") if test not in ("tables", "helper")]
RUNTIME = "runtime/src/parts/segment/ctr_segment"
BUGS = {
    "the table of discontinuities is freed by the first user": (
        "tables",
        Edit("runtime/src/core/ctr_discontinuity.c", "if (--(*table)[-1] == 0) {", "if (true) {"),
    ),
    "keys are compared by their size": (
        "identity",
        Edit(f"{RUNTIME}_handover.c", "= ctr_segment_difference(match);", "= NULL;"),
    ),
    "scopes are matched in the order of the schema": (
        "inject",
        Edit(f"{RUNTIME}_handover.c", "if (old[j].num_indexes == levels)", "if (levels == 0)"),
    ),
    "a failed creation forgets that it has taken over": (
        "inject",
        Edit(f"{RUNTIME}_claim.c", "if (claim->num_taken != 0) {", "if (false) {"),
    ),
    "a claim is shared": ("race",
                          Edit(f"{RUNTIME}_claim.c", ".l_type = F_WRLCK,", ".l_type = F_RDLCK,")),
    "a second successor replaces the file of the first": (
        "second",
        Edit(f"{RUNTIME}_handover.c", "while (rc == -EALREADY &&", "while (false &&"),
    ),
    "the claim is not made durable": (
        "inject",
        Edit(f"{RUNTIME}_claim.c", "if (store_successor(", "if (claim->fd < 0 && store_successor("),
    ),
    "the claim is durable before the segment is complete": (
        "killed",
        Edit(
            f"{RUNTIME}.c",
            "	if (rc == 0)\n		rc = ctr_segment_show(made);",
            "	if (rc == 0) {\n		ctr_segment_commit(claim, made);\n		claim = NULL;\n"
            "		rc = ctr_segment_show(made);\n	}",
        ),
    ),
    "the lock is kept in a child": (
        "helper",
        Edit(f"{RUNTIME}.c", "ctr_fork_watch(&made->fork);", ";"),
    ),
    "unsealed memory is accepted": (
        "memory",
        Edit(f"{RUNTIME}_reader.c", "ctr_segment_is_memory(reader->fd)", "false"),
    ),
    "files are mapped": (
        "truncated",
        Edit(f"{RUNTIME}_reader.c", "= ctr_segment_is_sealed(reader->fd);", "= true;"),
    ),
    "memory that was taken over is not marked": (
        "sealed",
        Edit(f"{RUNTIME}_claim.c", "~(mode_t)WRITERS", "~(mode_t)0"),
    ),
}  # fmt: skip


def faults(workshop: Workshop, tree: Tree = PROJECT, flags: tuple[str, ...] = SANITIZED) -> Path:
    """The program of faults.c."""
    return workshop.program(
        Build(
            HERE / "faults.yaml", USUAL, (HERE / "faults.c",), (*segment_sources(tree), *HARNESS),
            flags=flags, link=tuple(f"-Wl,--wrap={name}" for name in CALLS), tree=tree,
        )
    )  # fmt: skip


@pytest.mark.parametrize("flags", [SANITIZED, THREAD], ids=["asan", "tsan"])
def test_users_of_a_table_close_it_in_any_order(workshop: Workshop, flags: tuple[str, ...]) -> None:
    succeed(faults(workshop, flags=flags), "tables")


@pytest.mark.parametrize("case", CASES)
def test_taken_over_exactly_once(workshop: Workshop, tmp_path: Path, case: str) -> None:
    succeed(faults(workshop), case, cwd=tmp_path)


@pytest.mark.parametrize("execs", ["0", "1"])
def test_a_helper_that_lives_on(workshop: Workshop, tmp_path: Path, execs: str) -> None:
    """A child, and another program."""
    program = faults(workshop, flags=QUICK)
    succeed(program, "helper", cwd=tmp_path, env={"CTR_TEST_EXECS": execs})


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", BUGS)
def test_planted(workshop: Workshop, tmp_path: Path, name: str) -> None:
    case, edit = BUGS[name]
    flags = SANITIZED if case == "tables" else QUICK
    (tmp_path / "files").mkdir()
    program = faults(workshop, planted(tmp_path / "bug", [edit]), flags)
    assert run(program, case, cwd=tmp_path / "files").returncode != 0
