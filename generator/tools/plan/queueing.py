# SPDX-License-Identifier: BSD-3-Clause
"""How long lcores wait for each other at cache lines and locks: a closed queueing network (mean
value analysis; M. Reiser and S. Lavenberg, Journal of the ACM 27, 1980)."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from ...model.strategies.base import applies
from ...model.workload import Transaction
from .machine import Machine


@dataclass(frozen=True, slots=True)
class Station:
    """Cache lines or locks that lcores get one at a time; times in cycles."""

    service: float  # how long one lcore has it
    visits: float = 1.0  # of a packet
    count: float = 1.0  # stations of the kind, visited equally often
    handover: float = 0.0  # more service if another lcore waits
    crowd: float = 0.0  # more service for each one that waits
    slack: float = 0.0  # for which a visit can be put off rather than wait
    hidden: float = 0.0  # of a visit, as other work goes on, or as it is counted elsewhere
    key: Hashable = None  # stations of the same key are one, visited for several reasons


def responses(
    stations: Sequence[Station], lcores: int, think: float, overlapped: Sequence[range] = ()
) -> list[float]:
    """Cycles of a visit to each station, waiting included; `think` are those of a packet elsewhere,
    `overlapped` stations that are visited at the same time."""
    kinds: dict[Hashable, list[Station]] = {}
    for i, station in enumerate(stations):
        kinds.setdefault(i if station.key is None else station.key, []).append(station)
    places = {key: (_together(alike), [1.0] + [0.0] * lcores) for key, alike in kinds.items()}
    at = [i if station.key is None else station.key for i, station in enumerate(stations)]
    times = [station.service for station in stations]
    serial = set(range(len(stations))).difference(*overlapped)
    for n in range(1, lcores + 1):
        visits = {key: _visit(*place, n) - place[0].service for key, place in places.items()}
        times = [s.service + visits[key] for s, key in zip(stations, at, strict=True)]
        cycle = think + sum(
            stations[i].visits
            * (max(stations[i].service, times[i] - stations[i].slack) - stations[i].hidden)
            for i in serial
        )
        cycle += sum(max(seen(stations[i], times[i]) for i in group) for group in overlapped)
        for station, chances in places.values():
            arrivals = n * station.visits / max(cycle, 1.0) / station.count
            _advance(station, chances, n, arrivals)
    return times


def _together(alike: Sequence[Station]) -> Station:
    """Several stations as one, with the means of their visits."""
    visits = sum(station.visits for station in alike)
    if len(alike) == 1 or visits <= 0:
        return alike[0]
    service, handover, crowd = (
        sum(s.visits * getattr(s, name) for s in alike) / visits
        for name in ("service", "handover", "crowd")
    )
    return Station(service, visits, max(s.count for s in alike), handover, crowd)


def seen(station: Station, cycles: float) -> float:
    """Cycles for each packet that are seen of visits that take so long."""
    return station.visits * max(0.0, cycles - station.hidden)


def _occupied(station: Station, present: int) -> float:
    """How long one lcore has the station while `present` lcores compete, itself included."""
    waiting = present - 1
    return station.service + min(1, waiting) * station.handover + waiting * station.crowd


def _visit(station: Station, chances: list[float], lcores: int) -> float:
    """Cycles of a visit, if `chances` say how many of the others are there."""
    return sum(j * _occupied(station, j) * chances[j - 1] for j in range(1, lcores + 1))


def _advance(station: Station, chances: list[float], lcores: int, arrivals: float) -> None:
    """Update the chances for `lcores` - 1 lcores to those for `lcores`."""
    for j in range(lcores, 0, -1):
        chances[j] = arrivals * _occupied(station, j) * chances[j - 1]
    busy = sum(chances[1 : lcores + 1])
    if busy > 1:
        for j in range(1, lcores + 1):
            chances[j] /= busy
    chances[0] = max(0.0, 1 - busy)


def fair(transaction: Transaction) -> bool:
    """Whether the lock of a transaction is FIFO-fair."""
    strategy, tunables = transaction.domain.strategy, dict(transaction.domain.sync.tunables)
    return applies(strategy.fair, tunables)


def again(machine: Machine, others: int, between: float, inside: float) -> float:
    """How often in a row an lcore takes a lock: `inside` cycles each time, `between` two so many.

    A waiter looks once in a pause and a transfer, then tries. Each look takes the line from the
    owner, who waits for it before its next exchange; the lock has to be free at the look and the
    try.
    """
    if not others:
        return 1.0
    between += machine.locked
    look = (machine.pause + machine.transfer) / others
    taken = min(1.0, machine.transfer / look)
    free = taken + (1 - taken) * between / (between + inside)
    return max(1.0, look * (1 - taken) / free**2 / (between + inside))


def lock(machine: Machine, kind: str | None, service: float, count: int, visits: float) -> Station:
    """A lock. At a release the holder gets the line back first (`handover`), and each waiter
    fetches it (`crowd`), in a queue only the next one (T. E. Anderson, IEEE TPDS 1, 1990)."""
    handover = machine.transfer
    crowd = 0.0 if kind == "queue" else handover
    return Station(service, visits=visits, count=count, handover=handover, crowd=crowd)
