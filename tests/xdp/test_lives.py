# SPDX-License-Identifier: BSD-3-Clause
"""Instances of dynamic scopes begin and end while the kernel counts in them, by user space and by
the program itself."""

import os
from pathlib import Path

import pytest

from tests.support import process
from tests.support.paths import APPS
from tests.xdp import lab

pytestmark = [lab.needs_bpf, pytest.mark.slow]

FLOWS = APPS / "xdp"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program for the kernel of the example, and what is generated for it."""
    out = lab.generate(FLOWS / "flows.yaml", tmp_path_factory.mktemp("lives"))
    lab.compiled(FLOWS / "flows.bpf.c", out)
    return out


def lives(out: Path, runs: int) -> tuple[int, str]:
    """Exit status of the program and its output."""
    pins = Path("/sys/fs/bpf") / f"ctrgen-lives-{os.getpid()}"
    try:
        words = (out / "lives", out / "flows.bpf.o", pins, str(runs))
        done = process.run(*words, merged=True)
    finally:
        process.run("rm", "-rf", pins)
    return done.returncode, done.stdout


def test_final_counts_are_whole(out: Path) -> None:
    """Final counts of all lives and packets of no known flow are all packets; and a process that
    attaches later begins at 0."""
    lab.reader(lab.HERE / "lives.c", out)
    status, text = lives(out, 3_000_000)
    assert status == 0, text


PLANTED = {
    "a grace period for each end": (
        "(void)syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);", "return;",
    ),
    "begins at 0": ("->own, ends_as);", "->own, 0);"),
}  # fmt: skip
"""What the program says, and what is planted for it: final counts are collected while programs may
still have the index; a process that has detached is forgotten."""


@pytest.mark.parametrize("message", PLANTED)
def test_what_is_planted_in_lives_is_seen(message: str, out: Path) -> None:
    """Each is found by what the program asserts of it."""
    lab.reader(lab.HERE / "lives.c", out, planted=PLANTED[message])
    status, text = lives(out, 300_000)
    assert status == 1 and f"wrong: {message}" in text, text


RUNS, BRIEF = 2_000_000, 1_000_000
"""Of each of two CPUs; where something is planted, which the program asserts before or behind."""
FIND = "ctr_bpf_key_find(keys, words, index) : rc;"
OPEN = "(void)ctr_life_open(table, event->index);"
LOCK = "ctr_control_lock(table->domain->module->control);"
WRONG = {
    "two CPUs begin a flow": ("BPF_NOEXIST", "BPF_ANY", "the index of the faster CPU"),
    "the index of the slower CPU is used": (FIND, "0 : rc;", "the index of the faster CPU"),
    "a beginning is not known": (
        "rc == 0 ? CTR_XDP_BEGUN", "rc != 0 ? CTR_XDP_BEGUN", "an instance with its first packet",
    ),
    "an end is not known": ("CTR_XDP_ENDED;", "CTR_XDP_LOST;", "a final count"),
    "final counts are early": ("if (lives->ends)", "if (false)", "one wait an end"),
    "a key is left": (
        "(void)ctr_table_key_set(table, found, NULL);", "", "a key that is removed first",
    ),
    "a beginning has no key": ("&event->words[1]) != 0 ||", "&event->words[0]) != 0 ||", "a key"),
    "room for what is discarded": (
        "if (bpf_map_peek_elem(indexes, &at) != 0)", "if (0)", "an end without room",
    ),
    "a later life ends": (
        "if (ctr_life_token(table, event->index) == event->token)", "", "a later life",
    ),
    "a further key is not waited for": (
        "== event->life;", "!= 0;", "an instance with a further key",
    ),
    "a beginning has its key late": (
        OPEN, f"{LOCK.replace('_lock', '_unlock')} {OPEN} {LOCK}", "an end before a key",
    ),
    "the stock is not filled up": ("of->lives->spare--;", "", "the index of the faster CPU"),
}  # fmt: skip
"""Planted in the kernel's side or in the library: what is replaced, by what, and what the program
says."""


def begin(folder: Path, planted: tuple[str, str] | None = None) -> tuple[int, str]:
    """Exit status and output of the program that has two CPUs begin and end flows."""
    lab.generate(FLOWS / "flows.yaml", folder)
    kernel = planted and planted[0] in lab.KERNEL.read_text("utf-8")
    made = lab.compiled(lab.HERE / "begin.bpf.c", folder, planted if kernel else None)
    reader = lab.reader(lab.HERE / "begin.c", folder, None if kernel else planted)
    done = process.run(reader, made, str(BRIEF if planted else RUNS), merged=True)
    return done.returncode, done.stdout


def test_a_flow_begins_once(tmp_path: Path) -> None:
    """Two CPUs count the same flows, begin them and end them."""
    status, text = begin(tmp_path)
    assert status == 0, text


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_planted_is_seen(wrong: str, tmp_path: Path) -> None:
    """Each is found by what the program asserts of it."""
    old, new, message = WRONG[wrong]
    status, text = begin(tmp_path, (old, new))
    assert status == 1 and f"wrong: {message}" in text, text
