# SPDX-License-Identifier: BSD-3-Clause
"""Rules about the bounds of histograms that are published."""

from __future__ import annotations

import re

from ...findings.diagnostics import Severity
from ...findings.rules import Finding, Findings
from ...model import ir
from ..lock import Lock
from .candidate import RULES, Candidate


@RULES.rule(
    Severity.ERROR, "The bounds of a published histogram stay: a bucket takes what it took."
)
def frozen_bounds(c: Candidate) -> Findings:
    if c.old is None:
        return
    for scope in c.scopes:
        for histogram in scope.histograms:
            before = _published(c.old, scope, histogram)
            if before and before != set(_endings(histogram)):
                bounds = sorted(int(end.split("_")[1]) for end in before if end.startswith("to_"))
                message = f"histogram '{histogram.name}' is published with the bounds "
                message += f"{', '.join(map(str, bounds))} (RFC 2578, 10.2)"
                hint = "an object means for ever what it meant: add a histogram of another name"
                yield Finding(histogram.span, message, hint)


def _endings(histogram: ir.Histogram) -> list[str]:
    """What the names of its buckets end with: `to_64`."""
    return [name.removeprefix(f"{histogram.name}_") for name in histogram.buckets]


def _published(old: Lock, scope: ir.Scope, histogram: ir.Histogram) -> set[str]:
    """The endings of the buckets that are published, under a present or a former name; none of
    what a draft has added."""
    names = "|".join(re.escape(n) for n in (histogram.name, histogram.renamed_from) if n)
    bucket = re.compile(rf"(?:{names})_((?:to|above)_[0-9]+)\Z")
    entries = (e for e in old.published if not e.gone and e.date != old.draft)
    found = (e.key.item for e in entries if e.key.scope in (scope.name, scope.renamed_from))
    return {match[1] for item in found if (match := bucket.match(item))}
