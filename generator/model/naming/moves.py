# SPDX-License-Identifier: BSD-3-Clause
"""Which generated names step aside for those that users chose, and what they are then called.

C keeps tags (`struct x`, `enum x`) apart from functions and variables, and so does C++ for code
that always writes `struct`: what applications know moves only for a name of its own kind.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from itertools import chain, count
from typing import NamedTuple

from ...findings.diagnostics import Span

SUFFIX = "_own"
"""Stands behind a name that stepped aside; a number follows where that is taken, too."""

Moves = Mapping[tuple[str, str, str], str]
"""What names that stepped aside are called: by what they are for, their key, and their own name."""


class Use(Enum):
    """Who knows a name: applications by what a schema calls things, applications anyway, nobody."""

    NAMED = "made of names in the schema; it stays as it is"
    PUBLIC = "of the module itself"
    OWN = "only generated code has it"


class Symbol(NamedTuple):
    """A generated C name, what it is generated for, and where that was written."""

    name: str
    owner: str
    span: Span
    key: str
    use: Use
    tag: str = ""
    """`struct` or `enum`; empty for functions, variables, constants and macros."""
    beside: bool = False
    """Whether a struct may have the same name."""


def settle(symbols: Sequence[Symbol]) -> Moves:
    """New names of those that have to step aside; the order of `symbols` makes no difference."""
    named = [symbol for symbol in symbols if symbol.use is Use.NAMED]
    tags = {symbol.name for symbol in named if symbol.tag}
    functions = {symbol.name for symbol in named if not symbol.tag}
    own = [symbol for symbol in symbols if symbol.use is not Use.NAMED]
    names = Counter([symbol.name for symbol in own])
    if len(names) == len(own) and tags.isdisjoint(names) and functions.isdisjoint(names):
        return {}
    taken = {*tags, *functions, *names}
    moves: dict[tuple[str, str, str], str] = {}
    met: set[str] = set()
    for symbol in sorted(own, key=_rank):
        in_tags = symbol.name in tags and not symbol.beside
        if in_tags or symbol.name in functions or symbol.name in met:
            free = moves[symbol.owner, symbol.key, symbol.name] = _free(symbol.name, taken)
            taken.add(free)
        met.add(symbol.name)
    return moves


def _rank(symbol: Symbol) -> tuple[str, bool, str, str]:
    """Among names that are alike the first one stays."""
    return symbol.name, symbol.use is Use.OWN, symbol.owner, symbol.key


def _free(name: str, taken: Set[str]) -> str:
    """The first free name of the series `x_own`, `x_own2`, `x_own3` ...; capitals stay capitals."""
    suffix = SUFFIX.upper() if name.isupper() else SUFFIX
    series = chain([f"{name}{suffix}"], (f"{name}{suffix}{number}" for number in count(2)))
    return next(free for free in series if free not in taken)
