# SPDX-License-Identifier: BSD-3-Clause
"""The management plane: OIDs that are no longer what they were, and what publishing fixes."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.diagnostics import Span
from ...mib.assign import compatible
from ...mib.lock import Entry
from ...model import ir
from ..mibs import dotted
from ..model import OID, Found, error, warning
from ..pairs import Comparison


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


def _holders(c: Comparison) -> dict[tuple[int, ...], Entry]:
    """What every OID was in the old version, the retired ones included."""
    found = {entry.oid: entry for entry in c.mibs.old.lock.entries if entry.oid}
    found.update((entry.oid, entry) for entry in c.mibs.old.live.values() if entry.oid)
    return found


def _taken(c: Comparison) -> Iterator[tuple[Entry, Entry, bool]]:
    """New entries under an OID that was something else's: that, and whether it lives on."""
    before = {new.key: old for old, new in c.mibs.pairs}
    alive = {old.key for old, _ in c.mibs.pairs}
    holders = _holders(c)
    for entry in c.mibs.new.live.values():
        was = holders.get(entry.oid)
        mine = before.get(entry.key)
        if was is not None and (mine is None or mine.oid != entry.oid):
            yield was, entry, was.key in alive and not was.gone


def _swapped(c: Comparison) -> Iterator[Found]:
    for was, entry, alive in _taken(c):
        if alive:
            message = f"{entry.dotted} was '{was.name}' and is now '{entry.name}'"
            yield Found(str(entry.key), _at(c, entry, "snmp", "oid"), message)


def _reused(c: Comparison) -> Iterator[Found]:
    for was, entry, alive in _taken(c):
        if not alive:
            message = f"{entry.dotted} was '{was.name}', which is gone, and is now '{entry.name}'"
            yield Found(str(entry.key), _at(c, entry, "snmp", "oid"), message)


def _moved(c: Comparison) -> Iterator[Found]:
    if _root_moved(c):
        return
    taken = {entry.key for _, entry, _ in _taken(c)}
    for old, new in c.mibs.pairs:
        if old.oid != new.oid and new.key not in taken:
            message = f"'{new.name}' was {old.dotted}, is now {new.dotted}"
            yield Found(str(new.key), _at(c, new, "snmp", "oid"), message)


def _root_moved(c: Comparison) -> bool:
    return c.old.snmp.oid != c.new.snmp.oid


def _root(c: Comparison) -> Iterator[Found]:
    if _root_moved(c):
        message = f"the MIB module was at {c.old.snmp.oid}, is now at {c.new.snmp.oid}"
        yield Found(c.new.snmp.name, c.new.snmp.span, message)


def _module_name(c: Comparison) -> Iterator[Found]:
    if c.old.snmp.name != c.new.snmp.name and c.old.name == c.new.name:
        message = f"MIB module '{c.old.snmp.name}' is now called '{c.new.snmp.name}'"
        yield Found(c.new.snmp.name, c.new.snmp.span, message)


def _object_name(c: Comparison) -> Iterator[Found]:
    for old, new in c.mibs.pairs:
        if old.name != new.name and c.old.name == c.new.name and old.kind not in ("node", "type"):
            message = f"object '{old.name}' is now called '{new.name}'"
            yield Found(str(new.key), _at(c, new, "snmp", "name"), message)


def _facts(item: ir.Item) -> tuple[object, ...]:
    """What the type of an object is made from: a change of it is reported by other rules."""
    return (item.kind, item.type, item.width, item.length, item.labels)


def _told(c: Comparison) -> set[tuple[str, str]]:
    """Scopes and names of items whose types have changed."""
    changed = [new for old, new in c.items if _facts(old) != _facts(new)]
    return {(item.scope, item.name) for item in changed}


def _type(c: Comparison) -> Iterator[Found]:
    told = _told(c)
    for old, new in c.mibs.pairs:
        same = old.kind == new.kind == "object" and (new.key.scope, new.key.item) not in told
        if same and not compatible(old.syntax, new.syntax):
            message = f"the type of object '{new.name}' was {old.syntax}, is now {new.syntax}"
            yield Found(str(new.key), _at(c, new, "snmp", "syntax"), message)


def _index(c: Comparison) -> Iterator[Found]:
    before = {new.name: old for old, new in c.scopes.pairs}
    for old, new in c.mibs.pairs:
        scope = new.key.scope
        if old.kind != "row" or old.syntax == new.syntax or scope not in before:
            continue
        levels = tuple(c.new_scope.get(name, name) for name in before[scope].path)
        if levels == c.new.scope(scope).path:
            message = f"row '{new.name}' had {old.syntax}, now has {new.syntax}"
            key = "augments" if c.new.scope(scope).snmp.augments else "index"
            yield Found(str(new.key), _at(c, new, key), message)


def _access(c: Comparison) -> Iterator[Found]:
    for old, new in c.mibs.pairs:
        if old.access != new.access:
            message = f"access to '{new.name}' was {old.access}, is now {new.access}"
            yield Found(str(new.key), _at(c, new, "snmp", "access"), message)


_ORDER = ("current", "deprecated", "obsolete")


def _status(c: Comparison) -> Iterator[Found]:
    for old, new in c.mibs.pairs:
        both = old.status in _ORDER and new.status in _ORDER
        if both and _ORDER.index(new.status) < _ORDER.index(old.status):
            message = f"'{new.name}' was {old.status}, and is {new.status} again"
            yield Found(str(new.key), _at(c, new, "snmp", "status"), message)


def _lost(c: Comparison) -> Iterator[Found]:
    if c.mibs.lost:
        message = f"the lock file of '{c.new.snmp.name}' is gone: OIDs are given out anew"
        yield Found(
            "lock", c.new.span, message, "restore it from version control, or copy the old one"
        )


def _forgotten(c: Comparison) -> Iterator[Found]:
    if not c.mibs.published or _root_moved(c):
        return
    known = {entry.oid for entry in c.mibs.new.lock.entries}
    known |= {entry.oid for entry in c.mibs.new.live.values()}
    moved = {old.oid for old, new in c.mibs.pairs if old.oid != new.oid}
    for entry in c.mibs.old.lock.entries:
        if entry.oid and entry.oid not in known | moved and entry.status != "withdrawn":
            message = f"{entry.dotted} ('{entry.name}') is no longer in the lock file"
            hint = "restore the line: without it the number can be given out again"
            yield Found(str(entry.key), c.new.snmp.span, message, hint)


def _group(c: Comparison) -> Iterator[Found]:
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
            message = f"{new.kind} '{new.name}' ({dotted(new.oid)}) was published: {what}"
            yield Found(str(new.key), c.new.snmp.span, message)


def _revision(c: Comparison) -> Iterator[Found]:
    now = {revision.date: revision for revision in c.mibs.new.lock.revisions}
    for revision in c.mibs.old.lock.revisions if c.mibs.published else ():
        kept = now.get(revision.date)
        if not revision.draft and (kept is None or kept.description != revision.description):
            how = "is gone" if kept is None else "says something else"
            message = f"the published revision of {revision.date} {how}"
            yield Found(revision.date, _revision_at(c, revision.date), message)


def _revision_at(c: Comparison, date: str) -> Span:
    return next((r.span for r in c.new.snmp.revisions if r.date == date), c.new.snmp.span)


def _unrevised(c: Comparison) -> Iterator[Found]:
    old, new = c.mibs.old.lock, c.mibs.new.lock
    if not c.mibs.published or not old.revisions or old.draft or not new.revisions:
        return
    same = new.revisions[0].date == old.revisions[0].date
    if same and {_published(e) for e in old.entries} != {_published(e) for e in new.entries}:
        message = f"the module has changed since its revision of {old.revisions[0].date}"
        yield Found(c.new.snmp.name, c.new.snmp.span, message)


def _published(entry: Entry) -> tuple[object, ...]:
    return (entry.oid, entry.name, entry.status, entry.syntax, entry.unit, entry.access)


RULES = (
    error(
        "mib-moved",
        (OID,),
        _root,
        "The OID of the module is the start of all its OIDs.",
        "Keep `enterprise`, `arc` and `oid`.",
    ),
    error(
        "mib-renamed",
        (OID,),
        _module_name,
        "Managers and other modules name objects by their module: `EP-STATS-MIB::epLinkUp`.",
        "Keep the name.",
    ),
    error(
        "oid-moved",
        (OID,),
        _moved,
        "An object has another OID: who polls the old one finds nothing.",
        "Restore the lock file, or the `oid` that the schema gave.",
    ),
    error(
        "oid-swapped",
        (OID,),
        _swapped,
        "An object has the OID that another one had, which is still there: "
        "managers read one for the other, and no tool notices.",
        "Restore the lock file, or the `oid` that the schema gave.",
    ),
    error(
        "oid-reused",
        (OID,),
        _reused,
        "An object has the OID of one that is gone: managers that know the old one misread it.",
        "Restore the lock file, which keeps the numbers of what is gone.",
    ),
    error(
        "oid-forgotten",
        (OID,),
        _forgotten,
        "The lock file no longer knows an OID that was published, and may give it out again.",
        "Restore the line.",
    ),
    error(
        "lock-lost",
        (OID,),
        _lost,
        "Without its lock file a schema gives out all OIDs anew.",
        "Commit the lock file with the schema.",
    ),
    error(
        "object-name",
        (OID,),
        _object_name,
        "The name of an object is what configurations of managers hold.",
        "Keep the name.",
    ),
    error(
        "object-type",
        (OID,),
        _type,
        "The type of a published object is fixed.",
        "Add an item of another name and keep this one for a while.",
    ),
    error(
        "object-access",
        (OID,),
        _access,
        "Access to a published object is fixed: managers rely on it, and so do groups.",
        "Keep it.",
    ),
    error(
        "object-status",
        (OID,),
        _status,
        "An object goes from current to deprecated to obsolete, and not back.",
        "Add an item of another name.",
    ),
    error(
        "table-index",
        (OID,),
        _index,
        "The index of a published table is part of the OID of everything in it.",
        "Add a new scope and keep the old one for a while.",
    ),
    error(
        "group-changed",
        (OID,),
        _group,
        "What a published group or compliance holds is fixed; a build makes a new one.",
        "Restore the lock file.",
    ),
    error(
        "revision-rewritten",
        (OID,),
        _revision,
        "The history of a module is kept: managers compare its dates.",
        "Keep published revisions as they are, and add one.",
    ),
    warning(
        "revision-missing",
        (OID,),
        _unrevised,
        "The module has changed without a new revision: two different modules have one date.",
        "Add an entry to `snmp.revisions`.",
    ),
)
