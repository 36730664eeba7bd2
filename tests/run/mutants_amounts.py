# SPDX-License-Identifier: BSD-3-Clause
"""Bugs that only some amounts show, and that the table of amounts sees (test_amounts.py)."""

from __future__ import annotations

from dataclasses import replace

from tests.run import (
    mutants_coalesced,
    mutants_ep,
    mutants_lives,
    mutants_narrow,
    mutants_ring,
    mutants_zoo,
)
from tests.run.amount_scripts import EARLY, FIXED
from tests.run.mutants import (
    MEMORY_H,
    MODULE,
    RESET,
    SYNC,
    Mutant,
    mutant,
    operations,
)
from tests.run.mutants_peaks import HEADER as PEAK
from tests.run.mutants_peaks import MARKS
from tests.run.variants import amounts

WRONG = "is wrong|there is no|instead of|of a snapshot"
NARROW = "runtime/include/ctr_narrow.h"


def seen(name: str, path: str, old: str, new: str, strategy: str) -> Mutant:
    """A bug that the script of one thread shows."""
    return mutant(name, path, old, new, strategy, "amounts", WRONG, amounts, {"SCRIPT": FIXED})


def early(
    name: str, path: str, old: str, new: str, strategy: str, says: str = f"{WRONG}|waits for"
) -> Mutant:
    """A bug that calls before the module is initialised, or after its end, show."""
    return mutant(name, path, old, new, strategy, "amounts", says, amounts, {"SCRIPT": EARLY})


TEMPLATE = "templates/c/{}.j2"
SLOTS = "runtime/src/core/ctr_slots.c"
CRASHES = ""
"""What a program says that a signal ends."""
EARLY_BUGS = [
    early(
        "a-thread-without-an-id-updates-before-init",
        TEMPLATE.format("source.c"),
        '{% put fast.early_if(m.sym, tx.early_lines, d.lcores and "self == NULL") %}\n',
        "",
        "per_core",
        CRASHES,
    ),
    early(
        "an-accessor-does-not-ask-before-init",
        TEMPLATE.format("lcores"),
        'early_if(d.module, tx.early_lines, instance and "self == NULL") | deeper(1) %}',
        'early_if(d.module, tx.early_lines, "false") | deeper(1) %}',
        "per_core_seqcount",
        CRASHES,
    ),
    early(
        "the-shared-copy-is-used-before-init",
        TEMPLATE.format("lcores"),
        "{% put (fast.early_if(d.module, tx.early_lines) if tx.loop else "
        "fast.early(d.module, tx.calls)) | deeper(1) %}\n\t\tself =",
        "\t\tself =",
        "per_core_lock",
        CRASHES,
    ),
    early(
        "shared-words-count-before-init",
        TEMPLATE.format("sync_defaults"),
        "tx.early_lines) if tx.asks_ready",
        "tx.early_lines) if false",
        "shared_atomic",
    ),
    early(
        "a-bulk-call-counts-before-init",
        "generator/backends/c/updates.py",
        "not self.block_asks_ready if bulk else self.beside",
        "bulk or self.beside",
        "shared_lock",
    ),
    early(
        "gauges-change-before-init",
        "generator/backends/c/updates.py",
        "return self.beside and self.block_asks_ready",
        "return False",
        "per_core",
    ),
    early(
        "a-gauge-of-its-own-changes-before-init",
        TEMPLATE.format("accessors"),
        "if s.dynamic else fast.early(m.sym, tx.calls)",
        'if s.dynamic else ""',
        "per_core_narrow",
    ),
    early(
        "a-cpu-has-an-instance-before-init",
        SYNC.format("per_cpu"),
        '{% put fast.early_if(d.module, tx.early_lines, "self == NULL") %}\n',
        "",
        "per_cpu",
        CRASHES,
    ),
    early("a-closed-set-has-cpus", SLOTS, "	slots->cpus = 0;\n", "", "per_cpu", CRASHES),
    early(
        "fini-leaves-a-slot",
        SLOTS,
        "		ctr_store_release(&slots->slot[lcore], (void *)NULL);\n",
        "",
        "per_core",
    ),
    early(
        "late-updates-are-lost-in-init",
        MODULE,
        "	module->ready->set = rc == 0;\n",
        "	module->ready->set = rc == 0;\n	module_anew(module);\n",
        "delta_ring",
    ),
    early(
        "a-late-run-is-one-update",
        "generator/backends/c/transactions.py",
        'note_late}({calls});",)',
        'note_late}(1);",)',
        "per_core",
    ),
    early(
        "instances-are-created-before-init",
        MEMORY_H,
        "return table->domain->module->ready->set ? ",
        "return true ? ",
        "shared_coalesced",
    ),
    early(
        "a-burst-before-init-is-waited-for",
        operations("shared_buffered"),
        "	if (wb == NULL)\n",
        "	if (domain->settled != NULL)\n		ctr_settled_begin(domain->settled);\n"
        "	if (wb == NULL)\n",
        "shared_buffered",
    ),
]

AMOUNTS = [
    seen(
        "a-ring-has-32-bits-of-an-amount",
        "runtime/include/ctr_ring.h",
        "ctr_atomic_add64((uint64_t *)what, n);",
        "ctr_atomic_add64((uint64_t *)what, (uint32_t)n);",
        "delta_ring",
    ),
    seen(
        "a-write-buffer-has-32-bits-of-an-amount",
        "runtime/include/ctr_wb.h",
        "ctr_add64((uint64_t *)add->what, add->n);",
        "ctr_add64((uint64_t *)add->what, (uint32_t)add->n);",
        "shared_buffered",
    ),
    seen(
        "a-cache-has-32-bits-of-a-sum",
        "runtime/include/ctr_held.h",
        "const uint64_t n = *delta;",
        "const uint64_t n = (uint32_t)*delta;",
        "shared_coalesced",
    ),
    seen(
        "a-large-amount-loses-whole-turns",
        NARROW,
        "		if (left != n) {",
        "		if (left == 0) {",
        "per_core_narrow",
    ),
    seen(
        "a-batch-sums-in-32-bits",
        "templates/c/batch.j2",
        "+= {{ p.call }};",
        "+= (uint32_t){{ p.call }};",
        "per_core",
    ),
    seen(
        "a-sum-is-no-least-value-of-a-gauge",
        "generator/backends/c/operations.py",
        MARKS,
        'skipped = {"add": "lowest", "sub": "highest"}.get(self.verb)\n'
        "        return tuple(mark for mark in self.item.marks if mark.ir.keeps != skipped)",
        "shared_atomic",
    ),
    seen(
        "a-minimum-is-never-0",
        PEAK,
        "	ctr_peak_highest(word, ~value);",
        "	if (value != 0)\n		ctr_peak_highest(word, ~value);",
        "per_core_lock",
    ),
    seen(
        "count-clamped-to-0",
        "runtime/include/ctr_strategy.h",
        "values[0] = sums[0] - ctr_load64(&base[0]);",
        "values[0] = sums[0] - (base[0] < sums[0] ? base[0] : sums[0]);",
        "per_core",
    ),
    seen(
        "a-gauge-that-wraps-shows-its-greatest",
        "runtime/include/ctr_peak.h",
        "	if ((raw >> 63) != 0 || raw < minimum)",
        "	if (raw > UINT64_C(1) << 63 || raw < minimum)",
        "per_core_seqcount",
    ),
]

OTHERS = {
    bug.name: bug
    for module in (
        mutants_coalesced,
        mutants_ep,
        mutants_lives,
        mutants_narrow,
        mutants_ring,
        mutants_zoo,
    )
    for bug in module.MUTANTS
}
SEEN_BY_STRESS = (
    "foreign-threads-add-without-atomics",
    "settled-without-waiting-for-lcores",
    "reset-in-a-view-is-seen-in-others",
    "buffers-are-applied-without-the-lock",
    "spin-lock-that-does-not-exclude",
    "leaving-thread-keeps-what-it-holds",
    "evicted-delta-is-kept",
    "two-drain-one-ring",
    "spill-is-lost",
    "new-lcore-has-no-memory-for-instances",
    "recycled-instance-keeps-its-counts",
)
"""Bugs of one mechanism each that have a program of their own, and that the stress program sees."""
FOR = {"MS": 4000}


def amid_all(bug: Mutant) -> Mutant:
    """The same bug for the stress program, under its strategy as it is by default."""
    return replace(
        bug,
        name=f"{bug.name}-amid-all",
        sync=bug.sync.partition(":")[0],
        test="stress",
        says="",
        program=amounts,
        options=FOR,
    )


STRESS = [
    *(amid_all(OTHERS[name]) for name in SEEN_BY_STRESS),
    mutant(
        "a-reset-has-no-baseline",
        RESET,
        "*value64 = ctr_rebase64(base64, *value64);",
        "ctr_store64(base64, 0);",
        "per_core",
        "stress",
        "is off by|== 0",
        amounts,
        FOR,
    ),
]
MUTANTS = [*AMOUNTS, *EARLY_BUGS, *STRESS]
