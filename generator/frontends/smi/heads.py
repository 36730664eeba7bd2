# SPDX-License-Identifier: BSD-3-Clause
"""The head of a module, its identity and its end: without one of them the tools read nothing."""

from __future__ import annotations

import re

from .source import Source, blank
from .written import Change, Said, changed

_CLAUSES = ("LAST-UPDATED", "ORGANIZATION", "CONTACT-INFO", "DESCRIPTION")
_CLAUSE = re.compile(rf'\b({"|".join(_CLAUSES)}|REVISION)\s*"[^"]*"(?:\s|--[^\n]*\n)*')
_END = re.compile(r"^[^\S\n]*END\b|\}\s*END\b", re.M)
_OLD = "197001010000Z"
"""When a module was changed of which nothing says it: before all revisions."""


def whole(source: Source, said: Said) -> str:
    """The text of a module with a name that begins with a capital, and with an end."""
    start, end, name, changes = source.start, source.end, source.name, list[Change]()
    if name[0].islower():
        capital = name[0].upper()
        message = f"the name of the module begins with a small letter: it is read as '{capital}...'"
        said(start, len(name), message, "begin it with a capital")
        changes.append(Change(start, 1, capital))
    if not _END.search(source.text, start, end):
        said(start, len(name), "the module does not end: it is read up to here", "add `END`")
        changes.append(Change(end, 0, "\nEND\n"))
    return changed(source.text, changes)


def identified(source: Source, said: Said) -> str:
    """The text of a module whose identity has all clauses that it needs, in their order."""
    identity = next((d for d in source.definitions.values() if d.macro == "MODULE-IDENTITY"), None)
    if identity is None:
        return source.text
    first = source.text.index("MODULE-IDENTITY", identity.start) + len("MODULE-IDENTITY")
    found: dict[str, str] = {}
    clause = _CLAUSE.search(source.text, first, source.end)
    begin = end = clause.start() if clause else first
    if blank(source.text[first:begin]).strip():
        return source.text
    while clause and clause[1] not in found and clause[1] != "REVISION":
        found[clause[1]], end = clause[0], clause.end()
        clause = _CLAUSE.match(source.text, end, source.end)
    missing = [keyword for keyword in _CLAUSES if keyword not in found]
    if list(found) == [*_CLAUSES] or not found:
        return source.text
    if missing:
        message = f"'{identity.name}' has no {', '.join(missing)}: it is read without"
    else:
        message = f"the clauses of '{identity.name}' are in another order: they are read in theirs"
    said(identity.start, len(identity.name), message, f"the order is {', '.join(_CLAUSES)}")
    texts = {"LAST-UPDATED": _OLD}
    new = (found.get(word, f'{word} "{texts.get(word, "")}" ') for word in _CLAUSES)
    return changed(source.text, [Change(begin, end - begin, "".join(new))])
