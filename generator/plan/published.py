# SPDX-License-Identifier: BSD-3-Clause
"""The figures that the model is held against: those of the statistics chapter.

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
from .machine import Machine, machine
from .model import estimate

FLOWS = 1024
ADDS = 4
WORK = 1000.0
WITHIN = 2.0
"""The factor that an estimate may be off by."""

WANTED = 18
"""Estimates that must not be off by more."""

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
class Row:
    """One published figure and what the model makes of it."""

    strategy: str
    machine: Machine
    lcores: int
    published: float
    modelled: float

    @property
    def factor(self) -> float:
        """How far the estimate is off: 1 is exact, 2 is twice or half."""
        return max(self.modelled, 1e-9) / self.published

    @property
    def within(self) -> bool:
        """Whether the estimate is good enough."""
        return 1 / WITHIN < self.factor < WITHIN


def chapter() -> ir.Module:
    """The chapter's example as a module."""
    module = check("chapter.yaml", read=lambda _: SCHEMA.encode()).module
    assert module is not None
    return module


def rows() -> Iterator[Row]:
    """All published figures, strategy by strategy."""
    schema = chapter()
    for strategy in all_strategies().values():
        sync = ir.Sync(strategy.name, strategy.settings(strategy.published_with))
        scopes = tuple(replace(scope, sync=sync) for scope in schema.scopes)
        module = replace(schema, scopes=scopes)
        for name, figures in strategy.published.items():
            for lcores, published in figures.items():
                place = Deployment(lcores, FLOWS, "session", "rare", work=WORK)
                modelled = estimate(module, place, machine(name))
                assert modelled is not None
                yield Row(strategy.name, machine(name), lcores, published, modelled.update)
