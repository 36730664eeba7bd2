# SPDX-License-Identifier: BSD-3-Clause
"""Segments of DPDK applications: readers in other processes, among them a secondary one, files on
hugetlbfs, hand-overs."""

import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.segment.lab import HERE, Application, application, peek, python_dump
from tests.segment.test_handover import Chain, program
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import WARNINGS, Workshop
from tests.support.huge_pages import SIZE, set_aside
from tests.support.planted import PROJECT
from tests.support.process import run, succeed
from tests.support.strategies import USUAL

pytestmark = [needs_dpdk, pytest.mark.dpdk]

ALONE = (
    *("--no-huge", "--no-pci", "--no-shconf", "--no-telemetry", "-m", "64", "--lcores", "0@0"),
    *("--log-level", "error"),
)
MANY = 48
"""Huge pages of 2 MiB: 64 MiB of DPDK's, the rest for a segment."""


@pytest.fixture
def huge(tmp_path: Path) -> Iterator[Path]:
    """A folder that is a hugetlbfs with some pages."""
    folder = tmp_path / "huge"
    folder.mkdir()
    mount = ("mount", "-t", "hugetlbfs", "-o", "pagesize=2M", "none", str(folder))
    with set_aside(MANY):
        if run(*mount).returncode != 0:
            pytest.skip("no hugetlbfs can be mounted here")
        try:
            yield folder
        finally:
            succeed("umount", folder)


def secondary(workshop: Workshop) -> Path:
    """The reader as a DPDK process; no file of the runtime but the reader."""
    runtime = PROJECT.runtime()
    names = ("ctr_segment_reader.c", "ctr_segment_check.c")
    sources = [HERE / "peek.c", *(runtime / "src" / "parts" / "segment" / name for name in names)]
    flags = shlex.split(succeed("pkg-config", "--cflags", "--libs", "libdpdk"))

    def make(target: Path) -> None:
        include = f"-I{runtime / 'include'}"
        words = ("-std=gnu11", "-O2", "-DSECONDARY", "-DCTR_PORT_DPDK=1", *WARNINGS)
        succeed("gcc", *words, include, *sources, *flags, "-o", target)

    return workshop.once("peek-secondary", make)


def test_published(workshop: Workshop, tmp_path: Path) -> None:
    path = tmp_path / "app.seg"
    app = Application(application(workshop, port="dpdk"), path, *ALONE)
    assert app.created == "0"
    for command in ("publish", "reset", "destroy", "rekey"):
        app.do(command, "publish")
        assert python_dump(path) == succeed(peek(workshop), "dump", path).splitlines() == app.dump()
    app.do("run", "start", "halt", "final")
    assert python_dump(path) == app.dump()
    assert app.end() == 0


def test_a_secondary_process_on_huge_pages(workshop: Workshop, huge: Path) -> None:
    path, prefix = huge / "app.seg", f"--file-prefix=ctrgen{os.getpid()}"
    shared = (f"--huge-dir={huge}", prefix, "--no-pci", "--no-telemetry", "--log-level", "error")
    app = Application(
        application(workshop, port="dpdk"), path, *shared, "-m", "64", "--lcores", "0@0"
    )
    assert app.created == "0"
    assert path.stat().st_size % SIZE == 0
    words = (*shared, "--proc-type=secondary", "--lcores", "1@0")
    wanted = app.dump()
    assert succeed(secondary(workshop), "dump", path, *words).splitlines() == wanted
    assert python_dump(path) == wanted
    app.do("run", "start")
    for _ in range(3):  # each comes and goes, and one is killed
        reader = subprocess.Popen(
            [str(secondary(workshop)), "dump", str(path), *words], stdout=subprocess.DEVNULL
        )
        if _ == 1:
            reader.kill()
        assert reader.wait(60) == (-9 if _ == 1 else 0)
    app.do("halt", "final")
    assert succeed(secondary(workshop), "dump", path, *words).splitlines() == app.dump()
    assert app.end() == 0
    path.unlink()


@pytest.mark.deep
@pytest.mark.parametrize("sync", [USUAL])
def test_handed_over(workshop: Workshop, tmp_path: Path, sync: str) -> None:
    chain = Chain(tmp_path / "app.seg", ALONE)
    try:
        for name in ("before", "after", "before"):
            _, found = chain.next(program(workshop, name, sync, port="dpdk"))
            assert {name: found[name] for name in chain.sums} == dict(chain.sums)
        assert chain.sums["kept"] > 0
        assert chain.now is not None and chain.now.end() == 0
    finally:
        chain.release()
