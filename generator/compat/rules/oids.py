# SPDX-License-Identifier: BSD-3-Clause
"""The management plane: OIDs that are no longer what they were, and what publishing fixes."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Severity, Span
from ...findings.rules import Finding
from ...mib.assign import compatible
from ...mib.lock import Entry
from ...model import ir
from ..model import OID, change
from ..pairs import Comparison


def _finding(c: Comparison, entry: Entry, message: str, *keys: str) -> Finding:
    """A finding about an entry, at the key of the schema that says so."""
    return Finding(_at(c, entry, *keys), message, part=str(entry.key))


def _at(c: Comparison, entry: Entry, *keys: str) -> Span:
    """Where the schema says something about the object of an entry, or has it."""
    scope, name = entry.key.scope, entry.key.item
    if ("item", scope, name) in c.after.places:
        return c.item_at(c.new.item(scope, name), *keys)
    if ("scope", scope) in c.after.places and keys:
        place = c.after.place("scope", scope)
        return place.value(*keys) if place.has(*keys) else place.key()
    wanted = c.mibs.new.wanted.get(entry.key)
    return wanted.span if wanted is not None else c.new.snmp.span


def _root_moved(c: Comparison) -> bool:
    return c.old.snmp.oid != c.new.snmp.oid


@change(
    Severity.ERROR,
    "The OID of the module is the start of all its OIDs.",
    tags=(OID,),
    instead="Keep `enterprise`, `arc` and `oid`.",
)
def mib_moved(c: Comparison) -> Iterator[Finding]:
    if _root_moved(c):
        message = f"the MIB module was at {c.old.snmp.oid}, is now at {c.new.snmp.oid}"
        yield Finding(c.new.snmp.span, message, part=c.new.snmp.name)


@change(
    Severity.ERROR,
    "Managers and other modules name objects by their module: `EP-STATS-MIB::epLinkUp`.",
    tags=(OID,),
    instead="Keep the name.",
)
def mib_renamed(c: Comparison) -> Iterator[Finding]:
    if c.old.snmp.name != c.new.snmp.name and c.old.name == c.new.name:
        message = f"MIB module '{c.old.snmp.name}' is now called '{c.new.snmp.name}'"
        yield Finding(c.new.snmp.span, message, part=c.new.snmp.name)


@change(
    Severity.ERROR,
    "An object has another OID: who polls the old one finds nothing.",
    tags=(OID,),
    instead="Restore the lock file, or the `oid` that the schema gave.",
)
def oid_moved(c: Comparison) -> Iterator[Finding]:
    if _root_moved(c):
        return
    taken = {entry.key for _, entry, _ in _reassigned(c)}
    for old, new in c.mibs.pairs:
        if old.oid != new.oid and new.key not in taken:
            message = f"'{new.name}' was {old.dotted}, is now {new.dotted}"
            yield _finding(c, new, message, "snmp", "oid")


def _reassigned(c: Comparison) -> Iterator[tuple[Entry, Entry, bool]]:
    """New entries under an OID that was something else's: that, and whether it lives on."""
    before = {new.key: old for old, new in c.mibs.pairs}
    alive = {old.key for old, _ in c.mibs.pairs}
    old_by_oid = _old_by_oid(c)
    for entry in c.mibs.new.live.values():
        was = old_by_oid.get(entry.oid)
        former = before.get(entry.key)
        if was is not None and (former is None or former.oid != entry.oid):
            yield was, entry, was.key in alive and not was.gone


def _old_by_oid(c: Comparison) -> dict[tuple[int, ...], Entry]:
    """What every OID was in the old version, the retired ones included."""
    entries = (*c.mibs.old.lock.entries, *c.mibs.old.live.values())
    return {entry.oid: entry for entry in entries if entry.oid}


@change(
    Severity.ERROR,
    "An object has the OID that another one had, which is still there: "
    "managers read one for the other, and no tool notices.",
    tags=(OID,),
    instead="Restore the lock file, or the `oid` that the schema gave.",
)
def oid_swapped(c: Comparison) -> Iterator[Finding]:
    for was, entry, alive in _reassigned(c):
        if alive:
            message = f"{entry.dotted} was '{was.name}' and is now '{entry.name}'"
            yield _finding(c, entry, message, "snmp", "oid")


@change(
    Severity.ERROR,
    "An object has the OID of one that is gone: managers that know the old one misread it.",
    tags=(OID,),
    instead="Restore the lock file, which keeps the numbers of what is gone.",
)
def oid_reused(c: Comparison) -> Iterator[Finding]:
    for was, entry, alive in _reassigned(c):
        if not alive:
            message = f"{entry.dotted} was '{was.name}', which is gone, and is now '{entry.name}'"
            yield _finding(c, entry, message, "snmp", "oid")


@change(
    Severity.ERROR,
    "The lock file no longer knows an OID that was published, and may give it out again.",
    tags=(OID,),
    instead="Restore the line.",
)
def oid_forgotten(c: Comparison) -> Iterator[Finding]:
    if not c.mibs.published or _root_moved(c):
        return
    known = {entry.oid for entry in c.mibs.new.lock.entries}
    known |= {entry.oid for entry in c.mibs.new.live.values()}
    moved = {old.oid for old, new in c.mibs.pairs if old.oid != new.oid}
    for entry in c.mibs.old.lock.entries:
        if entry.oid and entry.oid not in known | moved and entry.status != "withdrawn":
            message = f"{entry.dotted} ('{entry.name}') is no longer in the lock file"
            hint = "restore the line: without it the number can be given out again"
            yield Finding(c.new.snmp.span, message, hint, part=str(entry.key))


@change(
    Severity.ERROR,
    "Without its lock file a schema gives out all OIDs anew.",
    tags=(OID,),
    instead="Commit the lock file with the schema.",
)
def lock_lost(c: Comparison) -> Iterator[Finding]:
    if c.mibs.lost:
        message = f"the lock file of '{c.new.snmp.name}' is gone: OIDs are given out anew"
        hint = "restore it from version control, or copy the old one"
        yield Finding(c.new.span, message, hint, part="lock")


@change(
    Severity.ERROR,
    "The name of an object is what configurations of managers hold.",
    tags=(OID,),
    instead="Keep the name.",
)
def object_name(c: Comparison) -> Iterator[Finding]:
    for old, new in c.mibs.pairs:
        if old.name != new.name and c.old.name == c.new.name and old.kind not in ("node", "type"):
            message = f"object '{old.name}' is now called '{new.name}'"
            yield _finding(c, new, message, "snmp", "name")


@change(
    Severity.ERROR,
    "The type of a published object is fixed.",
    tags=(OID,),
    instead="Add an item of another name and keep this one for a while.",
)
def object_type(c: Comparison) -> Iterator[Finding]:
    retyped = _retyped(c)
    for old, new in c.mibs.pairs:
        same = old.kind == new.kind == "object" and (new.key.scope, new.key.item) not in retyped
        if same and not compatible(old.syntax, new.syntax):
            message = f"the type of object '{new.name}' was {old.syntax}, is now {new.syntax}"
            yield _finding(c, new, message, "snmp", "syntax")


def _retyped(c: Comparison) -> set[tuple[str, str]]:
    """Scopes and names of items whose types have changed."""
    changed = [new for old, new in c.items if _type_sources(old) != _type_sources(new)]
    return {(item.scope, item.name) for item in changed}


def _type_sources(item: ir.Item) -> tuple[object, ...]:
    """What the type of an object is made from: a change of it is reported by other rules."""
    return (item.kind, item.type, item.width, item.length, item.labels)


@change(
    Severity.ERROR,
    "Access to a published object is fixed: managers rely on it, and so do groups.",
    tags=(OID,),
    instead="Keep it.",
)
def object_access(c: Comparison) -> Iterator[Finding]:
    for old, new in c.mibs.pairs:
        if old.access != new.access:
            message = f"access to '{new.name}' was {old.access}, is now {new.access}"
            yield _finding(c, new, message, "snmp", "access")


_ORDER = ("current", "deprecated", "obsolete")


@change(
    Severity.ERROR,
    "An object goes from current to deprecated to obsolete, and not back.",
    tags=(OID,),
    instead="Add an item of another name.",
)
def object_status(c: Comparison) -> Iterator[Finding]:
    for old, new in c.mibs.pairs:
        both = old.status in _ORDER and new.status in _ORDER
        if both and _ORDER.index(new.status) < _ORDER.index(old.status):
            message = f"'{new.name}' was {old.status}, and is {new.status} again"
            yield _finding(c, new, message, "snmp", "status")


@change(
    Severity.ERROR,
    "The index of a published table is part of the OID of everything in it.",
    tags=(OID,),
    instead="Add a new scope and keep the old one for a while.",
)
def table_index(c: Comparison) -> Iterator[Finding]:
    before = {new.name: old for old, new in c.scopes.pairs}
    for old, new in c.mibs.pairs:
        scope = new.key.scope
        if old.kind != "row" or old.syntax == new.syntax or scope not in before:
            continue
        levels = tuple(c.new_scope.get(name, name) for name in before[scope].path)
        if levels == c.new.scope(scope).path:
            message = f"row '{new.name}' had {old.syntax}, now has {new.syntax}"
            key = "augments" if c.new.scope(scope).snmp.augments else "index"
            yield _finding(c, new, message, key)


@change(
    Severity.ERROR,
    "What a published group or compliance holds is fixed; a build makes a new one.",
    tags=(OID,),
    instead="Restore the lock file.",
)
def group_changed(c: Comparison) -> Iterator[Finding]:
    names = {old.name: new.name for old, new in c.mibs.pairs}
    groups = {e.oid: e for e in c.mibs.new.lock.entries if e.kind in ("group", "compliance")}
    for old in c.mibs.old.lock.entries:
        new = groups.get(old.oid)
        if new is None or old.date == c.mibs.old.lock.draft:
            continue
        before = {names.get(name, name) for name in old.members}
        if before != set(new.members):
            gone, added = sorted(before - set(new.members)), sorted(set(new.members) - before)
            what = ", ".join([*(f"-{name}" for name in gone), *(f"+{name}" for name in added)])
            message = f"{new.kind} '{new.name}' ({new.dotted}) was published: {what}"
            yield Finding(c.new.snmp.span, message, part=str(new.key))


@change(
    Severity.ERROR,
    "The history of a module is kept: managers compare its dates.",
    tags=(OID,),
    instead="Keep published revisions as they are, and add one.",
)
def revision_rewritten(c: Comparison) -> Iterator[Finding]:
    now = {revision.date: revision for revision in c.mibs.new.lock.revisions}
    for revision in c.mibs.old.lock.revisions if c.mibs.published else ():
        later = now.get(revision.date)
        if not revision.draft and (later is None or later.description != revision.description):
            how = "is gone" if later is None else "says something else"
            message = f"the published revision of {revision.date} {how}"
            yield Finding(_revision_at(c, revision.date), message, part=revision.date)


def _revision_at(c: Comparison, date: str) -> Span:
    return next((r.span for r in c.new.snmp.revisions if r.date == date), c.new.snmp.span)


@change(
    Severity.WARNING,
    "The module has changed without a new revision: two different modules have one date.",
    tags=(OID,),
    instead="Add an entry to `snmp.revisions`.",
)
def revision_missing(c: Comparison) -> Iterator[Finding]:
    old, new = c.mibs.old.lock, c.mibs.new.lock
    if not c.mibs.published or not old.revisions or old.draft or not new.revisions:
        return
    same = new.revisions[0].date == old.revisions[0].date
    if same and {_published(e) for e in old.entries} != {_published(e) for e in new.entries}:
        message = f"the module has changed since its revision of {old.revisions[0].date}"
        yield Finding(c.new.snmp.span, message, part=c.new.snmp.name)


def _published(entry: Entry) -> tuple[object, ...]:
    return (entry.oid, entry.name, entry.status, entry.syntax, entry.unit, entry.access)
