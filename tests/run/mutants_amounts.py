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
from tests.run.amount_scripts import FIXED
from tests.run.mutants import Mutant, mutant
from tests.run.mutants_peaks import HEADER as PEAK
from tests.run.mutants_peaks import MARKS
from tests.run.variants import amounts

WRONG = "is wrong|there is no|instead of|of a snapshot"
NARROW = "runtime/include/ctr_narrow.h"


def seen(name: str, path: str, old: str, new: str, strategy: str) -> Mutant:
    """A bug that the script of one thread shows."""
    return mutant(name, path, old, new, strategy, "amounts", WRONG, amounts, {"SCRIPT": FIXED})


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
        "generator/backends/c/transactions.py",
        f"return self.item.marks {MARKS} else ()",
        'skipped = {"add": "lowest", "sub": "highest"}.get(self.verb)\n'
        f"        marks = self.item.marks {MARKS} else ()\n"
        "        return tuple(mark for mark in marks if mark.peak != skipped)",
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
        "templates/c/read.j2",
        "*value -= ctr_load{{ bits }}(base);",
        "*value = *value < ctr_load{{ bits }}(base) ? 0 : *value - ctr_load{{ bits }}(base);",
        "per_core",
    ),
    seen(
        "narrow-difference-in-64-bits",
        "templates/c/values.j2",
        "{{ type }} sum = 0;",
        "uint64_t sum = 0;\n\n\treturn 0;",
        "per_core",
    ),
    seen(
        "a-gauge-that-wraps-shows-its-greatest",
        "runtime/include/ctr_word.h",
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
        "templates/c/read.j2",
        mutants_ep.GATHERED[1],
        "	ctr_store{{ bits }}(base, 0);\n",
        "per_core",
        "stress",
        "is off by|== 0",
        amounts,
        FOR,
    ),
    mutant(
        "a-life-begins-with-what-the-former-counted",
        mutants_lives.LIFE,
        "ctr_store{{ bits }}(&CTR_MEMBER(uint{{ bits }}_t, record->base[v], field->base), sum);",
        "(void)sum;",
        "per_core",
        "stress",
        "instead of 0",
        amounts,
        FOR,
    ),
]
MUTANTS = [*AMOUNTS, *STRESS]
