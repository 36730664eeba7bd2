# SPDX-License-Identifier: BSD-3-Clause
"""By how much two runs of the same programs differ, as the controls among their figures show."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from . import infer
from .result import At

RESOLUTION = 0.05
"""Cycles per counter update that no benchmark of this kind resolves between runs."""

ASSUMED = 0.03
"""Share of an overhead by which runs are taken to differ where no controls show it."""

ENOUGH = 4
"""Controls needed to say how much runs differ."""

Series = list[float]
Pair = tuple[Series, Series]
"""A figure by round, before and after."""


@dataclass(frozen=True, slots=True)
class Noise:
    """By how much runs differ without a reason, as `controls` controls show it.

    Standard errors are `factor` times what rounds let expect, and overheads are
    off by `share` of themselves.
    """

    factor: float = 1.0
    share: float = ASSUMED
    controls: int = 0

    def error(self, plain: infer.Shift, one: float, two: float) -> float:
        """The standard error of the shift from one overhead to another."""
        return math.hypot(plain.error * self.factor, self.share * math.hypot(one, two), RESOLUTION)


def noises(
    controls: list[tuple[At, Pair]], dependence: float, least: int = ENOUGH
) -> dict[bool, Noise]:
    """The noise of runs, with and without several lcores."""
    groups: dict[bool, list[Pair]] = {False: [], True: []}
    for at, pair in controls:
        groups[at.lcores > 1].append(pair)
    every = [*groups[False], *groups[True]]
    found = {}
    for several, own in groups.items():
        used = own if len(own) >= least else every
        found[several] = _noise(used, dependence) if len(used) >= least else Noise()
    return found


def _noise(controls: list[Pair], dependence: float) -> Noise:
    """What makes the controls' deviations as large as they should be, on average.

    The factor comes from the half with the smaller overheads, where a share of
    the overhead is too little to matter; the share then from all, such that the
    mean square of their deviations is 1 (R. C. Paule and J. Mandel, NBS J. Res. 87, 1982).
    """
    known = []
    for pair in controls:
        one, two = (infer.trimmed(series).value for series in pair)
        known.append((abs(one) + abs(two), infer.shift(*pair, dependence), one, two))
    known.sort(key=lambda entry: entry[0])
    shifts = [entry[1:] for entry in known]
    small = shifts[: (len(shifts) + 1) // 2]
    factor = max(1.0, math.sqrt(_square(small, Noise(share=0.0))))
    low, high = 0.0, 1.0
    while high - low > 1e-4:
        share = (low + high) / 2
        low, high = (share, high) if _square(shifts, Noise(factor, share)) > 1 else (low, share)
    return Noise(factor, low, len(controls))


def _square(shifts: Sequence[tuple[infer.Shift, float, float]], noise: Noise) -> float:
    """The mean square of deviations, as if they were normal."""
    return statistics.fmean(
        infer.Shift(plain.value, noise.error(plain, one, two), plain.df).score() ** 2
        for plain, one, two in shifts
    )
