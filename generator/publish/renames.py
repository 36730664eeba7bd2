# SPDX-License-Identifier: BSD-3-Clause
"""Renames that are declared late, and those that are not declared.

A part that is renamed without `renamed_from` gets an OID of its own, and the former OID becomes
deprecated. The lock file of before that build is where the former one can be had again.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Set
from typing import NamedTuple

from ..findings.diagnostics import Span
from ..findings.rules import Finding
from ..model import ir
from . import groups, keys, notifications
from .lock import LIVE, UNREVISED, Entry, Key, Lock
from .nodespec import NodeSpec, published_scopes

_SHOWN = 3
"""Names that a finding lists."""


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
    for notification in module.notifications:
        key, was = notifications.key(notification), notification.renamed_from
        former = (key._replace(name=was),) if was else ()
        yield Part("notification", notification.name, was, key, former, notification.span)


def declared_twice(module: ir.Module) -> Iterator[Finding]:
    """Findings about parts with the same `renamed_from` as another part."""
    first: dict[tuple[str, str, str], str] = {}
    for part in parts(module):
        home = part.key.scope if part.key.item else part.kind
        other = first.setdefault((home, part.key.item and "item", part.was), part.name)
        if part.was and other != part.name:
            message = f"'{part.name}' and '{other}' both were '{part.was}'"
            yield Finding(part.span, message, "remove `renamed_from` from one of the two")


# ---- declared late ----


def restored(old: Lock, specs: Iterable[NodeSpec], date: str, dates: Set[str]) -> Lock:
    """A lock in which an entry whose removal no published revision has is live again when its part
    is back, under its name or a new one with `renamed_from`. `date` is that of changes in this
    build, `dates` are those of the module's revisions."""
    live = old.live()
    gone = [part for part in specs if part.key not in live]
    back = {(key, part.kind) for part in gone for key in (part.key, *part.former)}
    published = (r.date for r in old.revisions if not r.draft)
    then = max(published, default=old.draft)
    draft = old.draft if old.draft not in dates else ""
    entries = []
    for entry in old.entries:
        if _is_open(old, entry) and (entry.key, entry.kind) in back:
            entry = entry._replace(gone=False, status=LIVE, date=then)
        elif not date.endswith(UNREVISED) and (
            entry.date.endswith(UNREVISED) or entry.date == draft
        ):
            entry = entry._replace(date=date)  # a new revision has what none had
        entries.append(entry)
    return old._replace(entries=tuple(groups.settled(entries)))


def _is_open(lock: Lock, entry: Entry) -> bool:
    """Whether an entry was live in the last published revision, and was removed since."""
    return entry.gone and entry.status == "deprecated" and lock.is_open(entry)


def too_late(module: ir.Module, lock: Lock, specs: Iterable[NodeSpec]) -> Iterator[Finding]:
    """Declarations of renames for which it is too late: the lock has another object for the part,
    or a published revision has removed the former one."""
    live, names = lock.live(), {part.key: part.name for part in specs}
    for part in {part.span: part for part in parts(module)}.values():  # of a histogram one counter
        own = live.get(part.key)
        found = [e for e in lock.entries if e.key in part.former and e.key not in names]
        found = [e for e in found if e.status != "withdrawn"]
        former = max(found, key=lambda e: (not e.gone, e.oid), default=None)
        name = names.get(part.key, own.name if own is not None else "")
        end = "Table" if name.endswith("Table") else ""
        made = f"{re.escape(name.removesuffix(end))}[0-9]*{end}"  # what was renamed has another
        if former is not None and own is not None and re.fullmatch(made, own.name):
            yield _late(part, own, former, lock)
        elif former is not None and own is None and former.gone and not _is_open(lock, former):
            yield _late(part, former, former, lock)


def _late(part: Part, entry: Entry, former: Entry, lock: Lock) -> Finding:
    which = "deprecated" if entry.gone else "an object of its own"
    message = f"'{part.name}' cannot get the OID of '{part.was}': {entry.name} ({entry.dotted}) is "
    if lock.is_open(entry):
        hint = "restore the lock file of before that build, from version control"
        return Finding(part.span, f"{message}{which} in the lock file", hint)
    message += f"published as {which} as of {entry.date}"
    hint = "remove `renamed_from`; values before that revision stay under "
    return Finding(part.span, message, f"{hint}{former.name} ({former.dotted})")


# ---- not declared ----


def undeclared(module: ir.Module, lock: Lock, removed: Set[str]) -> Iterator[Finding]:
    """New parts that may be renames of parts removed since the last published revision: those of
    the same kind, type and unit in the same scope; of several, those with the same description.

    `removed` are subjects (`session.drops`) that the schema declares as removed on purpose; an
    empty one matches all.
    """
    gone = [e for e in lock.entries if _is_open(lock, e)]
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
    hint = f"if it is '{names[0]}' under another name, write `renamed_from: {names[0]}` in it "
    if len(names) > 1:
        hint = "if it is one of these under another name, write `renamed_from:` in it "
    hint += "and restore the lock file of before; "
    hint += f"if not, `# ctrgen: allow {rule}-removed {subject}: REASON` somewhere in the schema"
    return Finding(part.span, message, hint)


def _name(part: Part, entry: Entry) -> str:
    name = entry.key.item or entry.key.scope or entry.key.name
    return name.removesuffix("_sum") if part.kind == "histogram" else name


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:_SHOWN])
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{shown}{more} {'is' if len(names) == 1 else 'are'}"
