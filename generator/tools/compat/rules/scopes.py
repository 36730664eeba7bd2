# SPDX-License-Identifier: BSD-3-Clause
"""The module as a whole, and scopes that were removed, added, renamed or moved."""

from ....model import ir
from ..model import ADD_SCOPE, ERROR, KEEP_UNUSED, REBUILD, WARNING, changes
from ..pairs import Change, Changes, Comparison, moved, was


@changes(
    ("module-renamed", ERROR, "c-api c-abi oid prometheus",
     "The name of the module is part of every name in C, in the MIB and in metrics.",
     "Keep the name; `description` is free to change."),
    ("bounds-weakened", WARNING, "semantics",
     "Updates no longer check indexes in release builds.",
     "Run a debug build, whose asserts find callers that relied on the check."),
    ("view-removed", ERROR, "c-api c-abi",
     "The constant of a view was removed; its consumer no longer has its own baseline.",
     KEEP_UNUSED),
    ("view-order", WARNING, "c-abi",
     "The constants of views are numbered in their order, and old ones now have other numbers.",
     "Rebuild what includes the header; at the end nothing would move."),
    ("view-added", WARNING, "c-abi",
     "A view is new: what is kept for each reset has grown.", REBUILD),
)  # fmt: skip
def module(c: Comparison) -> Changes:
    if c.old.name != c.new.name:
        message = f"module '{c.old.name}' is now called '{c.new.name}'"
        yield Change("module-renamed", c.new.span, c.new.name, message)
    if (c.old.bounds, c.new.bounds) == ("drop", "assert"):
        message = "an index out of range was dropped and counted; it is now undefined behaviour"
        yield Change("bounds-weakened", c.top_at("bounds"), "bounds", message)
    yield from _views(c)


def _views(c: Comparison) -> Changes:
    before, now = c.old.views, c.new.views
    for name in before:
        if name not in now:
            yield Change("view-removed", c.top_at("views"), name, f"view '{name}' was removed")
    kept = [name for name in now if name in before]
    if kept != list(now[: len(kept)]) or kept != [name for name in before if name in now]:
        message = f"views were {', '.join(before)}, are {', '.join(now)}"
        yield Change("view-order", c.top_at("views"), "views", message)
    for name in now[len(kept) :]:
        if name not in before:
            yield Change("view-added", c.top_at("views"), name, f"view '{name}' is new")


@changes(
    ("scope-removed", ERROR, "c-api c-abi oid prometheus",
     "A scope was removed with its functions, its table and its metrics.", KEEP_UNUSED),
    ("scope-renamed", ERROR, "c-api c-abi prometheus",
     "The name of a scope is part of C names, metrics and labels; OIDs stay.",
     "Change the `description` instead, or rename together with the users."),
    ("scope-added", WARNING, "c-abi",
     "A scope is new: the structs that hold everything, such as the snapshot, have grown.",
     REBUILD),
    ("scope-order", WARNING, "c-abi",
     "The order of scopes is that of members in the module's structs.",
     "Add scopes at the end."),
    ("max-lowered", ERROR, "c-api c-abi semantics",
     "Indexes that were valid are out of range.",
     "Keep `max`; `storage: dynamic` takes memory only for what exists."),
    ("max-raised", WARNING, "c-abi",
     "Arrays are longer, and inline code checks against the old bound until it is rebuilt.",
     REBUILD),
    ("parent-changed", ERROR, "c-api c-abi oid prometheus",
     "The parents of a scope are parameters of its functions, its INDEX and its labels.",
     ADD_SCOPE),
    ("storage-changed", ERROR, "c-api c-abi semantics",
     "Instances exist from the start in one storage, and after a create in the other.",
     ""),
    ("storage-embedded", ERROR, "c-api c-abi oid prometheus",
     "Embedded instances are named by pointers and cannot be listed by agents and exporters.",
     ADD_SCOPE),
    ("reset-removed", ERROR, "c-api c-abi",
     "The reset functions of a scope were removed.",
     ""),
    ("reset-added", WARNING, "c-abi semantics",
     "Counters that never decreased can go back to 0; managers must handle that.",
     "Announce it; managers read the DiscontinuityTime."),
    ("reset-lcores", WARNING, "c-abi semantics",
     "Values of one lcore are now since the last reset, or no longer are.",
     "Rebuild what includes the header; notify readers of per-lcore values."),
)  # fmt: skip
def scopes(c: Comparison) -> Changes:
    for scope in c.scopes.gone:
        message = f"scope '{scope.name}' ({was(scope.span)}) was removed"
        yield Change("scope-removed", c.new.span, scope.name, message)
    for scope in c.scopes.added:
        yield Change("scope-added", scope.span, scope.name, f"scope '{scope.name}' is new")
    for old, new in moved(c.scopes.pairs, c.old.every_scope):
        message = f"scope '{new.name}' has moved ({was(old.span)})"
        yield Change("scope-order", new.span, new.name, message)
    for old, new in c.scopes.pairs:
        yield from _scope(c, old, new)


def _scope(c: Comparison, old: ir.Scope, new: ir.Scope) -> Changes:
    if old.name != new.name:
        message = f"scope '{old.name}' is now called '{new.name}'"
        hint = f"{c.old.name}_stats_{old.name}_... is {c.new.name}_stats_{new.name}_..."
        yield Change("scope-renamed", new.span, new.name, message, hint)
    scope = f"scope '{new.name}'"

    def changed(rule: str, key: str, message: str) -> Change:
        return Change(rule, c.scope_at(new, key), new.name, message)

    embedded = ir.Storage.EMBEDDED in (old.storage, new.storage)
    before, now = old.maxima[-1:] or (1,), new.maxima[-1:] or (1,)
    if before != now and not embedded and not (old.labelled or new.labelled):
        rule = "max-lowered" if now < before else "max-raised"
        yield changed(rule, "max", f"{scope} had up to {before[0]} instances, now up to {now[0]}")
    parents = [c.new_scope.get(name, name) for name in _parents(old)]
    if parents != _parents(new) and ir.GLOBAL not in (old.name, new.name):
        was_in, is_in = ".".join(parents) or "none", ".".join(_parents(new)) or "none"
        yield changed("parent-changed", "parent", f"{scope} had parent {was_in}, now {is_in}")
    if old.storage is not new.storage:
        rule = "storage-embedded" if embedded else "storage-changed"
        message = f"storage of {scope} was {old.storage.value}, is now {new.storage.value}"
        yield changed(rule, "storage", message)
    if old.reset and not new.reset:
        yield changed("reset-removed", "reset", f"{scope} can no longer be reset")
    if new.reset and not old.reset:
        yield changed("reset-added", "reset", f"{scope} can now be reset")
    if old.reset and new.reset and old.reset_lcores != new.reset_lcores:
        since = "reset" if new.reset_lcores else "start"
        message = f"values of one lcore of {scope} are now since the {since}"
        yield changed("reset-lcores", "reset", message)


def _parents(scope: ir.Scope) -> list[str]:
    return list(dict.fromkeys(lv.scope for lv in scope.levels if lv.scope != scope.name))
