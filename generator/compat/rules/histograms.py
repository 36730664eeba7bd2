# SPDX-License-Identifier: BSD-3-Clause
"""Histograms whose buckets are others."""

from __future__ import annotations

from ...model import ir
from ..model import ERROR, changes
from ..pairs import Change, Changes, Comparison


@changes(
    ("histogram-bounds", ERROR, "c-api c-abi oid semantics prometheus",
     "Buckets are members, functions, objects and labels by their bounds; one of the same name "
     "may take other values.",
     "Add a histogram of another name and keep this one for a while."),
)  # fmt: skip
def histograms(c: Comparison) -> Changes:
    for old, new in c.rebounded:
        place = c.after.place("item", new.scope, new.name)
        span = place.value("log2" if new.log2 else "bounds")
        message = f"histogram '{new.scope}.{new.name}' had {_shown(old)}, now has {_shown(new)}"
        yield Change("histogram-bounds", span, f"{new.scope}.{new.name}", message)


def _shown(histogram: ir.Histogram) -> str:
    """The bounds, or the ends of many."""
    bounds = [str(bound) for bound in histogram.bounds]
    if len(bounds) > 8:
        return f"{len(bounds)} bounds from {bounds[0]} to {bounds[-1]}"
    return f"the bounds {', '.join(bounds)}"
