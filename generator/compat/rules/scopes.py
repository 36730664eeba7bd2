# SPDX-License-Identifier: BSD-3-Clause
"""Scopes that are gone, new, renamed or elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from ...findings.diagnostics import Severity
from ...findings.rules import Finding
from ...model import ir
from ..model import C_ABI, C_API, OID, PROMETHEUS, SEMANTICS, change
from ..pairs import Comparison, was
from ..sequence import moved


@change(
    Severity.ERROR,
    "A scope is gone with all its functions, its table and its metrics.",
    tags=(C_API, C_ABI, OID, PROMETHEUS),
    instead="Keep it for a release in which nothing counts there any more.",
)
def scope_removed(c: Comparison) -> Iterator[Finding]:
    for scope in c.scopes.gone:
        message = f"scope '{scope.name}' ({was(scope.span)}) is gone"
        yield Finding(c.new.span, message, part=scope.name)


@change(
    Severity.ERROR,
    "The name of a scope is part of C names, metrics and labels; OIDs stay.",
    tags=(C_API, C_ABI, PROMETHEUS),
    instead="Change the `description` instead, or rename together with the users.",
)
def scope_renamed(c: Comparison) -> Iterator[Finding]:
    for old, new in c.scopes.pairs:
        if old.name != new.name:
            message = f"scope '{old.name}' is now called '{new.name}'"
            hint = f"{c.old.name}_stats_{old.name}_... is {c.new.name}_stats_{new.name}_..."
            yield Finding(new.span, message, hint, part=new.name)


@change(
    Severity.WARNING,
    "A scope is new: the structs that hold everything, such as the snapshot, have grown.",
    tags=(C_ABI,),
    instead="Rebuild what includes the header.",
)
def scope_added(c: Comparison) -> Iterator[Finding]:
    for scope in c.scopes.added:
        yield Finding(scope.span, f"scope '{scope.name}' is new", part=scope.name)


@change(
    Severity.WARNING,
    "The order of scopes is that of members in the module's structs.",
    tags=(C_ABI,),
    instead="Add scopes at the end.",
)
def scope_order(c: Comparison) -> Iterator[Finding]:
    for old, new in moved(c.scopes.pairs, c.old.scopes):
        message = f"scope '{new.name}' has moved ({was(old.span)})"
        yield Finding(new.span, message, part=new.name)


def _maximum_changed(c: Comparison, lowered: bool) -> Iterator[Finding]:
    for old, new in c.scopes.pairs:
        before, now = old.maxima[-1:] or (1,), new.maxima[-1:] or (1,)
        embedded = ir.Storage.EMBEDDED in (old.storage, new.storage)
        if before != now and (now < before) is lowered and not embedded:
            message = f"scope '{new.name}' had up to {before[0]} instances, now up to {now[0]}"
            yield c.scope_finding(new, "max", message)


change(
    Severity.ERROR,
    "Indexes that were valid are out of range.",
    tags=(C_API, C_ABI, SEMANTICS),
    instead="Keep `max`; `storage: dynamic` takes memory only for what exists.",
    rule_id="max-lowered",
)(partial(_maximum_changed, lowered=True))

change(
    Severity.WARNING,
    "Arrays are longer, and inline code checks against the old bound until it is rebuilt.",
    tags=(C_ABI,),
    instead="Rebuild what includes the header.",
    rule_id="max-raised",
)(partial(_maximum_changed, lowered=False))


@change(
    Severity.ERROR,
    "The parents of a scope are parameters of its functions, its INDEX and its labels.",
    tags=(C_API, C_ABI, OID, PROMETHEUS),
    instead="Add a new scope and keep the old one for a while.",
)
def parent_changed(c: Comparison) -> Iterator[Finding]:
    for old, new in c.scopes.pairs:
        before = tuple(c.new_scope.get(name, name) for name in old.path[:-1])
        if before != new.path[:-1] and ir.GLOBAL not in (old.name, new.name):
            was_in, is_in = ".".join(before) or "none", ".".join(new.path[:-1]) or "none"
            message = f"scope '{new.name}' had parent {was_in}, now {is_in}"
            yield c.scope_finding(new, "parent", message)


def _storage_changed(c: Comparison, embedded: bool) -> Iterator[Finding]:
    for old, new in c.scopes.pairs:
        changed = old.storage is not new.storage
        if changed and (ir.Storage.EMBEDDED in (old.storage, new.storage)) is embedded:
            message = f"storage of scope '{new.name}' was {old.storage.value}, "
            message += f"is now {new.storage.value}"
            yield c.scope_finding(new, "storage", message)


change(
    Severity.ERROR,
    "Instances exist from the start in one storage, and after a create in the other.",
    tags=(C_API, C_ABI, SEMANTICS),
    rule_id="storage-changed",
)(partial(_storage_changed, embedded=False))

change(
    Severity.ERROR,
    "Embedded instances are named by pointers and cannot be listed by agents and exporters.",
    tags=(C_API, C_ABI, OID, PROMETHEUS),
    instead="Add a new scope and keep the old one for a while.",
    rule_id="storage-embedded",
)(partial(_storage_changed, embedded=True))


def _reset_changed(c: Comparison, removed: bool) -> Iterator[Finding]:
    for old, new in c.scopes.pairs:
        if old.reset is not new.reset and old.reset is removed:
            message = "can no longer be reset" if removed else "can now be reset"
            yield c.scope_finding(new, "reset", f"scope '{new.name}' {message}")


change(
    Severity.ERROR,
    "The reset functions of a scope are gone.",
    tags=(C_API, C_ABI),
    rule_id="reset-removed",
)(partial(_reset_changed, removed=True))

change(
    Severity.WARNING,
    "Counters that only ever grew can go back to 0: who polls them must look for that.",
    tags=(C_ABI, SEMANTICS),
    instead="Announce it; managers read the DiscontinuityTime.",
    rule_id="reset-added",
)(partial(_reset_changed, removed=False))
