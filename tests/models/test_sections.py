# SPDX-License-Identifier: BSD-3-Clause
"""What is cut of a section is counted once, whatever a scheduler does at each instruction."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from tests.models.sections import Model, Program, WrongError
from tests.support.planted import PROJECT, Bug, Edit, Tree, planted
from tests.support.process import succeed

HEADER = "runtime/include/ctr_cpu.h"
CASES = [("two", 3), ("three", 2), ("four", 2)]
"""Sections with so many adds, and how often threads are interrupted in all."""
LEAST = 2_000
"""States that there are at least."""
STORE = '"mov{q}\\t{%%rax, %%fs:8(%[area])|QWORD PTR fs:[%[area] + 8], rax}\\n"'
COMPARE = '"xor{l}\\t{%%fs:4(%[area]), %[cpu]|%[cpu], DWORD PTR fs:[%[area] + 4]}'
CLEARED = '"xor{l}\\t{%[done], %[done]|%[done], %[done]}\\n\\t"'
COUNTED = '"inc{l}\\t%[done]\\n\\t"'

pytestmark = pytest.mark.native


def bug(name: str, *edits: tuple[str, str]) -> Bug:
    return Bug(name, tuple(Edit(HEADER, *texts) for texts in edits))


BUGS = [
    bug("nothing-is-described", (STORE, '"\\n"')),
    bug("described-before-its-beginning", (CLEARED, '""'), (STORE, STORE[:-1] + '\\t" ' + CLEARED)),
    bug("the-cpu-is-not-compared", ('"jne\\t.Lctr_cpu_moved%=\\n\\t"', '""')),
    bug("carry-of-the-comparison", (COMPARE, COMPARE.replace("xor", "cmp"))),
    bug("flag-of-before", (CLEARED, '"mov{l}\\t{$0, %[done]|%[done], 0}\\n\\t"')),
    bug("carries-do-not-take-turns", ('"add{q}\\t{%[n" #n', '"sub{q}\\t{$-1 * %[n" #n')),
    bug("counting-takes-the-flag", (COUNTED, '"add{l}\\t{$1, %[done]|%[done], 1}\\n\\t"')),
    bug("ends-before-the-last-add", ("CTR_CPU_EVEN(2) CTR_CPU_END", "CTR_CPU_END_FIRST")),
    bug("flag-is-not-looked-at", ('"setc\\t{%%al|al}', '"sub{b}\\t{%%al, %%al|al, al}')),
    bug("cut-is-done", ("return done < CTR_CPU_CUT + all ? done - CTR_CPU_CUT : 0;", "return all;")),
    bug("cut-is-not-begun", ("return done < CTR_CPU_CUT + all ? done - CTR_CPU_CUT : 0;", "return 0;")),
]
