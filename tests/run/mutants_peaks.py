# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in peaks."""

from __future__ import annotations

from tests.run.mutants import (
    BEGIN,
    RESET,
    VALUES,
    mutant,
)
from tests.run.variants import peaks

HEADER = "runtime/include/ctr_peak.h"
FAST = "templates/c/fast.j2"
MARKS = "return self.item.marks"
"""Of what has a peak to keep, in transactions.py."""

PEAKS = [
    mutant(
        "a-peak-is-stored-if-it-was-greater",
        HEADER,
        "\twhile (ctr_unlikely(value > seen) && !ctr_peak_swap(word, &seen, value))\n\t\tcontinue;",
        "\tif (value > seen)\n\t\tctr_store64(word, value);",
        "per_core",
        "threads",
        "is gone|returned == 1|least == 1",
        peaks,
    ),
    mutant(
        "a-minimum-is-kept-as-it-is",
        HEADER,
        "ctr_peak_highest(word, ~value);",
        "ctr_peak_highest(word, value);",
        "shared_atomic",
        "observed",
        "get_gap",
        peaks,
    ),
    mutant(
        "a-peak-is-not-cut-to-its-width",
        HEADER,
        "return value > maximum ? maximum : value;",
        "return value;",
        "per_core",
        "observed",
        "global.length",
        peaks,
    ),
    mutant(
        "a-reset-leaves-peaks",
        RESET,
        "ctr_core_values(table, at, 1, out, true);",
        "ctr_core_values(table, at, 1, out, false);",
        "shared_lock",
        "resets",
        "get_burst",
        peaks,
    ),
    mutant(
        "a-reset-loads-and-stores",
        HEADER,
        "= anew ? ctr_exchange64(word) : ctr_load64(word);\n",
        "= ctr_load64(word);\n\n	if (anew)\n		ctr_store64(word, 0);\n",
        "per_core",
        "none_lost",
        "is lost",
        peaks,
    ),
    mutant(
        "a-period-begins-without-the-gauge",
        HEADER,
        "ctr_mark_highest(mark, lowest ? ~now : now);",
        "if (!lowest)\n			ctr_mark_highest(mark, now);",
        "per_core",
        "resets",
        "get_coldest",
        peaks,
    ),
    mutant(
        "a-mark-follows-sets-only",
        "generator/backends/c/operations.py",
        MARKS,
        f'{MARKS} if self.verb == "set" else ()',
        "per_core_seqcount",
        "of_gauges",
        "_high|_low",
        peaks,
    ),
    mutant(
        "a-mark-keeps-what-is-beyond-the-bounds",
        FAST,
        "ctr_latch(ctr_gauge_{{ op.verb }}(&{{ op.place }}, {{ op.value }}), "
        "{{ op.item.limits }});",
        "ctr_gauge_{{ op.verb }}(&{{ op.place }}, {{ op.value }});",
        "per_core_lock",
        "of_gauges",
        "pool_low",
        peaks,
    ),
    mutant(
        "peaks-outlive-their-instance",
        VALUES,
        "		clear_value(&table->values[v], part);",
        "		if (!is_peak(&table->values[v]))\n			clear_value(&table->values[v], part);",
        "per_core",
        "lives",
        "last.delay",
        peaks,
    ),
    mutant(
        "final-values-are-without-peaks",
        BEGIN,
        "		table->value_ops->peaks(table, at, out);\n",
        "		;\n",
        "shared_buffered",
        "lives",
        "last.delay",
        peaks,
    ),
    mutant(
        "a-bulk-call-observes-the-last-value",
        "generator/backends/c/updates.py",
        "self.observes = any(op.single for op in update.operations)",
        "self.observes = False",
        "per_core",
        "in_updates",
        "get_",
        peaks,
    ),
]
