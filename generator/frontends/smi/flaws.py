# SPDX-License-Identifier: BSD-3-Clause
"""Flaws of syntax that many modules have, and that would cost whole definitions: read as meant.

Each is a finding at its line. What is changed keeps its length, so everything stays at its place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from .source import blank

_VALUE = (
    r"OBJECT-TYPE|MODULE-IDENTITY|OBJECT-IDENTITY|NOTIFICATION-TYPE|TRAP-TYPE|OBJECT-GROUP|"
    r"NOTIFICATION-GROUP|MODULE-COMPLIANCE|OBJECT[ \t]+IDENTIFIER(?=\s*::=)"
)
_DEFINED = re.compile(rf"^[ \t]*([A-Z][\w-]*)\s+(?:{_VALUE})\b(?!\s*(?:,|;|FROM\b|MACRO\b))", re.M)
_TYPE = re.compile(r"\b([A-Z][\w-]*)\s*::=")
_NUMBERS = re.compile(r"\b(?:INTEGER|BITS|Integer32|Unsigned32)\s*\{([^{}]*)\}")
_LABEL = re.compile(r"\b([A-Z])[\w-]*\s*\(\s*-?[0-9]+\s*\)")
_ROW_TYPE = re.compile(r"\b([a-z][\w-]*)\s*::=\s*SEQUENCE\b")
_ROWS_OF = re.compile(r"\bSEQUENCE\s+OF\s+([a-z][\w-]*)")
_SYNTAX = re.compile(r"\bSYNTAX\s+([a-z][\w-]*)")
_COMMA = re.compile(r",(?=\s*\})|(?<=[{,])(\s*),")

Said = Callable[[int, int, str], None]
"""Reports a finding: where (in characters), of what length, the message."""


def mended(text: str, start: int, end: int, said: Said) -> str:
    """A text in which a module, from `start` to `end`, is read as it is meant."""
    clean = blank(text[start:end])
    changes: dict[int, str] = {}
    found = (*_capitals(clean), *_labels(clean), *_commas(clean), *_rows(clean))
    for place, new, length, message in found:
        if place not in changes:
            changes[place] = new
            if message:
                said(start + place, length, message)
    if not changes:
        return text
    letters = list(text)
    for place, new in changes.items():
        letters[start + place] = new
    return "".join(letters)


Change = tuple[int, str, int, str]
"""Where a letter changes, to what; the length of the name; what to say, once for each name."""


def _capitals(clean: str) -> Iterator[Change]:
    """Names of values that begin with a capital, which only types may."""
    types = {*_TYPE.findall(clean)}
    names = {found[1]: found.start(1) for found in _DEFINED.finditer(clean)}
    names = {name: place for name, place in names.items() if name not in types}
    if not names:
        return
    for found in re.finditer(r"(?<![\w-])[A-Z][\w-]*", clean):
        name = found[0]
        if name in names:
            small = name[0].lower()
            message = f"'{name}' begins with a capital: it is read as '{small}{name[1:]}'"
            first = names[name] == found.start()
            yield found.start(), small, len(name), message if first else ""


def _labels(clean: str) -> Iterator[Change]:
    """Labels of numbers that begin with a capital; of an enumeration one is said."""
    for numbers in _NUMBERS.finditer(clean):
        for number, found in enumerate(_LABEL.finditer(clean, numbers.start(1), numbers.end(1))):
            message = "a label begins with a capital: it is read with a small letter"
            yield found.start(), found[1].lower(), 1, "" if number else message


def _rows(clean: str) -> Iterator[Change]:
    """Types of rows that begin with a small letter, as the row itself does."""
    rows = {found[1] for found in _ROW_TYPE.finditer(clean)}
    for pattern in (_ROW_TYPE, _ROWS_OF, _SYNTAX):
        for found in pattern.finditer(clean):
            name, capital = found[1], found[1][:1].upper()
            if pattern is not _SYNTAX or name in rows:
                message = (
                    f"the type '{name}' begins with a small letter: it is read as '{capital}...'"
                )
                yield found.start(1), capital, len(name), message if pattern is _ROW_TYPE else ""


def _commas(clean: str) -> Iterator[Change]:
    """Commas behind which nothing is listed."""
    for found in _COMMA.finditer(clean):
        yield found.end() - 1, " ", 1, "nothing stands behind this comma: it is passed over"
