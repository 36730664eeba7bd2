# SPDX-License-Identifier: BSD-3-Clause
"""What the cost model finds for a packet, and how long an lcore is busy between two packets."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..model import ir
from ..model.workload import Deployment

USUAL_WORK = 1000.0  # cycles of a packet without statistics when nobody says: the chapter's


STORE = 1.0  # cycles between two stores that leave the store buffer, one after the other


@dataclass(slots=True)
class Estimate:
    """Cycles for each packet and where they go, and what was counted on the way."""

    working_set: int  # bytes, of an lcore
    operations: float
    transactions: int
    lines: int
    instructions: float = 0.0  # plain work
    sync: float = 0.0  # atomic instructions and fences
    misses: float = 0.0  # lines from other cores, caches and memory
    waiting: float = 0.0  # for other lcores
    reading: float = 0.0  # more while a snapshot copies what the lcore counts
    sections: dict[ir.Sync, tuple[float, float]] = field(default_factory=dict)
    """Write sections of a packet that readers may have to wait for: how many, and their cycles."""

    @property
    def packet(self) -> float:
        """Cycles for each packet."""
        return self.instructions + self.sync + self.misses + self.waiting

    @property
    def update(self) -> float:
        """Cycles for each counter update: the chapter's figure."""
        return self.packet / max(1, self.operations)


def budget_cycles(deployment: Deployment) -> float:
    """Cycles that an lcore has for a packet; those of its work when nobody says how many come."""
    if deployment.pps is not None:
        return deployment.hz * deployment.lcores / deployment.pps
    return USUAL_WORK if deployment.work is None else deployment.work


def think(deployment: Deployment) -> float:
    """Cycles between the updates of two packets of an lcore: at least the packet's work."""
    return max(deployment.work or 0.0, budget_cycles(deployment))
