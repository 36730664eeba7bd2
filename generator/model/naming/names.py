# SPDX-License-Identifier: BSD-3-Clause
"""The C names of one thing, made from patterns."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping

from ...findings.diagnostics import Span
from .moves import Moves, Symbol
from .uses import facts


class UndeclaredNameError(Exception):
    """A template asks for a C name that is not declared; the message says which."""


class Names:
    """The C names of one thing by key, as attributes (for templates) or as items.
    Raises UndeclaredNameError."""

    def __init__(self, owner: str, span: Span, patterns: Mapping[str, str], **parts: str) -> None:
        self._owner, self._span, self._patterns, self._parts = owner, span, patterns, parts
        self._moves: Moves = {}

    def settled(self, moves: Moves) -> Names:
        """The same, with what some of the names are called instead."""
        if moves:
            self._moves = moves
        return self

    def symbols(self) -> Iterator[Symbol]:
        """Every one of the names."""
        for key, pattern in self._patterns.items():
            yield Symbol(self[key], self._owner, self._span, key, *facts(key, pattern))

    def __getitem__(self, key: str) -> str:
        try:
            pattern = self._patterns[key]
        except KeyError:
            known = ", ".join(self._patterns)
            message = f"no C name '{key}' is declared for {self._owner}: there are {known}"
            raise UndeclaredNameError(message) from None
        name = _format(pattern, *self._parts).format_map(self._parts) if self._parts else pattern
        name = name.upper() if key.isupper() else name
        return self._moves.get((self._owner, key, name), name) if self._moves else name

    def __getattr__(self, key: str) -> str:
        if key.startswith("_"):
            raise AttributeError(key)
        name = self.__dict__[key] = self[key]  # where it is found the next time
        return name


@functools.cache
def _format(pattern: str, *parts: str) -> str:
    """A pattern as a format string: some of its words are parts."""
    return "_".join(f"{{{word}}}" if word in parts else word for word in pattern.split("_"))
