# SPDX-License-Identifier: BSD-3-Clause
"""Order: what has been put between others, and what has changed places."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from .pairs import Matched, Named


def inserted(matched: Matched[Named], new: Sequence[Named]) -> tuple[list[Named], list[Named]]:
    """New parts that stand before an old one, and those behind all old ones."""
    added = {part.name for part in matched.added}
    last = max((n for n, part in enumerate(new) if part.name not in added), default=-1)
    between = [part for n, part in enumerate(new) if part.name in added and n < last]
    return between, [part for n, part in enumerate(new) if part.name in added and n > last]


def moved(pairs: Sequence[tuple[Named, Named]], old: Sequence[Named]) -> list[tuple[Named, Named]]:
    """The fewest pairs whose moving explains the new order."""
    place = {part.name: number for number, part in enumerate(old)}
    order = [place[before.name] for before, _ in pairs]
    # Longest increasing subsequence: what stays; `ends[k]` ends the best one of length k + 1.
    ends: list[int] = []
    at: list[int] = []
    previous: list[int] = []
    for number, value in enumerate(order):
        length = bisect_left(ends, value)
        previous.append(at[length - 1] if length else -1)
        ends[length : length + 1] = [value]
        at[length : length + 1] = [number]
    stays: set[int] = set()
    step = at[-1] if at else -1
    while step >= 0:
        stays.add(step)
        step = previous[step]
    return [pair for number, pair in enumerate(pairs) if number not in stays]
