# SPDX-License-Identifier: BSD-3-Clause
"""The text of SMI modules: the definitions in it, and changes of it.

This is not a parser of SMI. It finds what the parser does not report: lines, and what a module must
hold for nothing to be lost.
"""

import bisect
import codecs
import re
from dataclasses import dataclass, field
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from operator import attrgetter

from ...findings.diagnostics import Span
from ..raw import Region, span

_HEADER = re.compile(
    r"(?m)^[^\S\n]*([A-Za-z][\w-]*)\s+(?:\{[^}]{0,200}\}\s*)?(?:PIB-)?DEFINITIONS\s*"
    r"(?:(?:IMPLICIT|EXPLICIT|AUTOMATIC)\s+TAGS\s*)?::=\s*BEGIN\b"
)
_SCAN = re.compile(
    r'(?=["\-:A-Za-z])(?:'  # fast rejection by the first character
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
_IMPORTED = re.compile(r"([^;]*?)\bFROM\s+([A-Za-z][\w-]*)")
_WORD = re.compile(r"[A-Za-z][\w-]*")
_SILENT = re.compile(r'"[^"]*(?:"|\Z)|--[^\n]*')
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_WORD_OF_HEAD = "DEFINITIONS"
_HEAD_FROM = re.compile(rf"{_WORD_OF_HEAD}(?:\s|--[^\n]*\n|[A-Z]+\s+TAGS\b)*::=")
"""The rest of a module head; comments and texts may look alike."""
_HEAD_LENGTH = 2000
"""Most characters from the word DEFINITIONS to the end of a head, comments included."""
_VALUE = re.compile(r"::=\s*\{\s*([A-Za-z][\w-]*)([^{}]*)\}")
_SEQUENCE = re.compile(r"[A-Za-z][\w-]*\s*::=\s*SEQUENCE\b")
_IMPORTS_FIRST, _IMPORTS_LENGTH = 2_000, 20_000
"""Characters from there to the end of the imports, mostly and at most."""
NO_LINE = re.compile(r"[^\n]")
MACROS = frozenset(["MACRO", "NOTATION"])


@dataclass(slots=True)
class Definition:
    """A definition by its name; `start` counts characters. Texts are empty for missing clauses.

    `body` is the text from `start` without comments and strings.
    """

    name: str
    macro: str
    start: int
    access: str = ""
    syntax: str = ""
    above: str = ""
    body: str = ""


@dataclass
class Source:
    """One module in a text. `text` is the whole text; positions count from its start.

    `path` names its file in findings. `twice` are further definitions of a name.
    """

    name: str
    text: str
    start: int
    end: int
    definitions: dict[str, Definition] = field(default_factory=dict)
    imports: dict[str, tuple[int, list[str]]] = field(default_factory=dict)
    twice: list[Definition] = field(default_factory=list)
    path: str = ""

    @cached_property
    def clean(self) -> str:
        """The text up to the end of the module; other modules, comments and strings are blank."""
        return _spaces(self.text[: self.start]) + blank(self.text[self.start : self.end])

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    def place(self, start: int, length: int) -> Region:
        """The region of some characters on one line."""
        line = bisect.bisect_right(self._lines, start) - 1
        column = start - self._lines[line]
        return (self.path, line, column, line, column + length)

    def region(self, name: str) -> Region:
        """The region of the name of a definition; that of the module's name for unknown ones."""
        if name in self.definitions:
            return self.place(self.definitions[name].start, len(name))
        return self.place(self.start, len(self.name))

    def span(self, start: int, length: int) -> Span:
        """The region of some characters on one line, as findings have it."""
        return span(self.place(start, length))

    def span_of(self, name: str) -> Span:
        """The region of a name, as findings have it."""
        return span(self.region(name))

    def parent(self, name: str) -> tuple[str, str]:
        """The imported node directly above a definition, and its module; empty for others."""
        definition = self.definitions.get(name)
        found = _VALUE.search(definition.body) if definition else None
        alone = found is not None and re.fullmatch(r"\s*[0-9]+\s*", found[2])
        for module, (_, symbols) in self.imports.items() if alone else ():
            if found and found[1] in symbols:
                return found[1], module
        return "", ""

    def origins(self) -> dict[str, str]:
        """The modules of imported names."""
        return {symbol: name for name, (_, names) in self.imports.items() for symbol in names}

    def is_row(self, definition: Definition) -> bool:
        """Whether an object is a row: its type is a SEQUENCE of the module."""
        sequence = self.definitions.get(definition.syntax)
        typed = sequence is not None and _SEQUENCE.match(sequence.body) is not None
        return typed and definition.macro == "OBJECT-TYPE"

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
    """A text with comments and strings blanked, of the same length and lines."""
    return _SILENT.sub(lambda silent: _spaces(silent[0]), text)


def _spaces(text: str) -> str:
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _heads(text: str) -> list[re.Match[str]]:
    """The heads of modules; what is behind the last one is not looked at."""
    last = text.rfind(_WORD_OF_HEAD)
    while last >= 0 and not _HEAD_FROM.match(text, last):
        last = text.rfind(_WORD_OF_HEAD, 0, last)
    return list(_HEADER.finditer(blank(text[: last + _HEAD_LENGTH]))) if last >= 0 else []


def _split(text: str) -> list[tuple[re.Match[str], int]]:
    """The heads of the modules in a text, each with the end of its module."""
    heads = _heads(text)
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return list(zip(heads, ends, strict=False))


def headed(text: str) -> list[tuple[str, str]]:
    """The names of the modules in a text, each with what begins behind its head, without comments
    and strings, as far as its imports go."""
    return [
        (head[1], _imports(text[head.end() : min(end, head.end() + _IMPORTS_LENGTH)]))
        for head, end in _split(text)
    ]


def part(text: str, name: str) -> str:
    """The module of that name in the text of several; the whole text if it is not there."""
    parts = {head[1]: text[head.start() : end] for head, end in _split(text)}
    return parts.get(name, text)


def _imports(text: str) -> str:
    first = blank(text[:_IMPORTS_FIRST])
    return first if ";" in first else blank(text)


def modules(text: str, path: str = "") -> list[Source]:
    """The modules that the text of a file holds, in order, scanned."""
    sources: list[Source] = []
    for head, end in _split(text):
        source = Source(head[1], text, head.start(1), end, path=path)
        _scan(source, head.end())
        sources.append(source)
    return sources


def _scan(source: Source, body: int) -> None:
    """Fill in the definitions and imports of a module whose body begins at `body`."""
    current: Definition | None = None
    for match in _SCAN.finditer(source.text, body, source.end):
        kind = match.lastgroup
        if kind in ("macro", "type"):
            current = _definition(source, match)
        elif kind == "module":
            source.imports.setdefault(match["module"], (match.start("module"), []))
        elif kind is not None and current is not None and not getattr(current, kind):
            setattr(current, kind, match[kind])
    found = sorted((*source.definitions.values(), *source.twice), key=attrgetter("start"))
    ends = [*(definition.start for definition in found[1:]), source.end]
    for definition, end in zip(found, ends, strict=False):
        definition.body = source.clean[definition.start : end]
    _symbols(source, body)


def _definition(source: Source, match: re.Match[str]) -> Definition:
    name = match["name"] or match["type"]
    definition = Definition(name, " ".join((match["macro"] or "TYPE").split()), match.start())
    known = source.definitions.get(name)
    if known is not None and known.macro != "TYPE":
        source.twice.append(definition)
    elif name not in MACROS:
        source.definitions[name] = definition
    return definition


def _symbols(source: Source, body: int) -> None:
    """Fill in the names that are imported from each module."""
    imports = source.imports
    last = max((start for start, _ in imports.values()), default=body)
    part = re.split(r"\bIMPORTS\b", source.clean[body : last + 80], maxsplit=1)[1:]
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
