# SPDX-License-Identifier: BSD-3-Clause
"""Flaws of syntax that many modules have, and that would cost whole definitions: read as meant.

Each is a finding at its line. Lines stay lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .source import Source, blank
from .written import NO_LINE, Change, Said, changed, values

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
_ENTRY = re.compile(r"(\s*)([^\s(][^(\n]{0,80}?)\s*\(\s*(-?[0-9]+)\s*\)(\s*)")
_CLOSED = re.compile(r"::=\s*\{[^{}]*\}")
_NAME = re.compile(r"[A-Za-z][\w-]*")
_NO_COMMA = re.compile(r"\)\s*?([ \t])\s*[A-Za-z][\w-]*\s*\(")
_COMMENT = re.compile(r'"[^"]*(?:"|\Z)|(?P<line>^[ \t]*--[^\n]*--[^\n]*)|--[^\n]*', re.M)
_UNQUOTED = re.compile(
    r'\b(?:CONTACT-INFO|ORGANIZATION)\b\s*?([ \t])(?=[^\s"-])[^"]{0,4000}"\s*'
    r"(?:CONTACT-INFO|DESCRIPTION|REVISION)\b"
)
_WORD = re.compile(r"(?<![\w-])[A-Za-z][\w-]*")
_OCTETS = "OCTET STRING"
_KNOWN = (
    (r"\b((?:OCTECT|OCTETT|OCTEC|OCETT|BIT)[ \t]+STRING)\b", _OCTETS, "'{}' is read as {}"),
    (r"\bSYNTAX\s+(Unsigned64|Integer64)(?=\s*\(\s*SIZE)", _OCTETS, "'{}' is read as {}"),
    (r"\bSYNTAX\s+(Integer32|Unsigned32|Gauge32|Gauge)(?=\s*\{)", "INTEGER",
     "{} has no labels: it is read as {}"),
    (r"\bINTEGER\s*(\(\s*SIZE\s*(\([0-9.| \t]+\))\s*\))", r"\2",
     "INTEGER has no size: it is read as a range"),
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


def quoted(source: Source, said: Said) -> str:
    """The text of a module in which the first text about it that has no quote begins with one, and
    names in an INDEX have none."""
    text, start = source.text, source.start
    clean, changes = "", list[Change]()
    for pattern in (_UNQUOTED, _QUOTED):
        for found in pattern.finditer(text, start, source.end):
            clean = clean or blank(text[start : source.end])
            if clean[found.start() - start] == " ":  # in a text or a comment
                continue
            if pattern is _QUOTED:
                said(found.start(), 5, "names stand in quotes here: they are read without")
                new = found[0].replace('"', " ")
                changes.append(Change(found.start(), len(new), new))
            else:
                said(found.start(1) + 1, 1, "there is no quote before this text: one is read here")
                changes.append(Change(found.start(1), 1, '"'))
                break
    return changed(text, changes)


def mended(source: Source, said: Said) -> str:
    """The text of a module in which that is read as it is meant."""
    start, changes = source.start, dict[int, Change]()
    clean = blank(source.text[start : source.end])
    for place, old, new, message in (
        *_known(clean), *_capitals(clean), *_labels(clean), *_rows(clean), *_no_commas(clean),
        *_types_as_index(clean, source), *_index_by_case(clean, source),
        *_underscores(clean, source),
    ):  # fmt: skip
        if place not in changes:
            changes[place] = Change(start + place, len(old), new)
            if message:
                said(start + place, len(old.partition("\n")[0]), message)
    return changed(source.text, changes.values())


_Change = tuple[int, str, str, str]
"""Where some text is, that, what it is read as; what to say, if anything."""


def _known(clean: str) -> Iterator[_Change]:
    for pattern, new, message in _KNOWN:
        for found in re.finditer(pattern, clean):
            old, meant = found[1], found.expand(new)
            text = message.format(" ".join(old.split()), meant)
            yield found.start(1), old, meant + NO_LINE.sub("", old), text


def _capitals(clean: str) -> Iterator[_Change]:
    """Names of values that begin with a capital, which only types may."""
    names = _capital_names(clean)
    if not names:
        return
    types = {found.start(found.lastgroup or 0) for found in _AS_TYPE.finditer(clean)}
    for found in re.finditer(r"(?<![\w-])[A-Z][\w-]*", clean):
        name = found[0]
        if name in names and found.start() not in types:
            small = f"{name[0].lower()}{name[1:]}"
            message = f"'{name}' begins with a capital: it is read as '{small}'"
            first = names[name] == found.start()
            yield found.start(), name, small, message if first else ""


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
            yield found.start(), found[1], found[1].lower(), "" if number else message


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
                said = message if pattern is _ROW_TYPE else ""
                yield found.start(1), name, f"{capital}{name[1:]}", said


def _no_commas(clean: str) -> Iterator[_Change]:
    """Labels without a comma between them."""
    for found in _NUMBERS.finditer(clean):
        for gap in _NO_COMMA.finditer(clean, *found.span(1)):
            message = "there is no comma between two labels: one is read here"
            yield gap.start(1), gap[1], ",", message


def _is_type(source: Source, name: str) -> bool:
    return source.definitions[name].macro == "TYPE"


def _types_as_index(clean: str, source: Source) -> Iterator[_Change]:
    """Types in an INDEX, which the first SMI had for instances without an object."""
    values = {name.lower() for name in source.definitions if not _is_type(source, name)}
    for found in _INDEX.finditer(clean):
        names = (name.split()[-1:] for name in found[2].split(","))  # behind IMPLIED
        if any(name and name[0][:1].isupper() and name[0].lower() not in values for name in names):
            message = "the INDEX has types that are no objects: the rows are read without it"
            yield found.start(), found[0], NO_LINE.sub(" ", found[0]), message


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
                yield word.start(), word[0], like[0], message


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
            yield found.start(), name, f"{new:{len(name)}}", message if here else ""


def relabelled(source: Source, said: Said) -> str:
    """The text of a module in which labels of numbers can be names."""
    start, changes = source.start, list[Change]()
    for numbers in _NUMBERS.finditer(blank(source.text[start : source.end])):
        new = ",".join(map(_relabelled, numbers[1].split(",")))
        if new != numbers[1]:
            message = "labels here are no names: they are read with - for what cannot be in one"
            said(start + numbers.start(), 1, message)
            changes.append(Change(start + numbers.start(1), len(numbers[1]), new))
    return changed(source.text, changes)


def legible(text: str) -> str:
    """A text in which a line that begins as a comment is one, whatever stands behind a second `--`.
    Lines stay."""
    return _COMMENT.sub(_line_blanked, text)


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
    spans: list[tuple[int, int]] = []
    for value in (all_ := values(source)):
        start, closed = value.definition.start, _CLOSED.search(value.body)
        end = closed.end() if closed else len(value.body)
        if value is all_[-1] and not closed:
            end = max(value.body.rfind("END"), 0)
        spans.append((start, start + end))
    rows = [(source.span(start, 1).line, source.span(end, 1).line) for start, end in spans]
    for line in {*lines}:
        held = [at for at, (first, last) in zip(spans, rows, strict=True) if first <= line <= last]
        for start, end in held[-1:]:
            begin, behind = start - source.start, end - source.start
            text = text[:begin] + NO_LINE.sub(" ", text[begin:behind]) + text[behind:]
    return text
