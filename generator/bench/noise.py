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

Pair = tuple[list[float], list[float]]
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

    def error(self, by_rounds: infer.Shift, before: float, after: float) -> float:
        """The standard error of the shift from one overhead to another."""
        off = self.share * math.hypot(before, after)
        return math.hypot(by_rounds.error * self.factor, off, RESOLUTION)


def noises(
    controls: list[tuple[At, Pair]], dependence: float, least: int = ENOUGH
) -> dict[bool, Noise]:
    """The noise of runs, with and without several lcores."""
    every = [pair for _, pair in controls]
    noise = {}
    for several in (False, True):
        group = [pair for at, pair in controls if (at.lcores > 1) == several]
        used = group if len(group) >= least else every
        noise[several] = _noise(used, dependence) if len(used) >= least else Noise()
    return noise


def _noise(controls: list[Pair], dependence: float) -> Noise:
    """What makes the controls' deviations as large as they should be, on average.

    The factor comes from the half with the smaller overheads, where a share of
    the overhead is too little to matter; the share then from all, such that the
    mean square of their deviations is 1 (R. C. Paule and J. Mandel, NBS J. Res. 87, 1982).
    """
    shifts = []
    for pair in controls:
        before, after = (infer.trimmed(series).value for series in pair)
        shifts.append((infer.shift(*pair, dependence), before, after))
    shifts.sort(key=lambda entry: abs(entry[1]) + abs(entry[2]))
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
        infer.Shift(shift.value, noise.error(shift, before, after), shift.df).score() ** 2
        for shift, before, after in shifts
    )
