# SPDX-License-Identifier: BSD-3-Clause
"""What is cut of a section is counted once, whatever a scheduler does at each instruction."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.models.sections import Model, Program, WrongError
from tests.support.capabilities import have
from tests.support.planted import Bug, Edit
from tests.support.process import succeed

HERE = Path(__file__).parent
HEADER = "runtime/include/ctr_cpu.h"
CASES = [("two", 3), ("three", 2), ("four", 2)]
"""Sections with so many adds, and how often threads are interrupted in all."""
LEAST = 2_000
"""States that there are at least."""

STORE = '"mov{q}\\t{%%rax, %%fs:8(%[area])|QWORD PTR fs:[%[area] + 8], rax}\\n"'
COMPARE = '"xor{l}\\t{%%fs:4(%[area]), %[cpu]|%[cpu], DWORD PTR fs:[%[area] + 4]}'
CLEARED = '"xor{l}\\t{%[done], %[done]|%[done], %[done]}\\n\\t"'
COUNTED = '"inc{l}\\t%[done]\\n\\t"'
DECODED = "return done < CTR_CPU_CUT + all ? done - CTR_CPU_CUT : 0;"
BEGIN = '".Lctr_cpu_begin%=:\\n\\t"'
JUMP = '"jne\\t.Lctr_cpu_moved%=\\n\\t"'

pytestmark = [
    pytest.mark.native,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="sections are for x86-64"),
]


def bug(name: str, *edits: tuple[str, str]) -> Bug:
    return Bug(name, tuple(Edit(HEADER, *texts) for texts in edits))


BUGS = [
    bug("nothing-is-described", (STORE, '"\\n"')),
    bug("described-before-the-beginning", (BEGIN, f'"nop\\n" {BEGIN}')),
    bug("compared-before-the-beginning", (BEGIN, '""'), (JUMP, f"{JUMP} {BEGIN}")),
    bug("not-compared", (JUMP, '""')),
    bug("comparison-leaves-a-carry", (COMPARE, COMPARE.replace("xor", "cmp"))),
    bug("flag-of-before", (CLEARED, '"mov{l}\\t{$0, %[done]|%[done], 0}\\n\\t"')),
    bug("number-of-before", (CLEARED, '"clc\\n\\t"')),
    bug("counting-changes-the-flag", (COUNTED, '"add{l}\\t{$1, %[done]|%[done], 1}\\n\\t"')),
    bug("flag-is-not-looked-at", ('"setc\\t{%%al|al}', '"mov{b}\\t{$0, %%al|al, 0}')),
    bug("flag-is-taken-as-it-is", ('"xor{l}\\t{%[done], %%eax|eax, %[done]}\\n\\t"', '""')),
    bug("cut-is-done", (DECODED, "return all;")),
    bug("cut-is-not-begun", (DECODED, "return 0;")),
    bug("one-too-few", (DECODED, "return done > CTR_CPU_CUT ? done - CTR_CPU_CUT - 1 : 0;")),
]


def program(folder: Path, compiler: str, edits: tuple[Edit, ...] = ()) -> Program:
    """The sections, with a bug."""
    header = (runtimeinfo.path() / "include" / "ctr_cpu.h").read_text("utf-8")
    for edit in edits:
        header = edit.applied(header)
    (folder / "ctr_cpu.h").write_text(header, "utf-8")
    include = (f"-I{folder}", *runtimeinfo.cflags("posix"))
    flags = ("-std=gnu11", "-O2", "-fno-pie", "-no-pie", "-fcf-protection=none", *include)
    alone = "-Wl,--unresolved-symbols=ignore-all"  # without the runtime
    succeed(compiler, *flags, alone, HERE / "sections.c", "-o", folder / "sections")
    return Program(folder / "sections")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(("section", "interruptions"), CASES)
def test_each_order_of_events_is_right(
    tmp_path: Path, section: str, interruptions: int, compiler: str
) -> None:
    if not have(compiler):
        pytest.skip(f"no {compiler}")
    states = Model(program(tmp_path, compiler), section, interruptions).run()
    assert states >= LEAST


@pytest.mark.parametrize("planted", BUGS, ids=[bug.name for bug in BUGS])
def test_a_planted_bug_is_seen(tmp_path: Path, planted: Bug) -> None:
    with pytest.raises(WrongError, match="instead of"):
        Model(program(tmp_path, "gcc", planted.edits), *CASES[0]).run()
