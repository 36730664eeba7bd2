# SPDX-License-Identifier: BSD-3-Clause
"""Flags and standards of applications: generated headers and the runtime add no warning."""

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.support.capabilities import PORTS, have_agentx, needs
from tests.support.cbuild import Workshop
from tests.support.paths import EP, ROOT
from tests.support.planted import COMMON, WORD, Edit, planted
from tests.support.process import run
from tests.support.random_schemas import INLINE
from tests.support.strategies import BUFFERING, SEQUENCED, UNLIKE, USUAL, VARIANTS, usually

pytestmark = needs("gcc", "g++", "clang", "clang++")

FLAGS = """
    -D_GNU_SOURCE -Werror -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wcast-qual -Wconversion
    -Wsign-conversion -Wcast-align -Wpointer-arith -Wwrite-strings -Wmissing-declarations -Wformat=2
    -Wswitch-enum -Wdouble-promotion -O2 -fno-plt -fvisibility=hidden -fsyntax-only
"""
OF_C = "-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition"
OF_CXX = "-Wold-style-cast -Woverloaded-virtual"
OF_GXX = "-Wuseless-cast"
OF_CLANG = "-Wimplicit-fallthrough -Wconditional-uninitialized"
C = ("c99", "gnu99", "c11", "gnu11", "c17", "gnu17", "c2x", "gnu2x")
CXX = ("c++11", "gnu++11", "c++14", "c++17", "c++20", "c++2b", "gnu++2b")
VALUES = ROOT / "tests" / "run" / "schemas" / "values.yaml"
WHOLE = re.sub("(?m)^requires:.*$", "", INLINE)
"""Labels, histograms, peaks, dynamic and embedded scopes; no promises are asked for."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The schema with everything."""
    path = tmp_path_factory.mktemp("whole") / "whole.yaml"
    path.write_text(WHOLE, "utf-8")
    return path


def cases(
    standards: Iterable[str], compilers: tuple[str, str], whole: Path
) -> Iterator[tuple[str, Path, str]]:
    """Each standard with each compiler; the strategies and both schemas in turns."""
    for number, (standard, compiler) in enumerate(itertools.product(standards, compilers)):
        schema = (VALUES, whole)[(number // 2 + number) % 2]
        yield f"{compiler} -std={standard}", schema, VARIANTS[number % len(VARIANTS)]


def told(workshop: Workshop, port: str, command: str, *files: object) -> str:
    """What a compiler says; headers that are not the project's are the system's."""
    ours = str(runtimeinfo.path())
    flags = [
        f"-isystem{word[2:]}" if word.startswith("-I") and ours not in word else word
        for word in workshop.runtime_flags("cflags", port)
    ]
    done = run(*command.split(), *FLAGS.split(), *flags, *map(str, files))
    return "" if done.returncode == 0 else f"{command}\n{done.stderr[:3000]}"


def included(header: Path) -> tuple[object, ...]:
    """A file that includes a header, and nothing else."""
    return "-include", header, "/dev/null"


@pytest.mark.one_in(2)
@pytest.mark.parametrize("port", PORTS)
def test_every_standard_of_c(workshop: Workshop, port: str, whole: Path) -> None:
    for command, schema, variant in cases(C, ("gcc", "clang"), whole):
        code = workshop.generated(schema, variant)
        (source,) = code.glob("*.c")
        assert told(workshop, port, f"{command} {OF_C} -I{code}", source) == ""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("port", PORTS)
def test_every_standard_of_cxx(workshop: Workshop, port: str, whole: Path) -> None:
    for command, schema, variant in cases(CXX, ("g++", "clang++"), whole):
        (header,) = workshop.generated(schema, variant).glob("*.h")
        more = f"{OF_CXX} {OF_GXX if command.startswith('g++') else ''} -xc++"
        assert told(workshop, port, f"{command} {more}", *included(header)) == ""


@pytest.mark.one_in(4)
@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_runtime(workshop: Workshop, port: str, compiler: str) -> None:
    """Its headers alone are compiled under other standards, too."""
    sources = workshop.runtime_flags("sources", port, parts=("openmetrics", "segment"))
    more = f"{OF_C} {OF_CLANG if compiler == 'clang' else ''}"
    for standard in C[::3]:
        assert told(workshop, port, f"{compiler} -std={standard} {more}", *sources) == ""


def one_file(workshop: Workshop, path: Path, port: str, modules_first: bool) -> list[str]:
    """The flags of a file of all sources that a port can be built with, and of two modules."""
    agentx = ("agentx",) if have_agentx() else ()  # headers of net-snmp have a global `step`
    parts = {"posix": agentx, "dpdk": runtimeinfo.DPDK_PARTS}[port]
    codes = [workshop.generated(EP, USUAL), workshop.generated(VALUES, BUFFERING)]
    files = workshop.runtime_flags("sources", port, parts=("segment", *parts))
    modules = [str(source) for code in codes for source in code.glob("*.c")]
    files = modules + files if modules_first else files + modules
    path.write_text("".join(f'#include "{file}"\n' for file in files), "utf-8")
    flags = ["-std=gnu11", "-Wall", "-Wextra", *workshop.runtime_flags("cflags", port)]
    return [*flags, *(f"-I{code}" for code in codes), str(path)]


@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize(
    ("compiler", "first"), [("gcc", "runtime"), ("clang", "modules")], ids=lambda value: value
)
def test_all_as_one_file(
    workshop: Workshop, tmp_path: Path, port: str, compiler: str, first: str
) -> None:
    """As in unity builds, whichever source comes first. The compiler has _GNU_SOURCE."""
    flags = one_file(workshop, tmp_path / "all.c", port, first == "modules")
    flags += ["-D_GNU_SOURCE", *(["-Wshadow"] if first == "runtime" else [])]
    done = run(compiler, *flags, "-fsyntax-only")
    assert (done.returncode, done.stderr) == (0, "")


def errors(text: str) -> list[str]:
    """The lines of what a compiler says that are errors."""
    return [line for line in text.splitlines() if re.search(r"\berror:", line)]


def test_feature_macro_that_comes_late(workshop: Workshop, tmp_path: Path) -> None:
    flags = one_file(workshop, tmp_path / "all.c", "posix", True)
    (line,) = errors(run("gcc", *flags, "-fsyntax-only").stderr)
    assert "ctr_port.c" in line and "compile with -D_GNU_SOURCE" in line


@pytest.mark.parametrize("compiler", ["gcc -xc", "g++ -xc++", "clang -xc", "clang++ -xc++"])
def test_targets_of_32_bits_are_refused(workshop: Workshop, compiler: str) -> None:
    (header,) = workshop.generated(EP, USUAL).glob("*.h")
    flags = ["-m32", "-fsyntax-only", *workshop.runtime_flags("cflags", "posix")]
    (line,) = errors(run(*compiler.split(), *flags, *included(header)).stderr)
    assert "ctrgen needs a 64-bit target" in line


def test_fences_under_thread_sanitizer(workshop: Workshop, tmp_path: Path) -> None:
    """Gcc's warns of each, unless it is told not to."""
    flags = one_file(workshop, tmp_path / "all.c", "posix", False)
    end = ("-O1", "-fsanitize=thread", "-c", "-o", "/dev/null")
    (header,) = workshop.generated(EP, SEQUENCED).glob("*.h")
    inlines = ("g++", "-xc++", "-fkeep-inline-functions", *included(header), *flags[3:-1])
    for command in (("gcc", "-D_GNU_SOURCE", *flags), inlines):
        done = run(*command, *end)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("edit", "command", "says"),
    [
        (Edit(COMMON, "__SIZEOF_POINTER__ != 8", "0"), "gcc -xc -m32", "bits/|int128|layout"),
        (Edit(COMMON, r'"GCC diagnostic ignored \"-Wtsan\""', '""'),
         "gcc -xc -fkeep-inline-functions -fsanitize=thread", "-Wtsan"),
        (Edit(WORD, "__atomic_store_n(word, value,", "__atomic_store_n(word, (uint64_t)value,"),
         "g++ -xc++ -Wuseless-cast", "-Wuseless-cast"),
    ],
)  # fmt: skip
def test_planted_bugs_are_seen(
    workshop: Workshop, tmp_path: Path, edit: Edit, command: str, says: str
) -> None:
    tree = planted(tmp_path / "tree", (edit,))
    (header,) = workshop.generated(EP, SEQUENCED).glob("*.h")
    flags = [*workshop.runtime_flags("cflags", "posix", tree), "-c", "-o", "/dev/null"]
    said = run(*command.split(), *flags, *included(header)).stderr
    assert re.search(says, said) and "64-bit target" not in said


@pytest.mark.one_in(3)
@pytest.mark.parametrize("compiler", ["gcc", pytest.param("clang", marks=needs("ld.lld"))])
@pytest.mark.parametrize("variant", usually(VARIANTS, UNLIKE))
def test_optimised_as_a_whole(
    workshop: Workshop, whole: Path, tmp_path: Path, variant: str, compiler: str
) -> None:
    """What compilers find only when they follow values, over all files: a library, linked."""
    code = workshop.generated(whole, variant)
    flags = [word for word in FLAGS.split() if word != "-fsyntax-only"] + OF_C.split()
    flags += ["-O3", "-flto", "-fPIC", "-shared", f"-I{code}", "-std=gnu11"]
    flags += ["-fuse-ld=lld"] if compiler == "clang" else []
    for what in ("cflags", "sources", "libs"):
        flags += workshop.runtime_flags(what, "posix")
    done = run(compiler, *code.glob("*.c"), *flags, "-o", tmp_path / "library.so")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_cast_of_c_is_seen(workshop: Workshop, tmp_path: Path) -> None:
    """Without what its first include says to the compiler; g++ allows them in `extern "C"`."""
    header = workshop.generated(VALUES, USUAL) / "val_stats.h"
    text = header.read_text("utf-8")
    (first,) = re.findall('(?m)^#include "ctr_begin.h"\n', text)
    assert text.index(first) == text.index("#include ")
    assert text.count("CTR_BEGIN_DECLS\n") == text.count("CTR_END_DECLS\n") == 1
    bare = tmp_path / "val_stats.h"
    text = text.replace("CTR_BEGIN_DECLS", 'extern "C" {').replace("CTR_END_DECLS", "}")
    text = text.replace(first, "")
    bare.write_text(text, "utf-8")
    command = f"clang++ -std=c++17 {OF_CXX} -xc++"
    assert told(workshop, "posix", command, *included(header)) == ""
    assert "-Wold-style-cast" in told(workshop, "posix", command, *included(bare))
