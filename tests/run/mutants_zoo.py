# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant, and the tests of this folder's own schemas that see them."""

from __future__ import annotations

from tests.run.mutants import AS_ITEMS, SPLIT, mutant, sync
from tests.run.variants import trio, wrap, zoo
from tests.support.planted import WORD

SINCE = (
    "uint64_t base, now;\n\n\tdo {\n"
    "\t\tbase = __atomic_load_n(offset, __ATOMIC_ACQUIRE);\n"
    "\t\tnow = __atomic_load_n(count, __ATOMIC_ACQUIRE);\n"
    "\t} while (ctr_load64(offset) != base);\n"
    "\treturn now - base;"
)

WRAPS = [
    mutant(
        "count-clamped-to-0",
        WORD,
        "(ctr_load64(offset) != base);\n\treturn now - base;",
        "(ctr_load64(offset) != base);\n\treturn now < base ? 0 : now - base;",
        "per_core",
        "resets_around",
        "instead of",
        wrap,
    ),
    mutant(
        "count-loaded-before-the-offset",
        WORD,
        SINCE,
        "uint64_t now = __atomic_load_n(count, __ATOMIC_ACQUIRE);\n\n"
        "\treturn now - __atomic_load_n(offset, __ATOMIC_ACQUIRE);",
        "per_core",
        "concurrent",
        "were added",
        wrap,
        {"ROUNDS": 100, "STEPS": 1_000_000},
    ),
    mutant(
        "narrow-difference-in-64-bits",
        "templates/c/values.j2",
        "{{ type }} sum = 0;",
        "uint64_t sum = 0;\n\n\treturn 0;",
        "per_core",
        "value",
        "instead of",
        wrap,
    ),
]

ZOO = [
    mutant(
        "read-of-two-instances",
        "templates/c/read.j2",
        "if (ctr_seq_read_retry(&common->live, live)) {",
        "if (ctr_seq_read_retry(&common->live, common->live)) {",
        "shared_lock",
        "one_life_in_a_read",
        "a flow of 1 packet",
        zoo,
        {"LIVES": 3_000_000},
    ),
    mutant(
        "reset-of-what-was-destroyed",
        "templates/c/read.j2",
        "\tif (!{{ s.sym.exists }}({{ s.args }})) {\n\t\tctr_control_unlock(&{{ m.sym.control }});",
        "\tif (false) {\n\t\tctr_control_unlock(&{{ m.sym.control }});",
        "per_core",
        "reset_of_what_went",
        "reset_gives",
        zoo,
    ),
    mutant(
        "recycled-instance-keeps-its-counts",
        "templates/c/life.j2",
        "\t\t{{ s.sym.clear }}({{ s.args }});\n",
        "",
        "per_core",
        "recycled",
        "instead of 0",
        zoo,
    ),
    mutant(
        "run-drops-one",
        "templates/c/fast.j2",
        "drop }}({{ calls }});",
        "drop }}(1);",
        "shared_atomic",
        "drops",
        "instead of",
        zoo,
    ),
    mutant(
        "torn-texts",
        "runtime/src/ctr_cell.c",
        "if (!ctr_seq_read_retry(seq, begin))",
        "if (begin == begin)",
        "per_core",
        "wide_states",
        "torn|instead of",
        zoo,
        {"ROUNDS": 1_000_000},
    ),
    mutant(
        "new-lcore-has-no-memory-for-instances",
        "templates/c/lcores.j2",
        "\t.up = {{ d.sym.up }},\n",
        "",
        "per_core",
        "growth",
        "instead of",
        zoo,
    ),
    mutant(
        "creation-hides-lack-of-memory",
        "templates/c/life.j2",
        "\t\t\trc = -ENOMEM;\n",
        "\t\t\trc = 0;\n",
        "per_core",
        "creation_without_memory",
        "instead of -12",
        zoo,
    ),
    mutant(
        "registration-hides-lack-of-memory",
        "templates/c/life.j2",
        "return -ENOMEM;\n\t\tctr_store_release(&chunk[i], memory);",
        "return 0;\n\t\tctr_store_release(&chunk[i], memory);",
        "per_core",
        "registration_without_memory",
        "instead of -12",
        zoo,
    ),
    mutant(
        "failed-creation-keeps-memory",
        "templates/c/life.j2",
        "\t\t\tctr_free(chunk[lcore]);\n\t\tctr_free(common);\n",
        "\t\t\tctr_free(chunk[lcore]);\n",
        "per_core",
        "creation_fails",
        "heap_blocks",
        zoo,
    ),
    mutant(
        "failed-creation-is-seen-by-updates",
        "templates/c/life.j2",
        "\t\tif (chunk[lcore] == NULL)\n",
        "\t\tctr_store_release(&{{ d.sym.slot }}(lcore)->{{ s.name }}[at / {{ s.layout.chunk }}],"
        " chunk[lcore]);\n"
        "\t\tif (chunk[lcore] == NULL)\n",
        "per_core",
        "creation_fails",
        "instead of",
        zoo,
    ),
    mutant(
        "failed-creation-leaves-the-common-part",
        "templates/c/life.j2",
        "\t\tctr_free(common);\n\t\treturn -ENOMEM;\n",
        "\t\tctr_store_release(&{{ m.sym.common }}.{{ s.name }}"
        "[at / {{ s.layout.chunk }}], common);\n"
        "\t\treturn -ENOMEM;\n",
        "shared_atomic",
        "creation_fails_below",
        "",  # what has no memory is then written to: it crashes
        zoo,
    ),
    mutant(
        "instances-are-not-freed",
        "templates/c/life.j2",
        "\t\tctr_free(chunk[i]);\n",
        "",
        "shared_atomic",
        "memory",
        "heap_blocks",
        zoo,
    ),
    mutant(
        "gauge-below-0-shows-its-maximum",
        WORD,
        "if ((raw >> 63) != 0 || raw < minimum)",
        "if (raw < minimum)",
        "per_core",
        "gauge_latches",
        "instead of",
        zoo,
    ),
    mutant(
        "batch-forgets-the-order",
        "generator/backends/c/updates.py",
        "sorted(others - {number})",
        "sorted(others & {number})",
        "shared_atomic",
        "sets_in_updates",
        "instead of",
        zoo,
    ),
    mutant(
        "update-split-over-a-flush",
        sync("shared_buffered"),
        *SPLIT,
        "shared_buffered:buffer=17,soft_threshold=17",
        "room",
        "split",
        trio,
        {"BUFFER": 17, "SOFT": 17},
        also=AS_ITEMS,
    ),
    mutant(
        "hint-flushes-at-once",
        "runtime/src/ctr_wb.c",
        "if (++wb->hints >= pool->hints &&",
        "if (",
        "shared_buffered",
        "hints",
        "instead of",
        trio,
    ),
    mutant(
        "try-flush-waits",
        "runtime/src/ctr_wb.c",
        "if (!ctr_spin_trylock(&pool->lock))\n\t\t\treturn false;",
        "(void)ctr_spin_trylock(&pool->lock);",
        "shared_buffered",
        "taken",
        "instead of 0",
        trio,
    ),
    mutant(
        "set-overtakes-adds",
        sync("shared_buffered"),
        "\tctr_wb_apply(&{{ d.sym.pool }}, wb);\n",
        "",
        "shared_buffered",
        "order",
        "instead of",
        trio,
    ),
]

MUTANTS = [*WRAPS, *ZOO]
