# SPDX-License-Identifier: BSD-3-Clause
"""The model against figures: those of the statistics chapter, and those of `ctrgen bench`.

Statistics, in the DPDK data plane design book by M. Ronnblom: cycles for each of
four counter updates, two global and two of one of 1024 flows, for each packet of
about 1000 cycles of other work. Flows stay on their lcore but for rare migrations.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..bench.figures import overhead
from ..bench.result import Point, Result
from ..model import ir
from ..model.workload import Deployment, transactions
from ..pipeline.check import check
from ..strategies.catalogue import all_strategies
from .bill import distinct
from .calls import APIS
from .machine import MACHINES, Machine
from .model import estimate

FLOWS = 1024
WORK = 1000

LEAST = 0.5
"""Measured cycles for an update below which a factor says nothing."""

WITHIN = 2.0
"""The factor that an estimate may be off by."""

FAR = 4.0
"""The factor that no estimate should be off by."""

WANTED = 20
"""Estimates of published figures that must not be off by more."""

SCHEMA = """
ctrgen: 1
module: chapter
reset: false
scopes:
  session:
    max: 1024
    counters:
      bytes: {unit: bytes, description: Octets.}
      pkts:  {unit: packets, description: Packets.}
  global:
    counters:
      total_bytes: {unit: bytes, description: Octets.}
      total_pkts:  {unit: packets, description: Packets.}
updates:
  packet:
    args: {size: uint16}
    add: {global.total_pkts: 1, global.total_bytes: size, session.pkts: 1, session.bytes: size}
"""
"""The chapter's example as a schema."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A published or measured figure and what the model makes of it: cycles for each update."""

    strategy: str
    machine: Machine
    lcores: int
    actual: float
    modelled: float
    flows: int = FLOWS
    work: int = WORK
    api: str = "single"

    @property
    def factor(self) -> float:
        """How far the estimate is off: 1 is exact, 2 is twice or half."""
        return max(self.modelled, 1e-9) / self.actual

    @property
    def within(self) -> bool:
        """Whether the estimate is good enough."""
        return 1 / WITHIN < self.factor < WITHIN


def chapter() -> ir.Module:
    """The chapter's example as a module."""
    module = check("chapter.yaml", read=lambda _: SCHEMA.encode()).module
    assert module is not None
    return module


def published() -> Iterator[Comparison]:
    """The model against all published figures, strategy by strategy."""
    schema = chapter()
    for strategy in all_strategies().values():
        sync = ir.Sync(strategy.name, strategy.settings(strategy.published_with))
        module = replace(schema, scopes=tuple(replace(s, sync=sync) for s in schema.scopes))
        for name, figures in strategy.published.items():
            for lcores, cycles in figures.items():
                place = Deployment(lcores, FLOWS, "session", "rare", WORK, as_published=True)
                cost = estimate(module, place, MACHINES[name])
                assert cost is not None
                yield Comparison(strategy.name, MACHINES[name], lcores, cycles, cost.update)


def measured(
    result: Result, module: ir.Module, scope: str, machine: Machine
) -> tuple[list[Comparison], int]:
    """The model against every measurement without a scheduler, a reader or other memory; and how
    many of them say nothing, as they scatter more than they are."""
    from ..bench.variants import variant

    rows, vague = [], 0
    most = math.lcm(*result.workload.every.values())
    for point in filter(_usual, result.points):
        figure = overhead(point, result.workload.adds)
        if figure is None:
            continue
        if figure.median < LEAST or figure.q3 - figure.q1 > figure.median:
            vague += 1
            continue
        at = point.at
        chosen = variant(module, point.strategy, scope, at.flows).module
        updates = tuple(result.workload.updates)
        every = result.workload.every
        often = tuple((name, round(most / every.get(name, 1))) for name in updates)
        place = Deployment(
            at.lcores,
            at.flows,
            scope,
            at.affinity,
            at.work,
            updates=updates,
            weights=often,
            api=at.api,
        )
        place = replace(place, cold=_cold(point, chosen, place))
        cost = estimate(chosen, place, machine)
        if cost is not None:
            row = Comparison(
                point.strategy, machine, at.lcores, figure.median, cost.update, at.flows, at.work,
                at.api,
            )  # fmt: skip
            rows.append(row)
    return rows, vague


def _cold(point: Point, module: ir.Module, place: Deployment) -> float:
    """The share of visits to lines of flows that are the first of a measurement: before it other
    programs were measured, which have had the caches since."""
    lines = max(
        (touch.lcore_lines for t in transactions(module, place) for touch in t.touches), default=1
    )
    visits = statistics.median(
        sum(entry.packets) / max(1, len(entry.packets)) for entry in point.rounds
    )
    return distinct(visits, lines) / max(1.0, visits) if lines > 1 else 0.0


def _usual(point: Point) -> bool:
    at = point.at
    plain = at.api in APIS and (at.scheduler, at.distribution) == ("none", "uniform")
    return plain and at.lcores <= at.cores and not (at.pressure or at.reads or at.resets)
