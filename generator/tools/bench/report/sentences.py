# SPDX-License-Identifier: BSD-3-Clause
"""Sentences of a report: reliability of the figures, and notable results."""

from collections.abc import Iterator, Mapping

from ....model.language.units import shown_size
from ....model.strategies.catalogue import usual
from .. import figures
from ..result import At, Point, Result, Workload
from . import places

NAMED = 3  # most strategies that a verdict names as the cheapest


def verdict(result: Result) -> Iterator[str]:
    """Verdict: the cheapest strategies on this machine, and the cost of another, in the tight loop
    and, if measured, with the most flows and work between packets."""
    usual = places.base(result)
    if usual is None:
        return
    losing = {p.strategy for p in places.measured(result) if figures.lost(p)}
    spot = places.most_lcores(result, usual)
    every = [p for p in places.measured(result) if p.strategy not in losing and p.at.spot == spot]
    tight = usual.model_copy(update={"work": 0})
    busy = [p for p in every if {*places.differing(p.at.family, tight)} == {"flows", "work"}]
    families = [tight if any(p.at.family == tight for p in every) else usual]
    if busy:
        families.append(max((p.at.family for p in busy), key=lambda at: (at.flows, at.work)))
    for family in families:
        here = {p.strategy: p for p in every if p.at.family == family}
        yield from _cheapest(result, here, family, places.spot(*spot))


def _cheapest(result: Result, here: Mapping[str, Point], at: At, spot: str) -> Iterator[str]:
    """Up to NAMED strategies that cost least at a place; and how much another costs."""
    costs = {n: c for n, p in here.items() if (c := figures.overhead(p, result.workload.adds))}
    if not costs:
        return
    first, *others = sorted(costs, key=lambda name: costs[name].median)
    least = costs[first]
    alike = [name for name in others if costs[name].q1 <= least.q3]
    more = len(alike) + 1 - NAMED
    named = places.listed([first, *alike[: NAMED - 1], *([f"{more} others"] if more > 0 else [])])
    work = f"{at.work:,} cycles of work" if at.work else "tight loop"
    cycles = f"{places.number(least.median)} cycles an update" if least.q1 >= 0 else places.NOISE
    line = f"{named}: {cycles} with {spot}, {at.flows:,} flows, {work}"
    left = [name for name in others if name not in alike]
    if left:
        other = usual() if usual() in left else left[-1]
        ratio = costs[other].median / least.median if least.q1 > 0 else 0
        much = places.times(ratio) if ratio else places.number(costs[other].median)
        line += f"; {other} costs {much}"
    yield line


def facts(result: Result) -> list[tuple[str, str]]:
    """Workload, machine and build: pairs of a label and its text."""
    machine, work, build = result.machine, result.workload, result.build
    caches = [
        f"L{cache.level} {shown_size(cache.bytes)}"
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
    """The page sizes of memory, as reported by the system."""
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
    """Warnings and conclusions in addition to the tables."""
    lines = [] if result.complete else ["The run was interrupted; its finished rounds are shown."]
    if places.base(result) is None:
        return [*lines, "Nothing was measured."]
    lines += [_rounds(result), _lost(result), *_shared(result), *_faulted(result)]
    lines += _negative(result)
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
    """Share of rounds in which cores were slower than in the fastest."""
    points = [point for point in places.measured(result) if point.at.alone and not point.at.crowded]
    rounds = [(r.none, figures.fastest(point)) for point in points for r in point.rounds]
    slower = sum(none > figures.SLOWER * best for none, best in rounds)
    if slower:
        yield (
            f"In {slower / len(rounds):.0%} of the rounds cores were slower at everything than in "
            "the fastest of the place. Such rounds count only up to half of all."
        )


def _faulted(result: Result) -> Iterator[str]:
    """Page faults of workers during measurements."""
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


def _negative(result: Result) -> Iterator[str]:
    """The meaning of costs that are shown as noise."""
    costs = (figures.overhead(point, result.workload.adds) for point in places.measured(result))
    if any(cost.q1 < 0 for cost in costs if cost):
        yield (
            f"{places.NOISE.capitalize()}: the cost is less than what rounds differ by, and most "
            "likely less than the third quartile, in parentheses."
        )
