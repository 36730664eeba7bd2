# SPDX-License-Identifier: BSD-3-Clause
"""A program of the wrong port does not build, and one line says what to write: with a compiler."""

import itertools
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.packaging.ports import (
    ADVICE,
    APPLICATIONS,
    counts,
    dpdk_folders,
    generated,
    needed,
    write,
)
from tests.support.capabilities import needs, needs_dpdk
from tests.support.cbuild import QUICK, Build, shared
from tests.support.planted import PROJECT, Edit, Tree, planted
from tests.support.process import run, succeed
from tests.support.strategies import SHARED, USUAL

pytestmark = [pytest.mark.slow, needs("cc", "ar")]

BESIDE = "-DCTR_POSIX_BESIDE_DPDK"
PORT_H = "runtime/include/ctr_port.h"
POSIX_H = "runtime/include/ctr_port_posix.h"


@dataclass
class Bench:
    """Compiles each part once for each port; `flags` are for all parts."""

    folder: Path
    tree: Tree = PROJECT
    flags: tuple[str, ...] = ()
    sync: str = USUAL
    level: tuple[str, ...] = QUICK[:2]

    def words(self, what: str, port: str) -> list[str]:
        """Words of `ctrgen runtime`, of this tree."""
        line = runtimeinfo.line(port, what == "cflags", what == "sources", what == "libs")
        ours, theirs = str(runtimeinfo.path()), str(self.tree.runtime())
        return [word.replace(ours, theirs) for word in shlex.split(line)]

    def out(self) -> Path:
        """The folder of generated code."""
        out = self.folder / "out"
        return out if out.exists() else generated(self.folder, self.sync, self.tree)

    def compile(self, source: Path, port: str, *more: str) -> subprocess.CompletedProcess[str]:
        """An object of a source, beside it."""
        flags = [*self.words("cflags", port), *self.flags, *more, f"-I{self.out()}"]
        target = source.parent / f"{source.stem}-{port}.o"
        return run("cc", "-std=gnu11", *self.level, *flags, "-c", source, "-o", target, merged=True)

    def generated(self, port: str) -> Path:
        """The object of generated code."""
        source = self.out() / "one_stats.c"
        target = source.parent / f"one_stats-{port}.o"
        if not target.exists():
            done = self.compile(source, port)
            assert done.returncode == 0, done.stdout
        return target

    def runtime(self, port: str) -> Path:
        """The runtime as an archive."""
        archive = self.folder / f"libruntime-{port}.a"
        if not archive.exists():
            flags = [flag for flag in self.flags if flag != BESIDE]  # archives are for all
            build = Build(port=port, flags=(*self.level, *flags), tree=self.tree)
            sources = map(Path, self.words("sources", port))
            succeed("ar", "rcs", archive, *shared().objects(build, sources, []))
        return archive

    def application(
        self, name: str, ports: tuple[str, str, str], *more: str
    ) -> subprocess.CompletedProcess[str]:
        """The program `self.folder/name/program`: application, generated code, runtime."""
        own, generated, runtime = ports
        folder = self.folder / name
        sources = write(folder, name)
        for source in sources:
            bare = source.name == "eal.c"  # knows nothing of statistics
            done = (
                run("cc", *dpdk_folders(), "-c", source, "-o", source.with_name("eal.o"))
                if bare
                else self.compile(source, own, *dpdk_folders(), *more)
            )
            if done.returncode != 0:
                return done
        objects = [folder / ("eal.o" if s.name == "eal.c" else f"main-{own}.o") for s in sources]
        libs = self.words("libs", "dpdk" if needed(name) == "dpdk" else runtime)
        return run(
            "cc", *self.flags, *objects, self.generated(generated), self.runtime(runtime),
            "-pthread", *libs, "-o", folder / "program", merged=True,
        )  # fmt: skip


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("ports"))


def advice(done: subprocess.CompletedProcess[str]) -> str:
    """The first line that says what to write."""
    lines = [line for line in done.stdout.splitlines() if ADVICE.search(line)]
    assert done.returncode != 0 and lines, done.stdout
    return lines[0]


@needs_dpdk
@pytest.mark.one_in(11)
@pytest.mark.parametrize("name", APPLICATIONS)
@pytest.mark.parametrize(
    "ports", list(itertools.product(("posix", "dpdk"), repeat=3)), ids="-".join
)
def test_every_combination(bench: Bench, name: str, ports: tuple[str, str, str]) -> None:
    done = bench.application(name, ports)
    if set(ports) == {needed(name)}:
        assert done.returncode == 0, done.stdout
        counts(bench.folder / name / "program", name)
    elif name == "threads" and set(ports) == {"dpdk"}:
        assert done.returncode == 0, done.stdout  # without DPDK started, it says -ENOMEM
    else:
        assert "--port dpdk" in (line := advice(done)) or "__the_runtime_is_another__" in line


@needs_dpdk
def test_the_wrong_port_is_found_in_a_header_that_is_included_first(bench: Bench) -> None:
    line = advice(bench.application("before", ("posix", "posix", "posix")))
    assert "main.c" not in line or "error" in line
    assert "#error" in line and "-DCTR_POSIX_BESIDE_DPDK" in line and "PORT dpdk" in line


@needs_dpdk
def test_flags_of_dpdk_are_enough_to_be_found(bench: Bench) -> None:
    flags = shlex.split(succeed("pkg-config", "--cflags", "libdpdk"))
    source = write(bench.folder / "flags", "threads")[0]
    assert "#error" in advice(bench.compile(source, "posix", *flags))


@pytest.mark.one_in(3)
@needs_dpdk
@pytest.mark.parametrize("name", ["before", "after", "apart"])
def test_plain_threads_beside_dpdk(name: str, tmp_path: Path) -> None:
    bench = Bench(tmp_path, flags=(BESIDE,))
    done = bench.application(name, ("posix", "posix", "posix"))
    assert (done.returncode, "warning" in done.stdout) == (0, False), done.stdout
    counts(tmp_path / name / "program", name)


@needs_dpdk
@pytest.mark.one_in(16)
@pytest.mark.parametrize(
    "flags",
    [("-flto",), ("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"), ("-fPIC",)],
    ids=lambda flags: flags[0],
)
@pytest.mark.parametrize(
    ("name", "ports"),
    [("after", "posix-posix-posix"), ("threads", "dpdk-posix-posix"), ("apart", "posix-dpdk-dpdk")],
)
def test_whatever_the_optimiser_drops(
    name: str, ports: str, flags: tuple[str, ...], tmp_path: Path
) -> None:
    own, generated, runtime = ports.split("-")
    bench = Bench(tmp_path, flags=flags, level=("-O1",))
    assert advice(bench.application(name, (own, generated, runtime)))


@needs_dpdk
@pytest.mark.parametrize("port", ["posix", "dpdk"])
def test_sources_of_the_other_port(bench: Bench, port: str) -> None:
    other = {"posix": "dpdk", "dpdk": "posix"}[port]
    flags = bench.words("cflags", port)
    name = {"posix": "ctr_port.c", "dpdk": "ctr_thread.c"}[other]
    source = runtimeinfo.path() / "src" / "port" / other / name
    done = run("cc", *flags, *dpdk_folders(), "-fsyntax-only", source, merged=True)
    assert f"--port {other}" in advice(done)


def test_an_older_runtime_does_not_link(tmp_path: Path) -> None:
    abi = "runtime/include/ctr_abi.h"
    number = runtimeinfo.path().joinpath("include/ctr_abi.h").read_text().split("CTR_ABI ")[-1]
    number = number.split()[0]
    older = planted(tmp_path / "older", (Edit(abi, f"CTR_ABI {number}", "CTR_ABI 1"),))
    old, new = Bench(tmp_path / "old", older), Bench(tmp_path / "new")
    old.folder.mkdir()
    source = write(new.folder / "app", "threads")[0]
    assert new.compile(source, "posix").returncode == 0
    objects = source.parent / "main-posix.o", new.generated("posix"), old.runtime("posix")
    done = run("cc", *objects, "-pthread", "-o", tmp_path / "program", merged=True)
    assert f"ctr_abi_{number}_posix_of_128_lcores__the_runtime_is_another" in advice(done)


HEADERS_SEEN = "#if defined(_RTE_CONFIG_H_) || defined(RTE_MAX_LCORE) || defined(_RTE_COMMON_H_)"
BUGS = {
    "objects-need-no-runtime-of-their-port": (
        Edit(PORT_H, "ctr_abi_##abi##_##port##_of_", "ctr_abi_##abi##__"),
        ("threads", ("posix", "dpdk", "dpdk")),
    ),
    "headers-of-dpdk-are-not-seen": (
        Edit(POSIX_H, HEADERS_SEEN, "#if 0"),
        ("before", ("posix", "dpdk", "dpdk")),
    ),
    "a-program-with-dpdk-links": (
        Edit(POSIX_H, '__asm__("per_lcore__thread_id")', '__asm__("per_lcore__no_id")'),
        ("after", ("posix", "posix", "posix")),
    ),
}


@pytest.mark.one_in(16)
@needs_dpdk
@pytest.mark.parametrize("name", BUGS)
def test_planted_bugs_build(name: str, tmp_path: Path) -> None:
    """Without one of the parts there is a combination that builds, or builds further."""
    edit, (application, ports) = BUGS[name]
    bench = Bench(tmp_path, planted(tmp_path / "tree", (edit,)), sync=SHARED)
    done = bench.application(application, ports)
    assert "#error" not in done.stdout
    if name != "headers-of-dpdk-are-not-seen":
        assert done.returncode == 0, done.stdout
