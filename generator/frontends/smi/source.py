# SPDX-License-Identifier: BSD-3-Clause
"""The text of SMI modules: which it holds, where each definition is, annotations in comments.

This is not a parser of SMI. It finds what the parsers do not tell: lines, what
a module must hold for nothing to be lost, and what is said to ctrgen in comments
such as `-- ctrgen: sync = per_core`.
"""

from __future__ import annotations

import bisect
import codecs
import re
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter

from ...findings.diagnostics import Span
from ..raw import Region, span

_HEADER = re.compile(
    r"(?m)^[^\S\n]*([A-Za-z][\w-]*)\s+(?:\{[^}]{0,200}\}\s*)?(?:PIB-)?DEFINITIONS\s*"
    r"(?:(?:IMPLICIT|EXPLICIT|AUTOMATIC)\s+TAGS\s*)?::=\s*BEGIN\b"
)
_SCAN = re.compile(
    r'(?=["\-:A-Za-z])(?:'  # what none of it starts with is passed over fast
    r'"[^"]*(?:"|\Z)'
    r"|--[^\n]*"
    r"|\b(?:(?P<name>[A-Za-z][\w-]*)\s+(?P<macro>OBJECT-TYPE|MODULE-IDENTITY|OBJECT-IDENTITY"
    r"|NOTIFICATION-TYPE|TRAP-TYPE|OBJECT-GROUP|NOTIFICATION-GROUP|MODULE-COMPLIANCE"
    r"|AGENT-CAPABILITIES|OBJECT\s+IDENTIFIER(?=(?:\s|--[^\n]*\n)*::=))(?![\w-])(?!\s*(?:,|;|FROM\b|MACRO\b))"
    r"|(?P<type>[A-Z][\w-]*)\s*::=(?!\s*[0-9{])"
    r"|FROM\s+(?P<module>[A-Za-z][\w-]*)"
    r"|(?:MAX-)?ACCESS\s+(?P<access>[a-z-]+)"
    r"|SYNTAX\s+(?P<syntax>[A-Za-z][\w-]*))"
    r"|::=\s*\{\s*(?P<above>[a-z][\w-]*)(?=[\s(]))"
)
_ANNOTATION = re.compile(r"--\s*ctrgen(?P<more>\+?)\s*:\s*(?P<text>.*?)\s*(?:--\s*)?\Z")
_IMPORTED = re.compile(r"([^;]*?)\bFROM\s+([A-Za-z][\w-]*)")
_WORD = re.compile(r"[A-Za-z][\w-]*")
_SILENT = re.compile(r'"[^"]*(?:"|\Z)|--[^\n]*')
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WORD_OF_HEAD = "DEFINITIONS"
_HEAD_FROM = re.compile(rf"{_WORD_OF_HEAD}(?:\s|--[^\n]*\n|[A-Z]+\s+TAGS\b)*::=")
"""What a head goes on with; comments and texts may look alike."""
_HEAD_LENGTH = 2000
"""Most characters from the word DEFINITIONS to the end of a head, comments included."""
_IMPORTS_FIRST, _IMPORTS_LENGTH = 2_000, 20_000
"""Characters from there to the end of the imports, mostly and at most."""
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


@dataclass(slots=True)
class Annotation:
    """What a comment says to ctrgen: the text behind `ctrgen:`, and the definition it is for.

    `owner` is empty for what is said to the module as a whole.
    """

    text: str
    start: int
    owner: str = ""


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
    twice: list[Definition] = field(default_factory=list)
    path: str = ""
    _lines: list[int] = field(default_factory=list)

    def place(self, start: int, length: int) -> Region:
        """Where some characters on one line are."""
        if not self._lines:
            self._lines = [0, *(match.end() for match in re.finditer("\n", self.text))]
        line = bisect.bisect_right(self._lines, start) - 1
        column = start - self._lines[line]
        return (self.path, line, column, line, column + length)

    def region(self, name: str) -> Region:
        """Where the name of a definition is; where the module's is, for unknown ones."""
        if name in self.definitions:
            return self.place(self.definitions[name].start, len(name))
        return self.place(self.start, len(self.name))

    def span(self, start: int, length: int) -> Span:
        """Where some characters on one line are, as findings have it."""
        return span(self.place(start, length))

    def span_of(self, name: str) -> Span:
        """The region of a name, as findings have it."""
        return span(self.region(name))

    def parent(self, name: str) -> tuple[str, str]:
        """The imported node that a definition is right below, and its module; empty for others."""
        definition = self.definitions.get(name)
        if definition is None or not definition.above:
            return "", ""
        end = re.compile(r"::=\s*\{([^}]*)\}").search(blank(self.text), definition.start)
        alone = end is not None and re.fullmatch(r"\s*\S+\s+[0-9]+\s*", end[1])
        for module, (_, symbols) in self.imports.items() if alone else ():
            if definition.above in symbols:
                return definition.above, module
        return "", ""

    def top(self, name: str) -> str:
        """What the OID of a definition begins with: what the module does not define itself."""
        for _ in range(len(self.definitions)):  # else it is below itself
            above = self.definitions[name].above if name in self.definitions else ""
            if not above:
                break
            name = above
        return name

    def order(self, name: str) -> tuple[int, str]:
        """A key that sorts definitions as they are in the module."""
        definition = self.definitions.get(name)
        return (definition.start if definition else self.end), name


def looks_like(data: bytes) -> bool:
    """Whether a text is an SMI module rather than a schema: it has the head of one."""
    text = decode(data)
    return _WORD_OF_HEAD in text and bool(_heads(text))


def decode(data: bytes) -> str:
    """The text of a module: UTF-16 with a byte order mark, UTF-8 if it can be, else Latin-1."""
    try:
        return data.decode("utf-16" if data[:2] in _UTF16 else "utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def blank(text: str) -> str:
    """A text with comments and strings blanked, everything at its place."""
    return _SILENT.sub(_spaces, text)


def _spaces(silent: re.Match[str]) -> str:
    return "\n".join(" " * len(line) for line in silent[0].split("\n"))


def _heads(text: str) -> list[re.Match[str]]:
    """The heads of modules; what is behind the last one is not looked at."""
    last = text.rfind(_WORD_OF_HEAD)
    while last >= 0 and not _HEAD_FROM.match(text, last):
        last = text.rfind(_WORD_OF_HEAD, 0, last)
    return list(_HEADER.finditer(blank(text[: last + _HEAD_LENGTH]))) if last >= 0 else []


def headed(text: str) -> list[tuple[str, str]]:
    """The names of the modules in a text, each with what begins behind its head, without comments
    and strings, as far as its imports go."""
    heads = _heads(text)
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return [
        (head[1], _imports(text[head.end() : min(end, head.end() + _IMPORTS_LENGTH)]))
        for head, end in zip(heads, ends, strict=False)
    ]


def part(text: str, name: str) -> str:
    """The module of that name in the text of several; all of it if it is not there."""
    heads = _heads(text)
    ends = [*(head.start() for head in heads[1:]), len(text)]
    parts = {head[1]: text[head.start() : end] for head, end in zip(heads, ends, strict=False)}
    return parts.get(name, text)


def _imports(text: str) -> str:
    first = blank(text[:_IMPORTS_FIRST])
    return first if ";" in first else blank(text)


def modules(text: str, path: str = "") -> list[Source]:
    """The modules that the text of a file holds, in order, scanned."""
    heads = _heads(text)
    ends = [*(head.start() for head in heads[1:]), len(text)]
    sources: list[Source] = []
    for head, end in zip(heads, ends, strict=False):
        source = Source(head[1], text, head.start(1), end, path=path)
        _Scan(source).run(head.start(1) if sources else 0, head.end())
        sources.append(source)
    return sources


class _Scan:
    """Fills in a source; `settled` is how many annotations, from the first on, have an owner."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.settled = 0

    def run(self, start: int, body: int) -> None:
        """Scan a module from before its head, and its body from `body`."""
        source = self.source
        current: Definition | None = None
        closed = True
        for comment in re.compile(r"--[^\n]*").finditer(source.text, start, body):
            self._annotation(comment)
        for match in _SCAN.finditer(source.text, body, source.end):
            kind = match.lastgroup
            if match[0].startswith("--"):
                self._annotation(match)
                if current is not None and not closed:
                    self._settle(current.name)
            elif kind in ("macro", "type"):
                current, closed = self._definition(match), False
                self._settle("" if current.macro == "MODULE-IDENTITY" else current.name)
            elif kind == "module":
                source.imports.setdefault(match["module"], (match.start("module"), []))
            elif kind is not None and current is not None:
                if not getattr(current, kind):
                    setattr(current, kind, match[kind])
                closed = closed or kind == "above"
        self._settle("")
        self._symbols(body)

    def _annotation(self, comment: re.Match[str]) -> None:
        match, annotations = _ANNOTATION.match(comment[0]), self.source.annotations
        if match is None:
            return
        if not match["more"]:
            annotations.append(Annotation(match["text"], comment.start()))
        elif annotations:
            before = annotations[-1].text
            before = before[:-1] if before.endswith("\\") else f"{before} "
            annotations[-1].text = before + match["text"]

    def _settle(self, owner: str) -> None:
        for annotation in self.source.annotations[self.settled :]:
            annotation.owner = owner
        self.settled = len(self.source.annotations)

    def _definition(self, match: re.Match[str]) -> Definition:
        name, definitions = match["name"] or match["type"], self.source.definitions
        macro = " ".join((match["macro"] or "TYPE").split())
        definition = Definition(name, macro, match.start())
        if name in definitions and definitions[name].macro != "TYPE":
            self.source.twice.append(definition)
        elif name not in MACROS:
            definitions[name] = definition
        return definition

    def _symbols(self, body: int) -> None:
        """Fill in what is imported from each module."""
        imports = self.source.imports
        last = max((at for at, _ in imports.values()), default=body)
        clean = blank(self.source.text[body : last + 80])
        part = re.split(r"\bIMPORTS\b", clean, maxsplit=1)[1:]
        used = set()
        for chunk in _IMPORTED.finditer(part[0].partition(";")[0] if part else ""):
            used.add(chunk[2])
            if chunk[2] in imports:
                imports[chunk[2]][1].extend(_WORD.findall(chunk[1]))
        for name in imports.keys() - used:
            del imports[name]


def cycle(source: Source) -> list[str]:
    """Names of definitions that are made from each other, the first one last again, or nothing."""
    made = TopologicalSorter(dict.fromkeys(source.definitions, ()))
    for definition in source.definitions.values():
        of = definition.syntax if definition.macro == "TYPE" else definition.above
        if of in source.definitions:
            made.add(of, definition.name)
    try:
        made.prepare()
    except CycleError as error:
        names: list[str] = error.args[1]
        return names
    return []
