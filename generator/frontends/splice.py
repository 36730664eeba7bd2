# SPDX-License-Identifier: BSD-3-Clause
"""Changes a YAML text where its nodes are; every other character stays as it is.

A value is only changed where it is plainly written. What an anchor or an alias shares, and what
has no place to be written at, raises UnwritableError.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

from ..findings.diagnostics import LINE_BREAK
from .raw import Node, Region

_GAP = re.compile(r"\s*,\s*")
_REST = re.compile(r"[ \t]*(#.*)?")
_QUOTES = "'\""


class UnwritableError(Exception):
    """What is at a region cannot be changed by itself, and why."""

    def __init__(self, region: Region, reason: str) -> None:
        super().__init__(reason)
        self.region = region
        self.reason = reason


class Edit(NamedTuple):
    """What takes the place of the characters from `start` to `end`."""

    start: int
    end: int
    text: str


class Text:
    """The text of a YAML file, without a byte order mark; finds edits of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        breaks = list(LINE_BREAK.finditer(text))
        self.starts = [0, *(found.end() for found in breaks)]
        self.breaks = [found[0] for found in breaks]

    def edited(self, edits: Iterable[Edit]) -> str:
        """The text after edits. Each may be given several times; deletions may overlap."""
        parts: list[str] = []
        done = 0
        for edit in sorted(set(edits)):
            parts += [self.text[done : edit.start], edit.text]
            done = max(done, edit.end)
        return "".join([*parts, self.text[done:]])

    def written(self, node: Node) -> Node:
        """The node, if it is written where it is and nowhere else. Raises UnwritableError."""
        first = self.text[self._start(node.region) :][:1]
        if first == "*":
            raise UnwritableError(node.region, "it comes through an alias")
        if first == "&":
            raise UnwritableError(node.region, "it has an anchor, and may be meant elsewhere too")
        return node

    def renamed(self, node: Node, name: str) -> Edit:
        """Another word for a word, in the same quotes. Raises UnwritableError."""
        start, end = self._start(node.region), self._end(node.region)
        quote = self.text[start : start + 1]
        if quote in ("|", ">", ""):
            raise UnwritableError(node.region, "it is a text of several lines")
        quote = quote if quote in _QUOTES else ""
        self.written(node)
        return Edit(start, end, f"{quote}{name}{quote}")

    def inserted(self, holder: Node, key: str, name: str, behind: Node | None = None) -> Edit:
        """A new key with a word: the first of a mapping, or that behind an entry of a mapping in
        block style. Raises UnwritableError."""
        if not isinstance(holder.value, dict) or not holder.value:
            raise UnwritableError(holder.region, "there is nothing in it")
        first = next(iter(holder.value.values())).key
        assert first is not None, "what was read from YAML has the places of its keys"
        start = self._start(first)
        if self.text[self._start(holder.region)] == "{":
            quote = self.text[start] if self.text[start] in _QUOTES else ""
            return Edit(start, start, f"{quote}{key}{quote}: {quote}{name}{quote}, ")
        indent = self.text[self.starts[first[1]] : start]
        if indent.strip(" "):
            raise UnwritableError(first, "its first key does not begin a line")
        line = f"{indent}{key}: {name}"
        after = behind.region[3] if behind else holder.key[3] if holder.key else first[1] - 1
        if after + 1 < len(self.starts):
            at = self.starts[after + 1]
            return Edit(at, at, line + self._break(after))
        at = len(self.text)
        return Edit(at, at, self._break(after) + line)

    def removed(self, holder: Node, gone: Collection[str]) -> list[Edit]:
        """A mapping without some keys and what is behind them; one at least stays. Raises
        UnwritableError."""
        is_flow = self.text[self._start(holder.region)] == "{"
        remove: Callable[[Node, Node | None, Node | None], Edit]
        remove = self._from_flow if is_flow else self._line
        entries = list(holder.value.items())
        edits: list[Edit] = []
        is_behind = False
        for number, (key, value) in enumerate(entries):
            if key in gone:
                before = entries[number - 1][1] if is_behind else None
                after = entries[number + 1][1] if number + 1 < len(entries) else None
                edits.append(remove(value, before, after))
            else:
                is_behind = True
        return edits

    def _from_flow(self, value: Node, before: Node | None, after: Node | None) -> Edit:
        """Without an entry and the comma in front of it, or behind the first ones."""
        own = self._start(value.key or value.region)
        if before is not None:
            start, end = self._end(before.region), self._end(value.region)
            gap = self.text[start:own]
        else:
            assert after is not None, "one entry stays"
            start, end = own, self._start(after.key or after.region)
            gap = self.text[self._end(value.region) : end]
        if not _GAP.fullmatch(gap):
            raise UnwritableError(value.region, "there is a comment beside it")
        return Edit(start, end, "")

    def _line(self, value: Node, before: Node | None, after: Node | None) -> Edit:
        """Without the lines of an entry in block style."""
        key = value.key or value.region
        first, last = key[1], value.region[3]
        start, end = self.starts[first], self._end(value.region)
        rest = LINE_BREAK.split(self.text[end:], maxsplit=1)[0]
        if self.text[start : self._start(key)].strip(" ") or not _REST.fullmatch(rest):
            raise UnwritableError(value.region, "it has no lines of its own")
        if last + 1 < len(self.starts):
            return Edit(start, self.starts[last + 1], "")
        return Edit(start - len(self._break(first - 1)), len(self.text), "")

    def _break(self, line: int) -> str:
        """What ends a line, or the first one if that is the last."""
        own = self.breaks[line : line + 1] or self.breaks[:1] or ["\n"]
        return own[0] if own[0] in ("\r\n", "\n", "\r") else "\n"

    def _start(self, region: Region) -> int:
        return self.starts[region[1]] + region[2]

    def _end(self, region: Region) -> int:
        return self.starts[region[3]] + region[4]
