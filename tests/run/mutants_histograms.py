# SPDX-License-Identifier: BSD-3-Clause
"""Bugs to plant in histograms."""

from __future__ import annotations

from tests.run.mutants import RESET, mutant
from tests.run.mutants_ep import BEGIN_PERIOD
from tests.run.variants import histograms, viewed

HEADER = "runtime/include/ctr_histogram.h"
TEMPLATE = "templates/c/histograms.j2"

NOT_OBSERVED = '{% if not tx.ops | selectattr("single") | list %}\n'

HISTOGRAMS = [
    mutant(
        "a-power-is-in-the-bucket-above",
        HEADER,
        "value - (value != 0 ? 1u : 0u)",
        "value",
        "per_core",
        "powers",
        "ctr_histogram_log2",
        histograms,
    ),
    mutant(
        "large-values-are-in-no-bucket",
        HEADER,
        "below < most ? below : most",
        "below",
        "shared_atomic",
        "powers",
        "ctr_histogram_log2",
        histograms,
    ),
    mutant(
        "a-bound-is-in-the-bucket-above",
        TEMPLATE,
        "(value > {{ h.bounds",
        "(value >= {{ h.bounds",
        "shared_lock",
        "one_by_one",
        "bucket 0 has",
        histograms,
    ),
    mutant(
        "a-sum-counts-values",
        "generator/backends/c/updates.py",
        'of.sum, None, "sample", of.span',
        "of.sum, 1, None, of.span",
        "per_core",
        "one_by_one",
        "the sum is",
        histograms,
    ),
    mutant(
        "the-sum-of-an-update-counts-values",
        "generator/resolve/operations.py",
        "last.name, None, amount, *at",
        "last.name, 1, None, *at",
        "shared_buffered",
        "in_updates",
        "the sum is",
        histograms,
    ),
    mutant(
        "all-values-are-in-the-first-bucket",
        "generator/backends/c/items.py",
        'number = f"{self.sym.bucket}({value})"',
        'number = f"0 * {self.sym.bucket}({value})"',
        "per_core_seqcount",
        "in_updates",
        "bucket . has",
        histograms,
    ),
    mutant(
        "observations-beside-the-lock",
        "templates/c/sync/shared_lock/update.j2",
        "\tctr_{{ d.opt.lock }}_lock({{ arguments(d, s) }});\n",
        NOT_OBSERVED + "\tctr_{{ d.opt.lock }}_lock({{ arguments(d, s) }});\n{% endif %}\n",
        "shared_lock",
        "threads",
        "bucket . has|the sum is|is not",
        histograms,
        also=(
            (
                "\tctr_{{ d.opt.lock }}_unlock({{ arguments(d, s) }});\n",
                NOT_OBSERVED
                + "\tctr_{{ d.opt.lock }}_unlock({{ arguments(d, s) }});\n{% endif %}\n",
            ),
        ),
    ),
    mutant(
        "a-histogram-begins-at-another-item",
        TEMPLATE,
        ".index(h.ir.buckets[0])",
        ".index(h.ir.buckets[0]) + 1",
        "per_core",
        "described",
        "strcmp",
        histograms,
    ),
    mutant(
        "a-bucket-is-reset-in-the-default-view-alone",
        RESET,
        BEGIN_PERIOD,
        "if (view == table->view)\n\t\t\t"
        f"{BEGIN_PERIOD}\n\t\telse\n\t\t\t"
        "ctr_core_subtract(table, ctr_core_base(table, at, view), 1, out);",
        "per_core",
        "one_after_the_other",
        "view 2: sizes: bucket 0 has",
        viewed,
    ),
    mutant(
        "views-share-the-baselines-of-histograms",
        RESET,
        BEGIN_PERIOD,
        BEGIN_PERIOD.replace("view", "1"),
        "shared_lock",
        "beside_threads",
        "view .: (sizes|delays): bucket . has",
        viewed,
    ),
]
