# SPDX-License-Identifier: BSD-3-Clause
"""Repairs the text of a module: syntax that smidump would reject with all that follows.

Each repair is a finding at its line; lines stay lines. `KNOWN` has the mistakes that a regular
expression finds.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ...findings.diagnostics import Span
from ...findings.suggest import nearest
from ...publish import standard
from .model import OF_SMI
from .source import NO_LINE, Source, modules

_MODULES = {
    **standard.TYPES,
    **standard.INDEXES,
    **dict.fromkeys((*standard.ROOTS.values(), "zeroDotZero"), standard.SMI),
    **dict.fromkeys(("Counter", "Gauge", "NetworkAddress"), "RFC1155-SMI"),
}
"""The modules of names that modules use without importing them."""
_FIRST = dict.fromkeys(
    ("org", "dod", "internet", "directory", "mgmt", "experimental", "private", "enterprises",
     "TimeTicks", "IpAddress", "Opaque"),
    "RFC1155-SMI",
)  # fmt: skip
_FIRST_SMI = frozenset(["RFC1155-SMI", "RFC1065-SMI", "RFC-1212"])
_BUILT_IN = frozenset(
    ["INTEGER", "OCTET", "OBJECT", "BITS", "BIT", "SEQUENCE", "SET", "CHOICE", "NULL", "ANY"]
)
KNOWN = (
    (r"\bSYNTAX\s+(Integer32|Unsigned32|Gauge32|Gauge)(?=\s*\{)", "INTEGER",
     "{} has no labels: it is read as {}"),
    (r"\bSYNTAX\s+(UInteger32)(?![\w-])", "Unsigned32", "{} of RFC 1442 is read as {}"),
    (r"(,)(?=\s*\})", "", "nothing follows this comma: it is ignored"),
    (r"[{,]\s*(,)", "", "nothing follows this comma: it is ignored"),
)  # fmt: skip
"""Mistakes with a known meaning: group 1 is the mistake, then its replacement, and the message
about the two."""

_MACRO = (
    r"(?:OBJECT-TYPE|MODULE-IDENTITY|OBJECT-IDENTITY|NOTIFICATION-TYPE|TRAP-TYPE|OBJECT-GROUP|"
    r"NOTIFICATION-GROUP|MODULE-COMPLIANCE|OBJECT[ \t]+IDENTIFIER(?=\s*::=))\b"
    r"(?!\s*(?:,|;|FROM\b|MACRO\b))"
)
_DEFINED = re.compile(rf"^[ \t]*(?:([A-Za-z][\w-]*)\s+{_MACRO}|([A-Z]\w*_[\w-]*)\s*::=)", re.M)
_BELOW = re.compile(r"::=\s*\{\s*([A-Z][\w-]*)\s+[0-9]")
_AS_TYPE = re.compile(
    r"(?:\b(?:SYNTAX|OF)\s+(?P<name>[A-Z][\w-]*)|(?<![\w-])(?P<own>[A-Z][\w-]*)\s*::=)"
)
_WORD = re.compile(r"(?<![\w-])[A-Za-z][\w-]*")
_NAME = re.compile(r"[a-z][A-Za-z0-9-]*")
_NUMBERS = re.compile(r"\b(?:INTEGER|BITS|Integer32|Unsigned32)\s*\{([^{}]*)\}")
_NO_COMMA = re.compile(r"\)(?=\s+[A-Za-z][\w-]*\s*\()")
_ENTRY = re.compile(r"(\s*)([^\s(][^(\n]{0,80}?)\s*\(\s*(-?[0-9]+)\s*\)(\s*)")
_INDEX = re.compile(r"\b(?:INDEX|AUGMENTS)\b")
_COLUMN = re.compile(r"::=\s*SEQUENCE\s*\{\s*([a-z][\w-]*)")
_COMMENT = re.compile(r'"[^"]*(?:"|\Z)|(?P<line>^[ \t]*--[^\n]*--[^\n]*)|--[^\n]*', re.M)
_USED = re.compile(
    r"\bSYNTAX\s+(?P<type>[A-Za-z][\w-]*)|::=\s*\{\s*(?P<node>[a-z][\w-]*)"
    r"|\b(?:INDEX|AUGMENTS)\s*\{(?P<index>[^{}]*)\}"
)

Report = Callable[[str, Span, str, str], object]
"""Reports a finding: its rule, location, message and hint."""


class Repair(NamedTuple):
    """A change of the text at a position, on as many lines; `message`: empty if another has it."""

    start: int
    old: str
    new: str
    message: str = ""
    hint: str = ""


def _changed(text: str, repairs: Iterable[Repair]) -> str:
    """A text with some changes, without those inside of another one."""
    parts: list[str] = []
    done = 0
    for repair in sorted(repairs):
        if repair.start >= done:
            parts += text[done : repair.start], repair.new
            done = repair.start + len(repair.old)
    return "".join([*parts, text[done:]])


def repaired(source: Source, report: Report) -> Source:
    """The module as it is intended: first its syntax, then the names that it uses."""
    for find in (_syntax, _names_used):
        changes: dict[int, Repair] = {}
        for repair in find(source):
            if changes.setdefault(repair.start, repair) is repair and repair.message:
                where = source.span(repair.start, max(len(repair.old.partition("\n")[0]), 1))
                report("import-syntax", where, repair.message, repair.hint)
        if changes:
            again = modules(_changed(source.text, changes.values()), source.path)
            source = next((other for other in again if other.start == source.start), source)
    return source


def _syntax(source: Source) -> Iterator[Repair]:
    clean = source.clean
    for pattern, new, message in KNOWN:
        for found in re.finditer(pattern, clean):
            old, intended = found[1], found.expand(new)
            text = message.format(" ".join(old.split()), intended)
            yield Repair(found.start(1), old, intended + NO_LINE.sub("", old), text)
    yield from _names(clean)
    yield from _labels(clean)


def _names(clean: str) -> Iterator[Repair]:
    """Names of values that begin with a capital, hold an underscore or end with a hyphen."""
    first = {found[1]: found.start(1) for found in reversed([*_BELOW.finditer(clean)])}
    for found in _DEFINED.finditer(clean):
        name = found[1] or found[2]
        if not _NAME.fullmatch(name) or name[-1] == "-":
            first[name] = found.start(found.lastindex or 0)
    if not first:
        return
    types = {found.start(found.lastgroup or 0) for found in _AS_TYPE.finditer(clean)}
    for word in _WORD.finditer(clean):
        name, start = word[0], word.start()
        if name not in first:
            continue
        begin, *more = filter(None, name.rstrip("-").split("_"))
        new = "".join((begin, *(f"{part[0].upper()}{part[1:]}" for part in more)))
        new = new if start in types else f"{new[0].lower()}{new[1:]}"
        flaw = "holds an underscore" if "_" in name else "ends with a hyphen"
        flaw = "begins with a capital" if name[0].isupper() else flaw
        message = f"'{name}' {flaw}: it is read as '{new}'" if first[name] == start else ""
        if new != name:
            yield Repair(start, name, new, message)


def _labels(clean: str) -> Iterator[Repair]:
    """Labels that are no names, or have no comma between them."""
    for numbers in _NUMBERS.finditer(clean):
        entries = _NO_COMMA.sub("),", numbers[1]).split(",")
        if len(entries) > 1 and not entries[-1].strip():
            entries[-2:] = ["".join(entries[-2:])]
        new = ",".join(_label(entry) for entry in entries)
        if new != numbers[1]:
            message = "labels here are no names with commas between them: they are read as such"
            hint = "a label has letters, digits and hyphens, and begins with a small letter"
            yield Repair(numbers.start(1), numbers[1], new, message, hint)


def _label(entry: str) -> str:
    found = _ENTRY.fullmatch(entry)
    if found is None:
        return entry
    name = found[2]
    if not _WORD.fullmatch(name) or "_" in name:
        name = re.sub("-{2,}", "-", re.sub(r"[^A-Za-z0-9_\n-]+", "-", name)).strip("-")
        name = name if name[:1].isalpha() else f"v{name}"
    name = f"{name[:1].lower()}{name[1:]}"
    return entry if name == found[2] else f"{found[1]}{name}({found[3]}){found[4]}"


def _names_used(source: Source) -> Iterator[Repair]:
    """Imports of the common names that a module uses, unless it has such a name of its own."""
    imported = source.origins().keys()
    known = imported | source.definitions.keys() | _BUILT_IN
    old = bool(_FIRST_SMI & source.imports.keys()) or "MAX-ACCESS" not in source.clean
    modules_ = {**_MODULES, **(_FIRST if old else {})}
    needed: dict[str, str] = {}
    for kind, name, start in _uses(source.clean):
        defined = source.definitions.get(name) if kind == "type" else None
        if name in known and (defined is None or defined.macro == "TYPE"):
            continue
        known |= {name}
        if name in modules_ and name not in source.definitions:
            needed[name] = module = modules_[name]
            message = f"'{name}' is not imported: it is read from '{module}'"
            hint = f"import it: `{name} FROM {module}`"
            yield Repair(start, name, name, message, hint)
        elif kind == "type" and name not in OF_SMI:
            message = f"no module defines the type '{name}'"
            match = nearest(name, [*modules_, *OF_SMI, *source.definitions])
            hint = f"did you mean '{match}'?" if match else "define it, or import it"
            yield Repair(start, name, name, message, hint)
    if needed:
        yield _added(source, needed)


def _uses(clean: str) -> Iterator[tuple[str, str, int]]:
    """Types, nodes and indexes in definitions, each with its position."""
    for use in _USED.finditer(clean):
        kind = use.lastgroup or ""
        for word in _WORD.finditer(clean, *use.span(kind)):
            yield kind, word[0], word.start()


def _added(source: Source, needed: dict[str, str]) -> Repair:
    """Imports of some names from their modules, after the other imports."""
    text = "".join(f" {name} FROM {module}" for name, module in needed.items())
    ends = [start + len(name) for name, (start, _) in source.imports.items()]
    if not ends:
        begin = re.compile(r"\bBEGIN\b").search(source.clean, source.start)
        return Repair(begin.end() if begin else source.start, "", f" IMPORTS{text};")
    end = source.clean.find(";", max(ends))
    return Repair(end if end >= 0 else max(ends), "", text)


def with_index(source: Source) -> tuple[str, set[str]]:
    """The text of a module with an INDEX in every row, the first column; and rows without one.

    The first SMI had none, and smidump writes rows only with one.
    """
    rows, changes = set[str](), list[Repair]()
    for row in source.definitions.values():
        sequence, end = source.definitions.get(row.syntax), row.body.find("::=")
        column = _COLUMN.search(sequence.body) if sequence else None
        if row.macro == "OBJECT-TYPE" and column and end > 0 and not _INDEX.search(row.body):
            changes.append(Repair(row.start + end, "", f"INDEX {{ {column[1]} }} "))
            rows.add(row.name)
    return _changed(source.text[: source.end], changes), rows


def repaired_text(text: str, name: str) -> str:
    """The module of that name in a text, repaired without a report."""
    found = next((source for source in modules(text) if source.name == name), None)
    if found is None:
        return text
    found = repaired(found, lambda *_: None)
    return legible(found.text[found.start : found.end])


def legible(text: str) -> str:
    """A text in which a line that begins as a comment is one, also after a second `--`."""
    return _COMMENT.sub(lambda found: " " * len(found[0]) if found["line"] else found[0], text)
