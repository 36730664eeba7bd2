# SPDX-License-Identifier: BSD-3-Clause
"""The bound of what an application may have in an output: shared among its scopes in proportion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from .model import Instance, Module, Scope, Source

Name = tuple[str, str]
"""A module and a scope of it."""


class Reading(Protocol):
    """The series or points of a scope while its instances are read."""

    def add(self, instance: Instance, room: int) -> int:
        """Add those of an instance, unless they are more than `room`; their number either way."""

    def clear(self) -> None:
        """Drop those of all instances."""


Kind = TypeVar("Kind", bound=Reading)


def read(
    source: Source, most: int, make: Callable[[Module, Scope], Kind]
) -> tuple[list[Kind], list[Name]]:
    """The readings of all scopes with at most `most` series, the exporter's own about the
    application included; and the scopes that lack instances for that.

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
    if sum(total for _, total in sizes) <= most:
        return readings, []
    lacking = []
    shares = _shares(sizes, most)
    for (module, scope), reading, share in zip(scopes, readings, shares, strict=True):
        reading.clear()
        if _fill(source.read(module, scope), reading, share, share)[1] > share:
            lacking.append((module.name, scope.name))
    return readings, lacking


def _fill(instances: Iterable[Instance], reading: Reading, most: int, room: int) -> tuple[int, int]:
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
