# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant, and the tests of the reference schema that see them."""

from __future__ import annotations

from tests.run.mutants import mutant, sync
from tests.run.variants import leaving
from tests.support.planted import LOCK, SEQCOUNT, SLOTS, WORD

RESETS = [
    mutant(
        "offset-not-looked-at-again",
        WORD,
        "} while (ctr_load64(offset) != base);",
        "} while (0);",
        "per_core",
        "periods",
        "1 was counted|1 and 100 were counted",
    ),
    mutant(
        "per_core-reset-stores-0",
        sync("per_core"),
        "ctr_rebase{{ item.bits }}(&offset->{{ item.name }},\n\t\t"
        "ctr_load{{ item.bits }}(&data->{{ item.name }}));",
        "ctr_take{{ item.bits }}(&data->{{ item.name }});\n\t(void)offset;",
        "per_core",
        "resets",
        "too many",
    ),
    mutant(
        "per_core_seqcount-reset-stores-0",
        sync("per_core_seqcount"),
        "ctr_rebase{{ item.bits }}(&offset->{{ item.name }}, cur.{{ item.name }});",
        "ctr_take{{ item.bits }}(&data->{{ item.name }});\n\t(void)offset;",
        "per_core_seqcount",
        "resets",
        "too many",
    ),
    mutant(
        "shared_atomic-reset-loads-then-stores",
        sync("shared_atomic"),
        "ctr_exchange{{ item.bits }}",
        "ctr_take{{ item.bits }}",
        "shared_atomic",
        "resets",
        "too many",
        options={"RESETS": 500_000},
    ),
    mutant(
        "per_core_lock-reset-without-the-lock",
        sync("per_core_lock"),
        "\tctr_spin_lock(&self->lock);\n{% for item in s.counters %}\n\tlast",
        "\tctr_spin_trylock(&self->lock);\n{% for item in s.counters %}\n\tlast",
        "per_core_lock",
        "resets",
        "too many",
    ),
    mutant(
        "shared_lock-reset-without-the-lock",
        sync("shared_lock"),
        "\tlast->{{ item.name }} += ctr_take{{ item.bits }}(&data->{{ item.name }});\n"
        "{% endfor %}\n{% endset %}\n{% put locked(d, body) %}",
        "\tlast->{{ item.name }} += ctr_take{{ item.bits }}(&data->{{ item.name }});\n"
        "{% endfor %}\n{% endset %}\n\n{% put body %}",
        "shared_lock",
        "resets",
        "too many",
    ),
]

COUNTS = [
    mutant(
        "foreign-threads-add-without-atomics",
        sync("per_core"),
        "ctr_atomic_{{ op.verb }}",
        "ctr_{{ op.verb }}",
        "per_core",
        "conservation",
        "lost|below 0",
    ),
    mutant(
        "shared_atomic-adds-without-atomics",
        sync("shared_atomic"),
        "ctr_atomic_{{ op.verb }}",
        "ctr_{{ op.verb }}",
        "shared_atomic",
        "conservation",
        "lost|below 0",
    ),
    mutant(
        "buffers-are-applied-without-the-lock",
        "runtime/src/ctr_wb.c",
        "\tctr_spin_lock(&pool->lock);\n",
        "",
        "shared_buffered:buffer=16,soft_threshold=16",
        "conservation",
        "lost|below 0",
    ),
    mutant(
        "spin-lock-that-does-not-exclude",
        LOCK,
        "while (ctr_unlikely(__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0))",
        "while (false)",
        "shared_lock",
        "conservation",
        "lost|below 0",
    ),
    mutant(
        "ticket-lock-that-does-not-wait",
        LOCK,
        "__atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE) != mine",
        "mine == UINT32_MAX",
        "shared_lock:lock=ticket",
        "conservation",
        "lost|below 0",
    ),
    mutant(
        "mcs-lock-that-does-not-wait",
        LOCK,
        "while (__atomic_load_n(&me->waiting, __ATOMIC_ACQUIRE) != 0)",
        "while (false)",
        "shared_lock:lock=mcs",
        "conservation",
        "",  # waiters leave the queue: it may also crash
    ),
    mutant(
        "batch-forgets-a-run",
        "templates/c/batch.j2",
        "!= 0)\n\t\t{{ update.sym.run }}",
        "> 1)\n\t\t{{ update.sym.run }}",
        "shared_atomic",
        "conservation",
        "lost|below 0",
    ),
]

GROUPS = [
    mutant(
        "seqcount-reader-does-not-retry",
        SEQCOUNT,
        "return (begin & 1) != 0 ||",
        "return false && (begin & 1) != 0 &&",
        "per_core_seqcount",
        "consistency",
        "torn",
    ),
    mutant(
        "seqcount-reader-takes-an-odd-count",
        SEQCOUNT,
        "(begin & 1) != 0 || ",
        "",
        "per_core_seqcount",
        "consistency",
        "torn",
    ),
    mutant(
        "seqcount-writer-does-not-begin",
        SEQCOUNT,
        "__atomic_store_n(seq, *seq + 1, __ATOMIC_RELAXED);",
        "(void)seq;",
        "per_core_seqcount",
        "consistency",
        "torn",
    ),
    mutant(
        "seqcount-reader-ignores-resets",
        sync("per_core_seqcount"),
        "!ctr_seq_read_retry(&self->reset_seq, reset_seq)",
        "reset_seq == reset_seq",
        "per_core_seqcount",
        "consistency",
        "torn",
    ),
    mutant(
        "per_core_lock-reads-without-the-lock",
        sync("per_core_lock"),
        "\tctr_spin_lock(&self->lock);\n{% for item in s.counters %}\n\tout",
        "\tctr_spin_trylock(&self->lock);\n{% for item in s.counters %}\n\tout",
        "per_core_lock",
        "consistency",
        "torn",
    ),
    mutant(
        "buffer-flushed-in-the-middle-of-an-update",
        sync("shared_buffered"),
        "\tctr_wb_{{ op.verb }}{{ op.bits }}(wb,",
        "\tctr_wb_reserve(&{{ d.sym.pool }}, wb, 1, {{ d.opt.soft_threshold }});\n"
        "\tctr_wb_{{ op.verb }}{{ op.bits }}(wb,",
        "shared_buffered:buffer=33,soft_threshold=33",
        "consistency",
        "torn",
        also=(("wb, {{ tx.ops | length }}, {{ d.opt.soft_threshold }});", "wb, 1, 33);"),),
    ),
]

LIVES = [
    mutant(
        "sums-leave-out-foreign-threads",
        "runtime/include/ctr_slots.h",
        "(lcore) < CTR_SLOTS;",
        "(lcore) < CTR_MAX_LCORE;",
        "per_core",
        "thread_shares",
        "instead of",
    ),
    mutant(
        "counts-go-with-their-thread",
        SLOTS,
        "\tin_use[lcore] = false;",
        "\tin_use[lcore] = false;\n\tfor (slots = opened; slots != NULL; slots = slots->next)\n"
        "\t\tmemset(slots->slot[lcore], 0, slots->size);",
        "per_core",
        "thread_churn",
        "instead of",
    ),
    mutant(
        "leaving-thread-keeps-its-buffer",
        SLOTS,
        "if (slots->down != NULL && slots->slot[lcore] != NULL)",
        "if (false)",
        "shared_buffered",
        "thread_exit",
        "instead of",
    ),
    mutant(
        "creation-waits-for-a-thread-that-leaves",
        SLOTS,
        "ctr_slots_lock(void)\n{\n\t(void)pthread_mutex_lock(&memory_lock);",
        "ctr_slots_lock(void)\n{\n\t(void)pthread_mutex_lock(&list_lock);",
        "per_core",
        "leaving",
        "creation waits",
        leaving,
        also=(
            (
                "ctr_slots_unlock(void)\n{\n\t(void)pthread_mutex_unlock(&memory_lock);",
                "ctr_slots_unlock(void)\n{\n\t(void)pthread_mutex_unlock(&list_lock);",
            ),
        ),
    ),
    mutant(
        "one-id-too-many",
        "runtime/src/posix/ctr_thread.c",
        "rc = -ENOSPC;",
        "rc = 0, lcore = 0;",
        "per_core",
        "thread_limit",
        "instead of",
    ),
    mutant(
        "slots-are-not-freed",
        SLOTS,
        "\t\tctr_free(slot);\n\t}\n}",
        "\t}\n}",
        "per_core",
        "life",
        "heap_blocks",
    ),
    mutant(
        "failed-init-leaves-slots",
        SLOTS,
        "\t} else {\n\t\trelease(slots);\n\t}",
        "\t}",
        "per_core",
        "allocations",
        "heap_blocks",
    ),
    mutant(
        "section-does-not-keep-resets-out",
        "runtime/src/ctr_control.c",
        "(void)pthread_mutex_lock(&control->mutex);",
        "(void)pthread_mutex_trylock(&control->mutex);",
        "per_core",
        "read_sections",
        "",
    ),
    mutant(
        "reset-in-a-section-leaves-the-own-buffer",
        sync("shared_buffered"),
        '{% macro read_section_begin(d) %}\n{% put d.sync.flush(d, "flush") %}\n',
        "{% macro read_section_begin(d) %}\n",
        "shared_buffered",
        "own_buffer",
        "reset number",
    ),
    mutant(
        "snapshot-claims-consistency",
        "templates/c/whole.j2",
        'else "CTR_VALID" }}',
        'else "CTR_VALID | CTR_CONSISTENT" }}',
        "per_core",
        "snapshot",
        "counter",
    ),
]

MUTANTS = [*RESETS, *COUNTS, *GROUPS, *LIVES]
