# SPDX-License-Identifier: BSD-3-Clause
"""The CMake package: `find_package(ctrgen)`, with the sources of the runtime and installed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.packaging.ports import counts, installed, schema, write
from tests.support import process
from tests.support.capabilities import have_library, needs, needs_dpdk
from tests.support.process import run
from tests.support.strategies import UNLIKE

pytestmark = [pytest.mark.slow, needs("cmake")]

PROJECT = """\
cmake_minimum_required(VERSION 3.20)
project(app LANGUAGES {languages})
find_package(ctrgen 0.1 REQUIRED {components})
ctrgen_add(one_stats one.yaml {arguments})
add_executable(app {sources})
target_link_libraries(app PRIVATE one_stats)
{more}
"""
DPDK = """\
find_package(PkgConfig REQUIRED)
pkg_check_modules(DPDK REQUIRED IMPORTED_TARGET libdpdk)
target_link_libraries(app PRIVATE PkgConfig::DPDK)
"""
MAKERS = [
    pytest.param("Unix Makefiles", marks=needs("make")),
    pytest.param("Ninja", marks=needs("ninja")),
]


def configure(
    folder: Path, maker: str = "Ninja", package: Path | None = None, more: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[str]:
    """CMake's first step, in `build`."""
    words = ("-S", ".", "-B", "build", f"-Dctrgen_DIR={package or runtimeinfo.cmake()}", *more)
    return run("cmake", "-G", maker, *words, cwd=folder, merged=True)


def make(folder: Path) -> subprocess.CompletedProcess[str]:
    """And its second."""
    return run("cmake", "--build", "build", "--verbose", cwd=folder, merged=True)


def project(
    folder: Path, application: str, arguments: str, more: str = "", languages: str = "C",
    components: str = "",
) -> None:  # fmt: skip
    """A project with the schema `one` and an application."""
    sources = write(folder, application)
    schema(folder)
    if languages == "C CXX":
        sources = [source.rename(source.with_suffix(".cpp")) for source in sources]
    text = PROJECT.format(
        languages=languages,
        components=components,
        arguments=arguments,
        sources=" ".join(source.name for source in sources),
        more=more,
    )
    (folder / "CMakeLists.txt").write_text(text)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("languages", ["C", "C CXX"])
def test_a_program_counts(maker: str, languages: str, tmp_path: Path) -> None:
    folder = tmp_path / "my project"
    project(folder, "threads", f"PORT posix SYNC {UNLIKE[1]}", languages=languages)
    assert (done := configure(folder, maker)).returncode == 0, done.stdout
    assert (done := make(folder)).returncode == 0, done.stdout
    counts(folder / "build" / "app", "threads")
    header = folder / "build" / "one_stats.ctrgen" / "one_stats.h"
    assert UNLIKE[1] in header.read_text()


@pytest.mark.deep
@pytest.mark.parametrize("maker", MAKERS)
def test_what_an_edit_builds(maker: str, tmp_path: Path) -> None:
    project(tmp_path, "threads", "PORT posix")
    assert configure(tmp_path, maker).returncode == 0
    assert (done := make(tmp_path)).returncode == 0, done.stdout
    program = tmp_path / "build" / "app"
    header = tmp_path / "build" / "one_stats.ctrgen" / "one_stats.h"

    def times() -> tuple[int, int]:
        return program.stat().st_mtime_ns, header.stat().st_mtime_ns

    before, path = times(), tmp_path / "one.yaml"
    path.write_text(f"# A comment.\n{path.read_text()}")
    assert make(tmp_path).returncode == 0 and times() == before
    path.write_text(path.read_text().replace("Packets processed", "Packets seen"))
    assert make(tmp_path).returncode == 0
    assert all(now > then for now, then in zip(times(), before, strict=True))
    path.write_text("nonsense: 1\n")
    done = make(tmp_path)
    assert done.returncode != 0 and "unknown-key" in done.stdout


def test_a_package_of_a_sub_folder_and_a_launcher_of_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "env cc")
    project(tmp_path, "threads", "PORT posix WITH segment")
    path = tmp_path / "CMakeLists.txt"
    found = "find_package(ctrgen 0.1 REQUIRED)\n"
    (tmp_path / "found").mkdir()
    (tmp_path / "found" / "CMakeLists.txt").write_text(found)
    path.write_text(path.read_text().replace(found, "add_subdirectory(found)\n"))
    assert (done := configure(tmp_path)).returncode == 0, done.stdout
    assert (done := make(tmp_path)).returncode == 0, done.stdout
    counts(tmp_path / "build" / "app", "threads")


@pytest.mark.skipif(not have_library("libbpf >= 1.0"), reason="no libbpf-dev: ./dev setup")
def test_the_part_xdp_is_linked_with_libbpf(tmp_path: Path) -> None:
    more = "add_executable(xdp xdp.c)\ntarget_link_libraries(xdp PRIVATE one_stats)\n"
    project(tmp_path, "threads", "PORT posix WITH xdp", more)
    text = '#include "ctr_xdp.h"\nint main(void) { return ctr_xdp_attach(NULL, NULL, NULL); }\n'
    (tmp_path / "xdp.c").write_text(text)
    assert (done := configure(tmp_path)).returncode == 0, done.stdout
    assert (done := make(tmp_path)).returncode == 0, done.stdout


@needs("make")
def test_a_folder_that_was_removed_is_generated_again(tmp_path: Path) -> None:
    project(tmp_path, "threads", "PORT posix")
    assert configure(tmp_path, "Unix Makefiles").returncode == 0
    assert (done := make(tmp_path)).returncode == 0, done.stdout
    shutil.rmtree(tmp_path / "build" / "one_stats.ctrgen")
    assert (done := make(tmp_path)).returncode == 0, done.stdout


@pytest.mark.deep
@needs_dpdk
def test_plain_threads_beside_dpdk(tmp_path: Path) -> None:
    project(tmp_path, "after", "PORT posix BESIDE_DPDK", DPDK)
    assert configure(tmp_path).returncode == 0
    assert (done := make(tmp_path)).returncode == 0, done.stdout
    counts(tmp_path / "build" / "app", "after")


@pytest.mark.deep
@needs_dpdk
def test_two_ports_in_one_program(tmp_path: Path) -> None:
    more = (
        "ctrgen_add(two_stats two.yaml PORT dpdk)\ntarget_link_libraries(app PRIVATE two_stats)\n"
    )
    project(tmp_path, "threads", "PORT posix", more)
    text = (tmp_path / "one.yaml").read_text()
    (tmp_path / "two.yaml").write_text(text.replace("module: one", "module: two"))
    assert (done := configure(tmp_path)).returncode == 0, done.stdout
    done = make(tmp_path)
    assert done.returncode != 0 and "keep one" in done.stdout


@pytest.mark.parametrize(
    ("components", "arguments", "says"),
    [
        ("COMPONENTS nothing", "WITH segment", "no part 'nothing': there are segment"),
        ("COMPONENTS segment", "WITH nothing", "no part 'nothing': there are segment"),
        ("COMPONENTS segment", "WITH telemetry", "'telemetry' needs DPDK: write PORT dpdk"),
    ],
)
def test_mistakes_of_parts(components: str, arguments: str, says: str, tmp_path: Path) -> None:
    project(tmp_path, "threads", f"PORT posix {arguments}", components=components)
    done = configure(tmp_path)
    assert done.returncode != 0 and says in " ".join(done.stdout.split()), done.stdout


@pytest.mark.parametrize(
    ("arguments", "languages", "says"),
    [
        ("", "C", "no port '': write ctrgen_add(one_stats one.yaml PORT posix), or PORT dpdk"),
        ("PORT linux", "C", "no port 'linux': write"),
        ("PORT posix STRATEGY x", "C", "no 'STRATEGY;x' here: write"),
        ("PORT posix SYNC nothing", "C", "nothing"),
        ("PORT posix", "CXX", "the statistics are C: write project(... LANGUAGES C CXX)"),
    ],
)
def test_mistakes(arguments: str, languages: str, says: str, tmp_path: Path) -> None:
    project(tmp_path, "threads", arguments)
    path = tmp_path / "CMakeLists.txt"
    path.write_text(path.read_text().replace("LANGUAGES C)", f"LANGUAGES {languages})"))
    done = configure(tmp_path)
    text = re.sub(r"\s+", " ", done.stdout)
    assert done.returncode != 0 and says in text, done.stdout


@pytest.mark.one_in(2)
@needs("meson", "ninja", "pkg-config")
def test_an_installed_runtime(port: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix, application = installed(tmp_path, port), {"posix": "threads", "dpdk": "before"}[port]
    monkeypatch.setenv("PKG_CONFIG_PATH", str(prefix / "lib/pkgconfig"))
    folder = tmp_path / "app"
    project(folder, application, f"PORT {port}", DPDK if port == "dpdk" else "")
    done = configure(folder, package=prefix / "lib" / "cmake" / "ctrgen")
    assert done.returncode == 0, done.stdout
    assert (done := make(folder)).returncode == 0, done.stdout
    assert "ctr_slots.c" not in done.stdout
    counts(folder / "build" / "app", application)


def test_the_folder_is_printed() -> None:
    assert process.ctrgen("runtime", "--cmake").stdout == f"{runtimeinfo.cmake()}\n"
