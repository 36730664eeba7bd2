# SPDX-License-Identifier: BSD-3-Clause
"""Quantiles of histograms, and quantities with units in few digits."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

_NANOSECONDS = {
    "ns": 1, "nanoseconds": 1, "us": 1e3, "microseconds": 1e3, "ms": 1e6, "milliseconds": 1e6,
    "s": 1e9, "seconds": 1e9,
}  # fmt: skip
_Scales = tuple[tuple[float, str], ...]
_TIMES: _Scales = ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns"))
_SIZES: _Scales = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""))
_DIGITS = 1000


def quantile(q: float, bounds: Sequence[int], counts: Sequence[float]) -> float:
    """The quantile of a histogram as `histogram_quantile()` of Prometheus has it: linear between
    the bounds of a bucket (`counts` has one bucket more than there are bounds, not cumulative), 0
    the lower bound of the first; the greatest bound for what is beyond it."""
    sums = list(accumulate(counts))
    rank = q * sums[-1]
    at = next(n for n, sum_ in enumerate(sums) if sum_ >= rank)
    if at == len(bounds) or bounds[at] <= 0:
        return float(bounds[min(at, len(bounds) - 1)])
    low = bounds[at - 1] if at else 0
    return low + (bounds[at] - low) * (rank - (sums[at] - counts[at])) / counts[at]


def quantity(number: float, unit: str) -> str:
    """A quantity of three digits or more: `1.5 us` for 1,500 nanoseconds, `1.2 Mbytes`."""
    scales, base, name = _SIZES, number, unit if unit != "1" else ""
    if unit in _NANOSECONDS:
        scales, base, name = _TIMES, number * _NANOSECONDS[unit], ""
    size, sign = next(((s, sign) for s, sign in scales if base >= s), scales[-1])
    digits = f"{base / size:.3g}" if base < _DIGITS * size else f"{base / size:.0f}"
    return f"{digits} {sign}{name}".rstrip()
