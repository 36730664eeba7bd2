# SPDX-License-Identifier: BSD-3-Clause
"""Makes a result of what was measured."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .. import __version__
from ..model import ir
from ..model.workload import Deployment, transactions
from ..strategies.catalogue import all_strategies
from . import machine, programs
from .driver import Bench, key_of
from .journal import Journal
from .matrix import Plan
from .result import At, Build, Floor, Point, Result, SchemaFile, Workload
from .variants import Variant


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is known before anything is built."""

    plan: Plan
    variants: list[Variant]
    updates: tuple[ir.Update, ...]
    flows: str
    schema: SchemaFile
    notes: list[str]


@dataclass(frozen=True, slots=True)
class Facts:
    """What else a result says: when the run began, the command, how fast the clock is.

    `memory` is that of `memory()`; `complete` is false when the run was interrupted.
    """

    begun: datetime.datetime
    command: tuple[str, ...]
    build: Build
    tsc_hz: float
    memory: dict[str, dict[int, int]]
    complete: bool


def memory(bench: Bench, complete: bool) -> dict[str, dict[int, int]]:
    """Bytes that the statistics take, by strategy and number of lcores, the main one included.

    Of a complete run, that of all programs, also of those that a resumed one did not need.
    """
    if complete:
        for variant in bench.variants:
            for at in bench.plan.places:
                bench.program(variant, at)
    sizes: dict[str, dict[int, int]] = {}
    for variant, program in bench.running():
        fixed = programs.static_bytes(bench.folder, variant)
        sizes.setdefault(variant.label, {})[program.workers + 1] = program.info["heap"] + fixed
    return sizes


def result(ready: Prepared, journal: Journal, facts: Facts) -> Result:
    """The document. It has no points when not a single round was finished."""
    points = [
        point
        for at in ready.plan.places
        for variant in ready.variants
        if (point := _point(journal, ready, variant, at)) is not None
    ]
    empty = [r.none for point in points if point.at.work == 0 for r in point.rounds]
    operations = sum(len(update.operations) for update in ready.updates)
    return Result(
        made=facts.begun.strftime("%Y-%m-%dT%H:%M:%SZ"),
        ctrgen=__version__,
        command=list(facts.command),
        schema=ready.schema,
        machine=machine.describe(list(ready.plan.cores), facts.tsc_hz),
        build=facts.build,
        workload=Workload(
            updates=[update.name for update in ready.updates],
            adds=operations or _counters(ready.variants[0].module),
            lines={v.label: _lines(v.module, ready) for v in ready.variants},
            memory=facts.memory,
        ),
        strategies=[variant.label for variant in ready.variants],
        floor=Floor.model_validate({**journal["floor"], "empty": empty}),
        points=points,
        notes=_notes(ready),
        complete=facts.complete,
    )


def _notes(ready: Prepared) -> list[str]:
    notes = list(ready.notes)
    if ready.plan.flows > min(at.flows for at in ready.plan.places):
        notes.append(f"memory is that of {ready.plan.flows:,} flows, for which all was built")
    if not machine.hugepages():
        notes.append("no huge pages: ran without, which makes large tables slower")
    return notes


def _lines(module: ir.Module, ready: Prepared) -> float:
    """Cache lines of counters that the updates of a packet touch, as `ctrgen plan` counts them."""
    names = tuple(update.name for update in ready.updates)
    place = Deployment(lcores=1, flows=ready.plan.flows, flow_scope=ready.flows, updates=names)
    return float(sum(len(t.touches) for t in transactions(module, place)))


def _counters(module: ir.Module) -> int:
    scopes = (s for s in module.scopes if s.storage is not ir.Storage.EMBEDDED)
    return sum(item.kind.accumulates for scope in scopes for item in scope.items)


def _rounds(
    journal: Journal, ready: Prepared, variant: Variant, at: At
) -> Iterator[dict[str, Any]]:
    """The rounds that were finished of a strategy at a place."""
    for count in range(ready.plan.effort.rounds):
        entry = journal.get(key_of("round", count, variant, at))
        if entry is not None:
            yield entry


def _point(journal: Journal, ready: Prepared, variant: Variant, at: At) -> Point | None:
    """What was measured of a strategy at a place; None when nothing was."""
    rounds = [
        {name: value for name, value in entry.items() if name != "exact"}
        for entry in _rounds(journal, ready, variant, at)
    ]
    if not rounds:
        return None
    return Point.model_validate(
        {
            "strategy": variant.label,
            "at": at,
            "rounds": rounds,
            "latency": journal.get(key_of("latency", 0, variant, at)),
            "hardware": journal.get(key_of("hardware", 0, variant, at)),
        }
    )


def inexact(ready: Prepared, journal: Journal) -> list[str]:
    """Strategies that promise exact counts and did not keep it: one counter is enough."""
    exact = {name for name, strategy in all_strategies().items() if strategy.promises.exact}
    return sorted(
        variant.label
        for variant in ready.variants
        if variant.label.partition(":")[0] in exact
        and any(
            not entry["exact"]
            for at in ready.plan.places
            for entry in _rounds(journal, ready, variant, at)
        )
    )
