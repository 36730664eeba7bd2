# SPDX-License-Identifier: BSD-3-Clause
"""The module as a whole, and scopes that were removed, added, renamed or moved."""

from ....model import ir
from ..model import ADD_SCOPE, ERROR, KEEP_UNUSED, WARNING, changes
from ..pairs import Change, Changes, Comparison, was


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
)  # fmt: skip
def module(c: Comparison) -> Changes:
    if c.old.name != c.new.name:
        message = f"module '{c.old.name}' is now called '{c.new.name}'"
        yield Change("module-renamed", c.new.span, c.new.name, message)
    if (c.old.bounds, c.new.bounds) == ("drop", "assert"):
        message = "an index out of range was dropped and counted; it is now undefined behaviour"
        yield Change("bounds-weakened", c.top_at("bounds"), "bounds", message)
    for name in c.old.views:
        if name not in c.new.views:
            yield Change("view-removed", c.top_at("views"), name, f"view '{name}' was removed")


@changes(
    ("scope-removed", ERROR, "c-api c-abi oid prometheus",
     "A scope was removed with its functions, its table and its metrics.", KEEP_UNUSED),
    ("scope-renamed", ERROR, "c-api c-abi prometheus",
     "The name of a scope is part of C names, metrics and labels; OIDs stay.",
     "Change the `description` instead, or rename together with the users."),
    ("max-lowered", ERROR, "c-api c-abi semantics",
     "Indexes that were valid are out of range.",
     "Keep `max`; `storage: dynamic` takes memory only for what exists."),
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
    if now < before and not embedded and not (old.labelled or new.labelled):
        message = f"{scope} had up to {before[0]} instances, now up to {now[0]}"
        yield changed("max-lowered", "max", message)
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
