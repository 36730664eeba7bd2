# SPDX-License-Identifier: BSD-3-Clause
"""What a report says in sentences: how far the figures can be trusted, and what stands out."""

from __future__ import annotations

from collections.abc import Iterable

from .. import figures
from ..result import At, Result
from . import places

TWIN = 1.10
"""Ratio to hand-written code from which on a report speaks of it."""


def facts(result: Result) -> list[tuple[str, str]]:
    """What was measured, on what, with what: pairs of a label and its text."""
    machine, work = result.machine, result.workload
    caches = [
        f"L{cache.level} {places.size(cache.bytes)}"
        + (f" shared by {cache.shared_by}" if cache.shared_by > 1 else "")
        for cache in machine.caches
        if cache.type != "Instruction"
    ]
    cores = ", ".join(str(core) for core in machine.cores)
    updates = ", ".join(work.updates) or "every counter by itself"
    kind = "virtual machine" if machine.virtual else "no virtual machine seen"
    return [
        ("Schema", f"{result.schema_.file} (module {result.schema_.module})"),
        ("Per packet", f"{updates}: {work.adds} counter update" + "s" * (work.adds > 1)),
        ("Processor", f"{machine.cpu} ({machine.arch}), {machine.tsc_hz / 1e9:.2f} GHz clock"),
        (
            "Cores",
            f"{cores} of {machine.online}, {machine.threads_per_core} thread(s) each, {kind}",
        ),
        ("Caches", ", ".join(caches) or "unknown"),
        ("System", f"{machine.kernel}, clock governor {machine.governor or 'unknown'}"),
        ("Build", f"{result.build.compiler} {' '.join(result.build.cflags)}"),
        ("DPDK", result.build.dpdk),
        ("Made", f"{result.made} by ctrgen {result.ctrgen}: {' '.join(result.command)}"),
    ]


def sentences(result: Result) -> list[str]:
    """Everything a reader should know beside the tables."""
    usual = places.base(result)
    if usual is None:
        return [_interrupted(result), "Nothing was measured."]
    every = [_interrupted(result), _rounds(result), _lost(result)]
    every += [*_within_noise(result, usual), *_slower_than_hand(result, usual)]
    every += [_hardware(result), *(_sentence(note) for note in result.notes)]
    return [text for text in every if text]


def _sentence(note: str) -> str:
    return note[:1].upper() + note[1:] + ("" if note.endswith((".", "!", "?")) else ".")


def _interrupted(result: Result) -> str:
    return "" if result.complete else "The run was interrupted; its finished rounds are shown."


def _rounds(result: Result) -> str:
    counts = {len(point.rounds) for point in places.measured(result)}
    low, high = min(counts), max(counts)
    many = str(low) if low == high else f"{low} to {high}"
    few = " Fewer than 6 rounds decide nothing." if low < 6 else ""
    return f"Every figure is of {many} round{'s' * (high > 1)}.{few}"


def _lost(result: Result) -> str:
    worst: dict[str, float] = {}
    for point in places.measured(result):
        share = figures.lost(point)
        if share:
            worst[point.strategy] = max(worst.get(point.strategy, share), share, key=abs)
    if not worst:
        return "Every strategy counted every update."
    losses = [
        f"{name} lost up to {share:.2g} % of its updates"
        if share > 0
        else f"{name} counted up to {-share:.2g} % too much"
        for name, share in worst.items()
    ]
    every = len(worst) == len(result.strategies)
    return "; ".join(losses) + ("." if every else "; all others counted every update.")


def _within_noise(result: Result, usual: At) -> Iterable[str]:
    """For each place of the base family, the strategies that cannot be told apart."""
    points = places.within(result, usual)
    for spot in places.spots(points):
        here = [p for p in points if p.at.spot == spot]
        if len(here) < 2:
            continue
        chains: list[list[str]] = []
        for cheaper, dearer in figures.undecided(result, here):
            if chains and chains[-1][-1] == cheaper:
                chains[-1].append(dearer)
            else:
                chains.append([cheaper, dearer])
        name = places.spot(*spot)
        if not chains:
            yield f"{name}: neighbours in cost differ by more than the spread."
        for chain in chains:
            yield (
                f"{name}: {', '.join(chain[:-1])} and {chain[-1]} are in order of cost, but each "
                "differs from the next by less than the spread."
            )


def _slower_than_hand(result: Result, usual: At) -> Iterable[str]:
    tight = usual.model_copy(update={"work": 0})
    for point in places.within(result, tight):
        ratio = figures.ratio(point, "hand")
        if ratio is not None and ratio.decided and ratio.value > TWIN:
            where = places.spot(*point.at.spot)
            yield f"{point.strategy} costs {ratio.value:.2f} times its hand-written twin, {where}."


def _hardware(result: Result) -> str:
    noted = any("hardware counters" in note.lower() for note in result.notes)
    if noted or any(point.hardware for point in places.measured(result)):
        return ""
    return "Hardware counters (cycles, instructions, cache misses) are not available here."
