# SPDX-License-Identifier: BSD-3-Clause
"""An lcore of the simulation: packets, one after another."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from random import Random
from typing import TypeAlias

from ...model.workload import MIGRATIONS, Deployment
from .coherence import Line, Memory
from .core import Core
from .events import Process
from .locks import Lock, Queue, Spin, Ticket
from .program import Buffer, Part, Place, Program

Record: TypeAlias = tuple[list[tuple[Line, Place]], float]
"""What a flush applies at a time: lines that it writes to, and cycles."""

JITTER = 0.1
"""How much longer or shorter than the mean a packet's own work is, at most, as a share of it:
otherwise lcores would go in step with each other."""


@dataclass
class World:
    """What lcores share: lines and locks, which begin to be when they are used first. The
    simulation pauses after `left` packets."""

    memory: Memory
    place: Deployment
    random: Random
    left: int
    lines: dict[Hashable, Line] = field(default_factory=dict)
    locks: dict[Hashable, Lock] = field(default_factory=dict)

    def packet(self) -> None:
        """A packet is done."""
        self.left -= 1
        if self.left <= 0:
            self.memory.loop.stopped = True

    def line(self, place: Place, element: int, core: int) -> Line:
        """The line of an element. Before it is used here, another lcore has written to it or not,
        as the model says."""
        key = (place.touch.key, element // place.touch.crowded)
        if key not in self.lines:
            owner = core
            if place.other and self.random.random() < place.other:
                owner = (core + self.random.randrange(1, self.place.lcores)) % self.place.lcores
            self.lines[key] = Line(owner=owner)
        return self.lines[key]

    def lock(self, part: Part, key: Hashable, line: Line | None = None) -> Lock:
        """The lock of a key, on a line of its own if none is given."""
        if key not in self.locks:
            kinds = {"queue": Queue, "turns": Ticket}
            self.locks[key] = kinds.get(part.lock, Spin)(line or Line())
        return self.locks[key]


@dataclass
class Lcore:
    """Lcore `core.number`. `due` says how much of a part is due with the next packet, `pending` are
    the records of a buffer, which has so many `units` in use: the lines that each writes to, and
    its cycles. `kept` are lines of elements that are held. `done` packets have taken `spent` cycles
    beyond the work between them, without those of an update that goes on, from `since`."""

    core: Core
    world: World
    program: Program
    random: Random
    done: int = 0
    spent: float = 0.0
    since: float | None = None
    due: list[float] = field(default_factory=list)
    pending: dict[Hashable, list[Record]] = field(default_factory=dict)
    units: dict[Hashable, int] = field(default_factory=dict)
    kept: dict[Hashable, list[Line]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.due = [self.random.random() if p.share < 1 else 0.0 for p in self.program.parts]
        for part in self.program.parts:
            if part.buffer is not None and not part.sets and part.buffer.key not in self.units:
                self._fill(part, part.buffer)

    def _fill(self, part: Part, buffer: Buffer) -> None:
        """Begin with a buffer that is full in part, as any that was looked at would be."""
        records = self.random.randrange(max(1, buffer.every // buffer.units))
        self.units[buffer.key] = records * buffer.units
        self.pending[buffer.key] = [
            (self._lines(part, self._flow()), part.inside) for _ in range(records)
        ]

    def packets(self) -> Process:
        """All packets, without end."""
        loop, core, program = self.world.memory.loop, self.core, self.program
        width, run, flow = core.machine.width, 0.0, 0
        while True:
            start = loop.now
            work = program.work * (1 + JITTER * (2 * self.random.random() - 1))
            yield from core.go(work, width)
            self.spent += loop.now - start - work
            self.since = loop.now
            if run < 1:
                flow, run = self._flow(), run + self.world.place.burst
            run -= 1
            for number, part in enumerate(program.parts):
                self.due[number] += part.share
                if self.due[number] >= 1:
                    self.due[number] -= 1
                    yield from self._part(part, flow)
            self.spent += loop.now - self.since
            self.since = None
            self.done += 1
            self.world.packet()
            if loop.now == start:
                yield 1.0

    def so_far(self) -> float:
        """Cycles that all packets have taken beyond the work between them."""
        now = self.world.memory.loop.now
        return self.spent + (now - self.since if self.since is not None else 0.0)

    def _flow(self) -> int:
        """The flow of the next packet: of this lcore, or of any if flows move."""
        place, me = self.world.place, self.core.number
        moves = MIGRATIONS[place.affinity]
        if me >= place.flows or (moves and self.random.random() < moves):
            return self.random.randrange(place.flows)
        own = (place.flows - 1 - me) // place.lcores + 1
        return me + place.lcores * self.random.randrange(own)

    def _lines(self, part: Part, flow: int) -> list[tuple[Line, Place]]:
        """The lines that a packet of a flow writes to."""
        world, spread = self.world, scattered(flow, self.world.place.flows)
        return [
            (world.line(p, spread % p.touch.elements, self.core.number), p) for p in part.places
        ]

    def _part(self, part: Part, flow: int) -> Process:
        core, rate, lines = self.core, self.program.rate, self._lines(part, flow)
        yield from core.go(part.before, rate)
        if part.buffer is not None and not part.sets:
            yield from self._hold_back(part, part.buffer, lines)
        elif any(place.absent for _, place in lines):
            yield from self._keep(part, lines)
        elif part.lock == "element":
            yield from self._elements(part, flow, lines)
        elif part.lock:
            yield from self._locked(part, lines)
        else:
            yield from self._add(lines)
            yield from core.go(part.inside, rate)

    def _add(self, lines: list[tuple[Line, Place]]) -> Process:
        """Add to lines: those of plain adds are asked for together, and all where loads pass atomic
        instructions."""
        core = self.core
        for line, place in lines:
            if not place.adds:
                yield from core.add(line, place.touch.adds, place.miss)
            elif core.machine.passes:
                core.ask(line, place.miss)
        for line, place in lines:
            if place.adds:
                yield from core.rmw(line, place.adds, place.miss)

    def _locked(self, part: Part, lines: list[tuple[Line, Place]]) -> Process:
        """Add under a lock, on whose line what exists once is unless it lies apart."""
        core = self.core
        beside = [] if part.apart else [line for line, place in lines if place.touch.lines == 1]
        lock = self.world.lock(part, part.key, beside[0] if beside else None)
        if core.machine.passes:
            for line, place in lines:
                core.ask(line, place.miss)
        yield from lock.acquire(core)
        if part.buffer is not None:
            yield from self._apply(part.buffer)
        yield from self._add(lines)
        yield from core.go(part.inside, self.program.rate)
        yield from lock.release(core)

    def _elements(self, part: Part, flow: int, lines: list[tuple[Line, Place]]) -> Process:
        """Add to elements under a lock in each of them, one after the other."""
        spread = scattered(flow, self.world.place.flows)
        each = part.inside / max(1, len(lines))
        for line, place in lines:
            key = part.key, place.touch.scope, spread % place.touch.elements
            lock = self.world.lock(part, key, line)
            yield from lock.acquire(self.core)
            yield from self._add([(line, place)])
            yield from self.core.go(each, self.program.rate)
            yield from lock.release(self.core)

    def _hold_back(self, part: Part, buffer: Buffer, lines: list[tuple[Line, Place]]) -> Process:
        """Hold back a transaction, and flush before if there is much: at once if the lock is free,
        and in any case where there is no room."""
        lock = self.world.lock(part, part.key)
        for _ in range(buffer.units):
            count = self.units.get(buffer.key, 0)
            flushes = count >= buffer.room
            if flushes:
                yield from lock.acquire(self.core)
            elif count >= buffer.every:
                flushes = yield from lock.attempt(self.core)
            if flushes:
                yield from self._apply(buffer)
                yield from lock.release(self.core)
            self.units[buffer.key] = self.units.get(buffer.key, 0) + 1
        self.pending.setdefault(buffer.key, []).append((lines, part.inside))

    def _apply(self, buffer: Buffer) -> Process:
        """Apply what is held back."""
        records = self.pending.pop(buffer.key, [])
        self.units[buffer.key] = 0
        for lines, inside in records:
            yield from self._add(lines)
            yield from self.core.go(inside, self.program.rate)

    def _keep(self, part: Part, lines: list[tuple[Line, Place]]) -> Process:
        """Add to what is held of an element, for which another is evicted if it is not held. Its
        line was asked for when it got its place."""
        core = self.core
        for line, place in lines:
            kept = self.kept.setdefault((part.key, place.touch.key), [])
            if self.random.random() >= place.absent:
                continue
            core.ask(line, place.miss)
            kept.append(line)
            if len(kept) > place.touch.local * (1 - place.absent):
                slot = self.random.randrange(len(kept))
                kept[slot], kept[-1] = kept[-1], kept[slot]
                gone, cycles = kept.pop(), place.adds * core.machine.locked
                yield core.memory.get(gone, core.number, hold=cycles, less=place.miss)
        yield from core.go(part.inside, self.program.rate)


def scattered(number: int, count: int) -> int:
    """Another number below `count`, each for one: flows of an lcore lie anywhere."""
    bits = max(2, (count - 1).bit_length())
    mask, half = (1 << bits) - 1, math.ceil(bits / 2)
    while True:
        number = (number * 0x9E3779B1 + 0x7F4A7C15) & mask
        number ^= number >> half
        number = (number * 0x85EBCA6B) & mask
        number ^= number >> half
        if number < count:
            return number
