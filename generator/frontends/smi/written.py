# SPDX-License-Identifier: BSD-3-Clause
"""OIDs as the text of a module has them, before any tool has read it; and changes of that text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import NamedTuple

from .source import Definition, Source, blank

_VALUE = re.compile(r"::=\s*\{\s*([A-Za-z][\w-]*)([^{}]*)\}")
_ARC = re.compile(r"[A-Za-z][\w-]*\s*\(\s*([0-9]+)\s*\)|([0-9]+)")


NO_LINE = re.compile(r"[^\n]")

Said = Callable[..., None]
"""Reports a finding: where (in characters), of what length, the message, a hint."""

Oid = tuple[str, tuple[int, ...]]
"""What no definition of the module says the OID of, and the numbers below that."""


class Value(NamedTuple):
    """A definition, its text from `definition.start` without comments and strings, and its OID:
    the numbers `arcs` below what is called `above` at the place `at`. Empty where it has none."""

    definition: Definition
    body: str
    above: str = ""
    at: int = 0
    arcs: tuple[int, ...] = ()


class Change(NamedTuple):
    """Where how many characters become other ones, on as many lines."""

    start: int
    length: int
    new: str


def values(source: Source) -> list[Value]:
    """All definitions of a module in its order, those of a name that is there before included."""
    text = blank(source.text[: source.end])
    found = sorted((*source.definitions.values(), *source.twice), key=attrgetter("start"))
    ends = [*(one.start for one in found[1:]), len(text)]
    return [_value(one, text[one.start : end]) for one, end in zip(found, ends, strict=False)]


def _value(definition: Definition, body: str) -> Value:
    found = _VALUE.search(body) if definition.macro != "TYPE" else None
    if found is None:
        return Value(definition, body)
    arcs = tuple(int(arc[1] or arc[2]) for arc in _ARC.finditer(found[2]))
    return Value(definition, body, found[1], definition.start + found.start(1), arcs)


class Known:
    """OIDs as far as the text of a module tells them: `below` has what each name is below of, and
    the numbers there; of a name that is there twice, the first one's."""

    def __init__(self, all_: Iterable[Value]) -> None:
        self.below: dict[str, Oid] = {}
        for value in all_:
            self.below.setdefault(value.definition.name, (value.above, value.arcs))

    def oid(self, name: str) -> Oid:
        """The OID of a definition."""
        return self.whole(*self.below[name])

    def whole(self, above: str, arcs: tuple[int, ...]) -> Oid:
        """The OID of what is below a name."""
        for _ in range(len(self.below)):  # else it is below itself
            if above not in self.below or not self.below[above][1]:
                break
            above, more = self.below[above]
            arcs = more + arcs
        return above, arcs


def changed(text: str, changes: Iterable[Change]) -> str:
    """A text with some changes, without those inside of another one."""
    parts: list[str] = []
    done = 0
    for change in sorted(changes):
        if change.start >= done:
            parts += text[done : change.start], change.new
            done = change.start + change.length
    return "".join([*parts, text[done:]])
