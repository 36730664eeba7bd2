# SPDX-License-Identifier: BSD-3-Clause
"""Figures of two runs, corrected by what accompanies them in their rounds: the analysis of
covariance (R. A. Fisher, Statistical Methods for Research Workers, 4th ed., 1932) with the slope of
proportion, as rounds of one run differ by luck of their own."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from . import figures, infer
from .infer import LEAST, Pair, Series, trimmed
from .result import At, Point

STEEP = 20.0  # most cycles that a figure is assumed to be slowed per cycle of its company
Rounds = Mapping[int, float]  # a figure by number of the round
Key = tuple[str, At]  # a strategy and a place


@dataclass(frozen=True, slots=True)
class Figure:
    """An overhead by round, before and after: measured; and itself and its logarithms corrected."""

    measured: Pair
    alike: Series
    logarithms: Series


Figures = dict[Key, Figure]


def accompanied(both: dict[Key, tuple[Point, Point]], adds: tuple[float, float]) -> list[Figures]:
    """Figures of generated code, hand-written code as covariate; of baselines, other programs."""
    generated, *controls = (_rounds(both, adds, name) for name in ("generated", *figures.BASELINES))
    twins = controls[figures.BASELINES.index("hand")]
    found = [
        {key: _figure(own, [twins[key]] if key in twins else []) for key, own in generated.items()}
    ]
    for every in controls:
        places: dict[At, list[Key]] = {}
        for key in every:
            places.setdefault(key[1], []).append(key)
        found.append(
            {
                key: _figure(own, [every[other] for other in places[key[1]] if other != key])
                for key, own in every.items()
            }
        )
    return found


def _rounds(
    both: dict[Key, tuple[Point, Point]], adds: tuple[float, float], name: str
) -> dict[Key, tuple[Rounds, Rounds]]:
    """The overhead of `name` by round, wherever both runs have it."""
    every = {
        key: tuple(map(figures.series, points, adds, (name, name))) for key, points in both.items()
    }
    return {key: (old, new) for key, (old, new) in every.items() if old and new}


def _figure(own: Sequence[Rounds], company: Sequence[Sequence[Rounds]]) -> Figure:
    """A figure that several others accompany, or none."""
    measured, logarithms = alone(own), tuple(map(infer.logarithms, own))
    if not company:
        return Figure(measured.pair, measured, alone(logarithms))
    others = tuple(map(mean, zip(*company, strict=True)))
    logs, n = tuple(map(infer.logarithms, others)), len(company)
    return Figure(measured.pair, alike(own, others, n), alike(logarithms, logs, n))


def alone(figure: Sequence[Rounds]) -> Series:
    """A figure that nothing accompanies."""
    before, after = (list(rounds.values()) for rounds in figure)
    return Series((before, after))


def alike(figure: Sequence[Rounds], company: Sequence[Rounds], members: int) -> Series:
    """A figure corrected for its covariate `company`, the mean of `members` figures, as though that
    had its mean over both runs in all rounds."""
    shared = [[n for n in a if n in b] for a, b in zip(figure, company, strict=True)]
    if min(map(len, shared)) < LEAST:
        return alone(figure)
    of, by = (
        [[rounds[n] for n in numbers] for rounds, numbers in zip(each, shared, strict=True)]
        for each in (figure, company)
    )
    means = (trimmed(values).value * len(values) for values in by)
    middle = sum(means) / sum(map(len, by))
    level = statistics.fmean(map(statistics.median, of))
    slope = min(level / middle, STEEP) if middle > 0 < level else 1.0
    before, after = (
        [value - slope * (other - middle) for value, other in zip(*both, strict=True)]
        for both in zip(of, by, strict=True)
    )
    return Series((before, after), 1 + 1 / members)


def mean(several: Sequence[Rounds]) -> Rounds:
    """The mean of figures, of the rounds that all have."""
    numbers = set.intersection(*(set(rounds) for rounds in several))
    return {n: statistics.fmean(rounds[n] for rounds in several) for n in sorted(numbers)}
