# SPDX-License-Identifier: BSD-3-Clause
"""The simulation against what others published: the chapter's figures, and half a round trip."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from random import Random

from ..comparison import Comparison, published_places
from ..machine import Machine
from .coherence import Line, Memory
from .core import Core
from .events import Loop, Process
from .run import latencies, simulate

CLOSE, FAR, WANTED = 1.5, 3.0, 18
"""So many of the published figures are within the first factor, and all within the second."""

TOLD = 2.0
"""The factor from which on a difference is told."""

HOPS = 100


@dataclass(frozen=True, slots=True)
class Published:
    """A published figure, with what the model and the simulation make of it."""

    model: Comparison
    simulated: float

    @property
    def factor(self) -> float:
        """How far the simulation is off: 1 is exact, 2 is twice."""
        return self.simulated / self.model.actual

    @property
    def off(self) -> float:
        """The same, whether it is too much or too little: at least 1."""
        return max(self.factor, 1 / self.factor)


@cache
def published() -> tuple[Published, ...]:
    """The simulation against all published figures, strategy by strategy."""
    rows = []
    for row, module, place in published_places():
        found = simulate(module, place, row.machine)
        assert found is not None
        rows.append(Published(row, found.update))
    return tuple(rows)


def half_round(machine: Machine) -> float:
    """Cycles of half a round trip of a line between two cores, each of which tries to exchange a
    value that the other has written: what published latencies are measured with."""
    loop, turns = Loop(), [0]
    memory = Memory(loop, latencies(machine), Random(0), 0.0)
    line = Line(owner=0)

    def player(core: Core) -> Process:
        def other() -> bool:
            return turns[0] % 2 != core.number

        while turns[0] < HOPS:
            yield from core.exchange(line, other)
            if not other():
                turns[0] += 1
            yield max(1.0, core.locked)

    for number in (0, 1):
        loop.start(player(Core(number, memory, replace(machine, passes=False))))
    loop.run(100 * HOPS)
    return loop.now / turns[0]
