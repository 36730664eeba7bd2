# SPDX-License-Identifier: BSD-3-Clause
"""Scopes that are gone, new, renamed or elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from ...model import ir
from ..model import C_ABI, C_API, OID, PROMETHEUS, SEMANTICS, Found, error, warning
from ..pairs import Comparison, was
from ..sequence import moved


def _removed(c: Comparison) -> Iterator[Found]:
    for scope in c.scopes.gone:
        message = f"scope '{scope.name}' ({was(scope.span)}) is gone"
        yield Found(scope.name, c.new.span, message)


def _renamed(c: Comparison) -> Iterator[Found]:
    for old, new in c.scopes.pairs:
        if old.name != new.name:
            message = f"scope '{old.name}' is now called '{new.name}'"
            hint = f"{c.old.name}_stats_{old.name}_... is {c.new.name}_stats_{new.name}_..."
            yield Found(new.name, new.span, message, hint)


def _added(c: Comparison) -> Iterator[Found]:
    for scope in c.scopes.added:
        yield Found(scope.name, scope.span, f"scope '{scope.name}' is new")


def _order(c: Comparison) -> Iterator[Found]:
    for old, new in moved(c.scopes.pairs, c.old.scopes):
        message = f"scope '{new.name}' has moved ({was(old.span)})"
        yield Found(new.name, new.span, message)


def _maximum(c: Comparison, lowered: bool) -> Iterator[Found]:
    for old, new in c.scopes.pairs:
        before, now = old.maxima[-1:] or (1,), new.maxima[-1:] or (1,)
        embedded = ir.Storage.EMBEDDED in (old.storage, new.storage)
        if before != now and (now < before) is lowered and not embedded:
            message = f"scope '{new.name}' had up to {before[0]} instances, now up to {now[0]}"
            yield Found(new.name, c.scope_at(new, "max"), message)


def _lowered(c: Comparison) -> Iterator[Found]:
    return _maximum(c, True)


def _raised(c: Comparison) -> Iterator[Found]:
    return _maximum(c, False)


def _parent(c: Comparison) -> Iterator[Found]:
    for old, new in c.scopes.pairs:
        before = tuple(c.new_scope.get(name, name) for name in old.path[:-1])
        if before != new.path[:-1] and ir.GLOBAL not in (old.name, new.name):
            was_in, is_in = ".".join(before) or "none", ".".join(new.path[:-1]) or "none"
            message = f"scope '{new.name}' had parent {was_in}, now {is_in}"
            yield Found(new.name, c.scope_at(new, "parent"), message)


def _storage(c: Comparison, embedded: bool) -> Iterator[Found]:
    for old, new in c.scopes.pairs:
        changed = old.storage is not new.storage
        if changed and (ir.Storage.EMBEDDED in (old.storage, new.storage)) is embedded:
            message = f"storage of scope '{new.name}' was {old.storage.value}, "
            message += f"is now {new.storage.value}"
            yield Found(new.name, c.scope_at(new, "storage"), message)


def _created(c: Comparison) -> Iterator[Found]:
    return _storage(c, False)


def _embedded(c: Comparison) -> Iterator[Found]:
    return _storage(c, True)


def _reset(c: Comparison, removed: bool) -> Iterator[Found]:
    for old, new in c.scopes.pairs:
        if old.reset is not new.reset and old.reset is removed:
            message = "can no longer be reset" if removed else "can now be reset"
            yield Found(new.name, c.scope_at(new, "reset"), f"scope '{new.name}' {message}")


def _reset_removed(c: Comparison) -> Iterator[Found]:
    return _reset(c, True)


def _reset_added(c: Comparison) -> Iterator[Found]:
    return _reset(c, False)


RULES = (
    error(
        "scope-removed",
        (C_API, C_ABI, OID, PROMETHEUS),
        _removed,
        "A scope is gone with all its functions, its table and its metrics.",
        "Keep it for a release in which nothing counts there any more.",
    ),
    error(
        "scope-renamed",
        (C_API, C_ABI, PROMETHEUS),
        _renamed,
        "The name of a scope is part of C names, metrics and labels; OIDs stay.",
        "Change the `description` instead, or rename together with the users.",
    ),
    warning(
        "scope-added",
        (C_ABI,),
        _added,
        "A scope is new: the structs that hold everything, such as the snapshot, have grown.",
        "Rebuild what includes the header.",
    ),
    warning(
        "scope-order",
        (C_ABI,),
        _order,
        "The order of scopes is that of members in the module's structs.",
        "Add scopes at the end.",
    ),
    error(
        "max-lowered",
        (C_API, C_ABI, SEMANTICS),
        _lowered,
        "Indexes that were valid are out of range.",
        "Keep `max`; `storage: dynamic` takes memory only for what exists.",
    ),
    warning(
        "max-raised",
        (C_ABI,),
        _raised,
        "Arrays are longer, and inline code checks against the old bound until it is rebuilt.",
        "Rebuild what includes the header.",
    ),
    error(
        "parent-changed",
        (C_API, C_ABI, OID, PROMETHEUS),
        _parent,
        "The parents of a scope are parameters of its functions, its INDEX and its labels.",
        "Add a new scope and keep the old one for a while.",
    ),
    error(
        "storage-changed",
        (C_API, C_ABI, SEMANTICS),
        _created,
        "Instances exist from the start in one storage, and after a create in the other.",
    ),
    error(
        "storage-embedded",
        (C_API, C_ABI, OID, PROMETHEUS),
        _embedded,
        "Embedded instances are named by pointers and cannot be listed by agents and exporters.",
        "Add a new scope and keep the old one for a while.",
    ),
    error(
        "reset-removed",
        (C_API, C_ABI),
        _reset_removed,
        "The reset functions of a scope are gone.",
    ),
    warning(
        "reset-added",
        (C_ABI, SEMANTICS),
        _reset_added,
        "Counters that only ever grew can go back to 0: who polls them must look for that.",
        "Announce it; managers read the DiscontinuityTime.",
    ),
)
