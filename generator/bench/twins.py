# SPDX-License-Identifier: BSD-3-Clause
"""Figures of two runs, each with what accompanies it in its rounds."""

from __future__ import annotations

from dataclasses import dataclass

from . import covariate, figures, infer
from .covariate import Rounds
from .infer import Pair, Series
from .result import At, Point

Key = tuple[str, At]
"""A strategy and a place."""

Both = dict[Key, tuple[Rounds, Rounds]]


@dataclass(frozen=True, slots=True)
class Figure:
    """An overhead by round, before and after, as it was measured; and as though what accompanies
    it had been the same in all rounds: of itself, and of its logarithms."""

    measured: Pair
    alike: Series
    logarithms: Series


Figures = dict[Key, Figure]


def accompanied(both: dict[Key, tuple[Point, Point]], adds: tuple[float, float]) -> list[Figures]:
    """Those of generated code, which that by hand accompanies, and of each baseline, which other
    programs accompany."""
    rounds = {name: _rounds(both, adds, name) for name in ("generated", *figures.BASELINES)}
    twins = rounds["hand"]
    found = []
    for name, every in rounds.items():
        others = _others(every)
        found.append(
            {
                key: _figure(own, twins.get(key), 1)
                if name == "generated"
                else _figure(own, *others[key])
                for key, own in every.items()
            }
        )
    return found


def _rounds(both: dict[Key, tuple[Point, Point]], adds: tuple[float, float], name: str) -> Both:
    """The overhead of `name` by round, wherever both runs have it."""
    every: Both = {}
    for key, points in both.items():
        old, new = map(figures.series, points, adds, (name, name))
        if old and new:
            every[key] = old, new
    return every


def _others(every: Both) -> dict[Key, tuple[tuple[Rounds, Rounds] | None, int]]:
    """Of each figure, the mean of that of the other programs at its place, and their number."""
    places: dict[At, list[Key]] = {}
    for key in every:
        places.setdefault(key[1], []).append(key)
    found: dict[Key, tuple[tuple[Rounds, Rounds] | None, int]] = {}
    for keys in places.values():
        for key in keys:
            others = [every[other] for other in keys if other != key]
            before, after = zip(*others, strict=True) if others else ((), ())
            means = (covariate.mean(before), covariate.mean(after)) if others else None
            found[key] = means, len(others)
    return found


def _figure(
    own: tuple[Rounds, Rounds], company: tuple[Rounds, Rounds] | None, members: int
) -> Figure:
    measured = list(own[0].values()), list(own[1].values())
    logarithms = tuple(map(infer.logarithms, own))
    if company is None:
        return Figure(measured, covariate.alone(own), covariate.alone(logarithms))
    others = tuple(map(infer.logarithms, company))
    alike = covariate.alike(own, company, members)
    return Figure(measured, alike, covariate.alike(logarithms, others, members))
