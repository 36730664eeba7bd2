# SPDX-License-Identifier: BSD-3-Clause
"""Tests for the difference of two runs: Yuen's test on 20 % trimmed means (Biometrika 61, 1974) for
dependent rounds, and by how much runs of the same programs differ. By the standard library, as
scipy takes longer to install than a benchmark."""

from __future__ import annotations

import functools
import itertools
import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from .result import At

RESOLUTION = 0.05  # cycles per counter update that no benchmark of this kind resolves between runs
ASSUMED = 0.04  # assumed relative difference between runs in the absence of controls
ENOUGH = 4  # controls needed to say how much runs differ
PRIOR = 3  # controls that a factor of 1 and a share of ASSUMED count for
Pair = tuple[list[float], list[float]]  # a figure by round, before and after
TRIM = 0.2  # share of the rounds that is left out at either end
LEAST = 4  # rounds that a run needs before its figures are judged
TERMS = 200  # terms of a continued fraction: enough for 20,000 degrees of freedom


def student(t: float, df: int) -> float:
    """Probability that Student's t is beyond -t or t: the regularized incomplete beta function
    I_x(df / 2, 1 / 2) of x = df / (df + t^2) by its continued fraction (NIST DLMF 8.17.22)."""
    a, b, x, y = df / 2, 0.5, df / (df + t * t), t * t / (df + t * t)
    if swapped := x > (a + 1) / (a + b + 2):
        a, b, x, y = b, a, y, x
    if x == 0:
        return float(swapped)
    rest = 1.0
    for k in range(TERMS, 0, -1):
        m = k // 2
        part = -(a + m) * (a + b + m) / (a + 2 * m + 1) if k % 2 else m * (b - m) / (a + 2 * m - 1)
        rest = 1 + part / (a + 2 * m) * x / rest
    scale = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    found = math.exp(scale + a * math.log(x) + b * math.log(y)) / (a * rest)
    return 1 - found if swapped else found


@functools.cache
def quantile(tail: float, df: int) -> float:
    """The value that Student's t exceeds with the probability `tail`, at most 0.5; by bisection."""
    low, high = 0.0, 1.0
    while student(high, df) > 2 * tail:
        low, high = high, 2 * high
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if student(middle, df) > 2 * tail else (low, middle)
    return high


@dataclass(frozen=True, slots=True)
class Estimate:
    """A trimmed mean or a difference: its squared standard error and degrees of freedom."""

    value: float
    variance: float
    df: float

    @property
    def error(self) -> float:
        """The standard error."""
        return math.sqrt(self.variance)

    def probability(self) -> float:
        """Probability of a difference as large by chance, two-sided."""
        if self.variance == 0:
            return 0.0 if self.value else 1.0
        return student(self.value / self.error, self._whole)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the true difference lies with that confidence."""
        reach = self.error * quantile((1 - confidence) / 2, self._whole)
        return self.value - reach, self.value + reach

    def seen(self, probability: float, power: float = 0.8) -> float:
        """The least difference that has at most that probability, with a probability of `power`."""
        return self.error * sum(quantile(p, self._whole) for p in (probability / 2, 1 - power))

    @property
    def _whole(self) -> int:
        return max(1, int(self.df))


def trimmed(values: Sequence[float], r: float = 0.0) -> Estimate:
    """The trimmed mean of at least LEAST values of which neighbours correlate by `r`: n rounds are
    worth n (1 - r) / (1 + r) independent ones (M. S. Bartlett, JRSS 98, 1935)."""
    middle, deviations = _winsorised(values)
    n, rest = len(values), len(middle)
    variance = _dot(deviations, deviations) / (rest * (rest - 1))
    worth = max(1.5, n * (1 - r) / (1 + r))
    unbiased = (1 - 1 / n) / (1 - 1 / worth)
    df = max(1.0, (rest - 1) * (1 - r * r) / (1 + r * r))
    return Estimate(statistics.fmean(middle), variance * unbiased * (n / worth), df)


def _winsorised(values: Sequence[float]) -> tuple[list[float], list[float]]:
    """The middle values in order of size; what all, none beyond these, deviate from their mean."""
    cut = int(TRIM * len(values))
    middle = sorted(values)[cut : len(values) - cut]
    limited = [min(max(value, middle[0]), middle[-1]) for value in values]
    mean = statistics.fmean(limited)
    return middle, [value - mean for value in limited]


def _dot(a: Iterable[float], b: Iterable[float]) -> float:
    return math.fsum(x * y for x, y in zip(a, b, strict=False))


def shift(before: Sequence[float], after: Sequence[float], dependence: float = 0.0) -> Estimate:
    """How far two series lie apart, of rounds with a lag-1 correlation of `dependence`."""
    old, new = trimmed(before, dependence), trimmed(after, dependence)
    value = new.value - old.value
    total = old.variance + new.variance
    if total == 0:
        return Estimate(value, 0.0, old.df + new.df)
    df = total**2 / (old.variance**2 / old.df + new.variance**2 / new.df)
    return Estimate(value, total, df)


def dependence(series: Iterable[Sequence[float]]) -> float:
    """The mean lag-1 correlation of all series, 0 to 0.8, corrected for the bias of short ones
    (M. G. Kendall, Biometrika 41, 1954); those too short, and constant ones, do not count."""
    correlations = []
    for values in series:
        n, (_, off) = len(values), _winsorised(values)
        square = _dot(off, off)
        if n > 5 and square > 0:
            found = _dot(off, off[1:]) / square
            correlations.append((found * n + 1) / (n - 4))
    return min(max(statistics.fmean(correlations or [0.0]), 0.0), 0.8)


def holm(probabilities: Sequence[float]) -> list[float]:
    """Probabilities adjusted for their number (S. Holm, Scandinavian J. of Statistics 6, 1979)."""
    order = sorted(range(len(probabilities)), key=probabilities.__getitem__)
    steps = (probabilities[at] * (len(order) - rank) for rank, at in enumerate(order))
    adjusted = dict(zip(order, itertools.accumulate(steps, max), strict=True))
    return [min(1.0, adjusted[at]) for at in range(len(order))]


def logarithms(rounds: Mapping[int, float]) -> dict[int, float]:
    """Of figures of which a share is off; none below what is resolved."""
    return {number: math.log(max(value, RESOLUTION)) for number, value in rounds.items()}


# ---- noise ----


@dataclass(frozen=True, slots=True)
class Series:
    """A figure by round, before and after, with the deviation of `programs` single ones."""

    pair: Pair
    programs: float = 1.0


@dataclass(frozen=True, slots=True)
class Noise:
    """How runs differ without a reason, by `controls` controls: standard errors are `factor` times
    those of rounds, and overheads are off by `share` of themselves."""

    factor: float = 1.0
    share: float = ASSUMED
    controls: int = 0

    def variance(self, by_rounds: Estimate, before: float, after: float, programs: float) -> float:
        """The squared standard error of the shift from one overhead to another."""
        beyond = self._beyond(by_rounds, before, after, programs)
        return by_rounds.variance + beyond + RESOLUTION**2

    def shift(
        self, by_rounds: Estimate, before: float, after: float, programs: float, hidden: float = 0.0
    ) -> Estimate:
        """The shift with all that makes it uncertain, and a variance that is `hidden`; degrees of
        freedom by F. E. Satterthwaite, Biometrics Bulletin 2, 1946, and G. K. Smyth, Statistical
        Applications in Genetics and Molecular Biology 3, 2004."""
        variance = self.variance(by_rounds, before, after, programs) + hidden
        beyond = self._beyond(by_rounds, before, after, programs) if self.controls else 0.0
        parts = (variance - beyond) ** 2 / by_rounds.df + beyond**2 / (self.controls + PRIOR)
        return Estimate(by_rounds.value, variance, min(by_rounds.df, variance**2 / parts))

    def _beyond(self, by_rounds: Estimate, before: float, after: float, programs: float) -> float:
        off = self.share**2 * (before**2 + after**2)
        return programs * ((self.factor**2 - 1) * by_rounds.variance + off)


Entry = tuple[Estimate, float, float, float]  # shift, overheads before and after, programs


def noises(controls: list[tuple[At, Series]], dependence: float) -> dict[bool, Noise]:
    """The noise of runs, with and without several lcores."""
    every = [series for _, series in controls]
    noise = {}
    for several in (False, True):
        group = [series for at, series in controls if (at.lcores > 1) == several]
        used = group if len(group) >= ENOUGH else every
        noise[several] = _noise(used, dependence) if len(used) >= ENOUGH else Noise()
    return noise


def ratio_noise(logarithms: list[Series], dependence: float) -> Noise:
    """The noise of runs in the logarithms of controls, which `Noise.variance` of 1 and 1 adds."""
    if len(logarithms) < ENOUGH:
        return Noise()
    shifts = [(shift(*s.pair, dependence), 1.0, 1.0, s.programs) for s in logarithms]
    return Noise(1.0, _known(_share(shifts, 1.0), len(logarithms)), len(logarithms))


def _noise(controls: list[Series], dependence: float) -> Noise:
    """The noise with which the controls' deviations have a mean square of 1 (R. C. Paule and
    J. Mandel, NBS J. Res. 87, 1982): the factor by the half with the smaller overheads and PRIOR
    others, then the share by all."""
    shifts = []
    for series in controls:
        before, after = (trimmed(values).value for values in series.pair)
        shifts.append((shift(*series.pair, dependence), before, after, series.programs))
    shifts.sort(key=lambda entry: abs(entry[1]) + abs(entry[2]))
    small = shifts[: (len(shifts) + 1) // 2]
    square = _square(small, Noise(share=0.0)) * len(small) + PRIOR
    factor = max(1.0, math.sqrt(square / (len(small) + PRIOR)))
    return Noise(factor, _known(_share(shifts, factor), len(controls)), len(controls))


def _known(share: float, controls: int) -> float:
    """The root of the weighted mean square of the share that controls show and ASSUMED."""
    return math.sqrt((controls * share**2 + PRIOR * ASSUMED**2) / (controls + PRIOR))


def _share(shifts: Sequence[Entry], factor: float) -> float:
    """The share with which the mean square of the deviations is 1; by bisection."""
    low, high = 0.0, 1.0
    while high - low > 1e-4:
        share = (low + high) / 2
        low, high = (share, high) if _square(shifts, Noise(factor, share)) > 1 else (low, share)
    return low


def _square(shifts: Sequence[Entry], noise: Noise) -> float:
    """The mean square of the normal deviates that are as improbable as the shifts."""
    noisy = (replace(s, variance=noise.variance(s, *others)) for s, *others in shifts)
    normal = statistics.NormalDist()
    return statistics.fmean(normal.inv_cdf(max(s.probability() / 2, 1e-15)) ** 2 for s in noisy)
