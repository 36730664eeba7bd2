# SPDX-License-Identifier: BSD-3-Clause
"""The intermediate representation: a checked, ordered, fully defaulted schema.

Everything behind `resolve` (rules, layout, every backend) reads these frozen
dataclasses and nothing else. Sequences are tuples in schema order, so equal
schemas give equal output, byte for byte.
"""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass
from typing import Any

from .diagnostics import Span

GLOBAL = "global"
"""Name of the scope that has exactly one instance and takes no index."""

MAX_INSTANCES = 2**32 - 1
"""Largest number of instances of a scope: indexes are `uint32_t`."""


class Kind(str, enum.Enum):
    """What an item is (RFC 2578 section 7.1 for counters and gauges)."""

    COUNTER = "counter"
    GAUGE = "gauge"
    STATE = "state"


class Storage(str, enum.Enum):
    """Where the instances of a scope live."""

    STATIC = "static"
    DYNAMIC = "dynamic"
    EMBEDDED = "embedded"


@dataclass(frozen=True, slots=True)
class Label:
    """One named value of an enumeration."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Item:
    """A counter, gauge or state of one scope.

    `type` is `uint32` or `uint64` for counters and gauges; for states one of
    `bool int32 uint32 enum timeticks ipv4 ipv6 mac string`. `width` is the
    number of bits of a counter or gauge and of a scalar state's C type.
    `minimum` and `maximum` bound a gauge; `length` is the largest number of
    octets of a string; `labels` are those of an enum.
    """

    name: str
    kind: Kind
    type: str
    width: int
    unit: str
    description: str
    scope: str
    span: Span
    minimum: int | None = None
    maximum: int | None = None
    labels: tuple[Label, ...] = ()
    length: int = 0


@dataclass(frozen=True, slots=True)
class Sync:
    """A synchronization strategy with every tunable filled in, sorted by name."""

    strategy: str
    tunables: tuple[tuple[str, int | str | bool], ...] = ()

    def tunable(self, name: str) -> int | str | bool:
        """The value of one tunable; KeyError when the strategy has none of that name."""
        return dict(self.tunables)[name]


@dataclass(frozen=True, slots=True)
class Requires:
    """What the application needs; `None` means it does not say.

    `propagation_ns` is in nanoseconds, `memory` in bytes, `update_cycles` in
    core clock cycles. `lcores` is how many lcores the memory budget is for.
    """

    exact: bool | None = None
    consistency: str | None = None
    reader: str | None = None
    writers: str | None = None
    propagation_ns: int | None = None
    update_cycles: int | None = None
    memory: int | None = None
    lcores: int = 8


@dataclass(frozen=True, slots=True)
class Scope:
    """A set of items that exists once (`global`) or per instance.

    `path` holds the names of the indexed scopes from the outermost to this
    one, so its length is the number of indexes; `()` for global. `maxima`
    holds the cardinality of each level of `path`.
    """

    name: str
    description: str
    items: tuple[Item, ...]
    path: tuple[str, ...]
    maxima: tuple[int, ...]
    storage: Storage
    sync: Sync
    reset: bool
    requires: Requires
    span: Span
    sync_span: Span

    @property
    def instances(self) -> int:
        """Largest number of instances: the product of the cardinalities on the path."""
        product = 1
        for maximum in self.maxima:
            product *= maximum
        return product

    def of(self, kind: Kind) -> tuple[Item, ...]:
        """The items of one kind, in schema order."""
        return tuple(item for item in self.items if item.kind is kind)


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of an update; `type` is one of `bool uint8 uint16 uint32 uint64 int32`."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One effect of an update on one item: exactly one of `constant` and `argument` is set."""

    verb: str  # "add", "sub" or "set"
    scope: str
    item: str
    constant: int | None
    argument: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Update:
    """One call that changes several items as one transaction.

    `scopes` are the touched scopes in schema order, `indexes` the names of
    the index parameters they take (a parent's index once), in the same order.
    """

    name: str
    description: str
    arguments: tuple[Argument, ...]
    operations: tuple[Operation, ...]
    scopes: tuple[str, ...]
    indexes: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Module:
    """A whole schema. `source` is the schema's path as shown in generated text."""

    name: str
    description: str
    scopes: tuple[Scope, ...]
    updates: tuple[Update, ...]
    bounds: str  # "assert" or "drop"
    writers: str  # "any" or "lcores"
    source: str
    sources: tuple[str, ...]
    span: Span

    def scope(self, name: str) -> Scope:
        """The scope of that name; KeyError when there is none."""
        for scope in self.scopes:
            if scope.name == name:
                return scope
        raise KeyError(name)

    def item(self, scope: str, name: str) -> Item:
        """One item of one scope; KeyError when there is none."""
        for item in self.scope(scope).items:
            if item.name == name:
                return item
        raise KeyError(name)


def to_json(value: Any) -> Any:
    """A module (or any part of one) as plain JSON data, without source positions."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, tuple):
        return [to_json(entry) for entry in value]
    if isinstance(value, Sync):
        return {"strategy": value.strategy, **dict(value.tunables)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: to_json(getattr(value, field.name))
            for field in dataclasses.fields(value)
            if not field.name.endswith("span")
        }
    return value
