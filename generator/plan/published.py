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
from .machine import CASCADE_LAKE, CORTEX_A72, Machine
from .model import estimate

FLOWS = 1024
ADDS = 4
WORK = 1000.0
WITHIN = 2.0
"""The factor that an estimate may be off by."""

WANTED = 18
"""Estimates that must not be off by more."""

COLUMNS = ((CASCADE_LAKE, 4), (CASCADE_LAKE, 20), (CORTEX_A72, 4))
"""Machines and lcores."""

FIGURES = {
    "shared_unsync": (27, 273, 26),
    "shared_lock:placement=apart": (436, 8236, 36),
    "shared_atomic": (56, 626, 85),
    "shared_buffered": (18, 18, 24),
    "per_core": (5, 4, 4),
    "per_core_lock": (7, 7, 4),
    "per_core_seqcount": (4, 4, 8),
}
"""Published cycles for each counter update. The chapter's lock is apart from the counters."""

SCHEMA = """
ctrgen: 1
module: chapter
sync: per_core
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
    from ..pipeline.check import check

    module = check("chapter.yaml", read=lambda _: SCHEMA.encode()).module
    assert module is not None
    return module


def rows() -> Iterator[Row]:
    """All published figures, in the order of the chapter's table."""
    from ..bench.variants import sync

    module = chapter()
    for label, figures in FIGURES.items():
        scopes = tuple(replace(scope, sync=sync(label)) for scope in module.scopes)
        for (machine, lcores), published in zip(COLUMNS, figures, strict=True):
            place = Deployment(lcores, FLOWS, "session", "rare", work=WORK)
            found = estimate(replace(module, scopes=scopes), place, machine)
            assert found is not None
            yield Row(label.partition(":")[0], machine, lcores, published, found.update)
