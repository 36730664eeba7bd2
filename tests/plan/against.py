# SPDX-License-Identifier: BSD-3-Clause
"""The model against what `ctrgen bench` measured: updates, updates beside snapshots, snapshots."""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ctrgen.model import ir
from ctrgen.model.workload import Deployment
from ctrgen.tools.bench.figures import overhead
from ctrgen.tools.bench.result import Point, Result
from ctrgen.tools.plan.estimate import APIS, Estimate
from ctrgen.tools.plan.machine import Machine
from ctrgen.tools.plan.model import estimate
from ctrgen.tools.plan.reading import reading

WITHIN = 2.0
"""The factor that an estimate may be off by."""

FAR = 4.0
"""The factor that no estimate should be off by."""

UPDATE, BESIDE, SNAPSHOT = "update", "update beside", "snapshot"
"""What is compared."""

LEAST = 0.5
"""Measured cycles for an update below which a factor says nothing."""

SIZES = {"bool": 1, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8, "int32": 4}
"""Bytes of an argument, by its type."""

PARTS = ("instructions", "sync", "misses", "waiting")
"""The parts of an estimate."""

WORST = 5
"""Most estimates that are named."""


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
    flows: int = 1024
    work: int = 1000
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


def measured(
    result: Result, module: ir.Module, scope: str, machine: Machine
) -> tuple[list[Comparison], int]:
    """The model against every measurement without a scheduler, resets or other memory; and how
    many of them say nothing, as they scatter more than they are."""
    from ctrgen.tools.bench.variants import only_objects, updates, variant

    rows, vague = [], 0
    objects = only_objects(module, updates(module, result.workload.updates))
    for point in filter(_usual, result.points):
        flows = point.at.flows
        chosen = variant(module, point.strategy, scope, flows, objects=objects).module
        place = place_of(result, chosen, scope, point)
        place = replace(place, hz=machine.hz)
        cost = estimate(chosen, place, machine)
        if cost is None:
            continue
        found = list(_figures(result, point, chosen, place, machine, cost))
        rows += found
        vague += not found
    return rows, vague


def _usual(point: Point) -> bool:
    """Whether the model is about such a place."""
    at = point.at
    plain = at.api in APIS and (at.scheduler, at.distribution) == ("none", "uniform")
    reads = not at.reads or at.reader == "snapshot"
    return plain and reads and at.lcores <= at.cores and not (at.pressure or at.resets)


def place_of(result: Result, module: ir.Module, scope: str, point: Point) -> Deployment:
    """The deployment of a place. Its work is what packets take that nobody counts, in cycles of the
    core."""
    at, bare = point.at, [entry.none / entry.clock for entry in point.rounds]
    every, updates = result.workload.every, tuple(result.workload.updates)
    most = math.lcm(*every.values())
    often = tuple((name, round(most / every.get(name, 1))) for name in updates)
    return Deployment(
        at.lcores,
        at.flows,
        scope,
        at.affinity,
        max(0.0, statistics.median(bare)),
        updates=updates,
        weights=often,
        api=at.api,
        nested=True,
        pauses=2.0,
        streamed=arguments(module, every),
        arithmetic=True,
    )


def arguments(module: ir.Module, every: Mapping[str, int]) -> int:
    """Bytes of a packet that the harness reads: each index once, each type of argument, and which
    packet it is where not every one causes every update."""
    called = [update for update in module.updates if update.name in every]
    indexes = {name for update in called for name in update.indexes}
    types = {argument.type for update in called for argument in update.arguments}
    place = 4 * (set(every.values()) != {1})
    return 4 * len(indexes) + sum(SIZES[name] for name in types) + place


def _figures(
    result: Result,
    point: Point,
    module: ir.Module,
    place: Deployment,
    machine: Machine,
    cost: Estimate,
) -> Iterator[Comparison]:
    """What was measured at a place, beside the model."""
    at, ticks = point.at, statistics.median(entry.clock for entry in point.rounds)
    row = Comparison(
        point.strategy, machine, at.lcores, 0, 0, at.flows, at.work, at.api, UPDATE,
        tuple((part, getattr(cost, part)) for part in PARTS),
    )  # fmt: skip
    figure = overhead(point, result.workload.adds)
    clear = figure is not None and figure.median >= max(LEAST, figure.q3 - figure.q1)
    if not at.reads:
        if figure is not None and clear:
            yield replace(row, actual=figure.median, modelled=cost.update)
        return
    if at.lcores >= len(result.machine.cores):
        return  # the reader takes turns with a worker
    read = reading(module, place, machine, cost)
    if figure is not None and clear and read.delays != "snapshot":
        more = cost.reading / max(1, cost.operations)
        yield replace(row, actual=figure.median, modelled=cost.update + more, what=BESIDE)
    times = [r.reads.ms / r.reads.count for r in point.rounds if r.reads and r.reads.count]
    if times:
        taken = statistics.median(times) / 1e3 * result.machine.tsc_hz / ticks
        yield replace(row, actual=taken, modelled=read.seconds * place.hz, what=SNAPSHOT)


def good(rows: Sequence[Comparison]) -> str:
    """How many estimates are within what is wanted of them."""
    within, far = (sum(row.off < factor for row in rows) for factor in (WITHIN, FAR))
    return f"{within} of {len(rows)} are within a factor of {WITHIN:g}, {far} within {FAR:g}"


def summary(rows: Sequence[Comparison], vague: int) -> Iterator[str]:
    """How good the model is, in a sentence, and a sentence on each of the worst estimates."""
    if not rows:
        yield "nothing to compare"
        return
    share = sum(row.within for row in rows) / len(rows)
    left = f"; {vague} places say nothing" if vague else ""
    yield f"{good(rows)} ({share:.0%}); the worst is off by {max(r.off for r in rows):.1f}{left}"
    worst = sorted((r for r in rows if not r.within), key=lambda row: -row.off)
    yield from map(_sentence, worst[:WORST])


def _sentence(row: Comparison) -> str:
    """One estimate that is far off: where, how far, and what most of it is."""
    work = f"{row.work:,} cycles of work" if row.work else "tight loop"
    where = f"{row.strategy}, {row.lcores} lcore{'s' * (row.lcores > 1)}, {row.flows:,} flows, "
    where += f"{work}, {row.api} calls"
    more = "more" if row.factor > 1 else "less"
    told = f"{row.what} on {where}: {row.modelled:,.1f} cycles instead of {row.actual:,.1f}, "
    told += f"{row.off:.1f} times {more}"
    part, most = max(row.shares, key=lambda pair: pair[1], default=("", 0.0))
    total = sum(value for _, value in row.shares)
    return f"{told}; {most / total:.0%} of the estimate is {part}" if total else told
