# SPDX-License-Identifier: BSD-3-Clause
"""The model against the published figures of the statistics chapter.

Statistics, in the DPDK data plane design book by M. Ronnblom: cycles for each of
four counter updates, two global and two of one of 1024 flows, for each packet of
about 1000 cycles of other work. Flows stay on their lcore but for rare migrations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

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

FAR = 4.0
"""The factor that no estimate should be off by."""

UPDATE, BESIDE, SNAPSHOT = "update", "update beside", "snapshot"
"""What is compared."""

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
    """A published or measured figure and what the model makes of it: cycles for each update.

    `what` is UPDATE, BESIDE for an update while a reader takes snapshots, or SNAPSHOT for how many
    cycles one of these takes, which is what an update waits for under strategies that hold a lock
    for it. `shares` are the parts of the estimate, for a sentence about it.
    """

    strategy: str
    machine: Machine
    lcores: int
    actual: float
    modelled: float
    flows: int = FLOWS
    work: int = WORK
    api: str = "single"
    what: str = UPDATE
    shares: tuple[tuple[str, float], ...] = ()

    @property
    def factor(self) -> float:
        """How far the estimate is off: 1 is exact, 2 is twice or half."""
        return max(self.modelled, 1e-9) / self.actual

    @property
    def off(self) -> float:
        """The same, whether it is too much or too little: at least 1."""
        return max(self.factor, 1 / self.factor)

    @property
    def within(self) -> bool:
        """Whether the estimate is good enough."""
        return self.off < WITHIN


def chapter() -> ir.Module:
    """The chapter's example as a module."""
    module = check("chapter.yaml", read=lambda _: SCHEMA.encode()).module
    assert module is not None
    return module


def published() -> Iterator[Comparison]:
    """The model against all published figures, strategy by strategy."""
    return (row for row, _, _ in published_places())


def published_places() -> Iterator[tuple[Comparison, ir.Module, Deployment]]:
    """The same, each with the module and the deployment."""
    schema = chapter()
    for strategy in all_strategies().values():
        sync = ir.Sync(strategy.name, strategy.settings(strategy.published_with))
        module = replace(schema, scopes=tuple(replace(s, sync=sync) for s in schema.scopes))
        for name, figures in strategy.published.items():
            for lcores, cycles in figures.items():
                place = Deployment(lcores, FLOWS, "session", "rare", WORK, as_published=True)
                cost = estimate(module, place, MACHINES[name])
                assert cost is not None
                row = Comparison(strategy.name, MACHINES[name], lcores, cycles, cost.update)
                yield row, module, place
