# SPDX-License-Identifier: BSD-3-Clause
"""Pairs the parts of two versions of a schema: by name, or by `renamed_from` if the former name
no longer exists. Additions to the lock file are computed as by a build; if no version has a lock
file, the new one starts from the old one."""

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from ...findings.diagnostics import Span
from ...frontends.resolve.place import Resolution
from ...model import ir
from ...model.naming.prometheus import metric
from ...publish import notifications
from ...publish.assign import assign
from ...publish.lock import Entry, Key, Lock, Oid
from ...publish.nodespec import NodeSpec

Named = TypeVar("Named", ir.Scope, ir.Item, ir.Update)


@dataclass(frozen=True, slots=True)
class Matched(Generic[Named]):
    """`pairs` of (old, new) in the order of the new version; `gone` is old."""

    pairs: tuple[tuple[Named, Named], ...]
    gone: tuple[Named, ...]


def match(old: Sequence[Named], new: Sequence[Named]) -> Matched[Named]:
    """Pair the parts of two versions by name and by declared renames."""
    before = {part.name: part for part in old}
    names = {part.name for part in new}
    pairs: list[tuple[Named, Named]] = []
    for part in new:
        former = part.name
        if former not in before and not isinstance(part, ir.Update):
            former = part.renamed_from
        if former in before and (former == part.name or former not in names):
            pairs.append((before.pop(former), part))
    return Matched(tuple(pairs), tuple(before.values()))


class Side(NamedTuple):
    """The MIB of one version: its lock after a build, what it has now, and what asked for it."""

    lock: Lock
    live: dict[Key, Entry]
    required: dict[Key, NodeSpec]


def _side(module: ir.Module, lock: Lock | None) -> Side:
    assignment = assign(module, lock)
    live = {
        # A schema that gives another OID than the lock's means that other one.
        key: entry._replace(oid=assignment.required[key].oid or entry.oid)
        for key, entry in assignment.lock.live().items()
        if key in assignment.required
    }
    return Side(assignment.lock, live, assignment.required)


class Mibs(NamedTuple):
    """The MIB modules of both versions. `pairs` are what is in both, as (old, new)."""

    old: Side
    new: Side
    pairs: list[tuple[Entry, Entry]]


Locks = tuple[Lock | None, Lock | None]
"""The lock files of the old and the new version."""


class Comparison:
    """The old and the new version of one schema, both without errors, and their lock files."""

    def __init__(self, old: Resolution, new: Resolution, locks: Locks) -> None:
        self.locks = locks
        self.broken: set[str] = set()
        """Categories of the changes that were found so far."""
        self.after = new
        self.old = old.module
        self.new = new.module

    @functools.cached_property
    def scopes(self) -> Matched[ir.Scope]:
        """The scopes of both versions."""
        return match(self.old.every_scope, self.new.every_scope)

    @functools.cached_property
    def items_of(self) -> dict[str, Matched[ir.Item]]:
        """The items of every scope that is in both versions, by its new name."""
        return {new.name: match(old.items, new.items) for old, new in self.scopes.pairs}

    @functools.cached_property
    def items(self) -> list[tuple[ir.Item, ir.Item]]:
        """Every item that is in both versions."""
        return [pair for matched in self.items_of.values() for pair in matched.pairs]

    @functools.cached_property
    def updates(self) -> Matched[ir.Update]:
        """The updates of both versions."""
        return match(self.old.updates, self.new.updates)

    @functools.cached_property
    def new_scope(self) -> dict[str, str]:
        """New names of scopes by their old ones, without removed scopes."""
        return {old.name: new.name for old, new in self.scopes.pairs}

    @functools.cached_property
    def new_index(self) -> dict[str, str]:
        """New names of indexes by their old ones, as far as those follow from new scopes."""
        return {
            level.name: self.new_scope.get(level.scope, level.scope)
            + level.name.removeprefix(level.scope)
            for scope in self.old.every_scope
            for level in scope.own
        }

    @functools.cached_property
    def rebounded(self) -> list[tuple[ir.Histogram, ir.Histogram]]:
        """Every histogram that is in both versions, with other bounds."""
        result = []
        for old_scope, scope in self.scopes.pairs:
            before = {histogram.name: histogram for histogram in old_scope.histograms}
            for new in scope.histograms:
                old = before.get(new.name) or before.get(new.renamed_from)
                if old is not None and old.bounds != new.bounds:
                    result.append((old, new))
        return result

    @functools.cached_property
    def new_item(self) -> dict[tuple[str, str], tuple[str, str]]:
        """New (scope, name) of items by their old ones."""
        return {(a.scope, a.name): (b.scope, b.name) for a, b in self.items}

    @functools.cached_property
    def restored(self) -> frozenset[Oid]:
        """OIDs that the old version had lost in no revision: in the new one they may be back."""
        lock = self.locks[0]
        gone = [e for e in lock.entries if e.gone and lock.is_open(e)] if lock is not None else []
        return frozenset(entry.oid for entry in gone if entry.status == "deprecated" and entry.oid)

    @functools.cached_property
    def mibs(self) -> Mibs:
        """The MIB modules of both versions."""
        items = {new: old for old, new in self.new_item.items()}
        scopes = {new: old for old, new in self.new_scope.items()}
        old_lock, new_lock = self.locks
        before = _side(self.old, old_lock)
        now = _side(self.new, new_lock or (None if old_lock else before.lock))

        had = {old.name for old in self.old.notifications}
        named = {new.name: new.renamed_from for new in self.new.notifications}
        renamed = {new: old for new, old in named.items() if old and new not in had}

        def former(key: Key) -> Key:
            scope, item = scopes.get(key.scope, key.scope), ""
            if key.item:
                scope, item = items.get((key.scope, key.item), (key.scope, key.item))
            name = scopes.get(key.name, key.name) if key.role == "index" else key.name
            if key.role in (notifications.RAISED, notifications.CLEARED):
                name = renamed.get(name, name)
            return key._replace(scope=scope, item=item, name=name)

        changed = (entry for entry in now.live.values() if entry.oid not in self.restored)
        entries = ((before.live.get(former(entry.key)), entry) for entry in changed)
        return Mibs(before, now, [(old, new) for old, new in entries if old is not None])

    def family(self, old: ir.Item, new: ir.Item) -> tuple[str, str]:
        """The names of the metrics of an item in both versions."""
        before, now = self.old.scope(old.scope), self.new.scope(new.scope)
        return metric(self.old, before, old).family, metric(self.new, now, new).family

    def item_at(self, item: ir.Item, *keys: str | int) -> Span:
        """Where the new version sets a key of an item; where the item is, if it does not."""
        return self.after.place("item", item.scope, item.name).at(*keys)

    def scope_at(self, scope: ir.Scope, key: str) -> Span:
        """Where the new version sets a key of a scope, or what the scope inherits it from."""
        setting = self.after.places.get(("setting", key)) if scope.name == ir.GLOBAL else None
        place = setting or self.after.place("scope", scope.name)
        return place.value(key) if place.has(key) else self.top_at(key, scope.span)

    def top_at(self, key: str, otherwise: Span | None = None) -> Span:
        """Where the new version sets a key of the module; `otherwise`, or its name, if not."""
        raw = self.after.top.raw
        return raw.value_span((key,)) if raw.has((key,)) else otherwise or self.new.span


class Change(NamedTuple):
    """A finding: the id of its rule; `part` is what it is about, such as `session.pkts`."""

    rule: str
    span: Span
    part: str
    message: str
    hint: str = ""


Changes = Iterator[Change]
Compare = Callable[[Comparison], Changes]


def was(span: Span) -> str:
    """`old.yaml:12:7`: where something was in the old version."""
    return f"{span.path}:{span.line}:{span.column}"


def name_of(item: ir.Item) -> str:
    """`counter 'session.pkts'`; a part of a histogram stands for that."""
    if item.histogram:
        return f"histogram '{item.scope}.{item.histogram}'"
    return f"{item.kind.value} '{item.scope}.{item.name}'"


def subject(item: ir.Item, *more: str) -> str:
    """`session.pkts`: what a finding about an item is about."""
    return ".".join((item.scope, item.histogram or item.name, *more))
