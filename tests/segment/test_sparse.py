# SPDX-License-Identifier: BSD-3-Clause
"""Segments of few instances: they take memory for those that exist, a store never fails for want of
it, and walks read them in blocks."""

import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.run.variants import HARNESS
from tests.segment.lab import HERE, segment_sources
from tests.support.cbuild import QUICK, Build, Workshop
from tests.support.planted import PROJECT, Edit, Tree, planted
from tests.support.process import run, succeed
from tests.support.strategies import USUAL

RUNTIME = "runtime/src/parts/segment/ctr_segment"
BUGS = {
    "all memory is taken": (
        "blocks",
        Edit(f"{RUNTIME}.c", "header.directory + header.directory_size)", "header.size)"),
    ),
    "loads of what does not exist take memory": (
        "blocks",
        Edit(f"{RUNTIME}_reader.c", "reader->map != NULL && (word",
             "false && (word"),
    ),
    "stores do not ask whether there is memory": (
        "shortage",
        Edit(f"{RUNTIME}_write.c", "if (!is_backed(", "if (false && !is_backed("),
    ),
    "locked memory is that of all": (
        "blocks",
        Edit(f"{RUNTIME}_check.c", "size, PROT_NONE, flags", "size, protection, flags"),
    ),
    "a failure is forgotten": (
        "shortage",
        Edit(f"{RUNTIME}_write.c", "	return segment->shortage;\n}", "	return 0;\n}"),
    ),
    "a walk does not compare sequence counts": (
        "walk",
        Edit(f"{RUNTIME}_reader.c", "before.seq != after.seq)", "false)"),
    ),
    "pieces are read one by one": (
        "walk",
        Edit(f"{RUNTIME}_reader.c", "reader->map == NULL && end <=", "reader == NULL && end <="),
    ),
    "holes are copied": ("successor",
                         Edit(f"{RUNTIME}_check.c", "lseek(reader->fd, from, SEEK_DATA)", "from")),
    "the thread keeps to itself what fails": (
        "thread",
        Edit(f"{RUNTIME}_write.c", "&segment->last, segment->shortage,", "&segment->last, 0,"),
    ),
    "what is incomplete is final": (
        "shortage",
        Edit(f"{RUNTIME}.c", "	if (rc == 0) {\n		segment->final",
             "	if (rc != 1) {\n		segment->final"),
    ),
}  # fmt: skip


def sparse(workshop: Workshop, tree: Tree = PROJECT) -> Path:
    """The program of sparse.c."""
    return workshop.program(
        Build(
            HERE / "sparse.yaml", USUAL, (HERE / "sparse.c",), (*segment_sources(tree), *HARNESS),
            flags=QUICK, link=("-Wl,--wrap=fallocate", "-Wl,--wrap=pread"), tree=tree,
        )
    )  # fmt: skip


@pytest.mark.parametrize("locked", ["0", "1"], ids=["", "mlockall"])
@pytest.mark.parametrize("memory", ["0", "1"])
@pytest.mark.parametrize("case", ["blocks", "shortage", "walk", "successor", "thread"])
def test_memory_is_that_of_what_exists(
    workshop: Workshop, case: str, memory: str, locked: str
) -> None:
    """Of 1,000,000 possible flows, 200; in a file, and in sealed memory, which readers map."""
    options = {"CTR_TEST_MEMORY": memory, "CTR_TEST_LOCKED": locked}
    with tempfile.TemporaryDirectory(prefix="ctr", dir="/dev/shm") as folder:
        succeed(sparse(workshop), case, cwd=Path(folder), env=options)


def test_a_full_file_system(workshop: Workshop, tmp_path: Path) -> None:
    """A real one, of 512 KiB."""
    program = sparse(workshop)
    mount = f"mount -t tmpfs -o size=512k none {tmp_path}"
    if subprocess.run(["unshare", "-rm", "sh", "-c", mount], check=False).returncode != 0:
        pytest.skip("no name space in which a file system can be mounted")
    succeed("unshare", "-rm", "sh", "-c", f"{mount} && cd {tmp_path} && exec {program} full")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", BUGS)
def test_planted(workshop: Workshop, tmp_path: Path, name: str) -> None:
    case, edit = BUGS[name]
    memory = str(int(case not in ("walk", "successor")))
    options = {"CTR_TEST_MEMORY": memory, "CTR_TEST_LOCKED": str(int("locked" in name))}
    program = sparse(workshop, planted(tmp_path / "bug", [edit]))
    assert run("timeout", "20", program, case, cwd=tmp_path, env=options).returncode != 0
