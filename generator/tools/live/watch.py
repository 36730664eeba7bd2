# SPDX-License-Identifier: BSD-3-Clause
"""Applications over time: current values of each instance, and rates of its counters."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from ...model.ir import HEALTH
from .model import Instance, Item, Limits, Module, Reading, Scope, Source, Value, read_each

MOST_INSTANCES = 10_000  # default limit of instances that are read of a scope
Key = tuple[str, str, str, tuple[int, ...]]  # application, module, scope, indexes


class Row(NamedTuple):
    """An item of an instance: its value, and of a counter its rate a second, or None."""

    application: str
    module: Module
    scope: Scope
    instance: Instance
    item: Item
    value: Value | float
    rate: float | None


Rows = list[Row]  # the items of an instance


def watched(scope: Scope) -> Item:
    """The sort key of instances: the first counter, else the first item."""
    return next((item for item in scope.items if item.kind == "counter"), scope.items[0])


@dataclass
class _Seen:
    """An instance when it was read last, and the rates of its counters by their place."""

    at: float
    instance: Instance
    rates: dict[int, float | None]


@dataclass
class Look:
    """Observations of an application."""

    memory: tuple[int, int]  # bytes of its file, and of its memory
    rows: list[Rows] = field(default_factory=list)
    seen: dict[Key, _Seen] = field(default_factory=dict)
    cut: set[tuple[str, str]] = field(default_factory=set)  # scopes with further instances
    left_out: dict[str, int] = field(default_factory=dict)  # instances, by the source

    @property
    def bare(self) -> bool:
        """Whether there are no instances, and none was left out."""
        return not self.left_out and all(rows[0].scope.name == HEALTH for rows in self.rows)


class Watch:
    """Reads applications again and again: the first `most` instances of a scope. `readings` are
    the last ones. Not thread-safe."""

    def __init__(self, most: int = MOST_INSTANCES, limits: Limits | None = None) -> None:
        self.most, self._limits = most, limits or Limits()
        self.readings: list[Reading[Look]] = []
        self._seen: dict[Key, _Seen] = {}

    def look(self, sources: Iterable[tuple[str, Source]]) -> list[Rows]:
        """Current values of all applications."""
        self.readings = list(read_each(sources, self._look, self._limits))
        looks = [reading.result for reading in self.readings if reading.result]
        self._seen = {key: seen for look in looks for key, seen in look.seen.items()}
        return [rows for look in looks for rows in look.rows]

    def _look(self, application: str, source: Source) -> Look:
        look = Look(source.memory())
        for module in source.modules():
            for scope in module.scopes:
                look.rows += self._scope(look, application, module, scope, source)
        look.left_out = {f"{m}.{scope}": n for (m, scope), n in source.left_out.items()}
        return look

    def _scope(
        self, look: Look, name: str, module: Module, scope: Scope, source: Source
    ) -> Iterator[Rows]:
        """The instances of a scope."""
        found = list(islice(source.read(module, scope), self.most + 1))
        if len(found) > self.most:
            look.cut.add((module.name, scope.name))
            del found[-1]
        for instance in found if scope.items else ():
            key = (name, module.name, scope.name, instance.indexes)
            seen = look.seen[key] = _now(self._seen.get(key), scope, instance)
            shown = [item.shown(v) for item, v in zip(scope.items, instance.values, strict=True)]
            yield [
                Row(name, module, scope, instance, item, shown[at], seen.rates.get(at))
                for at, item in enumerate(scope.items)
            ]


def _now(before: _Seen | None, scope: Scope, instance: Instance) -> _Seen:
    at = time.monotonic()
    if before is None or len(before.instance.values) != len(instance.values):
        return _Seen(at, instance, {})
    counters = ((place, item) for place, item in enumerate(scope.items) if item.kind == "counter")
    rates = {place: _rate(item, before, instance, place, at) for place, item in counters}
    return _Seen(at, instance, rates)


def _rate(item: Item, before: _Seen, now: Instance, place: int, at: float) -> float | None:
    """How fast a counter grew, modulo its width; None behind a discontinuity."""
    old, new = before.instance.values[place], now.values[place]
    if before.instance.since != now.since or not isinstance(old, int) or not isinstance(new, int):
        return None
    grown = (new - old) % (1 << item.width)
    if at <= before.at or grown >> (item.width - 1):  # it went back
        return None
    return grown / (at - before.at)


def as_json(instances: Iterable[Rows], watch: Watch) -> dict[str, Any]:
    """What was looked at, for programs: applications, modules, scopes, instances, by name."""
    applications: dict[str, Any] = {}
    for rows in instances:
        modules = applications.setdefault(rows[0].application, {"modules": {}})["modules"]
        scopes = modules.setdefault(rows[0].module.name, {"scopes": {}})["scopes"]
        scope = scopes.setdefault(rows[0].scope.name, _scope(rows[0].scope))
        scope["instances"].append({
            "labels": dict(zip(rows[0].scope.names, rows[0].instance.names, strict=True)),
            "values": {row.item.name: row.value for row in rows},
            "rates": {row.item.name: row.rate for row in rows if row.item.kind == "counter"},
        })  # fmt: skip
    for reading in watch.readings:
        application = applications.setdefault(reading.name, {"modules": {}})
        if reading.age is not None:
            application["published_age_seconds"] = reading.age
        if (look := reading.result) is None:
            application["error"] = str(reading.error)
            continue
        if look.left_out:
            application["left_out"] = look.left_out
        for module, scope in look.cut:
            application["modules"][module]["scopes"][scope]["cut"] = watch.most
    return {"applications": applications}


def _scope(scope: Scope) -> dict[str, Any]:
    keys = ("name", "kind", "unit", "description", "display")
    items = [
        {key: value for key in keys if (value := getattr(item, key)) or key != "display"}
        for item in scope.items
    ]
    return {"description": scope.description, "items": items, "instances": []}
