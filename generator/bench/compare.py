# SPDX-License-Identifier: BSD-3-Clause
"""Comparison of two runs of the benchmark, with significance tests: docs/benchmark.md has the
method."""

from __future__ import annotations

import math
import operator
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from . import figures, infer
from .infer import ASSUMED, RESOLUTION, Estimate, Noise, Pair, Series, noises
from .result import At, Point, Result
from .twins import Figure, Figures, Key, accompanied

EVERY = "all strategies"  # name of the figure of a place that takes all strategies together
CONTENDED = 0.15  # relative difference in contention between runs
PAST = 2.0  # ratio of clear figures from which on a change is never reported as none
TOGETHER = 3  # strategies at a place from which on there is a figure for all of them


@dataclass(frozen=True, slots=True)
class Change:
    """One figure, before and after, in cycles per counter update; None where rounds are too few."""

    strategy: str
    at: At
    before: float
    after: float
    change: float  # corrected for the hand-written code of both runs (twins.py)
    low: float | None = None  # with 95 % confidence
    high: float | None = None
    probability: float | None = None  # adjusted for the number of figures
    least: float | None = None  # smallest change that four of five comparisons would detect
    clear: bool = False  # neither figure is as good as 0

    @property
    def significant(self) -> bool:
        """Whether it is more than chance."""
        return self.probability is not None and self.probability <= figures.SIGNIFICANT

    @property
    def suspect(self) -> bool:
        """Whether it may be chance, but is too large to be called no change."""
        if self.significant or not self.clear:
            return False
        small, large = sorted((self.before, self.after))
        return large >= PAST * small


@dataclass(frozen=True, slots=True)
class Comparison:
    """Result of a comparison; the strategies `losing` lose updates, and lost none before."""

    differs: list[str]
    changes: list[Change]
    losing: list[str]
    notes: list[str]

    @property
    def worse(self) -> bool:
        """Whether something got significantly slower, or loses updates since."""
        return bool(self.losing) or any(c.significant and c.change > 0 for c in self.changes)


Points = dict[Key, Point]


def compare(before: Result, after: Result) -> Comparison:
    """Every figure that both runs have, with its change and how sure that is."""
    old, new = _points(before), _points(after)
    both = {key: (point, new[key]) for key, point in old.items() if key in new}
    adds = before.workload.adds, after.workload.adds
    generated, *controls = accompanied(both, adds)
    every = [figure.alike.pair for each in (generated, *controls) for figure in each.values()]
    dependence = infer.dependence([series for pair in every for series in pair])
    noise = noises(
        _distinct({k: f.alike for k, f in each.items()} for each in controls), dependence
    )
    return Comparison(
        list(_differences(before, after)),
        _judged(generated, controls, noise, dependence),
        _losing(old, new),
        [*_coverage(before, after, old, new), *_method(every, noise, dependence)],
    )


def _points(result: Result) -> Points:
    points = sorted(result.points, key=lambda point: result.strategies.index(point.strategy))
    return {(point.strategy, point.at): point for point in points if point.rounds}


def _testable(pair: Pair) -> bool:
    return min(len(pair[0]), len(pair[1])) >= infer.LEAST


def _judged(
    generated: Figures, controls: list[Figures], noise: dict[bool, Noise], dependence: float
) -> list[Change]:
    """The changes of single figures, then those of each place as a whole, all adjusted."""
    parts = {key: _contention(generated, *key) for key in generated}
    unseen = {key: CONTENDED * math.hypot(*parts[key]) for key in generated}
    ratios = _ratio_noise(controls, dependence)
    judged: list[tuple[Change, Estimate | None]] = []
    for key, figure in generated.items():
        if _testable(figure.measured) and _by_ratio(figure.measured, parts[key]):
            assumed = 0.0 if ratios.controls else CONTENDED
            judged.append(_change(*key, figure, ratios, dependence, assumed, by_ratio=True))
        else:
            known = noise[key[1].lcores > 1]
            judged.append(_change(*key, figure, known, dependence, unseen[key]))
    for at, (pair, hidden) in _together(generated, unseen).items():
        whole = Figure(pair, Series(pair), Series(pair))
        judged.append(_change(EVERY, at, whole, noise[at.lcores > 1], dependence, hidden))
    return list(_adjusted(judged))


def _adjusted(judged: list[tuple[Change, Estimate | None]]) -> Iterable[Change]:
    """Each change with probability and detectable size, adjusted for the number of figures."""
    shifts = [shift for _, shift in judged if shift is not None]
    adjusted = iter(infer.holm([shift.probability() for shift in shifts]))
    for change, shift in judged:
        if shift is None:
            yield change
            continue
        least = shift.seen(figures.SIGNIFICANT / len(shifts))
        if change.least is not None:  # of logarithms
            least = change.before * math.expm1(least)
        yield replace(change, probability=next(adjusted), least=least)


def _change(
    strategy: str, at: At, figure: Figure, noise: Noise, dependence: float, unseen: float,
    by_ratio: bool = False,
) -> tuple[Change, Estimate | None]:  # fmt: skip
    """The change with its interval, and its estimate: of logarithms for a contended figure."""
    if not _testable(figure.measured):
        old, new = (statistics.median(series) for series in figure.measured)
        return Change(strategy, at, old, new, new - old), None
    means = [infer.trimmed(series, dependence) for series in figure.measured]
    old, new = (mean.value for mean in means)
    series = figure.logarithms if by_ratio else figure.alike
    levels = (1.0, 1.0) if by_ratio else (old, new)
    by_rounds = infer.shift(*series.pair, dependence)
    shift = noise.shift(by_rounds, *levels, series.programs, unseen**2)
    bounds = (shift.value, *shift.interval())
    if by_ratio:
        change, low, high = (old * math.expm1(bound) for bound in bounds)
        return Change(strategy, at, old, new, change, low, high, least=0.0, clear=True), shift
    clear = all(mean.value > 0 and mean.probability() <= figures.SIGNIFICANT for mean in means)
    return Change(strategy, at, old, new, *bounds, clear=clear), shift


def _by_ratio(pair: Pair, parts: list[float]) -> bool:
    """Whether contention makes at least half of a figure, before or after."""
    medians = [statistics.median(series) for series in pair]
    return any(
        part >= max(1.0, median / 2) for part, median in zip(parts, medians, strict=True)
    ) and all(median > 0 for median in medians)


def _ratio_noise(controls: list[Figures], dependence: float) -> Noise:
    """How much the logarithms of contended figures differ between runs, by the controls."""
    contended = {
        key: figure.logarithms
        for each in controls
        for key, figure in each.items()
        if _testable(figure.measured) and _by_ratio(figure.measured, _contention(each, *key))
    }
    return infer.ratio_noise([series for _, series in _distinct([contended])], dependence)


def _contention(every: Figures, strategy: str, at: At) -> list[float]:
    """The part of an overhead that contention causes, before and after."""
    if at.lcores == 1:
        return [0.0, 0.0]
    single = every.get((strategy, at.family))
    alone = single.measured if single else ([0.0], [0.0])
    here = every[strategy, at].measured
    return [
        max(0.0, statistics.median(several) - statistics.median(single))
        for several, single in zip(here, alone, strict=True)
    ]


def _distinct(controls: Iterable[dict[Key, Series]]) -> list[tuple[At, Series]]:
    """Controls with their place; one that several points share counts once."""
    every = [(at, s) for each in controls for (_, at), s in each.items() if _testable(s.pair)]
    return list({tuple(map(tuple, s.pair)): (at, s) for at, s in every}.values())


def _together(every: Figures, unseen: dict[Key, float]) -> dict[At, tuple[Pair, float]]:
    """For each place, the strategies' mean by round, and what is `unseen` of it."""
    places: dict[At, list[tuple[Pair, float]]] = {}
    for key, figure in every.items():
        if _testable(figure.measured):
            places.setdefault(key[1], []).append((figure.alike.pair, unseen[key]))
    return {at: _mean(entries) for at, entries in places.items() if len(entries) >= TOGETHER}


def _mean(entries: Sequence[tuple[Pair, float]]) -> tuple[Pair, float]:
    """Weights are those of inverse variance, and the same before and after."""
    pairs, unseen = zip(*entries, strict=True)
    weights = [
        1 / (sum(infer.trimmed(s).variance for s in pair) + RESOLUTION**2 + hidden**2)
        for pair, hidden in entries
    ]
    shares = [weight / sum(weights) for weight in weights]
    before, after = (
        [sum(map(operator.mul, shares, values)) for values in zip(*several, strict=False)]
        for several in zip(*pairs, strict=True)
    )  # of the rounds that all have
    return (before, after), math.hypot(*map(operator.mul, shares, unseen))


def _losing(old: Points, new: Points) -> list[str]:
    """Strategies that lost nothing anywhere before."""
    before = {strategy for (strategy, _), point in old.items() if figures.lost(point)}
    after = {key[0] for key, point in new.items() if key in old and figures.lost(point)}
    return sorted(after - before)


_SAME: tuple[tuple[str, Callable[[Result], object]], ...] = (
    ("schema", lambda r: f"{r.schema_.file} ({r.schema_.sha256[:12]})"),
    ("updates per packet", lambda r: f"{', '.join(r.workload.updates)}: {r.workload.adds} adds"),
    ("processor", lambda r: r.machine.cpu),
    ("architecture", lambda r: r.machine.arch),
    ("cores", lambda r: ",".join(str(core) for core in r.machine.cores)),
    ("clock", lambda r: f"{r.machine.tsc_hz / 1e9:.2f} GHz"),
    ("governor", lambda r: r.machine.governor or "unknown"),
    ("kernel", lambda r: r.machine.kernel),
    ("compiler", lambda r: r.build.compiler),
    ("flags", lambda r: " ".join(r.build.cflags)),
    ("DPDK", lambda r: r.build.dpdk),
    ("huge pages", lambda r: "yes" if r.huge else "no"),
)
"""Conditions of a run; a report lists those that differ between the two runs first."""


def _differences(before: Result, after: Result) -> Iterable[str]:
    for name, of in _SAME:
        old, new = of(before), of(after)
        if old != new:
            yield f"{name}: {old} before, {new} after"
    for strategy, sizes in before.workload.memory.items():
        for lcores, size in sizes.items():
            now = after.workload.memory.get(strategy, {}).get(lcores)
            if now is not None and now != size:
                yield f"memory of {strategy} with {lcores} lcores: {size} bytes before, {now} after"


def _coverage(before: Result, after: Result, old: Points, new: Points) -> Iterable[str]:
    runs = (("before", before, old.keys() - new.keys()), ("after", after, new.keys() - old.keys()))
    for name, result, others in runs:
        if others:
            yield f"{len(others)} figures are only in the run {name}; they are left out."
        if not result.complete:
            yield f"The run {name} was interrupted; its finished rounds count."


def _method(every: Sequence[Pair], noise: dict[bool, Noise], dependence: float) -> Iterable[str]:
    if any(not _testable(pair) for pair in every):
        yield f"Figures with fewer than {infer.LEAST} rounds in a run are shown, but not judged."
    if dependence:
        worth = (1 - dependence) / (1 + dependence)
        yield f"Rounds resemble their neighbours; each counts as {worth:.2f} independent ones."
    if not noise[False].controls:
        yield (
            "There are no controls (hand, floor, atomic) to show how much runs differ without a "
            f"reason; they are taken to differ by {ASSUMED:.0%}. Repeat both runs to be sure."
        )
        return
    for several, group in noise.items():
        lcores = "several lcores" if several else "one lcore"
        errors = f"errors are {group.factor:.1f} times those of the rounds"
        amount = f"{errors}, runs differ by {group.share:.1%}"
        if group.factor < 1.05 and group.share < 0.001:
            amount = "the runs differ no more than their rounds do"
        yield f"By {group.controls} controls without generated code, {lcores}: {amount}."
