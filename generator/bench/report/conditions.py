# SPDX-License-Identifier: BSD-3-Clause
"""The tables of what decides in an application: many flows, work in between, calls, and readers."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator

from .. import figures
from ..result import At, Passes, Point, Result
from . import places
from .writers import Table

NONE = "-"
"""A cell without a figure."""

UNIT = "cycles per counter update"

DECIDING = {"flows", "work", "api"}
"""Axes that are measured together."""


def interval(figure: figures.Spread | None) -> str:
    """A figure with its quartiles; one whose first quartile is negative is no more than noise, and
    most likely below the third."""
    if figure is None:
        return NONE
    if figure.q1 < 0:
        return places.NOISE + (f" (< {places.number(figure.q3)})" if figure.q3 > 0 else "")
    text = places.number(figure.median)
    if figure.n == 1:
        return text
    return f"{text} ({places.number(figure.q1)} .. {places.number(figure.q3)})"


def most_lcores(result: Result, family: At) -> tuple[int, int]:
    """The most lcores of a family that each have a core, and the cores."""
    every = places.within(result, family)
    return max((point.at.spot for point in every if not point.at.crowded), default=(0, 0))


def deciding(result: Result, usual: At) -> dict[int, list[Point]]:
    """By cycles of work, the points on as many lcores as there are cores that differ from the usual
    ones in flows, work and calls, where both flows and calls were varied."""
    spot = most_lcores(result, usual)
    found: dict[int, list[Point]] = {}
    for point in places.measured(result):
        if point.at.spot == spot and {*places.differing(point.at.family, usual)} <= DECIDING:
            found.setdefault(point.at.work, []).append(point)
    together = {work: {(p.at.flows, p.at.api) for p in every} for work, every in found.items()}
    return {
        work: found[work]
        for work in sorted(found, reverse=True)
        if len({f for f, _ in together[work]}) > 1 and len({a for _, a in together[work]}) > 1
    }


def calls(result: Result, usual: At) -> Iterator[Table]:
    """A table for each length of work: a row for each strategy and call, a column for flows."""
    for work, points in deciding(result, usual).items():
        flows = sorted({point.at.flows for point in points})
        kinds = [
            api
            for api in dict.fromkeys(point.at.api for point in points)
            if len({point.at.flows for point in points if point.at.api == api}) > 1
        ]
        known = {
            (p.strategy, p.at.api, p.at.flows): interval(figures.overhead(p, result.workload.adds))
            for p in points
        }
        rows = tuple(
            (f"{name}, {api}", *(known.get((name, api, count), NONE) for count in flows))
            for name in result.strategies
            for api in kinds
        )
        head = ("strategy, calls", *(f"{count:,} flows" for count in flows))
        yield Table(calls_title(result, usual, work), head, rows)


def calls_title(result: Result, usual: At, work: int) -> str:
    """The title of such a table."""
    where = places.spot(*most_lcores(result, usual))
    amount = f"{work:,} cycles of work between packets" if work else "tight loop"
    return f"Overhead by flows and calls, {where}, {amount}, in {UNIT}"


READING = (
    "strategy",
    "a second",
    "milliseconds of one",
    "overhead meanwhile",
    "p50",
    "p99",
    "p99.9",
    "max",
)


def readers(result: Result, usual: At) -> Iterator[Table]:
    """For each place with reads or resets: how many there were, and what that cost the workers."""
    groups: dict[At, list[Point]] = {}
    for point in places.measured(result):
        if (point.at.reads or point.at.resets) and any(r.ms for r in point.rounds):
            groups.setdefault(point.at, []).append(point)
    for at, points in groups.items():
        rows = tuple(_reading(result, point) for point in points)
        asked = ", ".join(
            f"{places.plain(rate)} {what} a second asked for"
            for what, rate in (("reads", at.reads), ("resets", at.resets))
            if rate
        )
        note = f"{asked}. Latencies in TSC cycles, of a burst of 32 packets, while that went on."
        yield Table(f"Readers: {places.place(at, usual)}", READING, rows, (note,))


def _reading(result: Result, point: Point) -> tuple[str, ...]:
    passes = [(r.reads if point.at.reads else r.resets, r.ms) for r in point.rounds]
    known = [(p, ms) for p, ms in passes if p is not None and ms]
    latency = (point.latency or {}).get("generated")
    times = (getattr(latency, name, None) for name in ("p50", "p99", "p999", "max"))
    return (
        point.strategy,
        _median(1000 * p.count / ms for p, ms in known),
        _median(_each(p for p, _ in known)),
        interval(figures.overhead(point, result.workload.adds)),
        *(NONE if time is None else f"{time:,.0f}" for time in times),
    )


def _each(passes: Iterable[Passes]) -> Iterator[float]:
    return (p.ms / p.count for p in passes if p.count)


def _median(values: Iterable[float]) -> str:
    every = list(values)
    return places.number(statistics.median(every)) if every else NONE
