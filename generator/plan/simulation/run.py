# SPDX-License-Identifier: BSD-3-Clause
"""Simulates what updates of a module cost on so many lcores."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from ...model import ir
from ...model.workload import Deployment
from ..machine import FURTHER, Machine
from .coherence import Latencies, Memory
from .core import Core
from .events import Loop
from .lcore import Lcore, World
from .program import Program, program

SEED = 18

EVENTS, MORE = 40_000, 1_000
"""Events of a simulation, at most: so many, and so many more for each lcore."""

PACKETS = 20_000
"""Packets of a simulation, at most."""

ALONE = 20
"""The same for each lcore, where lcores do not meet."""

FIRST = 0.25
"""Share of both that is not counted: lines and locks have to be in use first."""

JITTER = 0.1
"""How much longer or shorter than the mean the way of a line is, at most, as a share of it: cores
are not all as far from each other, and would go in step."""


@dataclass(frozen=True, slots=True)
class Simulated:
    """Cycles that a `packet` takes longer, with so many `operations` counter updates. `own` of them
    would be there if no lcore ever met another. `packets` were counted in `cycles` of all lcores
    together; `events` were needed. For each packet `transfers` requests for lines were served."""

    packet: float
    operations: float
    own: float
    packets: int
    cycles: float
    events: int
    transfers: float

    @property
    def update(self) -> float:
        """Cycles of a counter update."""
        return self.packet / max(1, self.operations)


def latencies(machine: Machine, sockets: int = 1) -> Latencies:
    """How long lines are on their way.

    The published transfer is half a round trip of compare-and-exchange. Where that is one request
    for the line, it takes a transfer, and so does a request of who has a copy, which all others
    have to answer. Where it is a load and a store (`pairs`), both are in it; the store's request
    goes to the cache that all cores share, which knows who has copies, and takes as long as one.
    """
    copy = machine.caches[-1].cycles
    upgrade = copy if machine.pairs else machine.transfer
    near = max(copy, machine.transfer - upgrade) if machine.pairs else machine.transfer
    return Latencies(near, near * FURTHER, copy, upgrade, sockets)


def simulate(
    module: ir.Module,
    place: Deployment,
    machine: Machine,
    sockets: int = 1,
    seed: int = SEED,
    events: int = EVENTS,
    packets: int = PACKETS,
) -> Simulated | None:
    """What a packet's updates cost, each called by itself; None when a strategy does not say what
    it does. `machine` is that of one socket. The same seed gives the same result."""
    made = program(module, place, machine)
    if made is None:
        return None
    most = events + MORE * place.lcores
    if not any(part.places or part.lock for part in made.parts):
        packets = min(packets, ALONE * place.lcores)
    random, loop = Random(seed), Loop()
    memory = Memory(loop, latencies(machine, sockets), random, JITTER)
    world = World(memory, place, random, round(FIRST * packets))
    lcores = _started(made, world, machine, seed)
    loop.run(round(FIRST * most))
    begun = [(lcore.done, lcore.so_far()) for lcore in lcores]
    start, served, world.left = loop.now, memory.served, packets
    loop.run(most)
    counted = sum(lcore.done - done for lcore, (done, _) in zip(lcores, begun, strict=True))
    spent = sum(lcore.so_far() - before for lcore, (_, before) in zip(lcores, begun, strict=True))
    each = 1 / counted if counted else math.nan
    return Simulated(
        spent * each, made.operations, made.own, counted, (loop.now - start) * place.lcores,
        loop.count, (memory.served - served) * each,
    )  # fmt: skip


def _started(made: Program, world: World, machine: Machine, seed: int) -> list[Lcore]:
    """All lcores, each of which begins at a time of its own."""
    loop, place = world.memory.loop, world.place
    exchanges = place.as_published and machine.exchanges
    lcores = []
    for number in range(place.lcores):
        core = Core(number, world.memory, machine, made.exposed, exchanges)
        lcores.append(Lcore(core, world, made, Random(f"{seed} {number}")))
        loop.start(lcores[-1].packets(), world.random.random() * (made.work + made.own))
    return lcores
