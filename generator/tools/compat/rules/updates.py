# SPDX-License-Identifier: BSD-3-Clause
"""What inline code in applications reaches into: updates, names, strategies, storage."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import attrgetter

from ....findings.diagnostics import Span
from ....model import ir, layout
from ....model.naming import symbols
from ....model.naming.names import Use
from ....model.strategies.catalogue import all_strategies
from ..model import ERROR, REBUILD, WARNING, changes
from ..pairs import Change, Changes, Comparison, moved, subject, was

_effect = attrgetter("verb", "constant", "argument", "labels", "most")

Changed = tuple[str, str, str]
"""What an operation changes: scope, item, and the name of the instance where it has one."""


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
    ("batch-layout", WARNING, "c-abi",
     "The batch struct is on the caller's stack, with a member for every update.", REBUILD),
)  # fmt: skip
def updates(c: Comparison) -> Changes:
    def changed(rule: str, update: ir.Update, span: Span, message: str) -> Change:
        return Change(rule, span, f"updates.{update.name}", f"update '{update.name}' {message}")

    batch = f"struct {symbols.of_module(c.new).batch}"
    for gone in c.updates.gone:
        yield changed("update-removed", gone, c.new.span, f"({was(gone.span)}) was removed")
    for new in c.updates.added:
        yield changed("batch-layout", new, new.span, f"is new: {batch} has grown")
    for old, new in moved(c.updates.pairs, c.old.updates):
        message = f"has moved ({was(old.span)}): so has its member of {batch}"
        yield changed("batch-layout", new, new.span, message)
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
        yield from _effects(c, old, new)


def _index(update: ir.Update, name: str, renamed: Mapping[str, str]) -> str:
    """What an index parameter of an update stands for, by the names that levels have now."""
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


def _former(c: Comparison, old: ir.Update, new: ir.Update) -> dict[Changed, ir.Operation]:
    """What the old version did to items that there still are, in the names of the new one."""
    names = {arg.name for arg in new.arguments}
    places = zip(old.arguments, new.arguments, strict=False)
    # A new name at an old place is a rename.
    arguments: dict[str | None, str] = {
        a.name: a.name if a.name in names else b.name for a, b in places
    }
    roles = dict(zip(old.indexes, new.indexes, strict=True))
    return {
        (*c.new_item[op.scope, op.item], roles.get(op.role, "")): replace(
            op,
            argument=arguments.get(op.argument, op.argument),
            labels=tuple(
                (new, c.new_label.get((new, label), label))
                for new, label in ((c.new_index[level], label) for level, label in op.labels)
            ),
        )
        for op in old.operations
        if (op.scope, op.item) in c.new_item and not op.observed
    }


def _effects(c: Comparison, old: ir.Update, new: ir.Update) -> Changes:
    def effect(how: str, item: tuple[str, str], span: Span) -> Change:
        name = subject(c.new.item(*item))
        message = f"update '{new.name}' {how} '{name}'"
        return Change("update-effect", span, f"updates.{new.name}.{name}", message)

    known = set(c.new_item.values())
    left = _former(c, old, new)
    for op in new.operations:
        if op.observed:
            continue
        item = (op.scope, op.item)
        before = left.pop((*item, op.role), None)
        if item in known and (before is None or _effect(before) != _effect(op)):
            yield effect("now changes" if before is None else "changes otherwise", item, op.span)
    for scope, name, _ in left:
        yield effect("no longer changes", (scope, name), new.span)


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


Renames = dict[tuple[str, str], tuple[str, str]]
"""New (scope, name) of items by their old ones."""

Shape = list[tuple[str, list[tuple[str, int]], int]]
"""The parts of a scope's storage: name, members with their offsets, size."""


@changes(
    ("exactness-lost", ERROR, "c-abi semantics",
     "Counts were exact, and are now lost when threads update at the same time.",
     "Choose a strategy that is exact: `ctrgen strategies`."),
    ("promise-weakened", WARNING, "c-abi semantics",
     "The strategy promises less: consistent reads, readers that can be preempted, "
     "lossless resets, any thread, counts that are seen at once, or updates that never wait.",
     "State what you need under `requires`; the build then checks it."),
    ("strategy-changed", WARNING, "c-abi",
     "Inline updates of the old strategy do not work with the library of the new one.",
     "Rebuild what includes the header; the source code stays as it is."),
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
            rule, message = "strategy-changed", f"scope '{new.name}' was under "
            message += f"{_written(old.sync)}, is under {_written(new.sync)}"
        yield Change(rule, new.sync_span, new.name, message)


def _written(sync: ir.Sync) -> str:
    tunables = ", ".join(f"{key}: {value}" for key, value in sync.tunables)
    return f"{sync.strategy} ({tunables})" if tunables else sync.strategy


@changes(
    ("storage-layout", WARNING, "c-abi",
     "The storage of items has another layout, which inline updates depend on.", REBUILD),
)  # fmt: skip
def storage_layout(c: Comparison) -> Changes:
    before, now = _shapes(c.old, c.new_item), _shapes(c.new, {})
    for old, new in c.scopes.pairs:
        if before.get(old.name) != now.get(new.name) and _same_values(c, old, new):
            message = f"the items of scope '{new.name}' are stored in another order"
            hint = "what one update changes is stored together: an update has changed"
            yield Change("storage-layout", new.span, new.name, message, hint)


def _shapes(module: ir.Module, renames: Renames) -> dict[str, Shape]:
    def member(field: layout.Field) -> str:
        if field.item is None:
            return field.name
        return renames.get((field.item.scope, field.item.name), ("", field.name))[1]

    return {
        scope.scope.name: [
            (part.name, [(member(field), field.offset) for field in part.fields], part.size)
            for part in (scope.data, scope.offset, scope.base, scope.common)
            if part
        ]
        for domain in layout.domains(module)
        for scope in domain.scopes
    }


def _same_values(c: Comparison, old: ir.Scope, new: ir.Scope) -> bool:
    """Whether nothing but the storage can differ: other rules report all else."""
    shape = attrgetter("kind", "type", "width", "length", "stored")
    before = [(c.new_item.get((i.scope, i.name), ("", ""))[1], *shape(i)) for i in old.items]
    kept = attrgetter("sync", "reset", "reset_lcores", "storage")
    same = kept(old) == kept(new)
    return same and before == [(item.name, *shape(item)) for item in new.items]
