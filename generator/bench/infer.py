# SPDX-License-Identifier: BSD-3-Clause
"""Tests for the difference of two runs, in plain Python.

Yuen's test on 20 % trimmed means (K. K. Yuen, Biometrika 61, 1974): a t-test
that a few disturbed rounds cannot upset. Student's distribution comes from the
finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4.
"""

from __future__ import annotations

import functools
import itertools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

TRIM = 0.2
"""Share of the rounds that is left out at either end."""

LEAST = 4
"""Rounds that a run needs before its figures are judged."""

MOST_DEPENDENT = 0.8
"""Lag-1 correlation of rounds beyond which no estimate is trusted."""

_NORMAL = statistics.NormalDist()


@dataclass(frozen=True, slots=True)
class Mean:
    """A trimmed mean, its squared standard error, and its degrees of freedom."""

    value: float
    variance: float
    df: float


@dataclass(frozen=True, slots=True)
class Shift:
    """The difference of two trimmed means with its standard error and degrees of freedom."""

    value: float
    error: float
    df: float

    def probability(self) -> float:
        """Probability of a difference as large by chance, two-sided."""
        if self.error == 0:
            return 0.0 if self.value else 1.0
        return student(abs(self.value) / self.error, self.df)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the true difference lies with that confidence."""
        reach = self.error * student_quantile(1 - confidence, max(1, int(self.df)))
        return self.value - reach, self.value + reach

    def score(self) -> float:
        """The normal deviate that is as improbable as this difference; never negative."""
        tail = max(self.probability() / 2, 1e-15)
        return -_NORMAL.inv_cdf(tail)


def trimmed(values: Sequence[float]) -> Mean:
    """The trimmed mean of at least LEAST values, with the Winsorised variance."""
    n = len(values)
    cut = int(TRIM * n)
    kept = n - 2 * cut
    held = winsorised(values)
    value = statistics.fmean(sorted(values)[cut : n - cut])
    mean = statistics.fmean(held)
    variance = math.fsum((one - mean) ** 2 for one in held) / (kept * (kept - 1))
    return Mean(value, variance, kept - 1)


def winsorised(values: Sequence[float]) -> list[float]:
    """The values in their order, those to be trimmed replaced by the nearest one kept."""
    ordered = sorted(values)
    cut = int(TRIM * len(values))
    low, high = ordered[cut], ordered[-1 - cut]
    return [min(max(value, low), high) for value in values]


def shift(before: Sequence[float], after: Sequence[float], dependence: float = 0.0) -> Shift:
    """How far two series lie apart, of rounds with a lag-1 correlation of `dependence`."""
    one, two = _dependent(before, dependence), _dependent(after, dependence)
    value = two.value - one.value
    total = one.variance + two.variance
    if total == 0:
        return Shift(value, 0.0, one.df + two.df)
    df = total**2 / (one.variance**2 / one.df + two.variance**2 / two.df)
    return Shift(value, math.sqrt(total), df)


def _dependent(values: Sequence[float], r: float) -> Mean:
    """The trimmed mean when neighbours correlate by `r` (M. S. Bartlett, JRSS 98, 1935).

    n rounds then fix the mean like n (1 - r) / (1 + r) independent ones, and
    their variance like n (1 - r^2) / (1 + r^2); and their variance about their
    own mean is too small, as that mean follows them.
    """
    plain = trimmed(values)
    n = len(values)
    worth = max(1.5, n * (1 - r) / (1 + r))
    unbiased = (1 - 1 / n) / (1 - 1 / worth)
    df = plain.df * (1 - r * r) / (1 + r * r)
    return Mean(plain.value, plain.variance * unbiased * n / worth, max(1.0, df))


def correlation(values: Sequence[float]) -> float | None:
    """Lag-1 correlation of a series, corrected for the bias of short ones; None if too short.

    The bias is about -(1 + 4 r) / n (M. G. Kendall, Biometrika 41, 1954).
    """
    n = len(values)
    if n <= 5:
        return None
    held = winsorised(values)
    mean = statistics.fmean(held)
    square = sum((value - mean) ** 2 for value in held)
    if square == 0:
        return None
    raw = sum((a - mean) * (b - mean) for a, b in itertools.pairwise(held)) / square
    return (raw * n + 1) / (n - 4)


def dependence(series: Sequence[Sequence[float]]) -> float:
    """The lag-1 correlation that rounds have in common: the mean over all series, 0 to 0.8."""
    found = [r for values in series if (r := correlation(values)) is not None]
    if not found:
        return 0.0
    return min(max(statistics.fmean(found), 0.0), MOST_DEPENDENT)


def student(t: float, df: float) -> float:
    """Probability that Student's t is beyond +-`t` (df >= 1; its whole part counts)."""
    n = max(1, int(df))
    angle = math.atan(t / math.sqrt(n))
    sine, square = math.sin(angle), math.cos(angle) ** 2
    term, total = 1.0, 0.0
    if n % 2:
        term = math.cos(angle)
        for k in range(1, n - 1, 2):
            total += term
            term *= square * (k + 1) / (k + 2)
        inside = 2 / math.pi * (angle + sine * total)
    else:
        for k in range(0, n - 1, 2):
            total += term
            term *= square * (k + 1) / (k + 2)
        inside = sine * total
    return min(1.0, max(0.0, 1 - inside))


@functools.cache
def student_quantile(probability: float, df: float) -> float:
    """The t that is exceeded, on both sides together, with `probability`."""
    low, high = 0.0, 1.0
    while student(high, df) > probability:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if student(middle, df) > probability else (low, middle)
    return high


def holm(probabilities: Sequence[float]) -> list[float]:
    """Probabilities adjusted so that any false alarm among all is as probable as one says.

    S. Holm, Scandinavian Journal of Statistics 6, 1979: valid however the
    figures depend on each other.
    """
    order = sorted(range(len(probabilities)), key=lambda i: probabilities[i])
    adjusted = [1.0] * len(probabilities)
    least = 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(order) - rank) * probabilities[index]))
        adjusted[index] = least
    return adjusted
