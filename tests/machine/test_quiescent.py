# SPDX-License-Identifier: BSD-3-Clause
"""A report of quiescence is a few instructions: no locked one, no barrier on x86-64."""

import re
from pathlib import Path

from ctrgen.backends import runtimeinfo
from tests.machine import code

MOST = 14
"""Instructions of a report with the lookup of the lcore id, all paths of the function together."""


@code.each()
def test_a_report_is_short(tmp_path: Path, target: code.Target) -> None:
    source = Path(__file__).with_name("quiescent.c")
    made = code.compiled(target, source, tmp_path / "probe.o", runtimeinfo.cflags("posix"), "-O2")
    lines = [
        line for line in code.functions(target, made)["probe_report"]
        if not re.match(r"(?:nop|data16|cs nop|xchg %ax,%ax)", line)
    ]  # fmt: skip
    if target.arch == "x86_64":
        assert len(lines) <= MOST, lines
        assert not any(re.match(r"lock|mfence|xchg", line) for line in lines), lines
    else:  # one load that acquires, one store that releases, no full barrier
        assert sum("ldar" in line or "ldapr" in line for line in lines) == 1, lines
        assert sum("stlr" in line for line in lines) == 1, lines
        assert not any(line.startswith("dmb") for line in lines), lines
