# SPDX-License-Identifier: BSD-3-Clause
"""The text of SMI modules: which it holds, where each definition is, annotations in comments.

This is not a parser of SMI. It finds what the parsers do not tell: lines, what
a module must hold for nothing to be lost, and what is said to ctrgen in comments
such as `-- ctrgen: sync = per_core`.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...findings.diagnostics import Span
from ..raw import span

_HEADER = re.compile(
    r"(?m)^[^\S\n]*([A-Za-z][\w-]*)\s+(?:\{[^}]{0,200}\}\s*)?(?:PIB-)?DEFINITIONS\s*"
    r"(?:(?:IMPLICIT|EXPLICIT|AUTOMATIC)\s+TAGS\s*)?::=\s*BEGIN\b"
)
_SCAN = re.compile(
    r'(?=["\-:A-Za-z0-9])(?:'  # what none of it starts with is passed over fast
    r'"[^"]*(?:"|\Z)'
    r"|--[^\n]*"
    r"|\b(?:(?P<name>[A-Za-z][\w-]*)\s+(?P<macro>OBJECT-TYPE|MODULE-IDENTITY|OBJECT-IDENTITY"
    r"|NOTIFICATION-TYPE|TRAP-TYPE|OBJECT-GROUP|NOTIFICATION-GROUP|MODULE-COMPLIANCE"
    r"|AGENT-CAPABILITIES|OBJECT\s+IDENTIFIER(?=\s*::=))(?![\w-])(?!\s*(?:,|;|FROM\b|MACRO\b))"
    r"|(?P<type>[A-Z][\w-]*)\s*::="
    r"|FROM\s+(?P<module>[A-Za-z][\w-]*)"
    r"|(?:MAX-)?ACCESS\s+(?P<access>[a-z-]+)"
    r"|SYNTAX\s+(?P<syntax>[A-Za-z][\w-]*))"
    r"|::=\s*\{\s*(?P<above>[a-z][\w-]*)(?=[\s(])"
    r"|(?P<number>-?\d{10,}))"
)
_ANNOTATION = re.compile(r"--\s*ctrgen(?P<more>\+?)\s*:\s*(?P<text>.*?)\s*(?:--\s*)?\Z")
_WORD = re.compile(r"[A-Za-z][\w-]*")
_HEAD_LENGTH = 2000
"""Most characters from the word DEFINITIONS to the end of a head, comments included."""
MACROS = frozenset(["MACRO", "NOTATION"])


@dataclass(slots=True)
class Definition:
    """A definition by its name; `start` counts characters. Empty text is what it does not say."""

    name: str
    macro: str
    start: int
    access: str = ""
    syntax: str = ""
    above: str = ""


@dataclass(frozen=True, slots=True)
class Annotation:
    """What a comment says to ctrgen: the text behind `ctrgen:`, and the definition it is for.

    `owner` is empty for what is said to the module as a whole.
    """

    text: str
    start: int
    owner: str


@dataclass(slots=True)
class Source:
    """One module in a text. `text` is the whole text; positions count from its start.

    `path` names its file in findings.
    """

    name: str
    text: str
    start: int
    end: int
    definitions: dict[str, Definition] = field(default_factory=dict)
    imports: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    annotations: list[Annotation] = field(default_factory=list)
    large: list[tuple[int, str]] = field(default_factory=list)
    twice: list[Definition] = field(default_factory=list)
    alone: bool = True
    path: str = ""
    _lines: list[int] = field(default_factory=list)

    def place(self, start: int) -> tuple[int, int]:
        """Line and column of a position, both from 0."""
        if not self._lines:
            self._lines = [0, *(match.end() for match in re.finditer("\n", self.text))]
        line = bisect.bisect_right(self._lines, start) - 1
        return line, start - self._lines[line]

    def region(self, name: str) -> tuple[int, int, int, int]:
        """Where the name of a definition is; where the module's is, for unknown ones."""
        definition = self.definitions.get(name)
        start = definition.start if definition else self.start
        line, column = self.place(start)
        return (line, column, line, column + len(name if definition else self.name))

    def span(self, start: int, length: int) -> Span:
        """Where some characters on one line are."""
        line, column = self.place(start)
        return span(self.path, (line, column, line, column + length))

    def span_of(self, name: str) -> Span:
        """Where the name of a definition is; where the module's is, for unknown ones."""
        return span(self.path, self.region(name))

    def order(self, name: str) -> tuple[int, str]:
        """A key that sorts definitions as they are in the module."""
        definition = self.definitions.get(name)
        return (definition.start if definition else self.end), name


def looks_like(data: bytes) -> bool:
    """Whether a text is an SMI module rather than a schema: it has the head of one."""
    return b"DEFINITIONS" in data and bool(_heads(data.decode("latin-1")))


def decode(data: bytes) -> str:
    """The text of a module: UTF-8 if it is, else Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def blank(text: str) -> str:
    """A text with comments and strings blanked, everything at its place."""
    pattern = re.compile(r'"[^"]*(?:"|\Z)|--[^\n]*')
    return pattern.sub(lambda m: re.sub(r"[^\n]+", lambda n: " " * len(n[0]), m[0]), text)


def _heads(text: str) -> list[re.Match[str]]:
    """The heads of modules; what is behind the last one is not looked at."""
    last = text.rfind("DEFINITIONS")
    return list(_HEADER.finditer(blank(text[: last + _HEAD_LENGTH]))) if last >= 0 else []


def modules(text: str, path: str = "") -> list[Source]:
    """The modules that the text of a file holds, in order, scanned."""
    heads = _heads(text)
    sources = []
    for number, head in enumerate(heads):
        end = heads[number + 1].start() if number + 1 < len(heads) else len(text)
        start = 0 if number == 0 else head.start(1)
        source = Source(head[1], text, head.start(1), end, alone=len(heads) == 1, path=path)
        _scan(source, start, head.end())
        sources.append(source)
    return sources


def _scan(source: Source, start: int, body: int) -> None:
    current: Definition | None = None
    closed = True
    waiting: list[tuple[str, int]] = []
    position = body
    for comment in _comments(source.text, start, body):
        _annotation(source, comment[0], comment.start(), waiting, None)
    while (match := _SCAN.search(source.text, position, source.end)) is not None:
        position = match.end()
        kind = match.lastgroup
        if match[0].startswith("--"):
            owner = None if closed or current is None else current.name
            _annotation(source, match[0], match.start(), waiting, owner)
        elif kind in ("macro", "type"):
            current = _definition(source, match, kind)
            closed = False
            _settle(source, waiting, current)
            position = match.end()
        elif kind == "module":
            source.imports.setdefault(match["module"], (match.start("module"), []))
        elif kind == "number":
            if abs(int(match[0])) > 2**32 - 1:
                source.large.append((match.start(), match[0]))
        elif kind is not None and current is not None:
            if not getattr(current, kind):
                setattr(current, kind, match[kind])
            closed = closed or kind == "above"
    source.annotations += [Annotation(text, at, "") for text, at in waiting]
    _symbols(source, body)


def _comments(text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    return re.compile(r"--[^\n]*").finditer(text, start, end)


def _annotation(
    source: Source, comment: str, start: int, waiting: list[tuple[str, int]], owner: str | None
) -> None:
    match = _ANNOTATION.match(comment)
    if match is None:
        return
    if match["more"]:
        if owner is None and waiting:
            text, at = waiting.pop()
            waiting.append((_continued(text, match["text"]), at))
        elif source.annotations:
            last = source.annotations.pop()
            text = _continued(last.text, match["text"])
            source.annotations.append(Annotation(text, last.start, last.owner))
    elif owner is None:
        waiting.append((match["text"], start))
    else:
        source.annotations.append(Annotation(match["text"], start, owner))


def _continued(text: str, more: str) -> str:
    """A text and what goes on with it: behind a space, or where a word was cut by a backslash."""
    return text[:-1] + more if text.endswith("\\") else f"{text} {more}"


def _settle(source: Source, waiting: list[tuple[str, int]], current: Definition) -> None:
    owner = "" if current.macro == "MODULE-IDENTITY" else current.name
    source.annotations += [Annotation(text, at, owner) for text, at in waiting]
    waiting.clear()


def _definition(source: Source, match: re.Match[str], kind: str) -> Definition:
    name = match["name"] if kind == "macro" else match["type"]
    macro = " ".join(match["macro"].split()) if kind == "macro" else "TYPE"
    definition = Definition(name, macro, match.start())
    if name not in MACROS:
        if name in source.definitions and source.definitions[name].macro != "TYPE":
            source.twice.append(definition)
        else:
            source.definitions[name] = definition
    return definition


def _symbols(source: Source, body: int) -> None:
    """What is imported from each module."""
    last = max((at for at, _ in source.imports.values()), default=body)
    clean = blank(source.text[body : last + 80])
    match = re.search(r"\bIMPORTS\b", clean)
    if match is None:
        source.imports.clear()
        return
    part = clean[match.end() :].partition(";")[0]
    for chunk in re.finditer(r"([^;]*?)\bFROM\s+([A-Za-z][\w-]*)", part):
        if chunk[2] in source.imports:
            source.imports[chunk[2]][1].extend(_WORD.findall(chunk[1]))
    used = set(re.findall(r"\bFROM\s+([A-Za-z][\w-]*)", part))
    for name in [name for name in source.imports if name not in used]:
        del source.imports[name]


def cycle(source: Source) -> list[str]:
    """Names of definitions that are made from each other, or nothing."""
    edges: dict[str, str] = {}
    for definition in source.definitions.values():
        to = definition.syntax if definition.macro == "TYPE" else definition.above
        if to in source.definitions:
            edges[definition.name] = to
    done: set[str] = set()
    for name in edges:
        path: list[str] = []
        while name in edges and name not in done:
            done.add(name)
            path.append(name)
            name = edges[name]
        if name in path:
            return path[path.index(name) :]
    return []
