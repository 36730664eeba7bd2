# SPDX-License-Identifier: BSD-3-Clause
"""The library by itself, with tables written by hand: table.c; and bugs in it that this sees."""

from pathlib import Path

import pytest

from tests.run.mutants import (
    CORE_H,
    COUNTER,
    END,
    FEW,
    GET,
    LCORE,
    MEMORY,
    RESET,
    SETTLE,
    SNAPSHOT,
    TAKE,
    WORDS_H,
)
from tests.run.variants import HARNESS, HERE
from tests.support.cbuild import OPTIMISED, SANITIZED, Build, Workshop
from tests.support.planted import Bug, Edit, planted

TESTS = ("reads", "snapshots", "lives", "arguments")
BUILD = Build(plain=(HERE / "table.c", HERE / "table_made.c", *HARNESS))

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("flags", [OPTIMISED, SANITIZED], ids=["optimised", "sanitized"])
def test_the_library(workshop: Workshop, port: str, flags: tuple[str, ...]) -> None:
    if port == "dpdk" and flags is SANITIZED:
        pytest.skip("its headers are not for these warnings")
    for test in TESTS:
        workshop.passes(BUILD.but(flags=flags, port=port), test, 120)


def bug(test: str, name: str, path: str, old: str, new: str) -> tuple[str, Bug]:
    return test, Bug(name, (Edit(path, old, new),))


LEFT_OUT = (CORE_H, "copy = 0; copy < num; copy++) {", "copy = 1; copy < num; copy++) {")
"""In a read of few words; a model and a stress test see it, too (bugs/ep.bugs)."""

BUGS = [
    bug("reads", "a-read-leaves-a-copy-out", *LEFT_OUT),
    bug("snapshots", "a-snapshot-leaves-a-copy-out", CORE_H,
        "for (copy = copies; copy != end; copy++)",
        "for (copy = copies + (sum->num > 1); copy != end; copy++)"),
    bug("reads", "a-baseline-is-subtracted-twice", GET, "\t\tsum -= ", "\t\tsum -= 2 * "),
    bug("reads", "a-baseline-of-few-is-added", FEW, "\t\tsum = -", "\t\tsum = "),
    bug("reads", "a-run-of-seven-has-six", WORDS_H,
        "\tcase 7:\n\t\tctr_core_copy(&from[6], &to[6], add); /* fallthrough */\n",
        "\tcase 7:\n"),
    bug("snapshots", "a-run-of-three-has-two", FEW,
        "sum->base, words);", "sum->base, words == 3 ? 2 : words);"),
    bug("reads", "a-long-run-has-one", WORDS_H, "num > 8); num--", "false); num--"),
    bug("reads", "words-of-32-bits-are-not-added", WORDS_H,
        "(add ? *(uint32_t *)(void *)to : 0)", "0"),
    bug("reads", "a-narrow-difference-has-64-bits", GET,
        "return counter->bits == 64 ? sum : (uint32_t)sum;", "return sum;"),
    bug("reads", "a-counter-is-in-the-run-before", COUNTER,
        "if (run[n / 2].value <= value) {", "if (run[n / 2].value < value) {"),
    bug("reads", "a-reset-takes-one-word-less", TAKE,
        "*value64++ = atomic ? ctr_exchange64(word64)",
        "*value64++ = i == 0 ? 0 : atomic ? ctr_exchange64(word64)"),
    bug("reads", "a-reset-in-a-view-is-one-in-another", RESET,
        "begin_period(table, ctr_core_base(table, at, view), out);",
        "begin_period(table, ctr_core_base(table, at, table->view), out);"),
    bug("reads", "parts-of-lcores-are-those-since-the-start", LCORE,
        "ctr_core_subtract(table, base, 1, values);", "(void)base;"),
    bug("snapshots", "a-block-is-read-from-its-second-on", SNAPSHOT,
        "ctr_core_total(table, table->view, at, n",
        "ctr_core_total(table, table->view, at + (n > 1), n"),
    bug("snapshots", "a-snapshot-forgets-a-chunk", SNAPSHOT,
        "at += found < n ? found + 1 : n;", "at += n + 64;"),
    bug("lives", "a-life-begins-with-former-counts", SETTLE,
        "\tctr_core_begin_period(table, bases, (char *)out);\n", ""),
    bug("lives", "the-last-counts-are-those-of-all-lives", SETTLE,
        "period(table, bases, (char *)out);", "period(table, bases, memcpy(sums, out, 8));"),
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
    done = workshop.attempt(BUILD.but(tree=tree), test, 60)
    assert done.returncode != 0, done.stdout
