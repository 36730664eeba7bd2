# SPDX-License-Identifier: BSD-3-Clause
"""Model of a running application's modules; applications read one after the other, each within a
deadline."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from ...model.naming.prometheus import labels
from ...model.types import CODES, Type

Value = int | bool | str | None
"""A value of an item as a schema would write it: numbers, true and false, the label of an enum,
text and addresses as text. A timestamp is Unix time in nanoseconds. None: there is none, as it was
never set or cannot be had."""

KINDS = ("counter", "gauge", "state")
"""Names of the constants of `enum ctr_kind`, in their order."""

NOTHING_FOUND = "no application: start one that publishes a segment that this user may read"
NO_INSTANCE = "no instance yet: call P_SCOPE_create()"
"""Why nothing is shown: there is no application, or it has dynamic scopes alone and nothing in
them."""


_LIKE_ESCAPE = re.compile(rb"\\(?=x[0-9a-f]{2})")


def legible(octets: bytes) -> str:
    """Octets as text, distinct octets as distinct text: what is no UTF-8 becomes `\\xff`, and the
    backslash of octets that read like that `\\x5c`."""
    return _LIKE_ESCAPE.sub(rb"\\x5c", octets).decode("utf-8", "backslashreplace")


def free(name: str, taken: Collection[str]) -> str:
    """A name next to those of the labels of an instance."""
    while name in taken:
        name += "_own"
    return name


class LiveError(Exception):
    """An application cannot be read: it exited, or its data are invalid."""


@dataclass(frozen=True, slots=True)
class Item:
    """A counter, gauge or state, in words of `enum ctr_kind`, `ctr_type` and `ctr_source`; `type`
    is one of `CODES`."""

    name: str
    kind: str
    type: str
    unit: str
    description: str
    width: int = 0
    labels: tuple[tuple[str, int], ...] = ()  # of an enum, as people see them
    source: str = "stored"
    display: str = ""  # what people see of it, if that is not the name
    metric: str = ""  # its name in Prometheus, if that does not follow from the name

    @property
    def value_type(self) -> Type:
        """The row of its type in the table of types."""
        return CODES[self.type]

    @property
    def shown_unit(self) -> str:
        """The unit of what `shown` gives."""
        return "s" if self.type == "timestamp" else self.unit

    def shown(self, value: Value) -> Value | float:
        """A value for people and for monitoring systems: a timestamp is Unix time in seconds."""
        return value / 1e9 if self.type == "timestamp" and isinstance(value, int) else value


@dataclass(frozen=True, slots=True)
class Histogram:
    """A histogram, whose counters are items: `buckets` of them from `first` on, one more than there
    are `bounds` (greatest values, in `unit`), and the sum at `sum`. `display` and `metric` are as
    of an item."""

    name: str
    description: str
    unit: str
    bounds: tuple[int, ...]
    first: int
    sum: int
    display: str = ""
    metric: str = ""

    @property
    def buckets(self) -> range:
        """The places of its buckets."""
        return range(self.first, self.first + len(self.bounds) + 1)

    def observed(self, values: Sequence[Value]) -> tuple[list[int], int] | None:
        """The counts of its buckets and its sum; None where one of them lacks."""
        found = [*values[self.first : self.first + len(self.bounds) + 1], values[self.sum]]
        numbers = [value for value in found if isinstance(value, int)]
        return (numbers[:-1], numbers[-1]) if len(numbers) == len(found) else None


@dataclass(frozen=True, slots=True)
class Index:
    """An index of a scope: `maximum` values from 0 on, by name if they have `labels`, as people see
    them. `keys` are the parts of the instances' keys, where those name them; `texts` are what
    people see instead of values of parts, by part and value."""

    name: str
    maximum: int
    labels: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    texts: Mapping[tuple[str, str], str] = field(default_factory=dict, hash=False)

    def shown(self, values: Iterable[str]) -> Iterator[str]:
        """The values of the parts of a key as people see them."""
        for part, value in zip(self.keys, values, strict=True):
            yield self.texts.get((part, value), value)


@dataclass(frozen=True, slots=True)
class Scope:
    """A scope, with its items in the order of the schema."""

    name: str
    description: str
    indexes: tuple[Index, ...]
    items: tuple[Item, ...]
    histograms: tuple[Histogram, ...] = ()
    dynamic: bool = False
    """Whether instances are created."""

    @property
    def single(self) -> list[tuple[int, Item]]:
        """The items that are no part of a histogram, with their places."""
        folded = {at for one in self.histograms for at in (*one.buckets, one.sum)}
        return [(at, item) for at, item in enumerate(self.items) if at not in folded]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the labels of metrics that distinguish instances."""
        return labels((index.name, index.keys) for index in self.indexes)

    def displayed(self, texts: Mapping[str, str]) -> Scope:
        """The scope with what people see: texts by the names of a `struct ctr_display`."""
        if not texts:
            return self

        def item(one: Item) -> Item:
            labels = ((texts.get(f"label {one.name} {n}", n), value) for n, value in one.labels)
            return replace(one, labels=tuple(labels), **named(one))

        def index(one: Index) -> Index:
            of = ((words.split(), text) for words, text in texts.items())
            parts = {(w[2], w[3]): t for w, t in of if w[:2] == ["part", one.name] and w[3:]}
            labels = tuple(texts.get(f"value {one.name} {name}", name) for name in one.labels)
            return replace(one, labels=labels, texts=parts)

        def named(one: Item | Histogram) -> dict[str, Any]:
            kinds = {"display": "item", "metric": "metric"}
            return {key: texts.get(f"{kind} {one.name}", "") for key, kind in kinds.items()}

        return replace(
            self,
            indexes=tuple(map(index, self.indexes)),
            items=tuple(map(item, self.items)),
            histograms=tuple(replace(one, **named(one)) for one in self.histograms),
        )


@dataclass(frozen=True, slots=True)
class Module:
    """A module of a running application. Two with the same `layout` have the same scopes."""

    name: str
    description: str
    scopes: tuple[Scope, ...]
    views: tuple[str, ...] = ()
    layout: str = ""


class Instance(NamedTuple):
    """What an instance has now. `names` goes with `Scope.names`, `values` with `Scope.items`.
    `since` is the Unix time in seconds of its last discontinuity (it was created, reset, or the
    application began), 0 if that is not known. Without all of its keys it is not `keyed`."""

    indexes: tuple[int, ...]
    names: tuple[str, ...]
    values: tuple[Value, ...]
    since: float
    keyed: bool = True


class Source(Protocol):
    """One running application. Methods raise LiveError."""

    @property
    def left_out(self) -> Mapping[tuple[str, str], int]:
        """By module and scope, how many instances the last read() has left out."""
        return {}

    def memory(self) -> tuple[int, int]:
        """Bytes of its file, and of its memory."""

    def age(self) -> float:
        """Seconds since it published."""

    def modules(self) -> tuple[Module, ...]:
        """The modules that it has now."""

    def read(self, module: Module, scope: Scope) -> Iterator[Instance]:
        """The instances of a scope that there are, in the order of their indexes."""

    def close(self) -> None:
        """Release its resources; idempotent."""


T = TypeVar("T")
Sources = Callable[[], Iterable[tuple[str, Source]]]
"""Finds applications: the name of each, and how it is read."""

_deadline = ContextVar("_deadline", default=math.inf)  # time.monotonic() at the end of a read


def in_time() -> None:
    """Raises LiveError after the deadline of what is being read."""
    if time.monotonic() >= _deadline.get():
        raise LiveError("reading the application takes too long")


@dataclass(frozen=True)
class Limits:
    """Bounds for an application: seconds to read it, and since its publication (`stale`)."""

    seconds: float = 8.0
    stale: float = 60.0


@dataclass
class Reading(Generic[T]):
    """The result of reading an application, or why there is none. `late`: the deadline passed.
    `age` is the time since the last publication, in seconds."""

    name: str
    result: T | None = None
    error: LiveError | None = None
    late: bool = False
    age: float | None = None


def read_each(
    sources: Iterable[tuple[str, Source]], work: Callable[[str, Source], T], limits: Limits
) -> Iterator[Reading[T]]:
    """The results of `work(name, source)` in the order of the sources."""
    for name, source in sources:
        reading = Reading[T](name)
        end = time.monotonic() + limits.seconds
        token = _deadline.set(end)
        try:
            reading.age = source.age()
            if reading.age > limits.stale:
                raise LiveError(f"stale for {reading.age:.0f} s: the application does not publish")
            reading.result = work(name, source)
        except LiveError as error:
            reading.error, reading.late = error, time.monotonic() >= end
        finally:
            _deadline.reset(token)
        yield reading
