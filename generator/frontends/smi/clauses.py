# SPDX-License-Identifier: BSD-3-Clause
"""The clauses of definitions in the text of a module: of notifications, groups and compliances
(RFC 2578, 8; RFC 2580), and of OBJECT-IDENTITY. smidump does not write all of them.
"""

import re
from typing import NamedTuple

from .source import Definition, Source

_TOKEN = re.compile(
    r"--[^\n]*|\"[^\"]*\"|'[^'\n]*'[HhBb]?|::=|\.\.|-?[0-9]+|[A-Za-z]\w*(?:-\w+)*|\S"
)
_NAME = re.compile(r"[a-z][\w-]*\Z")
_MODULE = re.compile(r"[A-Z][\w-]*\Z")
_NEXT = ("SYNTAX", "WRITE-SYNTAX", "MIN-ACCESS", "DESCRIPTION", "OBJECT", "GROUP", "MODULE", "::=")
"""Tokens that may follow a type in a compliance."""
_LISTS = ("OBJECTS", "NOTIFICATIONS", "VARIABLES", "MANDATORY-GROUPS")
_TYPES = ("SYNTAX", "WRITE-SYNTAX")
_WORDS = ("STATUS", "ENTERPRISE", "GROUP", "OBJECT", "MIN-ACCESS")
_TEXTS = ("DESCRIPTION", "REFERENCE")


class Clause(NamedTuple):
    """A clause: its keyword, and a word or a text as the only one of `words`, or the names of a
    list, or the tokens of a type. A MODULE clause has the module's name, if any."""

    keyword: str
    words: tuple[str, ...]

    @property
    def word(self) -> str:
        """The only word; empty for none."""
        return self.words[0] if self.words else ""


def clauses(source: Source, definition: Definition) -> list[Clause]:
    """The clauses of a definition, as far as they can be read."""
    end = definition.start + len(definition.body)
    text = source.text[definition.start : end]
    found, tokens = [], [token for token in _TOKEN.findall(text) if not token.startswith("--")]
    at = 2  # behind its name and the macro
    while at < len(tokens) and tokens[at] != "::=":
        keyword = tokens[at]
        at += 1
        if keyword in _LISTS:
            names, at = _list(tokens, at)
            found.append(Clause(keyword, names))
        elif keyword in _TYPES:
            start = at
            while at < len(tokens) and (at == start or tokens[at] not in _NEXT):
                at += 1  # the first word is part of the type: OBJECT IDENTIFIER
            found.append(Clause(keyword, tuple(tokens[start:at])))
        elif keyword == "MODULE":
            name = tokens[at] if at < len(tokens) else ""
            named = _MODULE.match(name) is not None and name not in _LISTS + _WORDS
            found.append(Clause(keyword, (name,) if named else ()))
            at += named
        elif keyword in _TEXTS and at < len(tokens) and tokens[at][0] == '"':
            found.append(Clause(keyword, (tokens[at][1:-1],)))
            at += 1
        elif keyword in _WORDS and at < len(tokens) and tokens[at][0].isalpha():
            found.append(Clause(keyword, (tokens[at],)))
            at += 1
    return found


def _list(tokens: list[str], at: int) -> tuple[tuple[str, ...], int]:
    """The names in braces (`MODULE::name` where qualified), and the index after the list."""
    names: list[str] = []
    if tokens[at : at + 1] != ["{"]:
        return (), at
    at += 1
    while at < len(tokens) and tokens[at] != "}":
        if _MODULE.match(tokens[at]) and tokens[at + 1 : at + 2] == ["."]:
            names.append(f"{tokens[at]}::{tokens[at + 2]}" if at + 2 < len(tokens) else "")
            at += 2
        elif _NAME.match(tokens[at]):
            names.append(tokens[at])
        at += 1
    return tuple(filter(None, names)), at + 1
