# SPDX-License-Identifier: BSD-3-Clause
"""Applications over time: what each instance has now, and how fast its counters grow."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from ..model.ir import HEALTH
from .model import NO_INSTANCE, NO_MODULE, Instance, Item, LiveError, Module, Scope, Source, Value
from .readers import Readers

HISTORY = 60
"""Rates that are kept of a counter."""

MOST_INSTANCES = 10_000
"""Instances of a scope that are looked at, unless told otherwise."""

MOST_SPREAD = 64
"""Instances of a scope for which each lcore is asked what it has counted."""

Key = tuple[str, str, str, tuple[int, ...], str]
"""An instance: application, module, scope, indexes; and an lcore, if it is what that has counted
in it."""


class Share(NamedTuple):
    """What an lcore has counted of an item since the beginning, and its rate, if there is one."""

    value: Value | float
    rate: float | None


class Row(NamedTuple):
    """An item of an instance: its value now, and of a counter its rates a second, latest last
    (None where there is none: the first time, and behind a reset)."""

    application: str
    module: Module
    scope: Scope
    instance: Instance
    item: Item
    value: Value | float
    rates: tuple[float | None, ...]
    lcores: dict[str, Share]

    @property
    def rate(self) -> float | None:
        """The latest rate."""
        return self.rates[-1] if self.rates else None


def watched(scope: Scope) -> Item:
    """The item by which instances are ordered: the first counter, if there is one."""
    return next((item for item in scope.items if item.kind == "counter"), scope.items[0])


@dataclass
class _Seen:
    """An instance when it was read last, and the rates of its counters by their place."""

    at: float
    instance: Instance
    rates: dict[int, deque[float | None]] = field(default_factory=dict)


class Watch:
    """Reads applications again and again. Of a scope with more than `most` instances the first
    ones are looked at; `cut` names such scopes. `bare` has why others have no values, `left_out`
    are numbers of instances that sources leave out, `memory` the bytes of segments and of their
    memory, and `ages` the seconds since they were published. With up to `spread` instances, what
    each lcore has counted is looked at too. Not for several threads at a time."""

    def __init__(
        self, most: int = MOST_INSTANCES, spread: int = 0, readers: Readers | None = None
    ) -> None:
        self.most, self.spread, self._readers = most, spread, readers or Readers()
        self.ages: dict[str, float] = {}
        self.errors: dict[str, str] = {}
        self.bare: dict[str, str] = {}
        self.cut: set[tuple[str, str, str]] = set()
        self.left_out: dict[str, dict[str, int]] = {}
        self.memory: dict[str, tuple[int, int]] = {}
        self._seen: dict[Key, _Seen] = {}

    def look(self, sources: Iterable[tuple[str, Source | LiveError]]) -> list[Row]:
        """All that applications have now; why others could not be read is in `errors`. What is
        gone is forgotten."""
        before, self._seen = self._seen, {}
        self.errors, self.bare, self.cut, self.left_out, self.memory = {}, {}, set(), {}, {}
        self.ages = {}
        rows: list[Row] = []

        def work(application: str, source: Source) -> _Look:
            look, modules = _Look(self, before), source.modules()
            look.rows = list(look.application(application, modules, source))
            look.left_out = {f"{m}.{scope}": n for (m, scope), n in source.left_out.items()}
            counted = any(row.scope.name != HEALTH for row in look.rows)
            if not counted and not look.left_out:
                look.bare = NO_INSTANCE if modules else NO_MODULE
            look.memory = source.memory()
            return look

        for reading in self._readers.read(sources, work):
            if reading.age is not None:
                self.ages[reading.name] = reading.age
            if (look := reading.result) is None:
                self.errors[reading.name] = str(reading.error)
                continue
            rows += look.rows
            self._seen |= look.seen
            self.bare |= {reading.name: look.bare} if look.bare else {}
            self.cut |= look.cut
            self.left_out |= {reading.name: look.left_out} if look.left_out else {}
            self.memory |= {reading.name: look.memory} if look.memory else {}
        return rows


class _Look:
    """One look at one application."""

    def __init__(self, watch: Watch, before: dict[Key, _Seen]) -> None:
        self.most, self.spread, self._before = watch.most, watch.spread, before
        self.rows: list[Row] = []
        self.seen: dict[Key, _Seen] = {}
        self.bare = ""
        self.cut: set[tuple[str, str, str]] = set()
        self.left_out: dict[str, int] = {}
        self.memory: tuple[int, int] | None = None

    def application(self, name: str, modules: tuple[Module, ...], source: Source) -> Iterator[Row]:
        """The rows of an application."""
        for module in modules:
            apart = self.spread and any(scope.lcores for scope in module.scopes)
            lcores = source.lcores(module) if apart else ()
            for scope in module.scopes:
                where = (name, module.name, scope.name)
                found = list(islice(source.read(module, scope), self.most + 1))
                if len(found) > self.most:
                    self.cut.add(where)
                    del found[-1]
                shares: dict[tuple[int, ...], dict[str, _Seen]] = {}
                for lcore in lcores if scope.lcores and len(found) <= self.spread else ():
                    for one in source.read_lcore(module, scope, lcore):
                        seen = self._see(where, scope, one, lcore)
                        shares.setdefault(one.indexes, {})[lcore] = seen
                for instance in found:
                    seen = self._see(where, scope, instance, "")
                    parts = shares.get(instance.indexes, {})
                    for at, item in enumerate(scope.items):
                        yield Row(
                            name, module, scope, instance, item, item.shown(instance.values[at]),
                            tuple(seen.rates.get(at, ())), _shares(item, at, parts),
                        )  # fmt: skip

    def _see(
        self, where: tuple[str, str, str], scope: Scope, instance: Instance, lcore: str
    ) -> _Seen:
        """An instance after it was seen before."""
        key = (*where, instance.indexes, lcore)
        seen = self.seen[key] = _now(self._before.get(key), scope, instance)
        return seen


def _shares(item: Item, at: int, parts: dict[str, _Seen]) -> dict[str, Share]:
    """What the lcores have counted of an item, of those that have counted anything."""
    if item.kind != "counter":
        return {}
    found = {}
    for lcore, seen in parts.items():
        rates = seen.rates.get(at)
        if seen.instance.values[at]:
            found[lcore] = Share(seen.instance.values[at], rates[-1] if rates else None)
    return found


def _now(before: _Seen | None, scope: Scope, instance: Instance) -> _Seen:
    at = time.monotonic()
    if before is None or len(before.instance.values) != len(instance.values):
        return _Seen(at, instance)
    for place, item in enumerate(scope.items):
        if item.kind == "counter":
            rates = before.rates.setdefault(place, deque(maxlen=HISTORY))
            rates.append(_rate(item, before, instance, place, at))
    return _Seen(at, instance, before.rates)


def _rate(item: Item, before: _Seen, now: Instance, place: int, at: float) -> float | None:
    """How fast a counter grew, modulo its width; None behind a discontinuity."""
    old, new = before.instance.values[place], now.values[place]
    if before.instance.since != now.since or not isinstance(old, int) or not isinstance(new, int):
        return None
    grown = (new - old) % (1 << item.width)
    if at <= before.at or grown >> (item.width - 1):  # it went back
        return None
    return grown / (at - before.at)


def as_json(rows: Iterable[Row], watch: Watch) -> dict[str, Any]:
    """What was looked at, for programs: applications, modules, scopes, instances, by name."""
    applications: dict[str, Any] = {}
    for row in rows:
        modules = applications.setdefault(row.application, {"modules": {}})["modules"]
        scopes = modules.setdefault(row.module.name, {"scopes": {}})["scopes"]
        instances = scopes.setdefault(row.scope.name, _scope(row.scope))["instances"]
        one = instances.setdefault(row.instance.indexes, _instance(row))
        one["values"][row.item.name] = row.value
        if row.item.kind == "counter":
            one["rates"][row.item.name] = row.rate
        if row.lcores:
            shares = {lcore: share._asdict() for lcore, share in row.lcores.items()}
            one.setdefault("lcores", {})[row.item.name] = shares
    for application in applications.values():
        for module in application["modules"].values():
            for scope in module["scopes"].values():
                scope["instances"] = list(scope["instances"].values())
    for name, error in watch.errors.items():
        applications.setdefault(name, {"modules": {}})["error"] = error
    for name, age in watch.ages.items():
        applications.setdefault(name, {"modules": {}})["published_age_seconds"] = age
    for name, left in watch.left_out.items():
        applications.setdefault(name, {"modules": {}})["left_out"] = left
    for name, module, scope in watch.cut:
        applications[name]["modules"][module]["scopes"][scope]["cut"] = watch.most
    return {"applications": applications}


def _scope(scope: Scope) -> dict[str, Any]:
    items = [
        {
            "name": i.name,
            "kind": i.kind,
            "unit": i.unit,
            "description": i.description,
            **({"display": i.display} if i.display else {}),
        }
        for i in scope.items
    ]
    return {
        "description": scope.description,
        "items": items,
        "lcores": scope.lcores,
        "instances": {},
    }


def _instance(row: Row) -> dict[str, Any]:
    labels = dict(zip(row.scope.names, row.instance.names, strict=True))
    return {"labels": labels, "values": {}, "rates": {}}
