# SPDX-License-Identifier: BSD-3-Clause
"""Cache lines, who has them, and how they go from one core to another.

The states are those of MESI: a line has one owner, who may write to it, or any number of copies,
which can be read. What changes the owner, or makes a copy of what an owner has written, happens to
a line one at a time and in the order of the requests: the others wait. Copies of what nobody owns
are handed out while others are on their way.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import partial
from random import Random

from .events import Loop, Signal

NOBODY = -1


@dataclass(frozen=True, slots=True)
class Latencies:
    """Cycles until a core has a line: `near` from another core of its socket, `far` from one of
    another socket; `copy` of a line that nobody has written since another core read it, and
    `upgrade` until a core that has a copy may write to it. Lcore n is on socket n modulo `sockets`.
    """

    near: float
    far: float
    copy: float
    upgrade: float
    sockets: int = 1

    def between(self, one: int, other: int) -> float:
        """Cycles from one core to another."""
        return self.far if (one - other) % self.sockets else self.near


@dataclass(slots=True)
class Request:
    """A core wants a line, to write to it where `owns`, which it then keeps for `hold` cycles. It
    comes `less` cycles sooner than others."""

    core: int
    owns: bool
    hold: float
    less: float
    done: Signal


@dataclass(slots=True)
class Line:
    """A cache line: its `owner`, or the cores that have `copies`; who waits for it, and who wants
    to know that a copy is gone. `version` counts the owners that it has had, `served` requests."""

    owner: int = NOBODY
    copies: set[int] = field(default_factory=set)
    queue: deque[Request] = field(default_factory=deque)
    busy: bool = False
    version: int = 0
    served: int = 0
    watching: list[Signal] = field(default_factory=list)

    def has(self, core: int, owns: bool) -> bool:
        """Whether a core can use it as it is."""
        return self.owner == core or (not owns and core in self.copies)

    def gone(self) -> Signal:
        """What fires when the copies are gone."""
        signal = Signal()
        self.watching.append(signal)
        return signal


class Memory:
    """Serves requests for lines. `asked` counts those that could not be met by what the core had,
    `served` how many of them have been. Each takes up to the share `jitter` longer or shorter."""

    def __init__(self, loop: Loop, latencies: Latencies, random: Random, jitter: float) -> None:
        self.loop = loop
        self.latencies = latencies
        self._random = random
        self._jitter = jitter
        self.asked = 0
        self.served = 0

    def get(
        self, line: Line, core: int, owns: bool = True, hold: float = 0.0, less: float = 0.0
    ) -> Signal:
        """Get a line, and keep it for `hold` cycles then. `less` are cycles on its way that are
        counted elsewhere: what the line would take if nobody else had it."""
        if not line.busy and line.has(core, owns):
            if hold and line.owner == core:
                self._keep(line, hold)
            return Signal(done=True)
        request = Request(core, owns, hold, less, Signal())
        self.asked += 1
        line.queue.append(request)
        if not line.busy:
            self._serve(line)
        return request.done

    def _serve(self, line: Line) -> None:
        """Begin with the next requests: copies of what nobody owns, up to one that takes turns."""
        while line.queue and not line.busy:
            request = line.queue.popleft()
            cycles = self._cycles(line, request)
            cycles *= 1 + self._jitter * (2 * self._random.random() - 1)
            alone = request.owns or line.owner not in (NOBODY, request.core)
            line.busy = alone
            version = line.version
            self.loop.after(cycles, partial(self._arrive, line, request, version, alone))

    def _cycles(self, line: Line, request: Request) -> float:
        """How long it takes until the line is there."""
        core, between = request.core, self.latencies.between
        if line.has(core, request.owns):
            return 0.0
        if line.owner != NOBODY:
            return max(0.0, between(line.owner, core) - request.less)
        others = line.copies - {core}
        if not others:
            return 0.0
        ways = [between(other, core) for other in others]
        if request.owns and core in line.copies:
            return max(0.0, self.latencies.upgrade + max(ways) - self.latencies.near - request.less)
        if request.owns:
            return max(0.0, max(ways) - request.less)
        return max(0.0, self.latencies.copy + min(ways) - self.latencies.near - request.less)

    def _arrive(self, line: Line, request: Request, version: int, alone: bool) -> None:
        """The line is there."""
        core = request.core
        if request.owns and line.owner != core:
            line.owner, line.copies = core, set()
            line.version += 1
            watching, line.watching = line.watching, []
            for signal in watching:
                signal.fire()
        elif line.owner not in (NOBODY, core) and alone:
            line.copies = {line.owner, core}
            line.owner = NOBODY
        elif not request.owns and line.version == version and line.owner != core:
            # Otherwise it was written to while it was on its way: good for one look.
            line.copies.add(core)
        line.served += 1
        self.served += 1
        request.done.fire()
        if not alone:
            return
        if request.hold:
            self._keep(line, request.hold)
        else:
            line.busy = False
            self._serve(line)

    def _keep(self, line: Line, cycles: float) -> None:
        line.busy = True
        self.loop.after(cycles, lambda: self._release(line))

    def _release(self, line: Line) -> None:
        line.busy = False
        self._serve(line)
