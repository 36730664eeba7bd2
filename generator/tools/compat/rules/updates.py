# SPDX-License-Identifier: BSD-3-Clause
"""Rules about inline code in applications: updates, names, strategies; and the header, where other
rules find nothing that breaks objects."""

import re
from collections.abc import Iterable, Iterator, Mapping

from ....backends import Options
from ....backends.c import BACKEND
from ....findings.diagnostics import Span
from ....model import ir
from ....model.naming import symbols
from ....model.naming.names import Use
from ....model.strategies.catalogue import all_strategies
from ..model import ERROR, WARNING, changes
from ..pairs import Change, Changes, Comparison, subject, was

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

Item = tuple[str, str]
Items = Mapping[Item, Item]
"""Items by scope and name, with those that they have in the new version."""


@changes(
    ("update-removed", ERROR, "c-api c-abi",
     "The functions of an update were removed.",
     "Keep it, with `add` of what remains."),
    ("update-signature", ERROR, "c-api c-abi",
     "Calls of the update no longer compile, or pass the wrong thing.",
     "Add an update of another name."),
    ("update-effect", WARNING, "c-abi semantics",
     "The same event changes other items, or by other amounts; the code is inline in callers.",
     "Update the descriptions, and rebuild what includes the header."),
)  # fmt: skip
def updates(c: Comparison) -> Changes:
    def changed(rule: str, update: ir.Update, span: Span, message: str) -> Change:
        return Change(rule, span, f"updates.{update.name}", f"update '{update.name}' {message}")

    for gone in c.updates.gone:
        yield changed("update-removed", gone, c.new.span, f"({was(gone.span)}) was removed")
    for old, new in c.updates.pairs:
        indexes = [_index(old, name, c.new_index) for name in old.indexes]
        taken = [_index(new, name, {}) for name in new.indexes]
        if indexes != taken:
            message = f"took the indexes {_listed(indexes)}, now takes {_listed(taken)}"
            yield changed("update-signature", new, new.span, message)
            continue  # another call altogether
        if _arguments_differ(old, new):
            span = c.after.place("update", new.name).at("args")
            message = f"took {_typed(old)}, now takes {_typed(new)}"
            yield changed("update-signature", new, span, message)
        else:
            yield from _effects(c, old, new)


def _index(update: ir.Update, name: str, renamed: Mapping[str, str]) -> str:
    """Meaning of an index parameter of an update, by the present names of levels."""
    level = update.roles.get(name, name)
    return renamed.get(level, level) + ("[..]" if name in update.lists else "")


def _arguments_differ(old: ir.Update, new: ir.Update) -> bool:
    """Whether calls must change: other types, or the same names at other places."""
    if [arg.type for arg in old.arguments] != [arg.type for arg in new.arguments]:
        return True
    before = {arg.name: n for n, arg in enumerate(old.arguments)}
    return any(before.get(arg.name, n) != n for n, arg in enumerate(new.arguments))


def _listed(names: Iterable[str]) -> str:
    return f"({', '.join(names)})"


def _typed(update: ir.Update) -> str:
    return _listed(f"{arg.type} {arg.name}" for arg in update.arguments)


def _effects(c: Comparison, old: ir.Update, new: ir.Update) -> Changes:
    """Items of both versions that an update changes in one alone, or otherwise."""
    here = {item: item for item in c.new_item.values()}
    before, now = _amounts(c.old, old, c.new_item), _amounts(c.new, new, here)
    spans = {(op.scope, op.item): op.span for op in reversed(new.operations)}
    for item in dict.fromkeys((*now, *before)):
        if before.get(item) == now.get(item):
            continue
        how = "changes otherwise" if item in before else "now changes"
        how = how if item in now else "no longer changes"
        name = subject(c.new.item(*item))
        message = f"update '{new.name}' {how} '{name}'"
        span = spans.get(item, new.span)
        yield Change("update-effect", span, f"updates.{new.name}.{name}", message)


def _amounts(module: ir.Module, update: ir.Update, items: Items) -> dict[Item, set[object]]:
    """Operations of an update on items, regardless of names of parameters and labels."""
    places = {argument.name: n for n, argument in enumerate(update.arguments)}
    levels = (level for scope in module.every_scope for level in scope.own)
    numbers = {(lv.name, label): n for lv in levels for n, label in enumerate(lv.labels)}
    found: dict[Item, set[object]] = {}
    for op in update.operations:
        if not op.observed and (op.scope, op.item) in items:
            labels = tuple(numbers[pair] for pair in op.labels)
            index = update.indexes.index(op.role) if op.role else None
            amount = (op.verb, op.constant, places.get(op.argument or ""), labels, op.most, index)
            found.setdefault(items[op.scope, op.item], set()).add(amount)
    return found


@changes(
    ("name-moved", ERROR, "c-api c-abi",
     "A generated name was renamed because the schema now uses it, or has its old name again.",
     "Call the new scope or update otherwise."),
)  # fmt: skip
def names(c: Comparison) -> Changes:
    if c.old.name != c.new.name:
        return  # all names are others
    for what, old, new, span in _moved(c):
        yield Change("name-moved", span, new, f"{what} '{old}' is now called '{new}'")


def _moved(c: Comparison) -> Iterator[tuple[str, str, str, Span]]:
    """Kind of an element, its old and new name, and the place of the one that took the old name."""
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
        [
            symbols.counting(module, scope).lcore_get
            for scope in module.scopes
            if scope.name == ir.GLOBAL and any(item.kind.accumulates for item in scope.items)
        ]
        for module in (c.old, c.new)
    ]
    if all(apart) and apart[0] != apart[1]:
        span = scopes.get("lcore", c.new.span)
        yield "function", f"{apart[0][0]}...", f"{apart[1][0]}...", span


def _public(module: ir.Module) -> dict[tuple[str, str], str]:
    names = symbols.of_module(module)
    return {(s.tag, s.key): names[s.key] for s in names.symbols() if s.use is Use.PUBLIC}


def _members(c: Comparison) -> Iterator[tuple[str, str]]:
    """Members of the snapshot other than values, as (old, new), of scopes in both versions."""
    pairs = [(None, None), *((a, b) for a, b in c.scopes.pairs if a.name == b.name and b.items)]
    for before, now in pairs:
        embedded = ir.Storage.EMBEDDED in {scope.storage for scope in (before, now) if scope}
        if not embedded:
            old, new = symbols.of_snapshot(c.old, before), symbols.of_snapshot(c.new, now)
            kept = {symbol.key for symbol in old.symbols()}
            yield from ((old[s.key], new[s.key]) for s in new.symbols() if s.key in kept)


@changes(
    ("exactness-lost", ERROR, "c-abi semantics",
     "Counts were exact, and are now lost when threads update at the same time.",
     "Choose a strategy that is exact: `ctrgen strategies`."),
    ("promise-weakened", WARNING, "c-abi semantics",
     "The strategy promises less: consistent reads, readers that can be preempted, "
     "lossless resets, any thread, counts that are seen at once, or updates that never wait.",
     "State what you need under `requires`; the build then checks it."),
)  # fmt: skip
def strategies(c: Comparison) -> Changes:
    for old, new in c.scopes.pairs:
        if old.sync == new.sync or not (old.items and new.items):
            continue
        before, now = (
            all_strategies()[scope.sync.strategy].promised(dict(scope.sync.tunables))
            for scope in (old, new)
        )
        weaker = now.weaker_than(before)
        if "exact" in weaker:
            rule, message = "exactness-lost", f"scope '{new.name}' counted exactly under "
            message += f"{old.sync.strategy}; {new.sync.strategy} loses counts"
        elif weaker:
            was, is_now = dict(before), dict(now)
            what = ", ".join(f"{key} was {was[key]}, is {is_now[key]}" for key in weaker)
            rule, message = "promise-weakened", f"scope '{new.name}': {what}"
        else:
            continue
        yield Change(rule, new.sync_span, new.name, message)


@changes(
    ("header-changed", WARNING, "c-abi",
     "Structs, storage, bounds or inline code of the header have changed.",
     "Rebuild what includes the header."),
)  # fmt: skip
def header(c: Comparison) -> Changes:
    if "c-abi" not in c.broken and _header(c.old) != _header(c.new):
        message = f"the header of module '{c.new.name}' has changed"
        yield Change("header-changed", c.new.span, c.new.name, message)


def _header(module: ir.Module) -> list[str]:
    """The generated header, without comments."""
    files = BACKEND.generate(module, Options("", "", ""))
    return [_COMMENT.sub("", text) for name, text in sorted(files.items()) if name.endswith(".h")]
