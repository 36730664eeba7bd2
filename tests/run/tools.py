# SPDX-License-Identifier: BSD-3-Clause
"""Sanitizers and valgrind: how programs are compiled for them, and how they are run."""

import subprocess

import pytest

from tests.support.cbuild import Build, Workshop
from tests.support.process import run

# gcc warns that it does not see fences; data beside them are atomics, so it need not.
THREAD = ("-O1", "-g1", "-fsanitize=thread", "-Wno-tsan", "-DRTE_FORCE_INTRINSICS")

VALGRIND = (
    "valgrind",
    "--quiet",
    "--leak-check=full",
    "--errors-for-leak-kinds=definite,possible",
    "--error-exitcode=99",
)


def thread(build: Build, compiler: str = "gcc") -> Build:
    """The program with ThreadSanitizer."""
    flags = THREAD if compiler == "gcc" else tuple(word for word in THREAD if word != "-Wno-tsan")
    return build.but(compiler=compiler, flags=flags)


def options(port: str) -> dict[str, str]:
    """What sanitizers are told: to stop at what they find; the EAL keeps memory until the end."""
    leaks = {"ASAN_OPTIONS": "detect_leaks=0"} if port == "dpdk" else {}
    return {"TSAN_OPTIONS": "halt_on_error=1", **leaks}


def under_valgrind(workshop: Workshop, build: Build, test: str) -> subprocess.CompletedProcess[str]:
    """Run a test of a program under memcheck, whatever comes of it."""
    return run(*VALGRIND, workshop.program(build), test, timeout=120)


def valgrind(workshop: Workshop, build: Build, test: str) -> None:
    """Run a test of a program that memcheck has to say nothing about."""
    done = under_valgrind(workshop, build, test)
    if done.returncode != 0 or "==" in done.stderr:
        pytest.fail(f"{build.schema.stem}, {test}\n{done.stdout}{done.stderr}", pytrace=False)
