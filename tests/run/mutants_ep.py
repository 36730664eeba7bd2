# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant, and the tests of the reference schema that see them."""

from __future__ import annotations

from tests.run.mutants import AS_ITEMS, NOT_AGAIN, SPLIT, mutant, on_dpdk, sync, unlocked
from tests.run.variants import died, leaving, parked
from tests.support.planted import LOCK, READING, SEQCOUNT, SLOTS

READ = "templates/c/read.j2"
GATHERED = (
    '{% put gather(d, s, "out", "view == " ~ m.default_view if s.views else "true") %}\n',
    "\t*value = ctr_rebase{{ bits }}(base, *value);\n",
)
"""Lines of a reset: what sums the copies up, and what makes the sum the baseline."""
ZEROED = (
    GATHERED[0] + "\tunsigned int lcore;\n\n{% set lines %}\n"
    "{% call(bits) each_counter(s, data=s.element) %}\n\tctr_store{{ bits }}(word, 0);\n"
    "{% endcall %}\n{% endset %}\n{% put copies(d, s, lines) %}\n"
)
"""A reset that writes what lcores write."""

RESETS = [
    mutant(
        "descriptor-tells-of-another-lcore",
        "templates/c/descriptor.j2",
        '"%s%s, " % (',
        '"%s%s * 0, " % (',
        "per_core",
        "descriptor",
        "instead of",
    ),
    mutant(
        "reads-are-not-validated",
        READING,
        *NOT_AGAIN,
        "per_core",
        "periods",
        "1 was counted|1 and 100 were counted",
    ),
    mutant(
        "getters-are-not-validated",
        "templates/c/values.j2",
        "} while (ctr_reading_again(&reading));",
        "} while (false);",
        "per_core",
        "periods",
        "get gives .* 1 was counted",
    ),
    mutant(
        "reset-opens-no-period",
        READ,
        "\tctr_period_end(period);\n",
        "",
        "per_core",
        "periods",
        "1 was counted|1 and 100 were counted",
        also=[("\tctr_period_begin(period);\n", "\t(void)period;\n")],
    ),
    mutant(
        "baseline-stored-before-the-period",
        READ,
        "{% put states(d, s, true) %}\n\tctr_period_end(period);\n",
        "\tctr_period_begin(period);\n{% put states(d, s, true) %}\n\tctr_period_end(period);\n",
        "per_core",
        "periods",
        "1 was counted|1 and 100 were counted",
        also=[("\tctr_period_begin(period);\n", "")],
    ),
    *(
        mutant(
            f"{strategy}-reset-stores-0",
            READ,
            GATHERED[1],
            "\t(void)base, (void)value;\n",
            strategy,
            "resets",
            "too many",
            also=[(GATHERED[0], ZEROED)],
        )
        for strategy in ("per_core", "per_core_seqcount")
    ),
    mutant(
        "reset-that-gives-up-takes-nothing",
        READ,
        GATHERED[1],
        "\tif ({{ 'rc != 0' if d.may_fail else 'false' }})\n\t\t*value -= *base;\n"
        "\telse\n\t" + GATHERED[1],
        "per_core_seqcount:retries=1",
        "resets",
        "too many",
    ),
    mutant(
        "shared_atomic-reset-loads-then-stores",
        sync("shared_atomic"),
        "ctr_exchange{{ bits }}",
        "ctr_take{{ bits }}",
        "shared_atomic",
        "resets",
        "too many",
        options={"RESETS": 100_000},
    ),
    mutant(
        "shared_lock-reset-without-the-lock",
        *unlocked("shared_lock", "write"),
        "shared_lock",
        "resets",
        "too many",
    ),
]

WAITS = [
    mutant(
        "every-instance-is-given-up-on",
        READING,
        "(reading->gave_up && limit > CTR_READ_BRIEF ? CTR_READ_BRIEF : limit)",
        "limit",
        "per_core_seqcount:retries=20000",
        "gives_up_once",
        "a snapshot waits",
        parked,
        {"RETRIES": 20_000},
    ),
    mutant(
        "reset-that-gives-up-leaves-an-lcore",
        READ,
        "\t\t\trc = -EAGAIN;\n",
        "{\n\t\t\trc = -EAGAIN;\n\t\t\tcontinue;\n\t\t}\n",
        "per_core_seqcount",
        "reset_takes",
        "instead of",
        parked,
    ),
    mutant(
        "half-of-an-update-unsaid",
        READING,
        "\tif (set)\n\t\tctr_bit_set(bits, at);\n\telse\n",
        "\tif (!set)\n",
        "per_core_seqcount",
        "reset_takes",
        "instead of",
        parked,
    ),
    mutant(
        "half-of-an-update-forgotten-by-a-reset",
        "templates/c/read.j2",
        "\tif (before)\n\t\trc = -EAGAIN;\n",
        "\t(void)before;\n",
        "per_core_seqcount",
        "reset_takes",
        "instead of",
        parked,
    ),
    mutant(
        "copies-of-two-periods",
        READING,
        *NOT_AGAIN,
        "per_core_lock",
        "copies",
        "1 was counted|1 and 100 were counted",
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
        '"atomic_" ~ op.verb',
        "op.verb",
        "shared_atomic",
        "conservation",
        "lost|below 0",
    ),
    mutant(
        "buffers-are-applied-without-the-lock",
        "runtime/src/ctr_wb.c",
        "\tctr_wb_lock(pool);\n\tctr_wb_apply(pool, wb);\n\tctr_wb_unlock(pool);",
        "\tctr_wb_apply(pool, wb);",
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
        "pi-lock-that-does-not-wait",
        "runtime/src/ctr_pi.c",
        "switch (futex(lock, FUTEX_LOCK_PI)) {",
        "switch (0) {",
        "shared_lock:lock=pi",
        "conservation",
        "lost|below 0",
        also=[("#define YIELDS 8u", "#define YIELDS 0u")],  # or few come so far
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
        "ctr_add32(seq, 1);\n\t/* The odd",
        "/* The odd",
        "per_core_seqcount",
        "consistency",
        "torn",
    ),
    mutant(
        "seqcount-reader-ignores-resets",
        READING,
        *NOT_AGAIN,
        "per_core_seqcount",
        "consistency",
        "torn",
    ),
    mutant(
        "per_core_lock-reads-without-the-lock",
        sync("per_core_lock"),
        "\tctr_owned_visit(&self->ctr_lock);",
        "{{ '' if how == 'read' else '\tctr_owned_visit(&self->ctr_lock);' }}",
        "per_core_lock",
        "consistency",
        "torn",
    ),
    mutant(
        "buffer-flushed-in-the-middle-of-an-update",
        sync("shared_buffered"),
        *SPLIT,
        "shared_buffered:buffer=34,soft_threshold=34",
        "consistency",
        "torn",
        also=AS_ITEMS,
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
        "\t__atomic_store_n(&in_use[lcore], false, __ATOMIC_RELEASE);",
        "\t__atomic_store_n(&in_use[lcore], false, __ATOMIC_RELEASE);\n"
        "\tfor (slots = opened; slots != NULL; slots = slots->next)\n"
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
        "who-leaves-waits-for-the-section",
        sync("shared_buffered"),
        "\tctr_wb_leave(",
        "\tctr_wb_flush(",
        "per_core",
        "leaving",
        "who leaves waits",
        leaving,
    ),
    mutant(
        "what-was-left-is-forgotten",
        "runtime/src/ctr_wb.c",
        " while (ctr_unlikely(has_left(pool)) && ctr_spin_trylock(&pool->lock));",
        " while (false);",
        "per_core",
        "leaving",
        "instead of",
        leaving,
        also=(
            (
                "\tdo {\n\t\tif (ctr_unlikely(has_left(pool)))\n\t\t\tapply_left(pool);\n",
                "\tdo {\n",
            ),
        ),
    ),
    mutant(
        "sequence-of-the-dead-is-not-repaired",
        SEQCOUNT,
        "\tif ((__atomic_load_n(seq, __ATOMIC_RELAXED) & 1) != 0)\n\t\tctr_seq_write_end(seq);",
        "\t(void)seq;",
        "per_core_seqcount:retries=1000",
        "died",
        "",
        died,
    ),
    mutant(
        "next-owner-does-not-repair",
        SLOTS,
        "\tif (slots->adopt != NULL)\n\t\tslots->adopt(slots->slot[lcore], lcore);\n",
        "",
        "per_core_lock",
        "died",
        "an update waits",
        died,
    ),
    mutant(
        "library-takes-the-id-of-its-caller",
        "runtime/src/posix/ctr_thread.c",
        "if (registrations != 0 && --registrations == 0)",
        "if (registrations != 0 && (registrations = 0) == 0)",
        "per_core",
        "nested",
        "instead of",
    ),
    mutant(
        "library-takes-the-id-of-the-application",
        "runtime/src/dpdk/ctr_thread.c",
        "if (given != LCORE_ID_ANY && given == rte_lcore_id() && !forked)",
        "if (rte_lcore_id() != LCORE_ID_ANY)",
        "per_core",
        "nested",
        "instead of",
        on_dpdk,
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
        '"rc == 0" if d.consistent else "false"',
        '"true"',
        "per_core",
        "snapshot",
        "counter",
    ),
]

MUTANTS = [*RESETS, *WAITS, *COUNTS, *GROUPS, *LIVES]
