# SPDX-License-Identifier: BSD-3-Clause
"""The bound of what an application may have in an output: shared among its scopes in proportion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from .model import Instance, Module, Scope, Source
from .readers import Reading

Name = tuple[str, str]  # a module and a scope of it


class Samples(Protocol):
    """The series or points of a scope while its instances are read."""

    def add(self, instance: Instance, room: int) -> int:
        """Add those of an instance, unless they are more than `room`; their number either way."""

    def clear(self) -> None:
        """Drop those of all instances."""


Kind = TypeVar("Kind", bound=Samples)


@dataclass(frozen=True)
class Contents(Generic[Kind]):
    """An application as it was read: the samples of its scopes, scopes that lack instances, numbers
    of instances that the source has left out, and the memory of a segment."""

    scopes: list[Kind]
    lacking: list[Name]
    left_out: dict[Name, int]
    memory: tuple[int, int] | None


Fact = tuple[str, float, dict[str, str]]
"""Something about an application itself: its name, value, and labels."""


def facts(reading: Reading[Contents[Kind]]) -> Iterator[Fact]:
    """What there is to say of an application."""
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
    sizes = reading.result.memory or ()
    for kind, octets in zip(("apparent", "allocated"), sizes, strict=False):
        yield "segment_bytes", octets, {"kind": kind}


def read(source: Source, most: int, make: Callable[[Module, Scope], Kind]) -> Contents[Kind]:
    """The contents of an application: the samples of all scopes with at most `most` series, the
    exporter's own about the application included.

    Where all do not fit, each scope has its first instance, the smallest first, and a part of the
    rest in proportion to its series, of which up to `most` count: the instances with the lowest
    indexes, so that they are the same in the next scrape. The source is then read twice, and of a
    scope no more than `most` series. Raises LiveError.
    """
    modules = source.modules()
    scopes = [(module, scope) for module in modules for scope in module.scopes]
    # `up`, `late`, age, memory; the module; what is left out of each scope
    most -= 5 + len(modules) + 2 * len(scopes)
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
    return Contents(readings, lacking, dict(source.left_out), source.memory())


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
