# SPDX-License-Identifier: BSD-3-Clause
"""What changed between two runs of the benchmark, and what may as well be chance.

Three things let figures of the same programs differ, and each is dealt with
(docs/bench-format.md has the reasons): rounds scatter, and do so in company
(their correlation is estimated from all series together); and a whole run may
be off, by its place in memory or by what else the host does. How far runs are
off shows in the controls, which contain no generated code: `hand`, `floor` and
`atomic`. Holm's method keeps the probability of any false alarm among all
figures at 5 %.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from . import figures, infer
from .noise import ASSUMED, ENOUGH, RESOLUTION, Noise, Pair, Series, noises
from .result import At, Point, Result

EVERY = "all strategies"
"""Name of the figure of a place that takes all strategies together."""

CONTENDED = 0.15
"""Share by which the part of an overhead that contention causes differs between runs.

How workers fall into step lasts for a run, so its rounds do not show it:
measured, a contended lock cost 10 cycles in some runs and 17 in others.
"""

CONTROLS = ("hand", "floor", "atomic")
"""Baselines without generated code."""

TOGETHER = 3
"""Strategies at a place from which on there is a figure for all of them."""


@dataclass(frozen=True, slots=True)
class Change:
    """One figure, before and after, in cycles per counter update.

    `low` and `high` bound the change with 95 % confidence; None, as is
    `probability` (adjusted for the number of figures), where rounds were too few.
    """

    strategy: str
    at: At
    before: float
    after: float
    change: float
    low: float | None = None
    high: float | None = None
    probability: float | None = None

    @property
    def significant(self) -> bool:
        """Whether it is more than chance."""
        return self.probability is not None and self.probability <= figures.SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Tail:
    """A percentile of the latency of one packet's updates, in cycles. Not judged."""

    strategy: str
    at: At
    percentile: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What `compare` found.

    `differs` says how the runs themselves differ, `losing` which strategies
    lose updates that lost none before, `notes` what else to know.
    """

    differs: tuple[str, ...]
    changes: tuple[Change, ...]
    tails: tuple[Tail, ...]
    losing: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def worse(self) -> bool:
        """Whether something got significantly slower, or loses updates since."""
        return bool(self.losing) or any(c.significant and c.change > 0 for c in self.changes)


Key = tuple[str, At]


def compare(before: Result, after: Result) -> Comparison:
    """Every figure that both runs have, with its change and how sure that is."""
    old, new = _points(before), _points(after)
    both = [key for key in old if key in new]
    pairs = _pairs(old, new, both, before, after, "generated")
    controls = {
        (name, *key): pair
        for name in CONTROLS
        for key, pair in _pairs(old, new, both, before, after, name).items()
    }
    every = [*pairs.values(), *controls.values()]
    dependence = infer.dependence([series for pair in every for series in pair])
    changes = _judged(pairs, controls, dependence)
    notes = [*_coverage(before, after, old, new), *_method(every, controls, dependence)]
    return Comparison(
        tuple(_differences(before, after)),
        tuple(changes),
        tuple(_tails(old, new, both)),
        tuple(_losing(old, new, both)),
        tuple(notes),
    )


def _points(result: Result) -> dict[Key, Point]:
    order = {name: position for position, name in enumerate(result.strategies)}
    found = sorted(result.points, key=lambda point: order[point.strategy])
    return {(point.strategy, point.at): point for point in found if point.rounds}


def _pairs(
    old: dict[Key, Point],
    new: dict[Key, Point],
    keys: Iterable[Key],
    before: Result,
    after: Result,
    name: str,
) -> dict[Key, Pair]:
    found = {}
    for key in keys:
        one = list(figures.series(old[key], before.workload.adds, name).values())
        two = list(figures.series(new[key], after.workload.adds, name).values())
        if one and two:
            found[key] = (one, two)
    return found


def _testable(pair: Pair) -> bool:
    return min(len(pair[0]), len(pair[1])) >= infer.LEAST


# ---- chance ----


def _judged(
    pairs: dict[Key, Pair], controls: dict[tuple[str, str, At], Pair], dependence: float
) -> list[Change]:
    """The changes of single figures, then those of each place as a whole, all adjusted."""
    noise = noises(_distinct(controls), dependence)
    unseen = {key: _unseen(pairs, *key) for key in pairs}
    found: list[tuple[Change, float | None]] = []
    for (strategy, at), pair in pairs.items():
        own = noise[at.lcores > 1]
        found.append(_change(strategy, at, pair, own, dependence, unseen[strategy, at]))
    whole = _together(pairs, unseen)
    if whole:
        apart = {(name, EVERY, at): pair for name, at, pair in _controls_together(controls)}
        joint = noises(_distinct(apart), dependence, least=1)
        for at, (pair, hidden) in whole.items():
            own, all_of_it = noise[at.lcores > 1], joint[at.lcores > 1]
            worse = replace(
                own,
                factor=max(own.factor, all_of_it.factor),
                share=max(own.share, all_of_it.share),
            )
            found.append(_change(EVERY, at, pair, worse, dependence, hidden))
    judged = [probability for _, probability in found if probability is not None]
    adjusted = iter(infer.holm(judged))
    return [
        change if probability is None else replace(change, probability=next(adjusted))
        for change, probability in found
    ]


def _change(
    strategy: str, at: At, pair: Pair, noise: Noise, dependence: float, unseen: float
) -> tuple[Change, float | None]:
    """The change with its interval, and its probability before adjustment."""
    if not _testable(pair):
        one, two = (statistics.median(series) for series in pair)
        return Change(strategy, at, one, two, two - one), None
    plain = infer.shift(*pair, dependence)
    one, two = (infer.trimmed(series).value for series in pair)
    error = math.hypot(noise.error(plain, one, two), unseen)
    df = min(plain.df, noise.controls) if noise.controls else plain.df
    shift = infer.Shift(plain.value, error, df)
    return Change(strategy, at, one, two, plain.value, *shift.interval()), shift.probability()


def _unseen(pairs: dict[Key, Pair], strategy: str, at: At) -> float:
    """The standard error of a shift by what contention does differently in each run."""
    if at.lcores == 1:
        return 0.0
    alone = pairs.get((strategy, at.model_copy(update={"lcores": 1, "cores": 1})), ([0.0], [0.0]))
    here = pairs[strategy, at]
    parts = [
        max(0.0, statistics.median(several) - statistics.median(single))
        for several, single in zip(here, alone, strict=True)
    ]
    return CONTENDED * math.hypot(*parts)


def _distinct(controls: dict[tuple[str, str, At], Pair]) -> list[tuple[At, Pair]]:
    """Controls with their place; one that several points share counts once."""
    seen = {}
    for (_, _, at), pair in controls.items():
        if _testable(pair):
            seen[tuple(pair[0]), tuple(pair[1])] = (at, pair)
    return list(seen.values())


# ---- all strategies of a place ----


def _together(pairs: dict[Key, Pair], unseen: dict[Key, float]) -> dict[At, tuple[Pair, float]]:
    """For each place, the strategies' mean by round, weighted by how steady each is.

    Weights are those of inverse variance, and the same before and after. With
    each comes what is `unseen` of it.
    """
    places: dict[At, list[tuple[Pair, float]]] = {}
    for key, pair in pairs.items():
        if _testable(pair):
            places.setdefault(key[1], []).append((pair, unseen.get(key, 0.0)))
    return {at: _mean(found) for at, found in places.items() if len(found) >= TOGETHER}


def _controls_together(
    controls: dict[tuple[str, str, At], Pair],
) -> Iterable[tuple[str, At, Pair]]:
    for name in CONTROLS:
        own = {(s, at): pair for (kind, s, at), pair in controls.items() if kind == name}
        for at, (pair, _) in _together(own, {}).items():
            yield name, at, pair


def _mean(pairs: Sequence[tuple[Pair, float]]) -> tuple[Pair, float]:
    weights = []
    for (one, two), unseen in pairs:
        variance = infer.trimmed(one).variance + infer.trimmed(two).variance
        weights.append(1 / (variance + RESOLUTION**2 + unseen**2))
    before = _weighted([one for (one, _), _ in pairs], weights)
    after = _weighted([two for (_, two), _ in pairs], weights)
    own = [weight * unseen for weight, (_, unseen) in zip(weights, pairs, strict=True)]
    return (before, after), math.hypot(*own) / math.fsum(weights)


def _weighted(columns: Sequence[Series], weights: Sequence[float]) -> Series:
    rounds = min(len(column) for column in columns)
    return [
        math.fsum(w * column[i] for w, column in zip(weights, columns, strict=True))
        / math.fsum(weights)
        for i in range(rounds)
    ]


# ---- everything else ----


def _tails(old: dict[Key, Point], new: dict[Key, Point], keys: Iterable[Key]) -> Iterable[Tail]:
    for strategy, at in keys:
        one = (old[strategy, at].latency or {}).get("generated")
        two = (new[strategy, at].latency or {}).get("generated")
        if one is None or two is None:
            continue
        for name in ("p50", "p99", "p999", "max"):
            yield Tail(strategy, at, name, getattr(one, name), getattr(two, name))


def _losing(old: dict[Key, Point], new: dict[Key, Point], keys: Iterable[Key]) -> list[str]:
    """Strategies that lost nothing anywhere before."""
    before = {strategy for (strategy, _), point in old.items() if figures.lost(point)}
    after = {strategy for strategy, at in keys if figures.lost(new[strategy, at])}
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
    ("huge pages", lambda r: "yes" if r.machine.hugepages else "no"),
)
"""What should be the same before and after, or else is said first."""


def _differences(before: Result, after: Result) -> Iterable[str]:
    for name, of in _SAME:
        one, two = of(before), of(after)
        if one != two:
            yield f"{name}: {one} before, {two} after"
    for strategy, sizes in before.workload.memory.items():
        for lcores, size in sizes.items():
            now = after.workload.memory.get(strategy, {}).get(lcores)
            if now is not None and now != size:
                yield f"memory of {strategy} with {lcores} lcores: {size} bytes before, {now} after"


def _coverage(
    before: Result, after: Result, old: dict[Key, Point], new: dict[Key, Point]
) -> Iterable[str]:
    for name, result, others in (("before", before, old.keys() - new.keys()),
                                 ("after", after, new.keys() - old.keys())):  # fmt: skip
        if others:
            yield f"{len(others)} figures are only in the run {name}; they are left out."
        if not result.complete:
            yield f"The run {name} was interrupted; its finished rounds count."


def _method(
    every: Sequence[Pair], controls: dict[tuple[str, str, At], Pair], dependence: float
) -> Iterable[str]:
    if any(not _testable(pair) for pair in every):
        yield f"Figures with fewer than {infer.LEAST} rounds in a run are shown, but not judged."
    if dependence:
        worth = (1 - dependence) / (1 + dependence)
        yield f"Rounds resemble their neighbours; each counts as {worth:.2f} independent ones."
    usable = _distinct(controls)
    if len(usable) < ENOUGH:
        yield (
            "There are no controls (hand, floor, atomic) to show how much runs differ without a "
            f"reason; they are taken to differ by {ASSUMED:.0%}. Repeat both runs to be sure."
        )
        return
    noise = noises(usable, dependence)
    for several, own in noise.items():
        lcores = "several lcores" if several else "one lcore"
        found = (
            f"errors are {own.factor:.1f} times those of the rounds, runs differ by {own.share:.1%}"
        )
        if own.factor < 1.05 and own.share < 0.001:
            found = "the runs differ no more than their rounds do"
        yield f"By {own.controls} controls without generated code, {lcores}: {found}."
