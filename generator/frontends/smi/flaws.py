# SPDX-License-Identifier: BSD-3-Clause
"""Flaws of syntax that many modules have, and that would cost whole definitions: read as meant.

Each is a finding at its line. What is changed keeps its length, so everything stays at its place.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Iterable, Iterator

from .source import Source, blank
from .written import Change, changed

_VALUE = (
    r"OBJECT-TYPE|MODULE-IDENTITY|OBJECT-IDENTITY|NOTIFICATION-TYPE|TRAP-TYPE|OBJECT-GROUP|"
    r"NOTIFICATION-GROUP|MODULE-COMPLIANCE|OBJECT[ \t]+IDENTIFIER(?=\s*::=)"
)
_AS_TYPE = re.compile(
    r"(?:\b(?:SYNTAX|OF)\s+(?P<name>[A-Z][\w-]*)|(?<![\w-])(?P<own>[A-Z][\w-]*)\s*::=)"
)
_DEFINED = re.compile(rf"^[ \t]*([A-Z][\w-]*)\s+(?:{_VALUE})\b(?!\s*(?:,|;|FROM\b|MACRO\b))", re.M)
_BELOW = re.compile(r"::=\s*\{\s*([A-Z][\w-]*)\s+[0-9]")
_NUMBERS = re.compile(r"\b(?:INTEGER|BITS|Integer32|Unsigned32)\s*\{([^{}]*)\}")
_LABEL = re.compile(r"(?<![\w-])([A-Z])[\w-]*\s*\(\s*-?[0-9]+\s*\)")
_ROW_TYPE = re.compile(r"(?<![\w-])([a-z][\w-]*)\s*::=\s*SEQUENCE\b")
_ROWS_OF = re.compile(r"\bSEQUENCE\s+OF\s+([a-z][\w-]*)")
_SYNTAX = re.compile(r"\bSYNTAX\s+([a-z][\w-]*)")
_INDEX = re.compile(r"\b(INDEX)\s*\{([^{}]*)\}")
_LISTED = re.compile(r"\b(?:INTEGER|BITS|Integer32|Unsigned32)\s*\{([^{}\"]*)\}")
_ENTRY = re.compile(r"(\s*)([^\s(][^(\n]{0,80}?)\s*\(\s*(-?[0-9]+)\s*\)(\s*)")
_CLOSED = re.compile(r"::=\s*\{[^{}]*\}")
_NAME = re.compile(r"[A-Za-z][\w-]*")
_SIZED = re.compile(r"\bINTEGER\s*\(\s*(SIZE)[ \t]*(\()[0-9.| \t]+(\))\s*\)")
_NO_COMMA = re.compile(r"\)\s*?([ \t])\s*[A-Za-z][\w-]*\s*\(")
_COMMENT = re.compile(r'"[^"]*(?:"|\Z)|(?P<line>^[ \t]*--[^\n]*--[^\n]*)|--[^\n]*', re.M)
_UNQUOTED = re.compile(
    r'\b(?:CONTACT-INFO|ORGANIZATION)\b\s*?([ \t])(?=[^\s"-])[^"]{0,4000}"\s*'
    r"(?:CONTACT-INFO|DESCRIPTION|REVISION)\b"
)
_NO_LINE = re.compile(r"[^\n]")
_WORD = re.compile(r"(?<![\w-])[A-Za-z][\w-]*")
_OCTETS = "OCTET STRING"
_KNOWN = (
    (r"\b((?:OCTECT|OCTETT|OCTEC|OCETT|BIT)[ \t]+STRING)\b", _OCTETS, "'{}' is read as {}"),
    (r"\bSYNTAX\s+(Unsigned64|Integer64)(?=\s*\(\s*SIZE)", _OCTETS, "'{}' is read as {}"),
    (r"\bSYNTAX\s+(Integer32|Unsigned32|Gauge32|Gauge)(?=\s*\{)", "INTEGER",
     "{} has no labels: it is read as {}"),
    (r"\bINTEGER\s*(\(\s*-?[0-9]+\s*\.\.\s*[A-Za-z][\w-]*\s*\))", "",
     "'{}' has a name in it: the range is passed over"),
    (r"\bDEFVAL\s*\{\s*(TRUE)\s*\}", "true", "'{}' is no label: it is read as '{}'"),
    (r"\bDEFVAL\s*\{\s*(FALSE)\s*\}", "false", "'{}' is no label: it is read as '{}'"),
    (r"\b(DEFVAL\s*\{\s*[0-9]+(?:\.[0-9]+)+\s*\})", "",
     "the DEFVAL is no value of SMI: it is passed over"),
    (r"(,)(?=\s*\})", "", "nothing stands behind this comma: it is passed over"),
    (r"[{,]\s*(,)", "", "nothing stands behind this comma: it is passed over"),
)  # fmt: skip
"""Mistakes with a known meaning: group 1 is what is wrong, then what it is read as, and what is
said of the two."""
_QUOTED = re.compile(r'\b(?:INDEX|AUGMENTS)\s*\{\s*(?:"[a-z][\w-]*"\s*,?\s*)+\}')

Said = Callable[[int, int, str], None]
"""Reports a finding: where (in characters), of what length, the message."""


def quoted(source: Source, said: Said) -> str:
    """The text of a module in which the first text about it that has no quote begins with one."""
    text, clean = source.text, ""
    for found in _UNQUOTED.finditer(text, source.start, source.end):
        clean = clean or blank(text[source.start : source.end])
        if clean[found.start() - source.start] != " ":  # else in a text or a comment
            said(found.start(1) + 1, 1, "there is no quote before this text: one is read here")
            return f'{text[: found.start(1)]}"{text[found.end(1) :]}'
    return text


def known(source: Source, said: Said) -> str:
    """The text of a module without the mistakes that are known."""
    text, start, changes = source.text, source.start, dict[int, Change]()
    clean = blank(text[start : source.end])
    for pattern, new, message in _KNOWN:
        for found in re.finditer(pattern, clean):
            old, at = found[1], start + found.start(1)
            if at not in changes:
                said(at, len(old.partition("\n")[0]), message.format(" ".join(old.split()), new))
                changes[at] = Change(at, len(old), f"{new}{_NO_LINE.sub('', old)}" or " ")
    for found in _QUOTED.finditer(text, start, source.end):
        if clean[found.start() - start] != " ":
            said(found.start(), 5, "names stand in quotes here: they are read without")
            changes[found.start()] = Change(
                found.start(), len(found[0]), found[0].replace('"', " ")
            )
    return changed(text, changes.values())


def mended(source: Source, said: Said) -> str:
    """The text of a module in which that is read as it is meant."""
    text, start, end = source.text, source.start, source.end
    clean = blank(text[start:end])
    changes: dict[int, str] = {}
    found = (
        *_capitals(clean), *_labels(clean), *_rows(clean), *_numbers(clean),
        *_types_as_index(clean, source), *_index_by_case(clean, source),
        *_underscores(clean, source),
    )  # fmt: skip
    for place, new, length, message in found:
        if place not in changes:
            changes[place] = new
            if message:
                said(start + place, length, message)
    if not changes:
        return text
    parts: list[str] = []
    done = 0
    for place in sorted(changes):
        if start + place < done:  # inside of what has changed
            continue
        parts += text[done : start + place], changes[place]
        done = start + place + len(changes[place])
    return "".join([*parts, text[done:]])


_Change = tuple[int, str, int, str]
"""Where some letters change, to what; the length of what is meant; what to say, if anything."""


def _capitals(clean: str) -> Iterator[_Change]:
    """Names of values that begin with a capital, which only types may."""
    names = _capital_names(clean)
    if not names:
        return
    types = {found.start(found.lastgroup or 0) for found in _AS_TYPE.finditer(clean)}
    for found in re.finditer(r"(?<![\w-])[A-Z][\w-]*", clean):
        name = found[0]
        if name in names and found.start() not in types:
            small = name[0].lower()
            message = f"'{name}' begins with a capital: it is read as '{small}{name[1:]}'"
            first = names[name] == found.start()
            yield found.start(), small, len(name), message if first else ""


def _capital_names(clean: str) -> dict[str, int]:
    """The names of values that begin with a capital, and where they are defined; an imported one
    is where it is used first."""
    own = {found[1]: found.start(1) for found in _DEFINED.finditer(clean)}
    used = {found[1]: found.start(1) for found in reversed([*_BELOW.finditer(clean)])}
    return used | own


def _labels(clean: str) -> Iterator[_Change]:
    """Labels of numbers that begin with a capital; of an enumeration one is said."""
    for numbers in _NUMBERS.finditer(clean):
        for number, found in enumerate(_LABEL.finditer(clean, numbers.start(1), numbers.end(1))):
            message = "a label begins with a capital: it is read with a small letter"
            yield found.start(), found[1].lower(), 1, "" if number else message


def _rows(clean: str) -> Iterator[_Change]:
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


def _numbers(clean: str) -> Iterator[_Change]:
    """Types of numbers that have labels, which only INTEGER may, or a size; labels without a comma
    between them."""
    for found in _SIZED.finditer(clean):
        yield found.start(1), "    ", 4, "INTEGER has no size: it is read as a range"
        yield from ((found.start(group), " ", 1, "") for group in (2, 3))
    for found in _NUMBERS.finditer(clean):
        for gap in _NO_COMMA.finditer(clean, *found.span(1)):
            yield gap.start(1), ",", 1, "there is no comma between two labels: one is read here"


def _is_type(source: Source, name: str) -> bool:
    return source.definitions[name].macro == "TYPE"


def _types_as_index(clean: str, source: Source) -> Iterator[_Change]:
    """Types in an INDEX, which the first SMI had for instances without an object."""
    values = {name.lower() for name in source.definitions if not _is_type(source, name)}
    for found in _INDEX.finditer(clean):
        names = (name.split()[-1:] for name in found[2].split(","))  # behind IMPLIED
        if any(name and name[0][:1].isupper() and name[0].lower() not in values for name in names):
            message = "the INDEX has types that are no objects: the rows are read without it"
            blanks = _NO_LINE.sub(" ", found[0])
            yield found.start(), blanks, len(found[1]), message


def _index_by_case(clean: str, source: Source) -> Iterator[_Change]:
    """Names in an INDEX that nothing has, but for capitals in them."""
    known = {*source.definitions, *(name for _, names in source.imports.values() for name in names)}
    by_case: dict[str, list[str]] = {}
    for name in (name for name in source.definitions if not _is_type(source, name)):
        by_case.setdefault(name.lower(), []).append(name)
    for found in _INDEX.finditer(clean):
        for word in _WORD.finditer(clean, *found.span(2)):
            like = by_case.get(word[0].lower(), [])
            if word[0] not in known and word[0] != "IMPLIED" and len(like) == 1:
                message = f"'{word[0]}' is not defined: it is read as '{like[0]}'"
                yield word.start(), like[0], len(word[0]), message


def _underscores(clean: str, source: Source) -> Iterator[_Change]:
    """Names with what only names of C can have, or with a hyphen at the end."""
    names = {name for name in source.definitions if "_" in name or name[-1] == "-"}
    for found in _WORD.finditer(clean) if names else ():
        name = found[0]
        if name in names:
            first, *more = filter(None, name.rstrip("-").split("_"))
            new = "".join((first, *(f"{word[0].upper()}{word[1:]}" for word in more)))
            flaw = "holds an underscore" if "_" in name else "ends with a hyphen"
            message = f"'{name}' {flaw}: it is read as '{new}'"
            here = source.definitions[name].start - source.start == found.start()
            yield found.start(), f"{new:{len(name)}}", len(name), message if here else ""


def legible(text: str) -> tuple[str, list[int]]:
    """A text with labels of numbers that can be names, and where that was changed. A line that
    begins as a comment is one, whatever stands behind a second `--`. Lines stay."""
    text = _COMMENT.sub(_line_blanked, text)
    places: list[int] = []

    def relabelled(numbers: re.Match[str]) -> str:
        plain = blank(numbers[1])
        new = ",".join(map(_relabelled, plain.split(",")))
        if new == plain:
            return numbers[0]
        places.append(numbers.start())
        head, _, _ = numbers[0].partition("{")
        return f"{head}{{{new}}}"

    return _LISTED.sub(relabelled, text), places


def _line_blanked(silent: re.Match[str]) -> str:
    return " " * len(silent[0]) if silent["line"] else silent[0]


def _relabelled(entry: str) -> str:
    found = _ENTRY.fullmatch(entry)
    if found is None or _NAME.fullmatch(found[2]):
        return entry
    name = re.sub("-{2,}", "-", re.sub(r"[^A-Za-z0-9_\n-]+", "-", found[2])).strip("-")
    name = name if name[:1].isalpha() else f"v{name}"
    return f"{found[1]}{name[:1].lower()}{name[1:]}({found[3]}){found[4]}"


def without(text: str, source: Source, lines: Iterable[int]) -> str:
    """The text of a module without the definitions that hold some lines (from 1); lines stay."""
    starts = sorted(one.start - source.start for one in source.definitions.values())
    first = source.text.count("\n", 0, source.start)
    ends = [0, *(found.end() for found in re.finditer("\n", text))]
    behind = max(blank(text).rfind("END"), 0) or len(text)
    for line in {*lines}:
        row = line - first
        if not 0 < row <= len(ends):
            continue
        place, last = ends[row - 1], (*ends, len(text))[row]
        number = bisect.bisect_left(starts, last) - 1
        if number < 0:
            continue
        start = starts[number]
        end = starts[number + 1] if number + 1 < len(starts) else max(start, behind)
        closed = _CLOSED.search(text, start, end)
        end = closed.end() if closed else end
        if place <= end:
            text = text[:start] + _NO_LINE.sub(" ", text[start:end]) + text[end:]
    return text
