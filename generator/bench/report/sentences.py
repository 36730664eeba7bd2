# SPDX-License-Identifier: BSD-3-Clause
"""What a report says in sentences: how far the figures can be trusted, and what stands out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import figures
from ..result import At, Result, Workload
from . import places
from .tables import tables
from .writers import Report

TWIN = 1.10
"""Ratio to hand-written code from which on a report speaks of it."""


def summary(result: Result) -> Report:
    """All that reports have in common; an output adds what only it can show."""
    title = f"Benchmark of {result.schema_.module}"
    return Report(title, facts(result), sentences(result), tables(result))


def facts(result: Result) -> list[tuple[str, str]]:
    """What was measured, on what, with what: pairs of a label and its text."""
    machine, work, build = result.machine, result.workload, result.build
    caches = [
        f"L{cache.level} {places.size(cache.bytes)}"
        + (f" shared by {cache.shared_by}" if cache.shared_by > 1 else "")
        for cache in machine.caches
        if cache.type != "Instruction"
    ]
    cores = f"{', '.join(map(str, machine.cores))} of {machine.online}"
    kind = "virtual machine" if machine.virtual else "no virtual machine seen"
    updates = ", ".join(_called(work, name) for name in work.updates) or "every counter by itself"
    return [
        ("Schema", f"{result.schema_.file} (module {result.schema_.module})"),
        ("Per packet", f"{updates}: {work.adds:.4g} counter update" + "s" * (work.adds > 1)),
        ("Processor", f"{machine.cpu} ({machine.arch}), {_clock(result)}"),
        ("Cores", f"{cores}, {machine.threads_per_core} thread(s) each, {kind}"),
        ("Caches", ", ".join(caches) or "unknown"),
        ("System", f"{machine.kernel}, clock governor {machine.governor or 'unknown'}"),
        *_pages(result),
        ("Build", f"{build.compiler} {' '.join(build.cflags)}"),
        ("DPDK", build.dpdk),
        ("Made", f"{result.made} by ctrgen {result.ctrgen}: {' '.join(result.command)}"),
    ]


def _pages(result: Result) -> Iterator[tuple[str, str]]:
    """What pages memory was on, as the system told."""
    if result.pages is None:
        return
    way = "huge (hugetlbfs)" if result.pages.hugetlbfs else "small (--no-huge)"
    shares = (
        (_percent(result.pages.allocated), "what is allocated"),
        (_percent(result.pages.data), "static data"),
    )
    on = [f"{share} of {what}" for share, what in shares if share]
    yield "Pages", f"{way}; on huge ones: {places.listed(on)}" if on else way


def _percent(shares: Mapping[str, float]) -> str:
    """Shares as percent: `0 %`, or `0 to 40 %` where strategies differ."""
    every = sorted({f"{share:.0%}".removesuffix("%") for share in shares.values()}, key=int)
    return f"{' to '.join(dict.fromkeys((every[0], every[-1])))} %" if every else ""


def _called(work: Workload, name: str) -> str:
    """An update, and one packet in how many it is called for."""
    return f"{name} (1 in {work.every[name]})" if name in work.every else name


def _clock(result: Result) -> str:
    """The time stamp counter, and where it was measured the clock of the core."""
    tsc = result.machine.tsc_hz / 1e9
    clock = figures.clock(result)
    if clock is None:
        return f"{tsc:.2f} GHz clock"
    core = f"{places.number(clock.q1)} .. {places.number(clock.q3)}"
    return f"cores at {tsc / clock.median:.2f} GHz; TSC {tsc:.2f} GHz, its ratio {core}"


def sentences(result: Result) -> list[str]:
    """Everything a reader should know beside the tables."""
    lines = [] if result.complete else ["The run was interrupted; its finished rounds are shown."]
    usual = places.base(result)
    if usual is None:
        return [*lines, "Nothing was measured."]
    lines += [_rounds(result), _lost(result), *_shared(result), *_faulted(result)]
    lines += [*_within_noise(result, usual), *_slower_than_hand(result, usual)]
    noted = any("hardware counters" in note.lower() for note in result.notes)
    if not noted and not any(point.hardware for point in places.measured(result)):
        lines += ["Hardware counters (cycles, instructions, cache misses) are not available here."]
    ends = (".", "!", "?")
    return lines + [n[:1].upper() + n[1:] + "." * (not n.endswith(ends)) for n in result.notes]


def _rounds(result: Result) -> str:
    counts = {len(point.rounds) for point in places.measured(result)}
    low, high = min(counts), max(counts)
    many = str(low) if low == high else f"{low} to {high}"
    few = " Fewer than 6 rounds decide nothing." if low < 6 else ""
    return f"Every figure is of {many} round{'s' * (high > 1)}.{few}"


def _rounded(share: float) -> str:
    """Two digits, or all in front of the point."""
    return f"{share:.2g}" if share < 99.5 else f"{share:,.0f}"


def _lost(result: Result) -> str:
    worst: dict[str, float] = {}
    for point in places.measured(result):
        if share := figures.lost(point):
            worst[point.strategy] = max(worst.get(point.strategy, share), share, key=abs)
    if not worst:
        return "Every strategy counted every update."
    losses = [
        f"{name} lost up to {_rounded(share)} % of its updates"
        if share > 0
        else f"{name} counted up to {_rounded(-share)} % too much"
        for name, share in worst.items()
    ]
    every = len(worst) == len(result.strategies)
    return "; ".join(losses) + ("." if every else "; all others counted every update.")


def _shared(result: Result) -> Iterator[str]:
    """How often cores were slower than they can be."""
    points = [point for point in places.measured(result) if point.at.alone and not point.at.crowded]
    rounds = [(r.none, figures.fastest(point)) for point in points for r in point.rounds]
    slower = sum(none > figures.SLOWER * best for none, best in rounds)
    if slower:
        yield (
            f"In {slower / len(rounds):.0%} of the rounds cores were slower at everything than in "
            "the fastest of the place, as where others have hardware threads of theirs. Such "
            "rounds count only up to half of all."
        )


def _faulted(result: Result) -> Iterator[str]:
    """Where memory was touched for the first time, or anew, while it was timed."""
    worst = max(
        ((r.faults or 0, p) for p in places.measured(result) for r in p.rounds),
        key=lambda pair: pair[0],
    )
    if worst[0]:
        every = sum(bool(r.faults) for p in places.measured(result) for r in p.rounds)
        where = f"{worst[1].strategy}, {places.place(worst[1].at, places.base(result))}"
        yield (
            f"{every:,} measurement{'s' * (every > 1)} had page faults, {worst[0]:,} at most "
            f"({where}): their time is in the figures."
        )


def _within_noise(result: Result, usual: At) -> Iterator[str]:
    """For each place of the base family, the strategies that cannot be told apart."""
    for spot, here in places.spots(places.within(result, usual)).items():
        name = places.spot(*spot)
        chains = figures.undecided(here)
        if len(here) > 1 and not chains:
            yield f"{name}: neighbours in cost differ by more than the spread."
        for chain in chains:
            yield (
                f"{name}: {places.listed(chain)} are in order of cost, but each "
                "differs from the next by less than the spread."
            )


def _slower_than_hand(result: Result, usual: At) -> Iterator[str]:
    tight = usual.model_copy(update={"work": 0})
    for point in places.within(result, tight):
        ratio = figures.ratio(point, "hand")
        if ratio is not None and ratio.decided and ratio.value > TWIN:
            where = places.spot(*point.at.spot)
            yield f"{point.strategy} costs {ratio.value:.2f} times its hand-written twin, {where}."
