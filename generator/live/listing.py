# SPDX-License-Identifier: BSD-3-Clause
"""Scopes and their items as telemetry lists them: lines of a word and a text.

A line `more` goes on with the text of the one before it. Octets that are no printable ASCII, and
backslashes, are as in C: `\\x0a`, `\\\\`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .model import KINDS, TYPES, Histogram, Index, Item, LiveError, Scope, legible

_ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|(\\))")


def unescaped(text: str) -> str:
    """A text as the application has it, made `legible`."""
    octets = text.encode("utf-8", "surrogatepass")
    plain = _ESCAPE.sub(lambda m: m[2] or bytes.fromhex(m[1].decode()), octets)
    return legible(plain)


def _joined(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Words and texts, each text in one piece."""
    word, text = "", ""
    for line in lines:
        first, _, rest = line.partition(" ")
        if first == "more":
            text += rest
            continue
        if word:
            yield word, unescaped(text)
        word, text = first, rest
    if word:
        yield word, unescaped(text)


@dataclass
class _Texts:
    """What may follow the line of a scope, an item or a histogram."""

    unit: str = ""
    description: str = ""


@dataclass
class _Item(_Texts):
    words: tuple[str, ...] = ()
    labels: list[tuple[str, int]] = field(default_factory=list)
    source: str = "stored"

    def made(self) -> Item:
        name, kind, type_, width = self.words
        if kind not in KINDS or type_ not in TYPES:
            raise ValueError(f"{kind} {type_}")
        labels = tuple(self.labels)
        return Item(name, kind, type_, self.unit, self.description, int(width), labels, self.source)


@dataclass
class _Histogram(_Texts):
    words: tuple[str, ...] = ()
    bounds: list[int] = field(default_factory=list)

    def made(self) -> Histogram:
        name, first, sum_ = self.words
        bounds = tuple(self.bounds)
        return Histogram(name, self.description, self.unit, bounds, int(first), int(sum_))


@dataclass
class _Index:
    words: tuple[str, ...] = ()
    values: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)

    def made(self) -> Index:
        name, maximum = self.words
        if self.values and len(self.values) != int(maximum):
            raise ValueError(f"{len(self.values)} labels")
        return Index(name, int(maximum), tuple(self.values), tuple(self.parts))


@dataclass
class _Scope(_Texts):
    words: tuple[str, ...] = ()
    strategy: str = ""
    indexes: list[_Index] = field(default_factory=list)
    items: list[_Item] = field(default_factory=list)
    histograms: list[_Histogram] = field(default_factory=list)
    displays: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def made(self) -> Scope:
        name, storage, lcores = self.words
        items = tuple(item.made() for item in self.items)
        histograms = tuple(histogram.made() for histogram in self.histograms)
        for histogram in histograms:
            last = histogram.first + len(histogram.bounds)
            if not 0 <= histogram.first <= last < histogram.sum < len(items):
                raise ValueError(f"histogram {histogram.name}")
        indexes = tuple(index.made() for index in self.indexes)
        return Scope(
            name, self.description, indexes, items, histograms, lcores == "lcores",
            storage == "dynamic", self.strategy,
        ).displayed(dict(zip(self.displays, self.texts, strict=True)))  # fmt: skip


def _parsed(lines: Iterable[str]) -> Iterator[_Scope]:
    scope = _Scope()
    target: _Texts = scope
    for word, text in _joined(lines):
        words = tuple(text.split())
        match word:
            case "scope":
                if scope.words:
                    yield scope
                target = scope = _Scope(words=words)
            case "index":
                scope.indexes.append(_Index(words))
            case "value":
                scope.indexes[-1].values.append(text)
            case "part":
                scope.indexes[-1].parts.append(text)
            case "item":
                scope.items.append(item := _Item(words=words))
                target = item
            case "source":
                scope.items[-1].source = text
            case "label":
                number, _, name = text.partition(" ")
                scope.items[-1].labels.append((name, int(number)))
            case "histogram":
                scope.histograms.append(histogram := _Histogram(words=words))
                target = histogram
            case "bound":
                scope.histograms[-1].bounds.append(int(text))
            case "strategy":
                scope.strategy = text
            case "display":
                scope.displays.append(text)
            case "as":
                scope.texts.append(text)
            case "unit":
                target.unit = text
            case "text":
                target.description = text
            case _:  # of a later version
                continue
    if scope.words:
        yield scope


def scopes(lines: Iterable[str]) -> tuple[Scope, ...]:
    """The scopes of a module. Raises LiveError where the lines cannot be a list of them."""
    try:
        return tuple(scope.made() for scope in _parsed(lines))
    except (ValueError, IndexError) as error:
        raise LiveError(f"the list of a module cannot be so: {error}") from None
