# SPDX-License-Identifier: BSD-3-Clause
"""Instances by CPU: updates that are cut at any instruction, and threads that move."""

import pytest

from tests.strategies.per_cpu.programs import by_cpu, cut
from tests.support.cbuild import Workshop, run_test

TESTS = ("by_cpu", "without_an_area", "moved")
VARIANTS = ("per_cpu", "per_cpu:cpus=1")

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_cut_is_counted(workshop: Workshop, variant: str, compiler: str) -> None:
    for test in TESTS:
        workshop.passes(by_cpu(variant).but(compiler=compiler), test)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("threads", [1, 8])
@pytest.mark.parametrize("variant", VARIANTS)
def test_each_amount_is_added_once(
    workshop: Workshop, variant: str, threads: int, compiler: str
) -> None:
    workshop.passes(cut(variant).but(compiler=compiler), "amounts", THREADS=threads)


@pytest.mark.native
def test_a_missed_add_looks_at_one_chunk(workshop: Workshop) -> None:
    workshop.passes(cut("per_cpu"), "chunk")


def test_without_assembly(workshop: Workshop) -> None:
    build = by_cpu("per_cpu")
    for test in TESTS:
        workshop.passes(build.but(flags=(*build.flags, "-DCTR_NO_ASM")), test, PLAIN=0)


def test_without_optimization(workshop: Workshop) -> None:
    """There are too few registers then for sections that adds share."""
    for more in (
        ("-O0", "-g", "-fPIC"),
        ("-O0", "-g", "-fPIC", "-fsanitize=undefined", "-fsanitize-undefined-trap-on-error"),
    ):
        workshop.passes(by_cpu("per_cpu").but(own_flags=more), "moved")


@pytest.mark.native
def test_with_instructions_as_intel_writes_them(workshop: Workshop) -> None:
    workshop.passes(by_cpu("per_cpu").but(own_flags=("-masm=intel",)), "moved")


def test_where_nothing_is_registered(workshop: Workshop) -> None:
    """glibc can be told to leave sequences to others."""
    program = workshop.program(by_cpu("per_cpu"))
    for test in TESTS:
        done = run_test(program, test, 120, {"GLIBC_TUNABLES": "glibc.pthread.rseq=0"}, PLAIN=0)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.native
def test_files_that_add_in_two_ways_do_not_link(workshop: Workshop) -> None:
    build = by_cpu("per_cpu")
    mixed = build.sources[0].with_name("cpu_mixed.c")
    objects = workshop.objects(build.but(flags=(*build.flags, "-DCTR_NO_ASM")), [mixed],
                               [workshop.generated(build.schema, build.sync)])  # fmt: skip
    with pytest.raises(pytest.fail.Exception, match="by_atomics"):
        workshop.program(build.but(link=(str(objects[0]),)))
