# SPDX-License-Identifier: BSD-3-Clause
"""One application source, every strategy, both ports, C and C++, gcc and clang, no warning."""

import re
import subprocess
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.support.capabilities import have, needs, needs_dpdk
from tests.support.cbuild import WARNINGS, Build, Workshop
from tests.support.paths import EP, EXAMPLES, example
from tests.support.process import run, succeed
from tests.support.strategies import BUFFERING, OWN_LOCKS, USUAL, VARIANTS

APP = Path(__file__).with_name("app.c")
LANGUAGES = {"gcc": "c", "clang": "c", "g++": "c++", "clang++": "c++"}
STANDARD = {("c", "posix"): "c11", ("c", "dpdk"): "gnu11", ("c++", "posix"): "c++17"}


def compile_app(
    compiler: str, port: str, folder: Path, *more: str
) -> subprocess.CompletedProcess[str]:
    language = LANGUAGES[compiler]
    standard = STANDARD.get((language, port), "gnu++17")
    command = [compiler, f"-x{language}", f"-std={standard}", "-O2", *WARNINGS, f"-I{folder}"]
    command += [*runtimeinfo.cflags(port), *more]
    return run(*command)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("compiler", [pytest.param(name, marks=needs(name)) for name in LANGUAGES])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_application_compiles(
    workshop: Workshop, variant: str, compiler: str, port: str
) -> None:
    folder = workshop.generated(EP, variant)
    done = compile_app(compiler, port, folder, "-fsyntax-only", str(APP))
    assert done.returncode == 0 and done.stderr == "", done.stderr


def compiled(workshop: Workshop, folder: Path) -> list[Path]:
    """The runtime, and generated code in a folder, compiled."""
    runtime = workshop.objects(Build(), map(Path, runtimeinfo.sources("posix")), [])
    return [*runtime, *workshop.objects(Build(), [folder / "ep_stats.c"], [folder])]


@pytest.mark.one_in(12)
@pytest.mark.parametrize("compiler", ["gcc", "g++"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_application_runs(
    workshop: Workshop, variant: str, compiler: str, tmp_path: Path
) -> None:
    """Linked with generated code and runtime compiled as C."""
    folder = workshop.generated(EP, variant)
    objects = compiled(workshop, folder)
    program = tmp_path / "app"
    made = compile_app(
        compiler,
        "posix",
        folder,
        str(APP),
        "-xnone",
        *map(str, objects),
        "-pthread",
        "-o",
        str(program),
    )
    assert made.returncode == 0, made.stderr
    assert "ep.session.pkts: Packets of the session." in succeed(program, timeout=60)


def test_generated_sources_compile_with_checks(workshop: Workshop, port: str) -> None:
    """Debug builds, whose assertions look at every index."""
    for schema in EXAMPLES:
        folder = workshop.generated(example(schema), None)
        for compiler in ("gcc", "clang"):
            if have(compiler):
                source = str(folder / f"{schema}_stats.c")
                done = compile_app(compiler, port, folder, "-DCTR_DEBUG", "-fsyntax-only", source)
                assert done.returncode == 0, done.stderr


def test_another_abi_is_an_error_that_says_what_to_do(workshop: Workshop, tmp_path: Path) -> None:
    folder = workshop.generated(EP, USUAL)
    header = folder / "ep_stats.h"
    (tmp_path / "ep_stats.h").write_text(
        re.sub(r"CTR_ABI != \d+", "CTR_ABI != 99", header.read_text())
    )
    done = compile_app("gcc", "posix", tmp_path, "-fsyntax-only", str(APP))
    assert done.returncode != 0
    assert "generate it again with the installed ctrgen" in done.stderr


STARTS = """
#include "ep_stats.h"
int main(void) { return -ep_stats_init(); }
"""
UPDATES = """
#include "ep_stats.h"
int main(void) { ep_stats_update_packet(1, 100); return 0; }
"""


@pytest.mark.parametrize("lcores", [64, 128, 256])
@pytest.mark.parametrize(
    ("sync", "text"), [(USUAL, STARTS), (OWN_LOCKS, UPDATES), (BUFFERING, UPDATES)]
)
def test_code_for_another_number_of_lcores_does_not_link(
    workshop: Workshop, tmp_path: Path, sync: str, text: str, lcores: int
) -> None:
    """Generated code, or an application with what is inline."""
    folder = workshop.generated(EP, sync)
    *objects, generated = map(str, compiled(workshop, folder))
    source, program = tmp_path / "main.c", tmp_path / "main"
    source.write_text(text)
    own = [str(folder / "ep_stats.c"), "-xnone"] if text == STARTS else ["-xnone", generated]
    limit = f"-DCTR_POSIX_MAX_LCORE={lcores}"
    words = [str(source), *own, *objects, "-pthread", "-o", str(program)]
    made = compile_app("gcc", "posix", folder, limit, *words)
    assert (made.returncode == 0) == (lcores == 128), made.stderr
    if lcores == 128:
        succeed(program, timeout=60)
    else:
        assert f"_of_{lcores}_lcores_" in made.stderr


@needs_dpdk
@pytest.mark.parametrize("lcores", [64, 128])
def test_generated_code_for_another_rte_max_lcore_does_not_link(
    workshop: Workshop, tmp_path: Path, lcores: int
) -> None:
    folder, build = workshop.generated(EP, USUAL), Build(port="dpdk")
    objects = workshop.objects(build, map(Path, runtimeinfo.sources("dpdk")), [])
    other, source = tmp_path / "other.h", tmp_path / "starts.c"
    other.write_text(
        f"#include <rte_config.h>\n#undef RTE_MAX_LCORE\n#define RTE_MAX_LCORE {lcores}\n"
    )
    source.write_text(STARTS)
    words = [source, folder / "ep_stats.c", "-xnone", *objects, "-o", tmp_path / "starts"]
    words += [*workshop.runtime_flags("libs", "dpdk")]
    made = compile_app("gcc", "dpdk", folder, "-include", str(other), *map(str, words))
    assert (made.returncode == 0) == (lcores == 128), made.stderr
    assert lcores == 128 or f"_of_{lcores}_lcores_" in made.stderr
