# SPDX-License-Identifier: BSD-3-Clause
"""The library by itself, with tables written by hand: table.c; and bugs in it that this sees."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.run.mutants import (
    COUNTER,
    END,
    GET,
    LCORE,
    MEMORY,
    RESET,
    SETTLE,
    SNAPSHOT,
    SUM,
)
from tests.run.variants import HARNESS, HERE
from tests.support.cbuild import OPTIMISED, SANITIZED, Build, Workshop, run_test
from tests.support.planted import PROJECT, Bug, Edit, Tree, planted

TESTS = ("reads", "snapshots", "lives", "arguments")
KERNELS = "runtime/src/core/kernels.h"
SOURCES = (HERE / "table.c", HERE / "table_made.c", *HARNESS)

pytestmark = pytest.mark.slow


def program(
    workshop: Workshop,
    folder: Path,
    flags: tuple[str, ...] = OPTIMISED,
    port: str = "posix",
    tree: Tree = PROJECT,
) -> Path:
    """The program, with the library of a tree."""
    build = Build(plain=SOURCES, flags=flags, port=port, tree=tree)
    workshop.link(folder / "table", build, [], [])
    return folder / "table"


@pytest.mark.parametrize("flags", [OPTIMISED, SANITIZED], ids=["optimised", "sanitized"])
def test_the_library(workshop: Workshop, tmp_path: Path, port: str, flags: tuple[str, ...]) -> None:
    if port == "dpdk" and flags is SANITIZED:
        pytest.skip("its headers are not for these warnings")
    built = program(workshop, tmp_path, flags, port)
    for test in TESTS:
        done = run_test(built, test, 120)
        assert done.returncode == 0, done.stderr


def bug(test: str, name: str, path: str, old: str, new: str) -> tuple[str, Bug]:
    return test, Bug(name, (Edit(path, old, new),))


LEFT_OUT = (
    SUM,
    "\tfor (copy = 0; copy < n; copy++) {\n\t\tconst char *element",
    "\tfor (copy = 1; copy < n; copy++) {\n\t\tconst char *element",
)
"""In a read of few words; a model and a stress test see it, too (mutants_ep.py)."""

BUGS = [
    bug("reads", "a-read-leaves-a-copy-out", *LEFT_OUT),
    bug("snapshots", "a-snapshot-leaves-a-copy-out", SUM,
        "\tfor (copy = 0; copy < num; copy++)\n\t\tctr_core_load(",
        "\tfor (copy = 1; copy < num; copy++)\n\t\tctr_core_load("),
    bug("reads", "a-baseline-is-subtracted-twice", GET, "\t\tsum -= ", "\t\tsum -= 2 * "),
    bug("reads", "a-run-of-seven-has-six", KERNELS, "block64(block, 7,", "block64(block, 6,"),
    bug("reads", "a-run-of-three-has-two", SUM, "base, values, 3)", "base, values, 2)"),
    bug("reads", "a-long-run-has-eight", KERNELS, "block64(block, num,", "block64(block, 8,"),
    bug("reads", "words-of-32-bits-are-added-alone", KERNELS,
        "ctr_load32(&word[i]) : -ctr_load32(&word[i])", "ctr_load32(&word[i]) : 0"),
    bug("reads", "a-narrow-difference-has-64-bits", GET,
        "return counter.bits == 64 ? sum : (uint32_t)sum;", "return sum;"),
    bug("reads", "a-counter-is-in-the-run-before", COUNTER,
        "if (run[n / 2].value <= value) {", "if (run[n / 2].value < value) {"),
    bug("reads", "a-reset-takes-one-word-less", RESET,
        "value64[i] += ctr_exchange64(&word64[i]);",
        "value64[i] += i != 0 ? ctr_exchange64(&word64[i]) : 0;"),
    bug("reads", "a-reset-in-a-view-is-one-in-another", RESET,
        "begin_period(table, ctr_core_base(table, at, view), out);",
        "begin_period(table, ctr_core_base(table, at, table->view), out);"),
    bug("reads", "parts-of-lcores-are-those-since-the-start", LCORE,
        "ctr_core_subtract(table, base, 0, 1, values);", "(void)base;"),
    bug("snapshots", "a-block-is-read-from-its-second-on", SNAPSHOT,
        "ctr_core_sum(table, at, n, values", "ctr_core_sum(table, at + (n > 1), n, values"),
    bug("snapshots", "a-snapshot-forgets-a-chunk", SNAPSHOT,
        "at += n, entry += n)", "at += n + 64, entry += n)"),
    bug("lives", "a-life-begins-with-former-counts", SETTLE,
        "ctr_core_store(base + (size_t)view * table->base_size, run->bits,\n\t\t\t\t\t       sum);", ";"),
    bug("lives", "the-last-counts-are-those-of-all-lives", SETTLE,
        "sum - ctr_core_word(base +", "sum - 0 * ctr_core_word(base +"),
    bug("lives", "a-free-index-is-not-found", END,
        "\tif (at < table->state->first)\n", "\tif (at > table->state->first)\n"),
    bug("lives", "a-chunk-is-that-of-another", MEMORY,
        "const uint32_t n = at >> table->chunk_bits;",
        "const uint32_t n = (at >> table->chunk_bits) & 1;"),
]  # fmt: skip


@pytest.mark.native
@pytest.mark.one_in(6)
@pytest.mark.parametrize(("test", "planted_bug"), BUGS, ids=[b.name for _, b in BUGS])
def test_a_planted_bug_is_seen(
    workshop: Workshop, tmp_path: Path, test: str, planted_bug: Bug
) -> None:
    tree = planted(tmp_path / "tree", planted_bug.edits)
    done = run_test(program(workshop, tmp_path, tree=tree), test, 60)
    assert done.returncode != 0, done.stdout
