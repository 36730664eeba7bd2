# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in items that are not stored."""

from __future__ import annotations

from tests.run.mutants import MODULE, RESET, mutant
from tests.run.variants import sources

HEADER = "runtime/include/ctr_source.h"
TEMPLATE = "templates/c/sources.j2"

SOURCES = [
    mutant(
        "a-difference-is-negative",
        HEADER,
        "return by >> (width - 1) != 0 ? 0 : by;",
        "return by;",
        "per_core",
        "derived",
        "values.loss",
        sources,
    ),
    mutant(
        "what-is-derived-is-always-there",
        TEMPLATE,
        '{{ known.append("out->available." ~ other) or "" }}',
        "",
        "shared_atomic",
        "derived",
        "share_told",
        sources,
    ),
    mutant(
        "the-end-leaves-a-provider",
        MODULE,
        "module->tables[i]->forget();",
        ";",
        "shared_lock",
        "callbacks",
        "asked",
        sources,
    ),
    mutant(
        "a-rate-goes-on-over-a-reset",
        RESET,
        "ctr_rates_forget(table->rates, at);",
        ";",
        "shared_lock",
        "a_rate_takes_two_reads",
        "available.pps == false",
        sources,
    ),
    mutant(
        "a-late-read-is-a-sample",
        "runtime/src/ctr_source.c",
        "if (time_ns > sample->time_ns && (!sample->sampled || value < sample->value)) {",
        "if (!sample->sampled || value < sample->value) {",
        "per_core",
        "rates",
        "rates, 1, 0",
        sources,
    ),
    mutant(
        "what-is-unavailable-is-valid",
        "runtime/include/ctr_module.h",
        "*flags = 0;",
        "*flags |= 0;",
        "per_core_seqcount",
        "snapshots",
        "global_valid.heat",
        sources,
    ),
]
"""Each is seen by a test of sources.c."""
