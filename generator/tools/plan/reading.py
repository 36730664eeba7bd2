# SPDX-License-Identifier: BSD-3-Clause
"""What a snapshot costs lcores that count, and other caveats of strategies. docs/benchmark.md
explains the figures."""

from collections.abc import Iterator

from ...model import ir, layout
from ...model.language.units import shown_time
from ...model.layout import CACHE_LINE, Domain
from ...model.strategies.base import applies
from ...model.workload import Deployment, instances
from .estimate import think
from .machine import Machine
from .model import estimate

LINE, ELEMENT, WORD = 20.0, 10.0, 2.0
"""Cycles of a reader that copies everything in order: for a cache line, which the hardware fetches
ahead, for an instance and for a word."""

NOTICEABLE = 1.0  # cycles that readers cost an update from which on they are reported


def snapshot_cycles(module: ir.Module, deployment: Deployment) -> float:
    """Cycles to copy everything that is in use, in one read section, without updates."""
    cycles = 0.0
    for domain in layout.domains(module):
        copies = domain.copies(deployment.lcores)
        for part in domain.scopes:
            if part.data is not None and part.scope.storage is not ir.Storage.EMBEDDED:
                lines = part.data.size / CACHE_LINE
                each = ELEMENT + WORD * len(part.data.fields) + LINE * lines
                cycles += instances(part.scope, deployment) * copies * each
    return cycles


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


def caveats(module: ir.Module, deployment: Deployment, machine: Machine) -> Iterator[str]:
    """Caveats of the strategies that are recommended."""
    for name, seconds in stops(module, deployment).items():
        yield f"a snapshot stops lcores that count under {name} for about {shown_time(seconds)}"
    if found := estimate(module, deployment, machine):
        slower = found.reading / max(1.0, found.operations)
        if slower >= NOTICEABLE:
            yield f"while a snapshot is taken, an update takes about {slower:.0f} cycles more"
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
