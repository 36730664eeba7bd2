# SPDX-License-Identifier: BSD-3-Clause
"""What strategies do to an application besides costing cycles: readers that stop lcores, and bills
of instances that are used again. docs/cost-model.md explains the figures."""

from __future__ import annotations

from collections.abc import Iterator

from ..language.units import shown_time
from ..model import ir, layout
from ..model.layout import Domain
from ..model.workload import Deployment
from ..strategies.base import applies
from .estimate import Estimate, think
from .machine import Machine
from .model import estimate
from .reading import reading, snapshot_cycles

NOTICEABLE = 1.0
"""Cycles that readers cost an update, of which it is worth speaking."""

OFTEN = 2.0
"""Tries of a reader, of which it is worth speaking."""


def _slack_cycles(domain: Domain, deployment: Deployment) -> float:
    """Cycles for which an lcore goes on behind a taken lock: until its buffer is full."""
    cost = domain.strategy.cost
    if cost is None or cost.flush is None:
        return 0.0
    tunables = dict(domain.sync.tunables)
    held = max(0, int(tunables[cost.flush.room]) - int(tunables[cost.flush.every]))
    return held * think(deployment)


def stops(module: ir.Module, deployment: Deployment) -> dict[str, float]:
    """For how many seconds a snapshot stops lcores that count, by strategy; those that never do
    are left out. Of a packet at least one record is held back."""
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
    """Why a snapshot stops lcores for longer than the deployment allows, under strategies of these
    names; empty when it does not."""
    if deployment.stall is None:
        return ""
    stopped = {n: s for n, s in stops(module, deployment).items() if n in names}
    longest = max(stopped.values(), default=0.0)
    if longest <= deployment.stall:
        return ""
    return f"a snapshot stops lcores for about {shown_time(longest)}"


def _tried(
    module: ir.Module, deployment: Deployment, machine: Machine, found: Estimate
) -> Iterator[str]:
    """What readers have to do who try again, if that is worth a word."""
    read = reading(module, deployment, machine, found)
    if not read.finished:
        yield "a snapshot gives up on most instances: updates leave no time to copy one"
    elif read.tries >= OFTEN:
        yield (
            f"a reader tries each instance about {read.tries:.0f} times, so a snapshot takes about "
            f"{shown_time(read.seconds)}: leave work between updates"
        )


def caveats(module: ir.Module, deployment: Deployment, machine: Machine) -> Iterator[str]:
    """What has to be said in one breath with the advice to use these strategies."""
    for name, seconds in stops(module, deployment).items():
        yield f"a snapshot stops lcores that count under {name} for about {shown_time(seconds)}"
    found = estimate(module, deployment, machine)
    if found is not None and found.reading / max(1.0, found.operations) >= NOTICEABLE:
        slower = found.reading / found.operations
        yield f"while a snapshot is taken, an update takes about {slower:.0f} cycles more"
    if found is not None:
        yield from _tried(module, deployment, machine, found)
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
