# SPDX-License-Identifier: BSD-3-Clause
"""Histograms: a group of counters of a scope, one for each bucket in the order of the bounds, then
the sum of all values."""

import itertools
from dataclasses import dataclass

from ..findings.diagnostics import Span

BUCKET_UNIT = "values"
"""Unit of the counter of a bucket."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """A histogram of one scope; `unit` is that of its values. `bounds` ascend: a bucket counts
    values up to its bound and above the one before, the last bucket those above all. `log2`: the
    schema has the bounds as powers of two. `display` and `metric` are as of an item."""

    name: str
    scope: str
    unit: str
    description: str
    bounds: tuple[int, ...]
    span: Span
    log2: bool = False
    renamed_from: str = ""
    oids: tuple[str, ...] = ()
    display: str = ""
    metric: str = ""

    @property
    def buckets(self) -> tuple[str, ...]:
        """The names of the counters of its buckets."""
        return _buckets(self.name, self.bounds)

    @property
    def sum(self) -> str:
        """The name of the counter of the sum of all values."""
        return f"{self.name}_sum"

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of all its counters, in order."""
        return (*self.buckets, self.sum)

    @property
    def former(self) -> tuple[str, ...]:
        """Their former names; empty ones without."""
        if not self.renamed_from:
            return ("",) * len(self.parts)
        return (*_buckets(self.renamed_from, self.bounds), f"{self.renamed_from}_sum")

    @property
    def texts(self) -> tuple[str, ...]:
        """The text for each of its counters, after the description."""
        first, last = self.bounds[0], self.bounds[-1]
        above = (f"above {a} and up to {b}" for a, b in itertools.pairwise(self.bounds))
        ranges = (f"up to {first}", *above, f"above {last}")
        return (*(f"Values {text}." for text in ranges), "Sum of all values.")

    @property
    def computation(self) -> int:
        """Instructions that find the bucket of a value, as gcc makes them for x86-64."""
        return 8 if self.doubling else 4 * len(self.bounds)

    @property
    def doubling(self) -> bool:
        """Whether every bound is a power of two, and twice the one before: then the number of a
        bucket follows from the number of digits of a value."""
        twice = all(b == 2 * a for a, b in itertools.pairwise(self.bounds))
        return twice and self.bounds[0].bit_count() == 1


def _buckets(name: str, bounds: tuple[int, ...]) -> tuple[str, ...]:
    return (*(f"{name}_to_{bound}" for bound in bounds), f"{name}_above_{bounds[-1]}")
