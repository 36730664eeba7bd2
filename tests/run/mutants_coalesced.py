# SPDX-License-Identifier: BSD-3-Clause
"""Bugs in what lcores hold of some elements, and the tests that see them."""

from __future__ import annotations

from collections.abc import Iterable

from tests.run.mutants import STRATEGY_H, Mutant, mutant, operations, sync
from tests.run.variants import coalesced, lives
from tests.support.planted import Edit

SYNC = sync("shared_coalesced")
OPERATIONS = operations("shared_coalesced")
PLACES = "runtime/include/ctr_held.h"
HELD = {"HELD": 1}
ONE = "shared_coalesced:entries=1"
FEW = "shared_coalesced:entries=8,ways=1,hints=3"
PAIRS = "shared_coalesced:entries=8,ways=2,hints=64"
FEW_OPTIONS = {"ENTRIES": 8, "WAYS": 1, "HINTS": 3}
PAIRS_OPTIONS = {"ENTRIES": 8, "WAYS": 2, "HINTS": 64}


def own(
    name: str,
    path: str,
    old: str,
    new: str,
    test: str,
    says: str = "",
    also: Iterable[tuple[str, str]] = (),
) -> Mutant:
    """One that the program about places sees."""
    return mutant(name, path, old, new, FEW, test, says, coalesced, FEW_OPTIONS, also=also)


MUTANTS = [
    mutant(
        "evicted-without-atomics",
        *(PLACES, "\t\tctr_atomic_add64(word, n);", "\t\tctr_add64(word, n);"),
        *(ONE, "conservation", "lost|below 0"),
    ),
    mutant(
        "shared_coalesced-foreign-threads-without-atomics",
        *(SYNC, '"atomic_" ~ op.verb', "op.verb"),
        *("shared_coalesced", "conservation", "lost|below 0"),
    ),
    mutant(
        "evicted-delta-is-kept",
        *(PLACES, "\t\tctr_store64(delta, 0);\n", ""),
        *(ONE, "conservation", "lost|below 0"),
    ),
    mutant(
        "evicted-delta-is-lost",
        *(OPERATIONS, "\t\tevict(scope, held->of, held);\n\theld->of = of;"),
        "\t\t__builtin_memset((char *)held + scope->delta, 0, scope->size - scope->delta);\n"
        "\theld->of = of;",
        *(ONE, "conservation", "lost|below 0"),
    ),
    mutant(
        "leaving-thread-keeps-what-it-holds",
        *(OPERATIONS, "\t.adopt = coalesced_empty,\n\t.leave = coalesced_empty,\n", ""),
        *("shared_coalesced", "thread_exit", "instead of"),
    ),
    mutant(
        "reset-in-a-section-leaves-what-is-held",
        *("runtime/src/core/burst.c", "domain->strategy->flush(domain, CTR_FLUSH);", ";"),
        *("shared_coalesced", "own_buffer", "reset number"),
    ),
    mutant(
        "lcore-is-not-asked-for-what-it-holds",
        *(STRATEGY_H, "if (domain->ending == NULL || ctr_likely(", "if (true || ctr_likely("),
        *("shared_coalesced", "other_reports", "instead of", lives, HELD),
    ),
    own(
        "place-in-use-is-in-no-line",
        *(OPERATIONS, "\t\tctr_held_join(cache, held);", "\t\t;"),
        *("sums", "instead of"),
    ),
    own(
        "end-of-an-empty-line-is-kept",
        *(PLACES, "\tif (line->first == 0)\n\t\tline->last = 0;\n", ""),
        *("sums", "instead of"),
    ),
    own(
        "flushed-place-keeps-its-element",
        *(OPERATIONS, "\t\theld->of = NULL;\n\t}\n}", "\t}\n}"),
        *("sums", "instead of"),
    ),
    own(
        "place-of-another-is-taken",
        *("runtime/include/ctr_held.h", "likely(held->of == of)", "likely(held->of != NULL)"),
        *("sums", "flows lack|too many"),
    ),
    own(
        "counters-of-another-scope-are-evicted",
        *(OPERATIONS, "\theld->scope = scope->number;", "\theld->scope = 0;"),
        *("sums", ""),
    ),
    own(
        "row-ends-early",
        *(OPERATIONS, "i < run->num; i++", "i + 1 < run->num; i++"),
        *("forms", "instead of"),
    ),
    mutant(
        "hint-applies-all",
        *(OPERATIONS, "apply(domain, cache, own->share);", "apply(domain, cache, 999);"),
        *(PAIRS, "hinted", "at once", coalesced, PAIRS_OPTIONS),
    ),
    own(
        "hints-leave-the-last",
        *(SYNC, "- 1) // d.opt.hints }}", "- 1) // (2 * d.opt.hints) }}"),
        *("hinted", "instead of"),
    ),
    own(
        "hints-leave-the-global-scope",
        *(OPERATIONS, "if (++cache->hints < own->hints)", "if (cache->hints < own->hints)"),
        *("hinted", "instead of"),
    ),
    mutant(
        "second-place-is-not-looked-at",
        *("runtime/include/ctr_held.h", "second != 0 && ctr_likely(", "false && ctr_likely("),
        *(PAIRS, "evicted", "instead of", coalesced, PAIRS_OPTIONS),
        others=[Edit("runtime/include/ctr_held.h", "second != 0 && ctr_unlikely(", "false && (")],
    ),
    mutant(
        "second-place-is-never-used",
        *(OPERATIONS, "\t\t\theld = second;\n", "\t\t\t;\n"),
        *(PAIRS, "evicted", "instead of", coalesced, PAIRS_OPTIONS),
    ),
]  # fmt: skip
