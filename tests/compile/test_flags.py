# SPDX-License-Identifier: BSD-3-Clause
"""Flags and standards of applications: generated headers and the runtime add no warning."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.support.capabilities import PORTS, needs
from tests.support.cbuild import Workshop
from tests.support.paths import ROOT
from tests.support.process import run
from tests.support.strategies import VARIANTS

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
SCHEMA = ROOT / "tests" / "run" / "schemas" / "natural.yaml"


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


def variant(number: int) -> str:
    """One strategy after the other."""
    return VARIANTS[number % len(VARIANTS)]


@pytest.mark.parametrize("port", PORTS)
def test_every_standard_of_c(workshop: Workshop, port: str) -> None:
    for number, standard in enumerate(C):
        for place, compiler in enumerate(("gcc", "clang")):
            code = workshop.generated(SCHEMA, variant(2 * number + place))
            command = f"{compiler} -std={standard} {OF_C} -I{code}"
            assert told(workshop, port, command, code / "nat_stats.c") == ""


@pytest.mark.parametrize("port", PORTS)
def test_every_standard_of_cxx(workshop: Workshop, port: str) -> None:
    for number, standard in enumerate(CXX):
        for place, compiler in enumerate(("g++", "clang++")):
            code = workshop.generated(SCHEMA, variant(2 * number + place))
            command = f"{compiler} -std={standard} {OF_CXX} -xc++"
            assert told(workshop, port, command, *included(code / "nat_stats.h")) == ""


@pytest.mark.parametrize("port", PORTS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_runtime(workshop: Workshop, port: str, compiler: str) -> None:
    sources = workshop.runtime_flags("sources", port)
    assert told(workshop, port, f"{compiler} -std=gnu11 {OF_C}", *sources) == ""


def test_a_cast_of_c_is_seen(workshop: Workshop, tmp_path: Path) -> None:
    """Without what the header says to the compiler; g++ allows them in `extern "C"`."""
    header = workshop.generated(SCHEMA, "per_core") / "nat_stats.h"
    text = header.read_text("utf-8")
    line = '#pragma GCC diagnostic ignored "-Wold-style-cast"\n'
    assert text.count(line) == 1
    bare = tmp_path / "nat_stats.h"
    bare.write_text(text.replace(line, ""), "utf-8")
    command = f"clang++ -std=c++17 {OF_CXX} -xc++"
    assert told(workshop, "posix", command, *included(header)) == ""
    assert "-Wold-style-cast" in told(workshop, "posix", command, *included(bare))
