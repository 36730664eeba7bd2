# SPDX-License-Identifier: BSD-3-Clause
"""The management plane: OIDs that are no longer what they were, and what publishing fixes."""

from collections.abc import Iterator
from operator import attrgetter

from ....model import ir
from ....publish import changes as changes_of
from ....publish import definitions, keys
from ....publish.lock import Entry, Key
from ....publish.nodespec import published_scopes, served_rows, unserved
from ....publish.texts import MODULE, of_group, own, removed
from ..model import ADD_ITEM, ADD_SCOPE, ERROR, WARNING, changes
from ..pairs import Change, Changes, Comparison

_STATUS_ORDER = ("current", "deprecated", "obsolete")
_type_source = attrgetter("kind", "type", "width", "length", "labels", "minimum", "maximum")
"""Keys that determine the type of an object: other rules report their changes."""


@changes(
    ("mib-moved", ERROR, "oid",
     "The OID of the module is the start of all its OIDs.",
     "Keep `enterprise`, `arc` and `oid`."),
    ("mib-renamed", ERROR, "oid",
     "Managers and other modules name objects by their module: `EP-STATS-MIB::epLinkUp`.",
     "Keep the name."),
    ("mib-withdrawn", ERROR, "oid",
     "A published module is a draft again, and may assign all OIDs from scratch.",
     "Keep `snmp:`, without `draft: true`."),
    ("node-changed", ERROR, "oid",
     "The name of an OID was removed or names another OID: other modules may use it.",
     "Keep the entry of `snmp.nodes`."),
)  # fmt: skip
def modules(c: Comparison) -> Changes:
    old, new = c.old.snmp, c.new.snmp
    if old.published and not new.published:
        message = f"MIB module '{old.name}' was published, and is now a draft"
        yield Change("mib-withdrawn", new.span, new.name, message)
        return  # which says nothing of what is published
    nodes = dict(new.nodes)
    for name, oid in old.nodes:
        if nodes.get(name) != oid:
            message = f"'{name}' was the name of {oid}, is now {nodes.get(name, 'not there')}"
            yield Change("node-changed", new.span, name, message)
    if old.identity != new.identity and old.name == new.name:
        message = f"the identity of the MIB module was '{old.identity}', is now '{new.identity}'"
        yield Change("mib-renamed", new.span, new.name, message)
    if old.oid != new.oid:
        message = f"the MIB module was at {old.oid}, is now at {new.oid}"
        yield Change("mib-moved", new.span, new.name, message)
    if old.name != new.name and c.old.name == c.new.name:
        message = f"MIB module '{old.name}' is now called '{new.name}'"
        yield Change("mib-renamed", new.span, new.name, message)


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
    ("object-name", ERROR, "oid",
     "Configurations of managers name objects.",
     "Keep the name."),
    ("object-removed", ERROR, "oid",
     "An additional object of an item or scope was removed; managers may poll it.",
     "Keep the key that adds it: `low_capacity`, `reset`."),
    ("object-type", ERROR, "oid",
     "The type of a published object is fixed.", ADD_ITEM),
    ("object-access", ERROR, "oid",
     "Access to a published object is fixed: managers rely on it, and so do groups.",
     "Keep it."),
    ("object-clause", ERROR, "oid",
     "A DEFVAL, REFERENCE or DISPLAY-HINT may be added or changed, but is not removed.",
     "Restore it."),
    ("object-status", ERROR, "oid",
     "An object goes from current to deprecated to obsolete, and not back.",
     "Add an item of another name."),
    ("table-index", ERROR, "oid",
     "The index of a published table is part of the OID of everything in it.", ADD_SCOPE),
)  # fmt: skip
def objects(c: Comparison) -> Changes:
    retyped = {
        (new.scope, new.name) for old, new in c.items if _type_source(old) != _type_source(new)
    }
    labelled = {new.name for old, new in c.scopes.pairs if old.labelled or new.labelled}
    paths = ((tuple(c.new_index[name] for name in old.path), new) for old, new in c.scopes.pairs)
    same_levels = {new.name for path, new in paths if path == new.path}
    types = {e.name: e.syntax for e in c.mibs.new.live.values() if e.kind == "type"}
    digests = own(c.old), own(c.new)
    yield from _companions(c, retyped)
    yield from _names(c)
    for old, new in c.mibs.pairs:
        if old.name != new.name and c.old.name == c.new.name and old.kind not in ("node", "type"):
            message = f"object '{old.name}' is now called '{new.name}'"
            yield _change("object-name", c, new, message, "snmp", "name")
        typed = old.kind == new.kind and new.kind in ("object", "type")
        same = typed and (new.key.scope, new.key.item) not in retyped
        if new.key.role in (keys.KEY, keys.FAMILY):
            same = False  # another rule reports those
        if new.key.role == "index" and new.key.scope in labelled:
            same = False  # rules about labels say it
        if same and not changes_of.compatible(old.syntax, new.syntax, types):
            kind = "object" if new.kind == "object" else "convention"
            message = f"the type of {kind} '{new.name}' was {old.syntax}, is now {new.syntax}"
            yield _change("object-type", c, new, message, "snmp", "syntax")
        if old.access != new.access:
            message = f"access to '{new.name}' was {old.access}, is now {new.access}"
            yield _change("object-access", c, new, message, "snmp", "access")
        digest = digests[0].get(old.key, "")
        for clause, _ in removed(old, new.unit, digest, digests[1].get(new.key, digest)):
            message = f"the {clause} of '{new.name}' was removed"
            yield _change("object-clause", c, new, message, "snmp")
        both = old.status in _STATUS_ORDER and new.status in _STATUS_ORDER
        if both and _STATUS_ORDER.index(new.status) < _STATUS_ORDER.index(old.status):
            message = f"'{new.name}' was {old.status}, and is {new.status} again"
            yield _change("object-status", c, new, message, "snmp", "status")
        if old.kind == "row" and old.syntax != new.syntax and new.key.scope in same_levels:
            message = f"row '{new.name}' had {old.syntax}, now has {new.syntax}"
            scope = c.new.scope(new.key.scope)
            key = "augments" if scope.snmp.augments else "key" if scope.key else "index"
            yield _change("table-index", c, new, message, key)


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


def _names(c: Comparison) -> Changes:
    """Names that are given to what is published under others, or were those of something else."""
    live = {new.key: old for old, new in c.mibs.pairs}
    if c.locks[0] is not None:
        for scope, name in changes_of.late_names(published_scopes(c.new), live):
            message = f"scope '{scope.name}' is published as '{name}' ..., not {scope.snmp.name}..."
            yield Change("object-name", c.scope_at(scope, "snmp"), scope.name, message)
    before = {old.name: old for old in c.mibs.old.lock.published if old.oid}
    for new in c.mibs.new.live.values():
        was = before.get(new.name) if new.key not in live else None
        if was is not None and new.oid not in ((), was.oid):
            message = f"'{new.name}' was the name of {was.dotted}, is now that of {new.dotted}"
            yield _change("object-name", c, new, message, "snmp", "name")


def _companions(c: Comparison, retyped: set[tuple[str, str]]) -> Changes:
    """Removed objects whose item or scope still exists: low halves, discontinuities."""
    there = {old.key for old, _ in c.mibs.pairs}
    scopes = {old.name: new for old, new in c.scopes.pairs}
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
    ("group-changed", ERROR, "oid",
     "What a published group or compliance holds is fixed; a build makes a new one.",
     "Restore the lock file."),
    ("revision-rewritten", ERROR, "oid",
     "The history of a module is kept: managers compare its dates.",
     "Keep published revisions as they are, and add one."),
    ("revision-order", ERROR, "oid",
     "Revisions are days of the calendar, newest first: managers compare their dates.",
     "Put the newest one first; a later one of the same day has a time of day."),
    ("revision-missing", WARNING, "oid",
     "The module has changed without a new revision: two different modules have one date.",
     "Add an entry to `snmp.revisions`."),
)  # fmt: skip
def history(c: Comparison) -> Changes:
    snmp, old, new = c.new.snmp, c.mibs.old.lock, c.mibs.new.lock
    names = {before.name: after.name for before, after in c.mibs.pairs}
    made = (entry for entry in new.entries if entry.key.role != definitions.ROLE)
    groups = {entry.oid: entry for entry in made if entry.kind in ("group", "compliance")}
    for entry in old.entries:
        group = groups.get(entry.oid)
        if group is None or entry.date == old.draft:
            continue
        before = {_member(entry, name, names.get(name, name)) for name in entry.members}
        now = {_member(group, name, name) for name in group.members}
        if before != now:
            signed = [f"-{name}" for name in sorted(before - now)]
            signed += [f"+{name}" for name in sorted(now - before)]
            message = f"{group.kind} '{group.name}' ({group.dotted}) was published: "
            message += ", ".join(signed)
            yield Change("group-changed", snmp.span, str(group.key), message)
    known = {one.message for one in changes_of.disorder(c.old.snmp.revisions)}
    for found in changes_of.disorder(snmp.revisions):
        if found.message not in known:
            yield Change("revision-order", found.span, snmp.name, found.message, found.hint)
    if None in c.locks:
        return
    descriptions = {revision.date: revision.description for revision in new.revisions}
    spans = {revision.date: revision.span for revision in reversed(snmp.revisions)}
    for revision in old.revisions:
        later = descriptions.get(revision.date)
        if not revision.draft and later != revision.description:
            how = "was removed" if later is None else "has another description"
            message = f"the published revision of {revision.date} {how}"
            span = spans.get(revision.date, snmp.span)
            yield Change("revision-rewritten", span, revision.date, message)
    if old.draft or not old.revisions or not new.revisions:
        return
    latest = old.revisions[0].date
    if latest != new.revisions[0].date or c.old.snmp.published > c.new.snmp.published:
        return
    texts = _other_texts(c)
    if texts or changes_of.differs(old, new):
        what = changes_of.shown(old, new, texts)
        message = f"the module has changed since its revision of {latest}: {what}"
        yield Change("revision-missing", snmp.span, snmp.name, message)


def _other_texts(c: Comparison) -> list[Key]:
    """Elements whose texts differ from the old version."""
    old, new = own(c.old), own(c.new)
    former = {after.key: before.key for before, after in c.mibs.pairs} | {MODULE: MODULE}
    former |= {key: key for key in old if of_group(key) and key in new}
    former |= {key: key for key in {**old, **new} if key.role == definitions.IDENTITY}
    return [key for key, before in former.items() if old.get(before, "") != new.get(key, "")]


def _member(group: Entry, name: str, now: str) -> str:
    """Members of a group or compliance, by their name `now`."""
    return f"{now} (optional)" if name in group.optional else now


def _change(rule: str, c: Comparison, entry: Entry, message: str, *keys: str) -> Change:
    """A change of an entry, at the key of its object in the schema, or at the object."""
    scope, name = entry.key.scope, entry.key.item
    spec = c.mibs.new.required.get(entry.key)
    span = spec.span if spec is not None else c.new.snmp.span
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
