# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in sections of CPUs: adds that are lost, done twice, or done where others are."""

from __future__ import annotations

from tests.run.mutants import mutant, sync
from tests.run.variants import by_cpu

NAME = "per_cpu"
HEADER = "runtime/include/ctr_cpu.h"
SUMS = "ep_stats_(session_)?get_(total_)?(pkts|bytes)"

MUTANTS = [
    mutant(
        "per_cpu-no-section-is-described",
        HEADER,
        '"mov{q}\\t{%%rax, %%fs:8(%[area])|QWORD PTR fs:[%[area] + 8], rax}\\n"',
        '"mov{q}\\t{$0, %%fs:8(%[area])|QWORD PTR fs:[%[area] + 8], 0}\\n"',
        NAME,
        "moved",
        "adds where it was",
        by_cpu,
    ),
    mutant(
        "per_cpu-the-cpu-is-not-compared",
        HEADER,
        '"jne\\t.Lctr_cpu_moved%=\\n\\t"',
        '""',
        NAME,
        "moved",
        "adds where it was",
        by_cpu,
    ),
    mutant(
        "per_cpu-a-cut-section-counts-as-done",
        HEADER,
        "return done < CTR_CPU_CUT + all ? done - CTR_CPU_CUT : 0;",
        "return all;",
        NAME,
        "moved",
        SUMS,
        by_cpu,
    ),
    mutant(
        "per_cpu-a-cut-section-counts-as-not-begun",
        HEADER,
        "return done < CTR_CPU_CUT + all ? done - CTR_CPU_CUT : 0;",
        "return 0;",
        NAME,
        "moved",
        SUMS,
        by_cpu,
    ),
    mutant(
        "per_cpu-a-carry-of-the-comparison-counts",
        HEADER,
        '"xor{l}\\t{%%fs:4(%[area]), %[cpu]|%[cpu], DWORD PTR fs:[%[area] + 4]}',
        '"cmp{l}\\t{%[cpu], %%fs:4(%[area])|DWORD PTR fs:[%[area] + 4], %[cpu]}',
        "per_cpu:cpus=1",
        "moved",
        SUMS,
        by_cpu,
    ),
    mutant(
        "per_cpu-what-was-cut-goes-to-the-cpu",
        sync(NAME),
        "\tif (ctr_cpu_plain() && ",
        "\tif (false && ",
        NAME,
        "moved",
        "adds where it was",
        by_cpu,
    ),
    mutant(
        "per_cpu-a-thread-without-an-area-is-lost",
        sync(NAME),
        "\tctr_atomic_add{{ bits }}(word, n);",
        "\tif (self != {{ d.sym.slots }}.slot[CTR_NON_LCORE])\n"
        "\t\tctr_atomic_add{{ bits }}(word, n);",
        NAME,
        "without_an_area",
        "copy_has|get_pkts",
        by_cpu,
    ),
]
