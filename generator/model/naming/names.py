# SPDX-License-Identifier: BSD-3-Clause
"""The C names of one thing, made from patterns."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from enum import Enum
from itertools import chain, count
from typing import NamedTuple

from ...findings.diagnostics import Span
from .. import ir
from ..types import TYPES


def after(base: str, keys: str) -> dict[str, str]:
    """Patterns by key: each key after a base, such as `P_init`."""
    return {key: f"{base}_{key}" for key in keys.split()}


def _patterns(base: str, keys: str) -> frozenset[str]:
    return frozenset(after(base, keys).values())


NAMED = (
    frozenset(["S", "S_X", "P_update_U", "P_update_U_bulk", "P_batch_U"])
    | _patterns("S", "read lcore_read reset reset_all view_read view_reset valid MAX")
    | _patterns("S", "create alloc destroy destroy_with trim exists next init embedded lcore_get_X")
    | _patterns("S", "snapshot_lcore")
    | _patterns("S", "X_set X_withdraw limit_X")
    | frozenset(["P_update_U_try", "P_update_U_try_bulk", "P_batch_U_try"])
    | _patterns("S", "key key_set key_get key_find key_X key_X_labels")
    | _patterns("S", "key_create key_end key_stock key_next")
    | _patterns("L", "index labels MAX")
    | {"I_observe_X", "S_X_bucket", "S_X_histogram"}
    | {f"I_{verb}_X" for kind in ir.Kind for verb in kind.accessors}
    | {f"I_{verb}_X" for row in TYPES.values() for verb in row.accessors}
)
"""Those that applications know by names in the schema: they stay as they are."""

EARLY = _patterns(
    "P",
    """init fini flush try_flush burst_end hint_flush poll quiescent reset read_lock read_unlock
    drops late""",
)
"""Functions of the module itself that can be declared before all structs."""

PUBLIC = (
    EARLY
    | _patterns(
        "P",
        """batch batch_begin batch_end snapshot snapshot_create snapshot_read snapshot_reset
    snapshot_free snapshot_ask snapshot_ask_reset module view end_ops""",
    )
    | _patterns("S", "instances creations_refused crossed crossed_next")
)
"""Those of the module itself that applications know, and of its reports about a scope."""

BESIDE = EARLY | {"P_module"}
"""Those of them that may have the name of a struct. g++ warns (-Wshadow) of a function that is
declared behind a struct of its name, not of a variable."""

STRUCTS = frozenset(["S", "S_valid", "S_embedded", "S_key", "P_batch", "P_snapshot", "P_end_ops"])
ENUMS = frozenset(["S_X", "S_key_X", "P_view", "L_index"])
"""Tags among those that applications know."""

HISTOGRAM = {
    "update": "I_observe_X", "bucket": "S_X_bucket", "histogram": "S_X_histogram",
    "bounds": "S_X_bounds",
}  # fmt: skip
"""Names of a histogram `X`; `I` is `P` for one of global, else `S`."""

OBSERVED = after("S", "X_non_lcore X_record X_run_record")
"""Name of an observation where a strategy defers it, or another thread applies it."""

OBSERVES = HISTOGRAM | {key.removeprefix("X_"): name for key, name in OBSERVED.items()}
"""All names of a histogram."""


@functools.cache
def facts(key: str, pattern: str) -> tuple[Use, str, bool]:
    """Of a name its use, its tag, and whether a struct may have the same one."""
    use = Use.PUBLIC if pattern in PUBLIC else Use.OWN
    if pattern in NAMED or key == "CONSTANT":
        use = Use.NAMED
    tag = "struct" if pattern in STRUCTS else "enum" if pattern in ENUMS else ""
    return use, tag, pattern in BESIDE


RISKY_SCOPES = frozenset(name.removeprefix("P_") for name in PUBLIC - BESIDE) | {"lcore"}
"""Generated names that a scope should not have: it would rename functions that applications call.
"""

RISKY_ITEMS = frozenset(name.removeprefix("S_") for name in STRUCTS - {"S_key"})
"""Generated names that an item should not have: a scope has them, too."""

SUFFIX = "_own"
"""Suffix of a generated name that the schema uses, too; a number follows if that is taken."""

Moves = Mapping[tuple[str, str, str], str]
"""Generated names that were renamed: the new one by subject, key and original name."""


class Use(Enum):
    """The users of a name: applications, under a name from the schema or a fixed one, or none."""

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
    """New names of those that collide with the schema; the order of `symbols` does not matter."""
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


class UndeclaredNameError(Exception):
    """A template asks for a C name that is not declared; the message says which."""


class Names:
    """The C names of one thing by key, as attributes (for templates) or as items; `moves` has
    those that were renamed. Raises UndeclaredNameError."""

    def __init__(
        self, owner: str, span: Span, patterns: Mapping[str, str],
        moves: Callable[[], Moves] = dict, **parts: str,
    ) -> None:  # fmt: skip
        self._owner, self._span, self._patterns, self._parts = owner, span, patterns, parts
        self._moves = moves

    def symbols(self) -> Iterator[Symbol]:
        """All of the names, before any is renamed."""
        owner, span, parts = self._owner, self._span, self._parts
        for key, form, use in _prepared(tuple(self._patterns.items()), tuple(parts)):
            name = form.format_map(parts) if parts else form
            yield Symbol(name.upper() if key.isupper() else name, owner, span, key, *use)

    def _name(self, key: str, pattern: str) -> str:
        name = _format(pattern, *self._parts).format_map(self._parts) if self._parts else pattern
        return name.upper() if key.isupper() else name

    def __getitem__(self, key: str) -> str:
        if key not in self._patterns:
            known = ", ".join(self._patterns)
            message = f"no C name '{key}' is declared for {self._owner}: there are {known}"
            raise UndeclaredNameError(message)
        name = self._name(key, self._patterns[key])
        return self._moves().get((self._owner, key, name), name)

    def __getattr__(self, key: str) -> str:
        if key.startswith("_"):
            raise AttributeError(key)
        name = self.__dict__[key] = self[key]  # where it is found the next time
        return name


@functools.cache
def _prepared(
    patterns: tuple[tuple[str, str], ...], parts: tuple[str, ...]
) -> list[tuple[str, str, tuple[Use, str, bool]]]:
    """Keys with their format strings and facts: the same for all items of a kind."""
    return [(key, _format(pattern, *parts), facts(key, pattern)) for key, pattern in patterns]


@functools.cache
def _format(pattern: str, *parts: str) -> str:
    """A pattern as a format string: some of its words are parts."""
    return "_".join(f"{{{word}}}" if word in parts else word for word in pattern.split("_"))
