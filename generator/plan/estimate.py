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
    """Cycles for each packet and where they go, and what was counted on the way.

    `instructions` is plain work, `sync` atomic instructions and fences, `misses` lines
    fetched from other cores, caches and memory, `waiting` for other lcores. `operations`
    and `transactions` are for each packet, as are `lines`; `working_set` is in bytes, of an lcore.
    `reading` is what a packet takes longer while a snapshot copies what the lcore counts, beside
    what readers that hold a lock take.
    `sections` are the write sections of a packet that readers may have to wait for, by `sync`: how
    many, and for how many cycles together.
    """

    working_set: int
    operations: float
    transactions: int
    lines: int
    instructions: float = 0.0
    sync: float = 0.0
    misses: float = 0.0
    waiting: float = 0.0
    reading: float = 0.0
    sections: dict[ir.Sync, tuple[float, float]] = field(default_factory=dict)

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
