# SPDX-License-Identifier: BSD-3-Clause
"""Two runs compared as though what accompanies each of their rounds had been the same.

Code by hand runs beside the generated code, in the same program and hundredths of a second: what
makes a round or a whole run slow makes both slow, about in proportion. So it is taken off, as in
the analysis of covariance (R. A. Fisher, Statistical Methods for Research Workers, 4th ed., 1932).
The slope is that of proportion, not estimated: rounds of one run differ by luck that each has for
itself, which makes an estimate too small for what runs have in common.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence

from .infer import LEAST, Series, trimmed

STEEP = 20.0
"""A figure is taken to be slowed by at most so many cycles for one of its company."""

Rounds = Mapping[int, float]
"""A figure by number of the round."""


def alone(figure: Sequence[Rounds]) -> Series:
    """A figure that nothing accompanies."""
    before, after = (list(rounds.values()) for rounds in figure)
    return Series((before, after))


def alike(figure: Sequence[Rounds], company: Sequence[Rounds], members: int) -> Series:
    """A figure as though its company had been the same in all rounds: the mean of both runs.

    The company is the mean of so many `members`, which is off itself, by a member's share of that.
    """
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
