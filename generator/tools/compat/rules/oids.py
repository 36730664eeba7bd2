# SPDX-License-Identifier: BSD-3-Clause
"""The management plane: OIDs that are no longer what they were, and what publishing fixes."""

import re
from collections.abc import Iterator
from operator import attrgetter

from ....findings.diagnostics import Diagnostic, Diagnostics, Severity, Span
from ....model import ir
from ....publish.lock import Entry, Lock, LockFile
from ....publish.rules import judge
from ....publish.served import served_rows, unserved
from ....publish.wanted import published_scopes
from ..model import ERROR, WARNING, changes
from ..pairs import Change, Changes, Comparison, subject

_type_source = attrgetter("kind", "type", "width", "length", "labels", "minimum", "maximum")
"""What the type of an object is made from: a change of it is reported by other rules."""


@changes(
    ("mib-withdrawn", ERROR, "oid",
     "A published module is a draft again, and may assign all OIDs from scratch.",
     "Keep `snmp:`, without `draft: true`."),
)  # fmt: skip
def withdrawn(c: Comparison) -> Changes:
    if c.old.snmp.published and not c.new.snmp.published:
        message = f"MIB module '{c.old.snmp.name}' was published, and is now a draft"
        yield Change("mib-withdrawn", c.new.snmp.span, c.new.snmp.name, message)


@changes(
    ("oid-moved", ERROR, "oid",
     "The OID of an object changed: managers that poll the old one get no value.",
     "Restore the lock file, or the `oid` that the schema gave."),
    ("oid-swapped", ERROR, "oid",
     "An object has the OID that another one had, which is still there: "
     "managers read one for the other, and no tool notices.",
     "Restore the lock file, or the `oid` that the schema gave."),
    ("oid-reused", ERROR, "oid",
     "An object has the OID of a removed one: managers that know the old one misread it.",
     "Restore the lock file, which keeps the numbers of removed objects."),
    ("oid-forgotten", ERROR, "oid",
     "The lock file lacks a published OID, which may be assigned again.",
     "Restore the line."),
    ("lock-lost", ERROR, "oid",
     "Without its lock file a schema assigns all OIDs from scratch.",
     "Commit the lock file with the schema."),
)  # fmt: skip
def oids(c: Comparison) -> Changes:
    stays, taken = c.old.snmp.oid == c.new.snmp.oid, set()
    for was, entry, alive in _reassigned(c):
        taken.add(entry.key)
        rule, gone = ("oid-swapped", "") if alive else ("oid-reused", ", which was removed,")
        message = f"{entry.dotted} was '{was.name}'{gone} and is now '{entry.name}'"
        yield _change(rule, c, entry, message, "snmp", "oid")
    moved = [(old, new) for old, new in c.mibs.pairs if old.oid != new.oid]
    for old, new in moved if stays else []:
        if new.key not in taken:
            message = f"'{new.name}' was {old.dotted}, is now {new.dotted}"
            yield _change("oid-moved", c, new, message, "snmp", "oid")
    if stays and None not in c.locks:
        known = {e.oid for e in (*c.mibs.new.lock.entries, *c.mibs.new.live.values())}
        known |= {old.oid for old, _ in moved}
        for entry in c.mibs.old.lock.entries:
            if entry.oid and entry.oid not in known and entry.status != "withdrawn":
                message = f"{entry.dotted} ('{entry.name}') is no longer in the lock file"
                hint = "restore the line: without it the number can be assigned again"
                yield Change("oid-forgotten", c.new.snmp.span, str(entry.key), message, hint)
    if c.locks[0] is not None and c.locks[1] is None:
        message = f"the lock file of '{c.new.snmp.name}' is missing: OIDs are assigned from scratch"
        hint = "restore it from version control, or copy the old one"
        yield Change("lock-lost", c.new.span, "lock", message, hint)


@changes(
    ("object-removed", ERROR, "oid",
     "An additional object of an item or scope was removed; managers may poll it.",
     "Keep the key that adds it: `low_capacity`, `reset`."),
)  # fmt: skip
def companions(c: Comparison) -> Changes:
    """Removed objects whose item or scope still exists: low halves, discontinuities."""
    there = {old.key for old, _ in c.mibs.pairs}
    scopes = {old.name: new for old, new in c.scopes.pairs}
    retyped = {
        (new.scope, new.name) for old, new in c.items if _type_source(old) != _type_source(new)
    }
    for key, entry in c.mibs.old.live.items():
        companion = entry.kind == "object" and key.role not in ("", "index")
        scope = scopes.get(key.scope)
        if not companion or key in there or scope is None or c.mibs.old.lock.is_open(entry):
            continue  # what no revision has can go
        item = c.new_item.get((key.scope, key.item))
        others_say = (item is None or item in retyped) if key.item else False
        if others_say or scope.storage is ir.Storage.EMBEDDED:
            continue
        span = c.new.snmp.span if key.item else c.scope_at(scope, "reset")
        message = f"'{entry.name}' ({entry.dotted}) was removed from the MIB"
        yield Change("object-removed", span, str(key), message)


@changes(
    ("table-unserved", ERROR, "oid",
     "Managers no longer find rows of a published table: the agent serves fewer, or none.",
     "Say `snmp: {serve: true}`, or keep `cap`."),
)  # fmt: skip
def served(c: Comparison) -> Changes:
    shown = published_scopes(c.old), published_scopes(c.new)
    if not (c.old.snmp.published and c.new.snmp.published):
        return
    for old, new in c.scopes.pairs:
        if old not in shown[0] or new not in shown[1]:
            continue
        if message := unserved(new, served_rows(old)):
            levels = zip(old.levels, new.levels, strict=False)
            raised = (lv.scope for was, lv in levels if was.maximum != lv.maximum)
            scope, key = c.new.scope(next(raised, new.name)), "max"  # or that of a parent
            if new.snmp != old.snmp and c.after.place("scope", new.name).has("snmp"):
                scope, key = new, "snmp"
            yield Change("table-unserved", c.scope_at(scope, key), new.name, message)


@changes(
    ("published-changed", ERROR, "oid",
     "Something is not as it was published: `ctrgen build` refuses it on the old lock file.",
     "Restore it, or add something of another name."),
    ("revision-missing", WARNING, "oid",
     "The module has changed without a new revision: two different modules have one date.",
     "Add an entry to `snmp.revisions`."),
)  # fmt: skip
def published(c: Comparison) -> Changes:
    """What a build says of the new version on the old lock file, and of the old one does not; and
    no other rule says of that part."""
    if not c.new.snmp.published:
        return
    lock = c.locks[0] or c.mibs.old.lock
    before = {found.message for found in _judged(c.old, lock)}
    parts, reported = _parts(c.new), [*c.broken["oid"]]
    for found in _judged(c.new, lock):
        part = parts.get(found.span, c.new.name)
        own = re.compile(rf"(?:^|[/:]){re.escape(part)}\b")
        rule = "revision-missing" if found.rule == "unrevised-change" else "published-changed"
        relevant = found.severity is Severity.ERROR or rule == "revision-missing"
        if relevant and found.message not in before and not any(map(own.search, reported)):
            yield Change(rule, found.span, part, found.message, found.hint)


def _judged(module: ir.Module, lock: Lock) -> list[Diagnostic]:
    """What a build on a lock file says of the MIB module."""
    diagnostics = Diagnostics()
    judge(module, LockFile(lock=lock), diagnostics)
    return diagnostics.findings


def _parts(module: ir.Module) -> dict[Span, str]:
    """What is where in a schema."""
    parts = {one.span: one.name for one in (*module.notifications, *module.snmp.definitions)}
    for scope in module.every_scope:
        parts[scope.span] = scope.name
        parts |= {item.span: subject(item) for item in scope.items}
    return parts


def _change(rule: str, c: Comparison, entry: Entry, message: str, *keys: str) -> Change:
    """A change of an entry, at the key of its object in the schema, or at the object."""
    scope, name = entry.key.scope, entry.key.item
    wanted = c.mibs.new.wanted.get(entry.key)
    span = wanted.span if wanted is not None else c.new.snmp.span
    if ("item", scope, name) in c.after.places:
        span = c.item_at(c.new.item(scope, name), *keys)
    elif ("scope", scope) in c.after.places:
        span = c.after.place("scope", scope).at(*keys)
    return Change(rule, span, str(entry.key), message)


def _reassigned(c: Comparison) -> Iterator[tuple[Entry, Entry, bool]]:
    """New entries under an OID that was something else's: that, and whether it lives on."""
    before = {new.key: old for old, new in c.mibs.pairs}
    alive = {old.key for old, _ in c.mibs.pairs}
    # What every OID was in the old version, the retired ones included.
    entries = (*c.mibs.old.lock.entries, *c.mibs.old.live.values())
    old_by_oid = {entry.oid: entry for entry in entries if entry.oid}
    for entry in c.mibs.new.live.values():
        was = old_by_oid.get(entry.oid)
        former = before.get(entry.key)
        other = entry.oid not in c.restored and (former is None or former.oid != entry.oid)
        if was is not None and other:
            yield was, entry, was.key in alive and not was.gone
