# SPDX-License-Identifier: BSD-3-Clause
"""The metrics of an application, and the limit of its series in an output: shared among its scopes
in proportion."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from .model import Histogram, Instance, Item, Module, Reading, Scope, Source

Name = tuple[str, str]  # a module and a scope of it


@dataclass
class Metric:
    """A metric and its samples, in the form that the output has for them."""

    name: str
    type: str
    text: str
    unit: str = ""
    samples: list[Any] = field(default_factory=list)


class Samples(ABC):
    """The samples of a scope while its instances are read, by metric in the order of the schema."""

    def __init__(self, module: Module, scope: Scope) -> None:
        self.module, self.scope = module, scope
        self.items = [(at, one, self.metric(one, one.shown_unit)) for at, one in scope.single]
        self.histograms = [(one, self.metric(one, one.unit)) for one in scope.histograms]
        self.metrics = [metric for *_, metric in self.items]
        self.metrics += [metric for _, metric in self.histograms]
        self.instances = 0  # existing ones, also those beyond the limit
        self.nameless = 0  # without a key, so with the labels of each other

    @abstractmethod
    def metric(self, of: Item | Histogram, unit: str) -> Metric:
        """The metric of an item or histogram."""

    @abstractmethod
    def made(self, instance: Instance) -> Iterator[tuple[Metric, Any]]:
        """The samples of an instance, with their metrics."""

    def add(self, instance: Instance, room: int) -> int:
        """Add the samples of an instance, unless they are more than `room`; their number."""
        if not instance.keyed:
            self.nameless += 1
            return 0
        self.instances += 1
        found = list(self.made(instance))
        if len(found) <= room:
            for metric, sample in found:
                metric.samples.append(sample)
        return len(found)

    def clear(self) -> None:
        """Drop the samples of all instances."""
        self.nameless = 0
        for metric in self.metrics:
            metric.samples.clear()


Kind = TypeVar("Kind", bound=Samples)


@dataclass(frozen=True)
class Contents(Generic[Kind]):
    """An application as it was read: the samples of its scopes, scopes that lack instances, numbers
    of instances that the source has left out, and its memory."""

    scopes: list[Kind]
    lacking: list[Name]
    left_out: dict[Name, int]
    memory: tuple[int, int]

    @property
    def metrics(self) -> Iterator[Metric]:
        """Those that have samples."""
        return (metric for each in self.scopes for metric in each.metrics if metric.samples)


Fact = tuple[str, float, dict[str, str]]  # about an application itself: name, value, labels

FACTS = {
    "application_up": ("application.up", "Whether the application could be read.", "1"),
    "application_late": (
        "application.late", "Applications left out as reading them took too long.", "1"
    ),
    "published_age_seconds": (
        "published_age", "Time since the application published in its segment.", "s"
    ),
    "scope_left_out": ("scope.left_out", "Scopes shown in part: too many series.", "1"),
    "instances_left_out": (
        "instances.left_out", "Instances that have counted nothing yet, or have no key.", "1"
    ),
}  # fmt: skip
"""Metrics about an application itself: name in OTLP, description and unit."""


def facts(reading: Reading[Contents[Kind]]) -> Iterator[Fact]:
    """The values of `FACTS` for an application."""
    yield "application_up", int(reading.error is None), {}
    if reading.late:
        yield "application_late", 1, {}
    if reading.age is not None:
        yield "published_age_seconds", reading.age, {}
    if reading.result is None:
        return
    for module, scope in reading.result.lacking:
        yield "scope_left_out", 1, {"module": module, "scope": scope}
    for (module, scope), count in reading.result.left_out.items():
        yield "instances_left_out", count, {"module": module, "scope": scope}
    for kind, octets in zip(("apparent", "allocated"), reading.result.memory, strict=True):
        yield "segment_bytes", octets, {"kind": kind}


def read(source: Source, most: int, make: Callable[[Module, Scope], Kind]) -> Contents[Kind]:
    """The contents of an application with at most `most` series, those about itself included.

    Where all do not fit, each scope has its first instance, and a share of the rest in proportion
    to its series: the instances with the lowest indexes. The source is then read twice. Raises
    LiveError.
    """
    scopes = [(module, scope) for module in source.modules() for scope in module.scopes]
    # `up`, `late`, age, memory; what is left out of each scope
    most -= 5 + 2 * len(scopes)
    readings = [make(module, scope) for module, scope in scopes]
    sizes: list[tuple[int, int]] = []
    for (module, scope), reading in zip(scopes, readings, strict=True):
        room = most - sum(total for _, total in sizes)
        sizes.append(_fill(source.read(module, scope), reading, most, room))
    lacking = []
    fits = sum(total for _, total in sizes) <= most
    shares = [] if fits else _shares(sizes, most)
    for (module, scope), reading, share in zip(scopes, readings, shares, strict=not fits):
        reading.clear()
        if _fill(source.read(module, scope), reading, share, share)[1] > share:
            lacking.append((module.name, scope.name))
    left_out = Counter(source.left_out)
    left_out.update({(one.module.name, one.scope.name): one.nameless for one in readings})
    return Contents(readings, lacking, dict(+left_out), source.memory())


def _fill(instances: Iterable[Instance], reading: Samples, most: int, room: int) -> tuple[int, int]:
    """Read instances until their series are more than `most`, and add those of which there is
    `room`. The series of the first instance, and of all that were read."""
    first = total = 0
    for instance in instances:
        size = reading.add(instance, room - total)
        total += size
        first = first or size
        if total > most:
            break
    return first, total


def _shares(sizes: list[tuple[int, int]], most: int) -> list[int]:
    """How many series each scope may have, of the series of its first instance and of all."""
    shares = [0] * len(sizes)
    for at in sorted(range(len(sizes)), key=lambda at: sizes[at][0]):
        if sizes[at][0] <= most:
            shares[at] = sizes[at][0]
            most -= sizes[at][0]
    wanting = [
        total - share if share else 0 for (_, total), share in zip(sizes, shares, strict=True)
    ]
    room = max(most, 0)
    return [
        share + room * more // max(sum(wanting), 1)
        for share, more in zip(shares, wanting, strict=True)
    ]
