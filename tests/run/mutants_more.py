# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant on one path of several, and those that a tool beside the program sees."""

from __future__ import annotations

from tests.run.mutants import (
    TAKE,
    mutant,
    operations,
    sync,
    without_lock,
)
from tests.run.variants import slots, trio, wrap, zoo
from tests.support.cbuild import Build

WB = "runtime/include/ctr_wb.h"

PATHS = [
    mutant(
        "foreign-threads-write-the-slot-of-lcore-0",
        "templates/c/lcores.j2",
        '".slot[CTR_NON_LCORE]"',
        '".slot[0]"',
        "per_core",
        "conservation",
        "",  # an lcore 0 may not be there: it may also crash
    ),
    mutant(
        "bulk-drops-one-where-a-block-ends",
        "templates/c/updates.j2",
        '"first", "end")',
        '"first + (first != 0)", "end")',
        "per_core_lock",
        "conservation",
        "lost|below 0",
    ),
    mutant(
        "per_core_lock-updates-without-the-lock",
        sync("per_core_lock"),
        "\tctr_owned_lock(&self->ctr_lock);\n",
        "",
        "per_core_lock",
        "conservation",
        "lost|below 0",
    ),
    mutant(
        "shared_lock-single-updates-without-the-lock",
        sync("shared_lock"),
        "\tctr_{{ d.opt.lock }}_lock({{ arguments(d, s) }});\n",
        "{% if not tx.is_accessor %}\n"
        "\tctr_{{ d.opt.lock }}_lock({{ arguments(d, s) }});\n{% endif %}\n",
        "shared_lock",
        "conservation",
        "lost|below 0|instead of",
    ),
    mutant(
        "shared_buffered-foreign-threads-without-the-lock",
        sync("shared_buffered"),
        "{% macro others(d, tx) %}\n\tctr_wb_lock(&{{ d.sym.pool }});\n",
        "{% macro others(d, tx) %}\n",
        "shared_buffered",
        "conservation",
        "lost|below 0",
    ),
    mutant(
        "per_core_seqcount-foreign-threads-without-the-lock",
        operations("per_core_seqcount"),
        "\tctr_spin_lock(lock);\n",
        "",
        "per_core_seqcount:retries=10000",  # a count that stays odd holds readers up for long
        "conservation",
        "lost|below 0|read.* -11",  # -EAGAIN: 40 of 40 runs of sound code have none
    ),
    without_lock(
        "shared_buffered-reset-without-the-lock",
        "write",
        "shared_buffered:buffer=16,soft_threshold=16",
        "resets",
        "too many",
    ),
    without_lock(
        "shared_lock-reads-without-the-lock",
        "read",
        "shared_lock",
        "consistency",
        "torn",
    ),
    mutant(
        "wrong-width-mask",
        WB,
        "(uint32_t)add->n",
        "(uint16_t)add->n",
        "shared_buffered",
        "value",
        "instead of",
        wrap,
    ),
    mutant(
        "slots-share-a-cache-line",
        "runtime/src/port/posix/ctr_thread.c",
        "size_t align = size >= HUGE_PAGE ? HUGE_PAGE : ISOLATED;",
        "size_t align = sizeof(void *);",
        "per_core",
        "isolation",
        "shares a line|is not aligned",
        slots,
        also=(("size = (size + ISOLATED - 1) / ISOLATED * ISOLATED;", ""),),
    ),
]


def embedded(variant: str, port: str = "posix", test: str | None = None) -> Build:
    """The program with objects of the application's own, under strategy `caller` or another."""
    return zoo("per_core", port, test)


PATHS.append(
    mutant(
        "embedded-reset-leaves-the-counts",
        TAKE,
        "ctr_exchange64(word64)",
        "ctr_load64(word64)",
        "caller",
        "embedded_caller",
        "instead of",
        embedded,
    )
)

TOOLS = [
    mutant(
        "second-writer-beside-the-owner",
        sync("per_core"),
        "ctr_atomic_{{ op.verb }}",
        "ctr_{{ op.verb }}",
        "per_core",
        "tsan:conservation",
        "ThreadSanitizer: data race",
    ),
    mutant(
        "plain-data-under-the-seqcount",
        operations("per_core_seqcount"),
        "ctr_load64((const uint64_t *)(const void *)from + i);",
        "((const uint64_t *)(const void *)from)[i];",
        "per_core_seqcount",
        "tsan:conservation",
        "ThreadSanitizer: data race",
    ),
    mutant(
        "buffer-overrun",
        sync("shared_buffered"),
        ".size = CTR_WB_BYTES({{ d.opt.buffer }}),",
        ".size = CTR_WB_BYTES({{ d.opt.buffer }} + 16),",
        "shared_buffered:buffer=16,soft_threshold=16",
        "asan:room",
        "AddressSanitizer: heap-buffer-overflow",
        trio,
        {"BUFFER": 24, "SOFT": 24},
        also=[("[d.opt.soft_threshold, d.opt.buffer - d.largest] | min", "d.opt.buffer + 14")],
    ),
    mutant(
        "room-for-a-small-record-only",
        sync("shared_buffered"),
        ".largest = CTR_WB_BYTES({{ d.largest }}),",
        ".largest = CTR_WB_BYTES(1),",
        "shared_buffered:buffer=17,soft_threshold=17",
        "asan:room",
        "AddressSanitizer: heap-buffer-overflow|instead of",
        trio,
        {"BUFFER": 17, "SOFT": 17},
        also=[("d.opt.buffer - d.largest", "d.opt.buffer - 1")],
    ),
    mutant(
        "narrow-counter-at-an-odd-address",
        WB,
        "(uint32_t *)(add->what - 1)",
        "(uint32_t *)add->what",
        "shared_buffered",
        "asan:value",
        "runtime error: .* misaligned address",
        wrap,
    ),
    mutant(
        "slots-leak-when-the-module-ends",
        "runtime/src/core/ctr_slots.c",
        "\t\tctr_free(slot);\n\t}\n}",
        "\t}\n}",
        "per_core",
        "valgrind:value",
        "definitely lost|possibly lost",
        wrap,
    ),
    mutant(
        "slots-are-not-zeroed",
        "runtime/src/port/posix/ctr_thread.c",
        "\tmemset(memory, 0, size);\n",
        "",
        "per_core",
        "valgrind:value",
        "uninitialised value",
        wrap,
    ),
]
"""Bugs that need a tool to be seen; `test` is that tool and what runs under it."""

MUTANTS = [*PATHS, *TOOLS]
