# SPDX-License-Identifier: BSD-3-Clause
"""What is cut of a section is counted once, whatever a scheduler does at each instruction."""

import itertools
import platform
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.models.sections import FUNCTIONS, Model, Program, WrongError
from tests.support.capabilities import have
from tests.support.planted import Bug, Edit, planted
from tests.support.process import succeed

HERE = Path(__file__).parent
HEADER = "runtime/include/ctr_cpu.h"
CASES = [("two", 3), ("mixed", 3), ("four", 2)]
"""Functions, and how often threads are interrupted in all."""
LEAST = 5_000
"""States that there are at least."""
AMOUNTS = (0, 1, 2**16 - 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1)
BEFORE = (0, 2**64 - 1)
"""What words are before."""
PLACES = [AMOUNTS[n:] + AMOUNTS[:n] for n in range(len(AMOUNTS))]
"""Each amount in each place."""

STORE = '"mov{q}\\t{%q[at], %%fs:8(%[area])|QWORD PTR fs:[%[area] + 8], %q[at]}\\n"'
BEGIN = '".Lctr_cpu_begin%=:\\n\\t"'
JUMP = '"jne\\t.Lctr_cpu_abort%=\\n\\t"'
MARK = '"xor{l}\\t{%k[at], %k[at]|%k[at], %k[at]}\\n\\t"'
END = '".Lctr_cpu_end%=:\\n\\t"'
NOT_ADDED = '"jae\\t.Lctr_cpu_none%=\\n"'
CLEAR = '"jne\\t.Lctr_cpu_none%=\\n\\t"'
MISSED = '"mov{l}\\t{%[bit], %k[at]|%k[at], %[bit]}\\n\\t"'
FLAGS = '"jne\\t.Lctr_cpu_first%=\\n\\t"'

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="sections are for x86-64"),
]


def of(name: str, *edits: tuple[str, str]) -> Bug:
    return Bug(name, tuple(Edit(HEADER, *texts) for texts in edits))


BUGS = [
    of("nothing-is-described", (STORE, '"\\n"')),
    of("described-before-the-beginning", (BEGIN, f'"nop\\n" {BEGIN}')),
    of("compared-before-the-beginning", (BEGIN, '""'), (JUMP, f"{JUMP} {BEGIN}")),
    of("not-compared", (JUMP, '""')),
    of("the-last-add-may-be-cut", (END, f'"nop\\n" {END}')),
    of("no-mark", (MARK, '""')),
    of("the-mark-is-not-looked-at", (CLEAR, '""')),
    of("flags-are-not-looked-at", (FLAGS, '""'), (NOT_ADDED, '"jmp\\t.Lctr_cpu_none%=\\n"')),
    of("a-sum-of-0-is-not-added", (NOT_ADDED, '"jmp\\t.Lctr_cpu_none%=\\n"')),
    of("a-carry-alone-says-that-it-was-added", (FLAGS, '""')),
    of("cut-is-done", (MISSED, '"mov{l}\\t{$0, %k[at]|%k[at], 0}\\n\\t"')),
]


def program(folder: Path, compiler: str, edits: tuple[Edit, ...] = ()) -> Program:
    """The sections, with a bug."""
    include = (f"-I{planted(folder, edits).runtime() / 'include'}", *runtimeinfo.cflags("posix"))
    flags = ("-std=gnu11", "-O2", "-fno-pie", "-no-pie", "-fcf-protection=none", *include)
    alone = "-Wl,--unresolved-symbols=ignore-all"  # without the runtime
    succeed(compiler, *flags, alone, HERE / "sections.c", "-o", folder / "sections")
    return Program(folder / "sections")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(("function", "interruptions"), CASES)
def test_each_order_of_events_is_right(
    tmp_path: Path, function: str, interruptions: int, compiler: str
) -> None:
    if not have(compiler):
        pytest.skip(f"no {compiler}")
    compiled = program(tmp_path, compiler)
    adds = len(FUNCTIONS[function])
    assert Model(compiled, function, AMOUNTS[:adds], 0).run(interruptions) >= LEAST
    for amounts, before in itertools.product(PLACES, BEFORE):
        Model(compiled, function, amounts[:adds], before).run(1)


@pytest.mark.parametrize("bug", BUGS, ids=[bug.name for bug in BUGS])
def test_a_planted_bug_is_seen(tmp_path: Path, bug: Bug) -> None:
    compiled = program(tmp_path, "gcc", bug.edits)
    with pytest.raises(WrongError, match="instead of"):
        for before in BEFORE:
            Model(compiled, "two", (1, 2), before).run(3)
