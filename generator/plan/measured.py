# SPDX-License-Identifier: BSD-3-Clause
"""A machine as `ctrgen bench` measured it, and the model against those measurements."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..bench.figures import overhead
from ..bench.result import Point, Result
from ..model import ir
from ..model.workload import Deployment
from .machine import CORTEX_A72, EPYC, Cache, Machine
from .model import estimate

LEAST = 0.5
"""Measured cycles for an update below which a factor says nothing."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One measurement and what the model makes of it: cycles for each counter update."""

    strategy: str
    lcores: int
    flows: int
    work: int
    measured: float
    modelled: float

    @property
    def factor(self) -> float:
        """How far the estimate is off: 1 is exact, 2 is twice or half."""
        return self.modelled / self.measured


def machine_of(result: Result) -> Machine:
    """The machine of a result. What was not measured is that of a built-in one."""
    base = CORTEX_A72 if result.machine.arch.startswith(("aarch64", "arm")) else EPYC
    transfers = [value for pair in result.floor.transfer for value in pair.cycles]
    sources = [("hz, caches (size)", "bench.json: machine")]
    measured = replace(
        base,
        name="measured",
        title=result.machine.cpu,
        hz=result.machine.tsc_hz,
        cores=result.machine.online,
        caches=_caches(result, base),
    )
    if transfers:
        measured = replace(measured, transfer=statistics.median(transfers))
        sources.append((f"transfer {measured.transfer:.0f}", "bench.json: floor.transfer, median"))
    locked = _baseline(result, "atomic")
    if locked is not None:
        measured = replace(measured, locked=max(1.0, locked))
        sources.append((f"locked {measured.locked:.1f}", "bench.json: atomic, 1 lcore, median"))
    plain = _baseline(result, "floor")
    if plain is not None:
        measured = replace(measured, measured=min(2.0, max(0.05, plain / 4)))
        text = "bench.json: floor, 1 lcore, median; an add is 4 instructions"
        sources.append((f"instruction {measured.measured:.2f}", text))
    sources.append(("width, window, fence, caches (cycles), memory", f"those of {base.name}"))
    return replace(measured, sources=tuple(sources))


def _caches(result: Result, base: Machine) -> tuple[Cache, ...]:
    """Measured sizes with the latencies of the base machine, level by level."""
    sizes = {c.level: c for c in result.machine.caches if c.type != "Instruction" and c.bytes}
    caches = []
    for level, cache in sorted(sizes.items()):
        known = base.cache(level) or base.last
        caches.append(Cache(level, cache.bytes, known.cycles, cache.shared_by))
    return tuple(caches) or base.caches


def _baseline(result: Result, name: str) -> float | None:
    """Median cycles for each counter update of a baseline on one lcore, nothing contended."""
    values = []
    for point in result.points:
        if point.at.lcores == 1 and point.at.api == "single" and point.at.scheduler == "none":
            figure = overhead(point, result.workload.adds, name)
            if figure is not None:
                values.append(figure.median)
    return statistics.median(values) if values else None


def _usual(point: Point) -> bool:
    at = point.at
    plain = (at.api, at.scheduler, at.distribution) == ("single", "none", "uniform")
    return plain and at.lcores <= at.cores and not (at.pressure or at.reads or at.resets)


def compare(result: Result, module: ir.Module, scope: str, machine: Machine) -> Iterator[Compared]:
    """The model against every measurement of single calls without a scheduler."""
    from ..bench.variants import variant

    for point in result.points:
        figure = overhead(point, result.workload.adds)
        if not _usual(point) or figure is None or figure.median < LEAST:
            continue
        chosen = variant(module, point.strategy, scope, point.at.flows).module
        place = Deployment(
            point.at.lcores,
            point.at.flows,
            scope,
            point.at.affinity,
            work=float(point.at.work),
            updates=tuple(result.workload.updates),
        )
        modelled = estimate(chosen, place, machine)
        if modelled is not None:
            at = point.at
            yield Compared(
                point.strategy, at.lcores, at.flows, at.work, figure.median, modelled.update
            )
