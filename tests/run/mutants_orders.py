# SPDX-License-Identifier: BSD-3-Clause
"""Bugs that no run on x86-64 shows: of memory ordering, and of where counters lie.

Under `orders`, `says` is the function whose machine code shows it (tests/machine/orders.c);
under `layout`, it is in what is said of a struct.
"""

from __future__ import annotations

from tests.run.mutants import Mutant, mutant
from tests.support import planted
from tests.support.planted import BITS, COMMON, LOCK, PI, READING, SEQCOUNT, WORD

ORDERS = "orders"
CELL = "runtime/src/core/ctr_cell.c"


def relaxed(
    name: str, path: str, old: str, strategy: str, says: str, new: str | None = None
) -> Mutant:
    """An ordering that became relaxed, or what `new` says."""
    return mutant(
        name, path, old, planted.relaxed(old) if new is None else new, strategy, ORDERS, says
    )


MUTANTS = [
    relaxed(
        "seqcount-write-without-its-fence",
        SEQCOUNT,
        "ctr_fence(__ATOMIC_RELEASE);",
        "per_core_seqcount",
        "probe_seq_write",
    ),
    relaxed(
        "seqcount-write-ends-relaxed",
        SEQCOUNT,
        "__atomic_store_n(seq, *seq + 1, __ATOMIC_RELEASE);",
        "per_core_seqcount",
        "probe_seq_write",
    ),
    relaxed(
        "seqcount-read-begins-relaxed",
        SEQCOUNT,
        "return __atomic_load_n(seq, __ATOMIC_ACQUIRE);",
        "per_core_seqcount",
        "probe_seq_read",
    ),
    relaxed(
        "seqcount-read-without-its-fence",
        SEQCOUNT,
        "ctr_fence(__ATOMIC_ACQUIRE);",
        "per_core_seqcount",
        "probe_seq_read",
    ),
    relaxed(
        "period-changed-without-its-fence",
        READING,
        "ctr_add32(period, 1);\n\tctr_fence(__ATOMIC_SEQ_CST);",
        "per_core",
        "probe_period_write",
        "ctr_add32(period, 1);\n\tctr_fence(__ATOMIC_RELEASE);",
    ),
    relaxed(
        "period-looked-at-behind-a-fence-for-loads",
        READING,
        "ctr_fence(__ATOMIC_SEQ_CST);\n\tif (ctr_likely(",
        "per_core",
        "probe_period_read",
        "ctr_fence(__ATOMIC_ACQUIRE);\n\tif (ctr_likely(",
    ),
    relaxed(
        "existence-loaded-relaxed",
        BITS,
        '__asm__ volatile("dmb ishld" : : : "memory");',
        "per_core",
        "probe_bit",
        "",
    ),
    relaxed(
        "existence-published-relaxed",
        BITS,
        "ctr_store_release(&bits[at / 64], bits[at / 64] | UINT64_C(1) << at % 64);",
        "per_core",
        "probe_bit_set",
        "bits[at / 64] |= UINT64_C(1) << at % 64;",
    ),
    relaxed(
        "spin-lock-taken-relaxed",
        LOCK,
        "while (ctr_unlikely(__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE) != 0))",
        "per_core_lock",
        "probe_spin_lock",
    ),
    relaxed(
        "spin-lock-tried-relaxed",
        LOCK,
        "&&\n\t\t__atomic_exchange_n(&lock->held, 1, __ATOMIC_ACQUIRE)",
        "shared_buffered",
        "probe_trylock",
    ),
    relaxed(
        "spin-lock-given-back-relaxed",
        LOCK,
        "__atomic_store_n(&lock->held, 0, __ATOMIC_RELEASE);",
        "shared_buffered",
        "probe_spin_unlock",
    ),
    relaxed(
        "ticket-lock-taken-relaxed",
        LOCK,
        "__atomic_load_n(&lock->serving, __ATOMIC_ACQUIRE)",
        "shared_lock:lock=ticket",
        "probe_ticket_lock",
    ),
    relaxed(
        "ticket-lock-given-back-relaxed",
        LOCK,
        "__atomic_store_n(&lock->serving, serving + 1, __ATOMIC_RELEASE);",
        "shared_lock:lock=ticket",
        "probe_ticket_unlock",
    ),
    relaxed(
        "pi-lock-taken-relaxed",
        PI,
        "me, false,\n\t\t\t\t\t\t      __ATOMIC_ACQUIRE, __ATOMIC_RELAXED",
        "shared_lock:lock=pi",
        "probe_pi_lock",
    ),
    relaxed(
        "pi-lock-given-back-relaxed",
        PI,
        "0, false,\n\t\t\t\t\t\t      __ATOMIC_RELEASE, __ATOMIC_RELAXED",
        "shared_lock:lock=pi",
        "probe_pi_unlock",
    ),
    relaxed(
        "mcs-lock-taken-relaxed",
        LOCK,
        "__atomic_load_n(&me->waiting, __ATOMIC_ACQUIRE)",
        "shared_lock:lock=mcs",
        "probe_mcs_lock",
    ),
    relaxed(
        "mcs-lock-queued-relaxed",
        LOCK,
        "__atomic_exchange_n(&lock->tail, me, __ATOMIC_ACQ_REL)",
        "shared_lock:lock=mcs",
        "probe_mcs_lock",
    ),
    relaxed(
        "mcs-lock-handed-over-relaxed",
        LOCK,
        "__atomic_store_n(&behind->waiting, 0, __ATOMIC_RELEASE);",
        "shared_lock:lock=mcs",
        "probe_mcs_unlock",
    ),
    relaxed(
        "pointer-loaded-relaxed",
        WORD,
        "#define ctr_load_acquire(at) __atomic_load_n(at, __ATOMIC_ACQUIRE)",
        "per_core",
        "probe_acquire",
    ),
    relaxed(
        "pointer-published-relaxed",
        WORD,
        "#define ctr_store_release(at, value) __atomic_store_n(at, value, __ATOMIC_RELEASE)",
        "per_core",
        "probe_release",
    ),
    relaxed(
        "text-published-relaxed",
        CELL,
        "__atomic_store_n(seq, even + 2, __ATOMIC_RELEASE);",
        "per_core",
        "ctr_cell_set",
    ),
    relaxed(
        "text-written-without-its-fence",
        CELL,
        "ctr_fence(__ATOMIC_RELEASE);",
        "per_core",
        "ctr_cell_set",
    ),
    relaxed(
        "own-words-added-to-with-plus-equals",
        WORD,
        "__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);",
        "per_core",
        "probe_own_adds",
        "*word += n;",
    ),
    relaxed(
        "own-words-added-to-atomically",
        WORD,
        "__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);",
        "per_core",
        "probe_own_adds",
        "(void)__atomic_fetch_add(word, n, __ATOMIC_RELAXED);",
    ),
    relaxed(
        "own-words-stored-with-all-barriers",
        WORD,
        "__atomic_store_n(word, *word + n, __ATOMIC_RELAXED);",
        "per_core_seqcount",
        "probe_own_adds",
        "__atomic_store_n(word, *word + n, __ATOMIC_SEQ_CST);",
    ),
    relaxed(
        "own-words-added-to-with-a-lock-prefix",
        WORD,
        'CTR_ASM_CHANGE("add{q}"',
        "per_core",
        "probe_own_adds",
        'CTR_ASM_CHANGE("lock add{q}"',
    ),
    relaxed(
        "own-words-loaded-and-stored",
        COMMON,
        "#define CTR_ASM_X86_64 1",
        "per_core",
        "probe_own_adds",
        "#define CTR_ASM_X86_64 0",
    ),
    relaxed(
        "update-without-its-fences-of-stores",
        SEQCOUNT,
        '__asm__ volatile("dmb ishst" : : : "memory")',
        "per_core_seqcount",
        "probe_seq_update",
        '__asm__ volatile("" : : : "memory")',
    ),
    relaxed(
        "update-ends-before-its-last-fence",
        SEQCOUNT,
        "\tCTR_ASM_FENCE_STORES();\n\tctr_add32(seq, 1);",
        "per_core_seqcount",
        "probe_seq_update",
        "\tctr_add32(seq, 1);\n\tCTR_ASM_FENCE_STORES();",
    ),
    relaxed(
        "pointer-of-an-update-loaded-with-acquire",
        COMMON,
        "#define CTR_ASM_AARCH64 1",
        "per_core",
        "probe_pointer",
        "#define CTR_ASM_AARCH64 0",
    ),
]

STORAGE = "templates/c/storage.j2"
LAYOUTS = [
    *(
        mutant(
            f"{strategy}-instance-is-not-cache-aligned",
            STORAGE,
            "} CTR_CACHE_ALIGNED;\n{% if d.symbolic %}",
            "};\n{% if d.symbolic %}",
            strategy,
            "layout",
            "ep_stats_instance",
        )
        for strategy in ("shared_atomic", "shared_buffered", "shared_lock", "shared_unsync")
    ),
    mutant(
        "offsets-share-a-line-with-counts",
        STORAGE,
        '{{ "CTR_CACHE_ALIGNED " if loop.first }}',
        "",
        "per_core",
        "layout",
        "lcores_stats_instance",
        options={"schema": "lcores"},
    ),
    mutant(
        "elements-straddle-lines",
        STORAGE,
        '{{ " CTR_ALIGNED(" ~ part.align ~ ")" if align }}',
        "",
        "per_core_seqcount",
        "layout",
        "_data",
    ),
    mutant(
        "counters-of-one-update-apart",
        STORAGE,
        'first="\\t" ~ type ~ " "',
        'first="\\tCTR_CACHE_ALIGNED " ~ type ~ " "',
        "per_core_lock",
        "layout",
        "layout of ep_stats_instance",
    ),
]
