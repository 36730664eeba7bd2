# SPDX-License-Identifier: BSD-3-Clause
"""Renames that are declared late, and those that are not declared.

A part that is renamed without `renamed_from` gets an OID of its own, and the former OID becomes
deprecated. While no published revision has either change, a declaration restores the former OID:
the other one is withdrawn, and its number stays reserved.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Set
from functools import partial
from typing import NamedTuple

from ..findings.diagnostics import Span
from ..findings.rules import Finding
from ..model import ir
from . import definitions, groups, keys, notifications, objects
from .lock import LIVE, UNREVISED, Entry, Key, Lock
from .wanted import Wanted, published_scopes

_SHOWN = 3
"""Names that a finding lists."""
_ROLES = (notifications.RAISED, notifications.CLEARED)


class Part(NamedTuple):
    """A scope, item or notification: the key of its main object, and keys by its former name."""

    kind: str
    name: str
    was: str
    key: Key
    former: tuple[Key, ...]
    span: Span


def parts(module: ir.Module) -> Iterator[Part]:
    """All that can be renamed, scopes in front of their items; of a histogram each counter."""
    for scope in published_scopes(module):
        was = scope.renamed_from
        if scope.name != ir.GLOBAL:
            key = Key(scope.name, role="table")
            former: tuple[Key, ...] = (key._replace(scope=was),) if was else ()
            yield Part("scope", scope.name, was, key, former, scope.span)
        histograms = {histogram.name: histogram.renamed_from for histogram in scope.histograms}
        homes = dict.fromkeys((scope.name, was or scope.name))
        for item in scope.items:
            former = tuple(Key(home, item.renamed_from) for home in homes if item.renamed_from)
            kind, name, was = item.kind.value, item.name, item.renamed_from
            if item.histogram:
                kind, name, was = "histogram", item.histogram, histograms[item.histogram]
            yield Part(kind, name, was, Key(scope.name, item.name), former, item.span)
    for told in module.notifications:
        key, was = notifications.key(told), told.renamed_from
        former = (key._replace(name=was),) if was else ()
        yield Part("notification", told.name, was, key, former, told.span)


def declared_twice(module: ir.Module) -> Iterator[Finding]:
    """Findings about parts with the same `renamed_from` as another part."""
    first: dict[tuple[str, str, str], str] = {}
    for part in parts(module):
        home = part.key.scope if part.key.item else part.kind
        other = first.setdefault((home, part.key.item and "item", part.was), part.name)
        if part.was and other != part.name:
            message = f"'{part.name}' and '{other}' both were '{part.was}'"
            yield Finding(part.span, message, "remove `renamed_from` from one of the two")


def _belongs(key: Key, main: Key) -> bool:
    """Whether a key is that of an object of the part with this main object."""
    if main.item:
        return (key.scope, key.item) == (main.scope, main.item)
    return key.scope == main.scope if main.scope else (key.role in _ROLES and key.name == main.name)


# ---- declared late ----


def declared(module: ir.Module, old: Lock, date: str, frozen: list[tuple[str, Finding]]) -> Lock:
    """A lock with the former OIDs of parts with a late rename, or that are restored under
    their name. `date` is that of changes in this build; a finding for each rename that conflicts
    with a published one is added to `frozen`."""
    if not old.entries:
        return old
    wanted = {part.key: part for part in objects.wanted(module)}
    state = _State(old, wanted)
    late = {part.span: state.declare(part) for part in parts(module) if part.former}
    frozen += [("rename", finding) for finding in late.values() if finding is not None]
    state.bring_back()
    state.withdraw_groups()
    lock = old._replace(entries=tuple(groups.settled(state.entries)))
    if not date.endswith(UNREVISED):  # a new revision: it has what none had
        draft = old.draft if old.draft not in {r.date for r in module.snmp.revisions} else ""
        return _carried(lock, draft, date)
    return lock


def _carried(lock: Lock, draft: str, date: str) -> Lock:
    """A lock whose changes without a revision, and those of a draft that has another date now, are
    of the revision of a date."""
    return lock._replace(
        entries=tuple(
            entry._replace(date=date)
            if entry.date.endswith(UNREVISED) or entry.date == draft
            else entry
            for entry in lock.entries
        )
    )


class _State:
    """The entries of a lock while renames change them."""

    def __init__(self, old: Lock, wanted: dict[Key, Wanted]) -> None:
        self.old, self.wanted = old, wanted
        self.entries = list(old.entries)
        published = (r.date for r in old.revisions if not r.draft)
        self.published = max(published, default=old.draft)
        self.withdrawn: set[str] = set()

    def _replace(self, chosen: Callable[[Entry], bool], change: Callable[[Entry], Entry]) -> None:
        self.entries = [change(e) if chosen(e) else e for e in self.entries]

    def _can_return(self, entry: Entry) -> bool:
        """Whether an entry was live in the last published revision, and was removed since."""
        return entry.gone and entry.status == "deprecated" and self.old.is_open(entry)

    def _revived(self, entry: Entry) -> Entry:
        return entry._replace(gone=False, status=LIVE, date=self.published)

    def _withdraw(self, entry: Entry) -> Entry:
        self.withdrawn.add(entry.name)
        return entry._replace(gone=True, status="withdrawn")

    def declare(self, part: Part) -> Finding | None:
        """Restore the former objects of a part; what is wrong with that, if it is too late."""
        own = next((e for e in self.entries if e.key == part.key and not e.gone), None)
        found = [e for e in self.entries if e.key in part.former and e.key not in self.wanted]
        found = [e for e in found if e.status != "withdrawn"]
        former = next((e for e in found if not e.gone), None)
        former = former or next(filter(self._can_return, found), found[-1] if found else None)
        if former is None or (own is None and not former.gone):
            return None
        if own is not None and not self.old.is_open(own):
            return self._late(part, own, former) if self._is_own(part, own) else None
        if former.gone and not self._can_return(former):
            return self._late(part, former, former)
        main = former.key
        self._replace(lambda e: not e.gone and _belongs(e.key, part.key), self._withdraw)
        self._replace(lambda e: self._can_return(e) and _belongs(e.key, main), self._revived)
        return None

    def _is_own(self, part: Part, entry: Entry) -> bool:
        """Whether an object was made for a part: what it was renamed from has another name."""
        name = self.wanted[part.key].name if part.key in self.wanted else entry.name
        end = "Table" if name.endswith("Table") else ""
        start = re.escape(name.removesuffix(end))
        return re.fullmatch(f"{start}[0-9]*{end}", entry.name) is not None

    def _late(self, part: Part, entry: Entry, former: Entry) -> Finding:
        """A rename that was declared when a revision already had `entry`."""
        message = f"'{part.name}' cannot get the OID of '{part.was}': "
        message += f"{entry.name} ({entry.dotted}) is "
        message += f"published as {'deprecated' if entry.gone else 'an object of its own'} "
        message += f"as of {entry.date}"
        hint = "remove `renamed_from`; values before that revision stay under "
        return Finding(part.span, message, f"{hint}{former.name} ({former.dotted})")

    def bring_back(self) -> None:
        """Restore what is back under the name that it had."""
        live = {entry.key for entry in self.entries if not entry.gone}
        back = {key: part.kind for key, part in self.wanted.items() if key not in live}
        self._replace(lambda e: self._can_return(e) and back.get(e.key) == e.kind, self._revived)

    def withdraw_groups(self) -> None:
        """Withdraw groups and compliances that have something in them that was withdrawn."""
        for kind in definitions.CONFORMANCE:  # compliances are behind the groups in them
            self._replace(partial(self._is_outdated, kind), self._withdraw)

    def _is_outdated(self, kind: str, entry: Entry) -> bool:
        made = entry.kind == kind and entry.key.role != definitions.ROLE and not entry.gone
        return made and self.old.is_open(entry) and not self.withdrawn.isdisjoint(entry.members)


# ---- not declared ----


def undeclared(module: ir.Module, lock: Lock, removed: Set[str]) -> Iterator[Finding]:
    """New parts that may be renames of parts removed since the last published revision: those of
    the same kind, type and unit in the same scope; of several, those with the same description.

    `removed` are subjects (`session.drops`) that the schema declares as removed on purpose; an
    empty one matches all.
    """
    gone = [e for e in lock.entries if e.gone and e.status == "deprecated" and lock.is_open(e)]
    shape, live = _shapes(lock), lock.live()
    alike: dict[tuple[str, ...], list[Entry]] = {}
    for other in gone:
        if removed.isdisjoint({"", _subject(other.key), _subject(other.key).removesuffix("_sum")}):
            home = other.key.scope if other.key.item else ""
            alike.setdefault((home, *shape(other)), []).append(other)
    scopes = {scope.name: {scope.name, scope.renamed_from} for scope in module.scopes}
    for part in parts(module) if alike else ():
        entry = live.get(part.key)
        if entry is None or entry.status != LIVE or not lock.is_open(entry):
            continue
        if part.kind == "histogram" and not part.key.item.endswith("_sum"):
            continue  # one counter represents all
        homes = sorted(scopes[part.key.scope]) if part.key.item else [""]
        others = [e for home in homes for e in alike.get((home, *shape(entry)), ())]
        same = [e for e in others if e.description == entry.description]
        if others:
            yield _finding(part, same or others)


def _shapes(lock: Lock) -> Callable[[Entry], tuple[str, ...]]:
    """Key for comparing entries without names and texts: kind, type and unit, or for a table the
    types of its index."""
    types = {e.name: e.syntax for e in lock.entries if e.kind == "type"}
    index: dict[tuple[str, bool], list[str]] = {}
    for entry in lock.entries:
        if entry.key.role in ("index", keys.KEY, keys.FAMILY):
            index.setdefault((entry.key.scope, entry.gone), []).append(entry.syntax)

    def shape(entry: Entry) -> tuple[str, ...]:
        if entry.kind == "table":
            return ("table", *index.get((entry.key.scope, entry.gone), ()))
        syntax = types.get(entry.syntax, entry.syntax)
        return (entry.kind, entry.key.role, syntax, entry.unit, entry.access)

    return shape


def _subject(key: Key) -> str:
    """Subject of an `allow` for a removed part, as in `ctrgen breaking`."""
    name = key.item or key.name
    return f"{key.scope}.{name}" if key.scope and key.item else key.scope or name


def _finding(part: Part, former: list[Entry]) -> Finding:
    names = [_name(part, entry) for entry in former]
    lost = f"{former[0].name} ({former[0].dotted}) is deprecated"
    message = f"{part.kind} '{part.name}' is new and {_listed(names)} gone: {lost}"
    rule = {"scope": "scope", "notification": "notification"}.get(part.kind, "item")
    subject = _subject(former[0].key._replace(item=names[0] if former[0].key.item else ""))
    hint = f"if it is '{names[0]}' under another name, write `renamed_from: {names[0]}` in it; "
    if len(names) > 1:
        hint = "if it is one of these under another name, write `renamed_from:` in it; "
    hint += f"if not, `# ctrgen: allow {rule}-removed {subject}: REASON` somewhere in the schema"
    return Finding(part.span, message, hint)


def _name(part: Part, entry: Entry) -> str:
    name = entry.key.item or entry.key.scope or entry.key.name
    return name.removesuffix("_sum") if part.kind == "histogram" else name


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{shown}{more} {'is' if len(names) == 1 else 'are'}"
