# SPDX-License-Identifier: BSD-3-Clause
"""Makes a result of what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import __version__
from ..model import ir
from ..model.workload import Deployment, transactions
from ..strategies.catalogue import all_strategies
from . import machine
from .driver import key_of
from .journal import Journal
from .matrix import Plan
from .result import At, Floor, Point, Result, SchemaFile, Workload
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


def result(
    ready: Prepared, journal: Journal, tsc_hz: float, memory: dict[str, dict[int, int]], **run: Any
) -> Result:
    """The document; `run` has what else it says, by its keys. No points without a whole round."""
    points = [
        point
        for at in ready.plan.places
        for variant in ready.variants
        if (point := _point(journal, ready, variant, at)) is not None
    ]
    empty = [r.none for point in points if point.at.work == 0 for r in point.rounds]
    adds = sum(len(update.operations) for update in ready.updates)
    notes = list(ready.notes)
    if ready.plan.flows > min(at.flows for at in ready.plan.places):
        notes.append(f"memory is that of {ready.plan.flows:,} flows, for which all was built")
    if not machine.hugepages():
        notes.append("no huge pages: ran without, which makes large tables slower")
    return Result(
        ctrgen=__version__,
        schema=ready.schema,
        machine=machine.describe(list(ready.plan.cores), tsc_hz),
        workload=Workload(
            updates=[update.name for update in ready.updates],
            adds=adds or _counters(ready.variants[0].module),
            lines={v.label: _lines(v.module, ready) for v in ready.variants},
            memory=memory,
        ),
        strategies=[variant.label for variant in ready.variants],
        floor=Floor.model_validate({**journal["floor"], "empty": empty}),
        points=points,
        notes=notes,
        **run,
    )


def _lines(module: ir.Module, ready: Prepared) -> float:
    """Cache lines of counters that the updates of a packet touch, as `ctrgen plan` counts them."""
    names = tuple(update.name for update in ready.updates)
    place = Deployment(lcores=1, flows=ready.plan.flows, flow_scope=ready.flows, updates=names)
    return float(sum(len(t.touches) for t in transactions(module, place)))


def _counters(module: ir.Module) -> int:
    scopes = (s for s in module.scopes if s.storage is not ir.Storage.EMBEDDED)
    return sum(item.kind.accumulates for scope in scopes for item in scope.items)


def _rounds(journal: Journal, ready: Prepared, variant: Variant, at: At) -> list[dict[str, Any]]:
    """The rounds that were finished of a strategy at a place."""
    keys = (key_of("round", count, variant, at) for count in range(ready.plan.effort.rounds))
    return [entry for key in keys if (entry := journal.get(key)) is not None]


def _point(journal: Journal, ready: Prepared, variant: Variant, at: At) -> Point | None:
    """What was measured of a strategy at a place; None when nothing was."""
    rounds = _rounds(journal, ready, variant, at)
    if not rounds:
        return None
    parts = {
        "strategy": variant.label,
        "at": at,
        "rounds": [{k: v for k, v in entry.items() if k != "exact"} for entry in rounds],
    }
    parts |= {kind: journal.get(key_of(kind, 0, variant, at)) for kind in ("latency", "hardware")}
    return Point.model_validate(parts)


def inexact(ready: Prepared, journal: Journal) -> list[str]:
    """Strategies that promise exact counts and did not keep it: one counter is enough."""
    exact = {name for name, strategy in all_strategies().items() if strategy.promises.exact}
    wrong = {
        variant.label
        for variant in ready.variants
        for at in ready.plan.places
        for entry in _rounds(journal, ready, variant, at)
        if not entry["exact"]
    }
    return sorted(label for label in wrong if label.partition(":")[0] in exact)
