# SPDX-License-Identifier: BSD-3-Clause
"""The model against figures: those of the statistics chapter, and those of `ctrgen bench`.

Statistics, in the DPDK data plane design book by M. Ronnblom: cycles for each of
four counter updates, two global and two of one of 1024 flows, for each packet of
about 1000 cycles of other work. Flows stay on their lcore but for rare migrations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..bench.figures import overhead
from ..bench.result import Point, Result
from ..model import ir
from ..model.workload import Deployment
from ..pipeline.check import check
from ..strategies.catalogue import all_strategies
from .machine import MACHINES, Machine
from .model import estimate

FLOWS = 1024
WORK = 1000

LEAST = 0.5
"""Measured cycles for an update below which a factor says nothing."""

WITHIN = 2.0
"""The factor that an estimate may be off by."""

WANTED = 18
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
) -> Iterator[Comparison]:
    """The model against every measurement of single calls without a scheduler."""
    from ..bench.variants import variant

    for point in filter(_usual, result.points):
        figure = overhead(point, result.workload.adds)
        if figure is None or figure.median < LEAST:
            continue
        at = point.at
        chosen = variant(module, point.strategy, scope, at.flows).module
        updates = tuple(result.workload.updates)
        place = Deployment(at.lcores, at.flows, scope, at.affinity, at.work, updates=updates)
        cost = estimate(chosen, place, machine)
        if cost is not None:
            yield Comparison(
                point.strategy, machine, at.lcores, figure.median, cost.update, at.flows, at.work
            )


def _usual(point: Point) -> bool:
    at = point.at
    plain = (at.api, at.scheduler, at.distribution) == ("single", "none", "uniform")
    return plain and at.lcores <= at.cores and not (at.pressure or at.reads or at.resets)
