# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in indexes that have names, in states of 64 bits, and in generic readers."""

from __future__ import annotations

from tests.run.mutants import mutant
from tests.run.variants import labels, moments, symbolic, values
from tests.support.cbuild import SANITIZED, Build


def on_dpdk(variant: str, test: str | None = None) -> Build:
    """The program about constants of DPDK, on that port."""
    return symbolic(variant, "dpdk", test)


def sanitized(variant: str, test: str | None = None) -> Build:
    """The same on the other port, under AddressSanitizer."""
    return symbolic(variant).but(flags=SANITIZED)


LABELS = [
    mutant(
        "a-difference-of-32-bits-does-not-wrap",
        "runtime/src/core/ctr_values.c",
        "*by &= UINT32_MAX;",
        "*by &= UINT64_MAX;",
        "per_core",
        "differences",
        "instead of",
        values,
    ),
    mutant(
        "gauges-are-subtracted",
        "runtime/src/core/ctr_values.c",
        "if (item->kind != CTR_COUNTER)\n\t\t\tcontinue;",
        "if (item->kind == CTR_STATE)\n\t\t\tcontinue;",
        "per_core",
        "differences",
        "instead of",
        values,
    ),
    mutant(
        "a-label-is-looked-up-in-every-index",
        "runtime/src/core/ctr_values.c",
        "(index != NULL && ",
        "(false && ",
        "per_core",
        "found_by_name",
        "instead of",
        values,
    ),
    mutant(
        "a-touch-is-no-time",
        "templates/c/accessors.j2",
        "ctr_time_ns()",
        "1u",
        "shared_lock",
        "touched",
        "not now",
        moments,
    ),
    mutant(
        "a-timestamp-has-32-bits",
        "generator/model/types.py",
        '"timestamp", "uint64_t", 64, 8',
        '"timestamp", "uint64_t", 64, 4',
        "per_core",
        "sixty_four_bits",
        "instead of|error",
        moments,
    ),
    mutant(
        "the-value-of-a-constant-is-that-of-the-schema",
        "templates/c/items.j2",
        "#define {{ MAX }} ({{ symbol }} + 0u)",
        "#define {{ MAX }} {{ level.ir.maximum }}u",
        "per_core",
        "last_instances",
        "instead of",
        on_dpdk,
    ),
    mutant(
        "readers-know-the-value-of-the-schema",
        "generator/backends/c/scopes.py",
        "constants.get(level.name, ",
        "constants.get(level.dimension * 2, ",
        "shared_atomic",
        "last_instances",
        "instead of",
        on_dpdk,
    ),
    mutant(
        "bits-end-within-a-chunk",
        "templates/c/tables.j2",
        "{{ s.live_words }}",
        "{{ s.groups(512, 8) }}",
        "per_core",
        "trim_of_a_part_of_a_chunk",
        "global-buffer-overflow",
        sanitized,
    ),
    mutant(
        "labels-are-named-in-another-order",
        "templates/c/descriptor.j2",
        "level.ir.labels | join(",
        "level.ir.labels | reverse | join(",
        "per_core",
        "names",
        "strcmp",
        labels,
    ),
    mutant(
        "constants-of-labels-begin-at-1",
        "templates/c/items.j2",
        'level.constants.values() | join(", ") }}',
        'level.constants.values() | join(", ") | replace(",", " = 1,", 1) }}',
        "shared_atomic",
        "one_list",
        "instead of",
        labels,
    ),
    mutant(
        "an-index-has-the-labels-of-another",
        "generator/backends/c/scopes.py",
        "lev), lev) for lev in levels",
        "lev), lev) for lev in reversed(levels)",
        "shared_lock",
        "names",
        "has a name|strcmp",
        labels,
    ),
    mutant(
        "parents-have-their-index-behind",
        "generator/resolve/resolve.py",
        "level for outer in path for level in",
        "level for outer in reversed(path) for level in",
        "per_core",
        "index_of_a_parent_without_items",
        "strcmp|instead of",
        labels,
    ),
    mutant(
        "an-update-fixes-the-first-label",
        "generator/backends/c/updates.py",
        "level)[fixed[level.name]]",
        "level)[level.labels[0]]",
        "per_core_seqcount",
        "fixed_labels",
        "instead of",
        labels,
    ),
]
