# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in sections of CPUs: adds that are lost, done twice, or done where others are."""

from __future__ import annotations

from tests.run.mutants import mutant, sync
from tests.run.variants import by_cpu, cut

NAME = "per_cpu"
HEADER = "runtime/include/ctr_cpu.h"
END = '".Lctr_cpu_end%=:\\n\\t"'
OPEN = END, f'"nop\\n" {END}'
"""A section that goes on behind its add."""
MISSED = '"mov{l}\\t{%[bit], %k[at]|%k[at], %[bit]}\\n\\t"'
ADDED = "global.|flow.|row."
SUMS = "ep_stats_(session_)?get_(total_)?(pkts|bytes)"

MUTANTS = [
    mutant(
        "per_cpu-no-section-is-described",
        HEADER,
        '"mov{q}\\t{%q[at], %%fs:8(%[area])|QWORD PTR fs:[%[area] + 8], %q[at]}\\n"',
        '"mov{q}\\t{$0, %%fs:8(%[area])|QWORD PTR fs:[%[area] + 8], 0}\\n"',
        NAME,
        "moved",
        "adds where it was",
        by_cpu,
    ),
    mutant(
        "per_cpu-the-cpu-is-not-compared",
        HEADER,
        '"jne\\t.Lctr_cpu_abort%=\\n\\t"',
        '""',
        NAME,
        "moved",
        "adds where it was",
        by_cpu,
    ),
    mutant(
        "per_cpu-a-cut-section-counts-as-done",
        HEADER,
        MISSED,
        '"mov{l}\\t{$0, %k[at]|%k[at], 0}\\n\\t"',
        NAME,
        "moved",
        SUMS,
        by_cpu,
    ),
    mutant(
        "per_cpu-a-cut-section-counts-as-not-begun",
        HEADER,
        '"jne\\t.Lctr_cpu_first%=\\n\\t"',
        '"jmp\\t.Lctr_cpu_none%=\\n\\t"',
        NAME,
        "moved",
        SUMS,
        by_cpu,
    ),
    mutant("per_cpu-the-last-add-may-be-cut", HEADER, *OPEN, NAME, "amounts", ADDED, cut),
    mutant(
        "per_cpu-a-carry-says-what-was-added",
        HEADER,
        '"jne\\t.Lctr_cpu_first%=\\n\\t"',
        '""',
        NAME,
        "amounts",
        ADDED,
        cut,
    ),
    mutant(
        "per_cpu-more-adds-than-bits",
        sync(NAME),
        "d.together(ops, 2) | batch(16)",
        "d.together(ops, 2) | batch(32)",
        NAME,
        "amounts",
        "row.",
        cut,
    ),
    mutant(
        "per_cpu-a-missed-add-walks-all-chunks",
        sync(NAME),
        "\t\tif (ctr_unlikely(missed != 0)) {\n",
        "\t\tif (ctr_unlikely(missed != 0)) {\n"
        "{% for s in d.instance_scopes if s.dynamic %}\n"
        "\t\t\tfor (size_t i = 0; i < {{ s.chunks }}; i++)\n"
        "\t\t\t\t(void)ctr_load_pointer(&self->{{ s.name }}[i]);\n"
        "{% endfor %}\n",
        NAME,
        "chunk",
        "looks at other chunks",
        cut,
    ),
    mutant(
        "per_cpu-what-was-cut-goes-to-the-cpu",
        "runtime/include/ctr_cpu.h",
        "cpu.number == CTR_CPU_NONE ? self :",
        "cpu.number != CTR_CPU_NONE + 1 ? self :",
        NAME,
        "moved",
        "adds where it was",
        by_cpu,
    ),
    mutant(
        "per_cpu-a-thread-without-an-area-is-lost",
        sync(NAME),
        "if (ctr_unlikely(missed != 0)) {",
        "if (ctr_unlikely(missed != 0) && cpu.number != CTR_CPU_NONE) {",
        NAME,
        "without_an_area",
        "copy_has|get_pkts",
        by_cpu,
    ),
]
