# SPDX-License-Identifier: BSD-3-Clause
"""Flags and standards of applications: generated headers and the runtime add no warning."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.support.capabilities import PORTS, needs
from tests.support.cbuild import Workshop
from tests.support.paths import ROOT
from tests.support.process import run
from tests.support.random_schemas import INLINE
from tests.support.strategies import UNLIKE, VARIANTS, usually

pytestmark = needs("gcc", "g++", "clang", "clang++")

FLAGS = """
    -D_GNU_SOURCE -Werror -Wall -Wextra -Wpedantic -Wshadow -Wundef -Wcast-qual -Wconversion
    -Wsign-conversion -Wcast-align -Wpointer-arith -Wwrite-strings -Wmissing-declarations -Wformat=2
    -Wswitch-enum -Wdouble-promotion -O2 -fno-plt -fvisibility=hidden -fsyntax-only
"""
OF_C = "-Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition"
OF_CXX = "-Wold-style-cast -Woverloaded-virtual"
C = ("c99", "gnu99", "c11", "gnu11", "c17", "gnu17", "c2x", "gnu2x")
CXX = ("c++11", "gnu++11", "c++14", "c++17", "c++20", "c++2b", "gnu++2b")
NATURAL = ROOT / "tests" / "run" / "schemas" / "natural.yaml"
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
        schema = (NATURAL, whole)[(number // 2 + number) % 2]
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
        assert told(workshop, port, f"{command} {OF_CXX} -xc++", *included(header)) == ""


@pytest.mark.one_in(4)
@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_runtime(workshop: Workshop, port: str, compiler: str) -> None:
    sources = workshop.runtime_flags("sources", port)
    for standard in C:
        assert told(workshop, port, f"{compiler} -std={standard} {OF_C}", *sources) == ""


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
    """Without what the header says to the compiler; g++ allows them in `extern "C"`."""
    header = workshop.generated(NATURAL, "per_core") / "nat_stats.h"
    text = header.read_text("utf-8")
    line = '#pragma GCC diagnostic ignored "-Wold-style-cast"\n'
    assert text.count(line) == 1
    bare = tmp_path / "nat_stats.h"
    bare.write_text(text.replace(line, ""), "utf-8")
    command = f"clang++ -std=c++17 {OF_CXX} -xc++"
    assert told(workshop, "posix", command, *included(header)) == ""
    assert "-Wold-style-cast" in told(workshop, "posix", command, *included(bare))
