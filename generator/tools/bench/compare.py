# SPDX-License-Identifier: BSD-3-Clause
"""Comparison of two runs of the benchmark: a rank test of their rounds (scipy), and a limit below
which runs of the same programs differ as well. docs/benchmark.md has the method."""

import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ...findings.installation import pip_install
from ...findings.usage import UsageError
from . import figures
from .result import At, Point, Result

LEAST = 4  # rounds that a run needs before its figures are judged
RESOLUTION = 0.1  # cycles per counter update that no benchmark of this kind resolves between runs
MARGIN = 0.1  # relative difference of runs of one program: memory is placed elsewhere
UNKNOWN = 0.25  # the same without controls
BEYOND = 2  # times the median change of a place's controls counts as the machine's

Key = tuple[str, At]  # a strategy and a place
Points = dict[Key, Point]
Pair = tuple[list[float], list[float]]  # a figure by round, before and after


@dataclass(frozen=True, slots=True)
class Change:
    """One figure, before and after: medians in cycles per counter update. A change below `limit`
    does not count; `probability` is that of chance, adjusted for the number of figures, None where
    rounds are too few."""

    strategy: str
    at: At
    before: float
    after: float
    limit: float
    probability: float | None = None

    @property
    def change(self) -> float:
        """Cycles per counter update, positive if slower."""
        return self.after - self.before

    @property
    def significant(self) -> bool:
        """Whether it is more than chance, and more than runs differ by."""
        chance = self.probability is None or self.probability > figures.SIGNIFICANT
        return not chance and abs(self.change) > self.limit


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


def compare(before: Result, after: Result) -> Comparison:
    """Every figure that both runs have, with its change and how sure that is. Raises UsageError if
    scipy is not installed."""
    old, new = _points(before), _points(after)
    both = {key: (point, new[key]) for key, point in old.items() if key in new}
    adds = before.workload.adds, after.workload.adds
    generated, *controls = (_pairs(both, adds, name) for name in ("generated", *figures.BASELINES))
    changes = [
        _change(key, pair, [control[key] for control in controls if key in control], controls)
        for key, pair in generated.items()
    ]
    judged = [key for key, pair in generated.items() if min(map(len, pair)) >= LEAST]
    chances = dict(zip(judged, _probabilities([generated[key] for key in judged]), strict=True))
    changes = [replace(c, probability=chances.get((c.strategy, c.at))) for c in changes]
    return Comparison(
        list(_differences(before, after)),
        changes,
        _losing(old, new),
        [*_coverage(before, after, old, new), *_method(changes, any(controls))],
    )


def _points(result: Result) -> Points:
    points = sorted(result.points, key=lambda point: result.strategies.index(point.strategy))
    return {(point.strategy, point.at): point for point in points if point.rounds}


def _pairs(
    both: dict[Key, tuple[Point, Point]], adds: tuple[float, float], name: str
) -> dict[Key, Pair]:
    """The overhead of `name` by round, wherever both runs have it."""
    every = {
        key: tuple(
            list(figures.series(*run, name).values()) for run in zip(points, adds, strict=True)
        )
        for key, points in both.items()
    }
    return {key: (old, new) for key, (old, new) in every.items() if old and new}


def _change(key: Key, pair: Pair, own: list[Pair], controls: list[dict[Key, Pair]]) -> Change:
    """The change of a figure. Runs of the same programs differ by MARGIN and by what `own`, the
    controls in its program, and those of the whole place differ by."""
    before, after = map(statistics.median, pair)
    place = [pair for each in controls for (_, at), pair in each.items() if at == key[1]]
    share = UNKNOWN
    if place:
        off = max([*map(_share, own), BEYOND * statistics.median(map(_share, place))])
        share = MARGIN + off
    return Change(*key, before, after, RESOLUTION + share * min(abs(before), abs(after)))


def _share(pair: Pair) -> float:
    """How much a control differs between the runs, relative to itself."""
    before, after = map(statistics.median, pair)
    return abs(after - before) / max(min(abs(before), abs(after)), 1.0)


def _probabilities(pairs: list[Pair]) -> list[float]:
    """The probability of each difference by chance, by the test of Mann and Whitney, adjusted for
    their number as Benjamini and Hochberg do."""
    if not pairs:
        return []
    try:
        from scipy import stats  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        raise UsageError("--compare needs scipy", pip_install("bench")) from error
    chances = [stats.mannwhitneyu(*pair).pvalue for pair in pairs]
    return list(map(float, stats.false_discovery_control(chances)))


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


def _method(changes: list[Change], controls: bool) -> Iterable[str]:
    if any(change.probability is None for change in changes):
        yield f"Figures with fewer than {LEAST} rounds in a run are shown, but not judged."
    if changes and not controls:
        yield (
            "There are no controls (hand, floor, atomic) to show how much runs differ without a "
            f"reason; they are taken to differ by {UNKNOWN:.0%}. Repeat both runs to be sure."
        )
