# SPDX-License-Identifier: BSD-3-Clause
"""Cost of a snapshot under load: its duration, the retries of its reader, and how long it blocks
an update. docs/benchmark.md explains the figures."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from ...model import ir, layout
from ...model.language.units import shown_time
from ...model.layout import CACHE_LINE, Domain
from ...model.strategies.base import applies
from ...model.strategies.catalogue import DELAYS
from ...model.workload import Deployment, instances
from .estimate import STORE, Estimate, think
from .machine import Machine
from .model import estimate

LINE, ELEMENT, WORD = 20.0, 10.0, 2.0
"""Cycles of a reader that copies everything in order: for a cache line, which the hardware fetches
ahead, for an instance and for a word."""

BRIEF = 16  # retry limit of a snapshot after a first instance exceeded its own: CTR_READ_BRIEF


NOTICEABLE = 1.0  # cycles that readers cost an update from which on they are reported
OFTEN = 2.0  # attempts of a reader from which on they are reported


@dataclass(frozen=True, slots=True)
class Reading:
    """A snapshot while lcores count."""

    seconds: float
    tries: float  # mean number of attempts to read a shard
    finished: bool  # whether a reader rarely exceeds its retry limit
    delays: str  # what an update may wait for: a key of DELAYS
    instances: int  # the same in instances that a reader copies
    waits: float  # the same in seconds


class _Part(NamedTuple):
    """A scope that a snapshot reads: all shards, those of lcores; words, lines, cycles of one."""

    domain: Domain
    copies: int
    busy: int
    words: int
    lines: float
    each: float

    @property
    def delays(self) -> str:
        return self.domain.strategy.delays(dict(self.domain.sync.tunables))

    @property
    def limit(self) -> float:
        """Retry limit of a reader for a shard."""
        name = self.domain.strategy.tries
        return float(dict(self.domain.sync.tunables)[name]) if name else math.inf


def _parts(module: ir.Module, deployment: Deployment) -> Iterator[_Part]:
    for domain in layout.domains(module):
        copies = domain.copies(deployment.lcores)
        busy = deployment.lcores if domain.strategy.per_lcore else 1
        for part in domain.scopes:
            if part.data is None or part.scope.storage is ir.Storage.EMBEDDED:
                continue
            words, lines = len(part.data.fields), part.data.size / CACHE_LINE
            each, count = ELEMENT + WORD * words + LINE * lines, instances(part.scope, deployment)
            yield _Part(domain, count * copies, count * busy, words, lines, each)


def snapshot_cycles(module: ir.Module, deployment: Deployment) -> float:
    """Cycles to copy everything that is in use, in one read section, without updates."""
    return sum(part.copies * part.each for part in _parts(module, deployment))


def _period(deployment: Deployment, found: Estimate) -> float:
    """Cycles from one packet to the next."""
    return think(deployment) + found.packet


def tries(
    domain: Domain, found: Estimate, deployment: Deployment, machine: Machine, words: int = 0
) -> float:
    """Mean number of attempts to read a shard of `words` words. An attempt fails if the sequence
    count is odd, or an update begins before the copy is complete."""
    if domain.sync not in found.sections:
        return 1.0
    sections, inside = found.sections[domain.sync]
    period = _period(deployment, found)
    even = max(STORE * sections, period - inside)
    longer = max(0.0, ELEMENT + WORD * words - machine.transfer)
    exponent = min(50.0, longer * sections / even)  # e^50 is for ever
    return max(1.0, period / even * math.exp(exponent))


def reading(
    module: ir.Module, deployment: Deployment, machine: Machine, found: Estimate
) -> Reading:
    """A snapshot while lcores count as the estimate says."""
    parts, order = list(_parts(module, deployment)), list(DELAYS)
    period = max(1.0, _period(deployment, found))
    cycles, most, finished = 0.0, 1.0, True
    held: tuple[int, float] = (0, 0.0)
    for part in parts:
        first = part.each + _fetched(part, found, period, machine)
        needed = tries(part.domain, found, deployment, machine, part.words)
        made = needed if needed <= part.limit else min(part.limit, BRIEF)
        again = machine.transfer + machine.pause + ELEMENT + WORD * part.words
        cycles += part.copies * part.each
        cycles += part.busy * (first - part.each + (made - 1) * again)
        most, finished = max(most, needed), finished and needed <= part.limit
        held = max(held, (order.index(part.delays), first))
    delays, hz = order[held[0]], deployment.hz or machine.hz
    every = sum(part.busy for part in parts)
    waits = {"never": 0.0, "instance": held[1], "snapshot": snapshot_cycles(module, deployment)}
    return Reading(
        seconds=cycles / hz,
        tries=most,
        finished=finished,
        delays=delays,
        instances={"never": 0, "instance": 1, "snapshot": every}[delays],
        waits=waits[delays] / hz,
    )


def _fetched(part: _Part, found: Estimate, period: float, machine: Machine) -> float:
    """Cycles to get the lines of a copy from the lcore's caches, and its lock or count."""
    own = max((cache.size for cache in machine.caches if cache.shared_by == 1), default=0)
    there = min(1.0, own / max(1, found.working_set))
    dirty = there * part.lines * max(0.0, machine.transfer - LINE)
    locked = part.delays == "instance"
    if not locked and part.domain.sync not in found.sections:
        return dirty
    since = min(1.0, (part.each + machine.transfer) / period)
    return dirty + since * machine.transfer + locked * machine.locked


def _slack_cycles(domain: Domain, deployment: Deployment) -> float:
    """Cycles until an lcore's buffer is full while the lock is taken."""
    cost = domain.strategy.cost
    if cost is None or cost.flush is None:
        return 0.0
    tunables = dict(domain.sync.tunables)
    held = max(0, int(tunables[cost.flush.room]) - int(tunables[cost.flush.every]))
    return held * think(deployment)


def stops(module: ir.Module, deployment: Deployment) -> dict[str, float]:
    """Seconds for which a snapshot stops counting lcores, by strategy, where it does."""
    found: dict[str, float] = {}
    whole = snapshot_cycles(module, deployment)
    for domain in layout.domains(module):
        if not applies(domain.strategy.reads_hold, dict(domain.sync.tunables)):
            continue
        cycles = whole - _slack_cycles(domain, deployment)
        if cycles > 0:
            name = domain.strategy.name
            found[name] = max(found.get(name, 0.0), cycles / deployment.hz)
    return found


def too_long(module: ir.Module, names: set[str], deployment: Deployment) -> str:
    """Why a snapshot stops lcores for longer than the deployment allows; empty when it does not."""
    if deployment.stall is None:
        return ""
    stopped = {n: s for n, s in stops(module, deployment).items() if n in names}
    longest = max(stopped.values(), default=0.0)
    if longest <= deployment.stall:
        return ""
    return f"a snapshot stops lcores for about {shown_time(longest)}"


def caveats(module: ir.Module, deployment: Deployment, machine: Machine) -> Iterator[str]:
    """Caveats of the strategies that are recommended."""
    for name, seconds in stops(module, deployment).items():
        yield f"a snapshot stops lcores that count under {name} for about {shown_time(seconds)}"
    if found := estimate(module, deployment, machine):
        slower = found.reading / max(1.0, found.operations)
        if slower >= NOTICEABLE:
            yield f"while a snapshot is taken, an update takes about {slower:.0f} cycles more"
        read = reading(module, deployment, machine, found)
        if not read.finished:
            yield "a snapshot gives up on most instances: updates leave no time to copy one"
        elif read.tries >= OFTEN:
            yield (
                f"a reader tries each instance about {read.tries:.0f} times, so a snapshot takes "
                f"about {shown_time(read.seconds)}: leave work between updates"
            )
    recycled = [s.name for s in module.scopes if s.storage is ir.Storage.DYNAMIC]
    if recycled:
        yield (
            f"bills of {', '.join(recycled)} are exact where each lcore calls P_burst_end() once a "
            "burst"
        )
    late = [
        part.scope.name
        for domain in layout.domains(module)
        if domain.strategy.holds_back
        for part in domain.scopes
        if part.scope.levels and part.scope.storage is ir.Storage.STATIC and not part.scope.labelled
    ]
    if late:
        yield (
            f"before an index of {', '.join(late)} is given to something else, all lcores flush "
            "first: else deferred counts go to the new owner"
        )
