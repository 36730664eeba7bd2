# SPDX-License-Identifier: BSD-3-Clause
"""Names of the module itself that step aside for names in the schema (docs/naming.md)."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Span
from ...model import ir
from ...model.naming import symbols
from ...model.naming.moves import Use
from ..model import ERROR, changes
from ..pairs import Change, Changes, Comparison


@changes(
    ("name-moved", ERROR, "c-api c-abi",
     "A name of the module itself has stepped aside for a new name in the schema, or is back.",
     "Call the new scope or update otherwise."),
)  # fmt: skip
def names(c: Comparison) -> Changes:
    if c.old.name != c.new.name:
        return  # all names are others
    for what, old, new, span in _moved(c):
        yield Change("name-moved", span, new, f"{what} '{old}' is now called '{new}'")


def _moved(c: Comparison) -> Iterator[tuple[str, str, str, Span]]:
    """What a thing is, its old and its new name, and the place of what took the old one."""
    before, now = _public(c.old), _public(c.new)
    every = symbols.symbols(c.new)
    for (tag, key), name in now.items():
        old = before.get((tag, key), name)
        if old != name:
            takers = [s.span for s in every if s.name == old and s.use is Use.NAMED]
            yield tag or "function", old, name, (takers or [c.new.span])[0]
    scopes = {scope.name: scope.span for scope in c.new.scopes}
    member = "the snapshot's member"
    for old, name in _members(c):
        if old != name:
            yield member, old, name, scopes.get(old, c.new.span)
    apart = [
        [symbols.counting(module, scope).lcore_get for scope in module.scopes if _counts(scope)]
        for module in (c.old, c.new)
    ]
    if all(apart) and apart[0] != apart[1]:
        span = scopes.get("lcore", c.new.span)
        yield "function", f"{apart[0][0]}...", f"{apart[1][0]}...", span


def _public(module: ir.Module) -> dict[tuple[str, str], str]:
    """The names of the module that applications use, by tag and key."""
    names = symbols.of_module(module)
    return {(s.tag, s.key): names[s.key] for s in names.symbols() if s.use is Use.PUBLIC}


def _members(c: Comparison) -> Iterator[tuple[str, str]]:
    """Members of the snapshot beside values, as (old, new), of scopes that both versions have."""
    pairs = [(None, None), *((a, b) for a, b in c.scopes.pairs if a.name == b.name and b.items)]
    for before, now in pairs:
        embedded = ir.Storage.EMBEDDED in {scope.storage for scope in (before, now) if scope}
        if not embedded:
            old, new = symbols.of_snapshot(c.old, before), symbols.of_snapshot(c.new, now)
            kept = {symbol.key for symbol in old.symbols()}
            yield from ((old[s.key], new[s.key]) for s in new.symbols() if s.key in kept)


def _counts(scope: ir.Scope) -> bool:
    return scope.name == ir.GLOBAL and any(item.kind.accumulates for item in scope.items)
