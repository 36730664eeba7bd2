# SPDX-License-Identifier: BSD-3-Clause
"""Scopes and their items as telemetry lists them: lines of a word and a text.

A line `more` goes on with the text of the one before it. Octets that are no printable ASCII, and
backslashes, are as in C: `\\x0a`, `\\\\`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from ...model.types import CODES
from .model import KINDS, Histogram, Index, Item, LiveError, Scope, legible

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


class _Node:
    """A scope, index, item or histogram: words of its own line, and the texts behind it."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind, self.words = kind, text.split()
        self.texts: dict[str, list[str]] = defaultdict(list)

    def text(self, word: str, default: str = "") -> str:
        return [default, *self.texts[word]][-1]


_OF = {
    "strategy": "scope", "display": "scope", "as": "scope", "value": "index", "part": "index",
    "source": "item", "label": "item", "bound": "histogram",
}  # fmt: skip
"""Kind of node that a word refers to; other words refer to the latest node."""


def _nodes(lines: Iterable[str]) -> Iterator[list[_Node]]:
    """Each scope, and what it has. Words of a later version are kept, and ignored."""
    found: list[_Node] = []
    for word, text in _joined(lines):
        if word == "scope" and found:
            yield found
            found = []
        if word in ("scope", "index", "item", "histogram"):
            found.append(_Node(word, text))
            continue
        of = next((node for node in reversed(found) if node.kind == _OF.get(word, node.kind)), None)
        if of is None:
            raise ValueError(f"{word} of nothing")
        of.texts[word].append(text)
    if found:
        yield found


def _index(node: _Node) -> Index:
    name, maximum = node.words
    labels = tuple(node.texts["value"])
    if labels and len(labels) != int(maximum):
        raise ValueError(f"{len(labels)} labels")
    return Index(name, int(maximum), labels, tuple(node.texts["part"]))


def _item(node: _Node) -> Item:
    name, kind, type_, width = node.words
    if kind not in KINDS or type_ not in CODES:
        raise ValueError(f"{kind} {type_}")
    parts = (text.partition(" ") for text in node.texts["label"])
    labels = tuple((label, int(number)) for number, _, label in parts)
    unit, about, source = node.text("unit"), node.text("text"), node.text("source", "stored")
    return Item(name, kind, type_, unit, about, int(width), labels, source)


def _histogram(node: _Node, num_items: int) -> Histogram:
    name, first, sum_ = node.words
    bounds = tuple(map(int, node.texts["bound"]))
    made = Histogram(name, node.text("text"), node.text("unit"), bounds, int(first), int(sum_))
    if not 0 <= made.first <= made.first + len(bounds) < made.sum < num_items:
        raise ValueError(f"histogram {name}")
    return made


def _scope(scope: _Node, *others: _Node) -> Scope:
    name, storage, lcores = scope.words
    items = tuple(_item(node) for node in others if node.kind == "item")
    texts = zip(scope.texts["display"], scope.texts["as"], strict=True)
    return Scope(
        name, scope.text("text"),
        tuple(_index(node) for node in others if node.kind == "index"), items,
        tuple(_histogram(node, len(items)) for node in others if node.kind == "histogram"),
        lcores == "lcores", storage == "dynamic", scope.text("strategy"),
    ).displayed(dict(texts))  # fmt: skip


def scopes(lines: Iterable[str]) -> tuple[Scope, ...]:
    """The scopes of a module. Raises LiveError where the lines cannot be a list of them."""
    try:
        return tuple(_scope(*nodes) for nodes in _nodes(lines))
    except ValueError as error:
        raise LiveError(f"the list of a module cannot be so: {error}") from None
