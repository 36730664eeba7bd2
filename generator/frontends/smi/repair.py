# SPDX-License-Identifier: BSD-3-Clause
"""Repairs the text of a module: names that it uses and does not import, rows without INDEX. Each
repair is a finding at its line; lines stay lines."""

import re
from collections.abc import Callable, Iterable, Iterator

from ...findings.diagnostics import Span
from ...publish import standard
from .model import OF_SMI
from .source import Source, modules

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
_WORD = re.compile(r"(?<![\w-])[A-Za-z][\w-]*")
_INDEX = re.compile(r"\b(?:INDEX|AUGMENTS)\b")
_COLUMN = re.compile(r"::=\s*SEQUENCE\s*\{\s*([a-z][\w-]*)")
_COMMENT = re.compile(r'"[^"]*(?:"|\Z)|(?P<line>^[ \t]*--[^\n]*--[^\n]*)|--[^\n]*', re.M)
_USED = re.compile(
    r"\bSYNTAX\s+(?P<type>[A-Za-z][\w-]*)|::=\s*\{\s*(?P<node>[a-z][\w-]*)"
    r"|\b(?:INDEX|AUGMENTS)\s*\{(?P<index>[^{}]*)\}"
)

Report = Callable[[str, Span, str, str], object]
"""Reports a finding: its rule, location, message and hint."""


def repaired(source: Source, report: Report) -> Source:
    """The module with imports of the common names that it uses, unless it has such a name of its
    own. What it does not import, and what nothing defines, is reported."""
    known = source.origins().keys() | source.definitions.keys() | _BUILT_IN
    old = bool(_FIRST_SMI & source.imports.keys()) or "MAX-ACCESS" not in source.clean
    homes = {**_MODULES, **(_FIRST if old else {})}
    needed: dict[str, str] = {}
    for kind, name, start in _uses(source.clean):
        defined = source.definitions.get(name) if kind == "type" else None
        if name in known and (defined is None or defined.macro == "TYPE"):
            continue
        known |= {name}
        where = source.span(start, len(name))
        if name in homes and name not in source.definitions:
            needed[name] = home = homes[name]
            message = f"'{name}' is not imported: it is read from '{home}'"
            report("import-syntax", where, message, f"import it: `{name} FROM {home}`")
        elif kind == "type" and name not in OF_SMI:
            hint = "define it, or import it from the module that does"
            report("import-syntax", where, f"no module defines the type '{name}'", hint)
    if not needed:
        return source
    again = modules(_inserted(source.text, [_imports(source, needed)]), source.path)
    return next((other for other in again if other.start == source.start), source)


def _inserted(text: str, additions: Iterable[tuple[int, str]]) -> str:
    """A text with some more at positions of it."""
    for start, more in sorted(additions, reverse=True):
        text = text[:start] + more + text[start:]
    return text


def _uses(clean: str) -> Iterator[tuple[str, str, int]]:
    """Types, nodes and indexes in definitions, each with its position."""
    for use in _USED.finditer(clean):
        kind = use.lastgroup or ""
        for word in _WORD.finditer(clean, *use.span(kind)):
            yield kind, word[0], word.start()


def _imports(source: Source, needed: dict[str, str]) -> tuple[int, str]:
    """Imports of some names from their modules, and where they are added: after the others."""
    text = "".join(f" {name} FROM {module}" for name, module in needed.items())
    ends = [start + len(name) for name, (start, _) in source.imports.items()]
    if not ends:
        begin = re.compile(r"\bBEGIN\b").search(source.clean, source.start)
        return begin.end() if begin else source.start, f" IMPORTS{text};"
    end = source.clean.find(";", max(ends))
    return end if end >= 0 else max(ends), text


def with_index(source: Source) -> tuple[str, set[str]]:
    """The text of a module with an INDEX in every row, the first column; and rows without one.

    The first SMI had none, and smidump writes rows only with one.
    """
    rows: dict[str, tuple[int, str]] = {}
    for row in source.definitions.values():
        sequence, end = source.definitions.get(row.syntax), row.body.find("::=")
        column = _COLUMN.search(sequence.body) if sequence else None
        if row.macro == "OBJECT-TYPE" and column and end > 0 and not _INDEX.search(row.body):
            rows[row.name] = row.start + end, f"INDEX {{ {column[1]} }} "
    return _inserted(source.text[: source.end], rows.values()), {*rows}


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
