# SPDX-License-Identifier: BSD-3-Clause
"""Assigns OIDs to the parts of a schema, from its lock: no OID changes, and none is reused.

Entries of a lock are published (unless of a draft revision) and stay: those that the schema no
longer has become deprecated, and obsolete at a later revision. Groups and compliances that would
change are retained, and new ones are added.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from ..findings.rules import Finding
from ..model import ir
from . import changes, definitions, groups, keys, notifications, objects, renames, texts
from .lock import LIVE, UNREVISED, Entry, Key, Lock, Oid, dotted, order, parse_oid
from .nodespec import COMPLIANCE, COMPLIANCES, GROUPS, HEALTH, OBJECTS, NodeSpec, prefix

_WORD = re.compile(r"(?<![:\w-])[A-Za-z][\w-]*")


class Assignment(NamedTuple):
    """The new lock, what is required by key, and what differs from what was published.

    `frozen` says of each difference whether it is an `oid`, `type`, `index`, `name`, `unit`,
    `access`, `status`, `clause`, `node`, `objects`, `rename` or `revision`. `before` is the former
    lock with what is back in it.
    """

    lock: Lock
    required: dict[Key, NodeSpec]
    frozen: list[tuple[str, Finding]]
    before: Lock


def assign(module: ir.Module, old: Lock | None) -> Assignment:
    """The lock of a module after this build, from the one before it (None: there was none).

    Pure. The same module and its own lock give the same lock again.
    """
    first = first_of(module, True)
    return first if old in (None, first.lock) else _Assigner(module, old).run()


@lru_cache(maxsize=2)
def first_of(module: ir.Module, reports: bool) -> Assignment:
    """The first lock of a module, with its health objects or, as in earlier versions of ctrgen,
    without. Later locks are compared with it."""
    first = _Assigner(module, None, reports).run()
    return first._replace(before=first.lock)


class _Assigner:
    def __init__(self, module: ir.Module, old: Lock | None, reports: bool = True) -> None:
        self.module, self.root = module, parse_oid(module.snmp.oid)
        self.reports = reports
        old = old or Lock(module.snmp.name, module.snmp.identity, self.root)
        newest = (*module.snmp.revisions[:1], *old.revisions[:1])
        self.revision = max(revision.date for revision in newest)
        published = self.revision in {r.date for r in old.revisions if not r.draft}
        self.date = f"{self.revision}{UNREVISED}" if published else self.revision
        moved = old.draft not in {r.date for r in module.snmp.revisions}
        self.draft = self.date if old.draft and (moved or old.draft == self.date) else ""
        self.frozen: list[tuple[str, Finding]] = []
        parts = objects.required(module) if old.entries else ()
        self.frozen += (("rename", f) for f in renames.too_late(module, old, parts))
        self.old = renames.restored(old, parts, self.date, {r.date for r in module.snmp.revisions})
        self.live = self.old.live()
        self.defined = definitions.by_name(module)
        self.grouped: set[Key] = set()
        self.names = {entry.name.lower() for entry in self.old.entries}
        self.names |= {module.snmp.identity.lower(), *(n.lower() for n, _ in module.snmp.nodes)}
        self.names |= {name.lower() for name in self.defined}
        self.last: dict[Oid, int] = {}
        self.used: set[Oid] = {entry.oid for entry in self.old.entries}
        # what something was published below is taken, though nothing may have that number itself
        for oid in {e.oid[:end] for e in self.old.entries for end in range(2, len(e.oid) + 1)}:
            self._use(oid)
        self.entries: dict[Key, Entry] = {}
        self.families: dict[tuple[str, Key], list[Entry]] = {}
        self.continued: set[Key] = set()
        self.renamed: dict[str, str] = {}
        self.required: dict[Key, NodeSpec] = {}

    def _use(self, oid: Oid) -> None:
        """Hand out neither an OID nor a lower number next to it."""
        if oid:
            self.last[oid[:-1]] = max(self.last.get(oid[:-1], 0), oid[-1])
            self.used.add(oid)

    def run(self) -> Assignment:
        snmp = self.module.snmp
        if self.old.oid != self.root:
            message = f"the module is published as {dotted(self.old.oid)}, not {snmp.oid}"
            hint = "an OID never moves; remove the lock file only if nothing was published"
            self.frozen.append(("oid", Finding(snmp.span, message, hint)))
        names = (self.old.name, self.old.identity)
        if names != (snmp.name, snmp.identity) and any(not r.draft for r in self.old.revisions):
            message = f"the module is published as {names[0]} with {names[1]}"
            message += f", not {snmp.name} with {snmp.identity}"
            hint = f"write `snmp: {{name: {names[0]}, identity: {names[1]}}}`"
            self.frozen.append(("name", Finding(snmp.span, message, hint)))
        self.frozen += (("revision", finding) for finding in self._rewritten())
        revised = self.revision > max((r.date for r in self.old.revisions), default="")
        parts = objects.required(self.module)
        if snmp.definitions:
            shadowed = definitions.shadowed(self.module, self.old.entries)
            parts = tuple(part for part in parts if part not in shadowed)
        if not self.reports or not (revised or self.draft or HEALTH in self.live):
            # they come to a module that was published without them with its next revision
            parts = tuple(p for p in parts if p.key.scope != ir.HEALTH and p.key != HEALTH)
        if not (revised or self.draft):
            parts = changes.without_columns(parts, self.module, self.live)
        for spec in changes.as_published(parts, self.live, self.draft, revised=revised):
            self.required.setdefault(spec.key, spec)
            self._use(spec.oid)  # what the schema numbers itself is not handed out
        former = {key: self._former(spec) for key, spec in self.required.items()}
        for key, spec in self.required.items():
            self.entries[key] = self._entry(spec, former[key])
        self._index_clauses(former)
        self._names_in_texts()
        self.frozen += texts.lost(self.module, self.old, former, self.draft)
        lost = definitions.lost(self.module, self.old.entries, self.draft, self.renamed)
        self.frozen += (("definition", found) for _, _, found in lost)
        entries = groups.settled([*self.entries.values(), *self._retired(), *self._groups()])
        entries.sort(key=order)
        revised = bool(self.old.draft) or self.date == self.revision
        lock = Lock(snmp.name, snmp.identity, self.root, self._revisions(), tuple(entries))
        gone = {entry.key for entry in entries if entry.gone and lock.is_open(entry)}
        own = texts.kept(self.module, self.old, former, gone, revised=revised)
        return Assignment(lock._replace(texts=own), self.required, self.frozen, self.old)

    # ---- one thing ----

    def _former(self, spec: NodeSpec) -> Entry | None:
        for key in (spec.key, *spec.former):
            entry = self.live.get(key)
            if entry is not None and (key == spec.key or key not in self.required):
                self.continued.add(key)
                return entry
        if spec.kind != "node" and spec.key.role != definitions.ROLE:
            return None
        self.continued.add(spec.key)  # a node that was not needed for a while
        return next((entry for entry in self.old.entries if entry.key == spec.key), None)

    def _entry(self, spec: NodeSpec, before: Entry | None) -> Entry:
        syntax = self._syntax(spec)
        if before is None:
            name, oid, date = self._free_name(spec), self._oid(spec), self.date
        else:
            if spec.kind not in ("node", "table", "row"):
                self._unchanged(spec, before, syntax)
            if spec.oid and spec.oid != before.oid:
                message = f"'{before.name}' is published as {before.dotted}"
                hint = "an OID never moves: give the former one"
                self.frozen.append(("oid", Finding(spec.span, message, hint)))
            name = spec.name if spec.fixed_name else before.name
            if before.date != self.draft:
                self.frozen += changes.changed(spec, before, name)
            if name != before.name:
                self.renamed[before.name] = name
            oid = before.oid
            date = before.date if before.status == spec.status else self.date
        return Entry(
            spec.kind, oid, name, spec.status, date, spec.key, False, spec.access,
            syntax, spec.unit, spec.description, *self._members(spec, before),
        )  # fmt: skip

    def _members(self, spec: NodeSpec, before: Entry | None) -> definitions.Members:
        """Members of a definition in the schema, or the objects of a notification."""
        if spec.key.role == definitions.ROLE:
            return definitions.members(self.defined[spec.key.name])
        notifies = spec.kind == notifications.KIND
        return definitions.Members(self._carried(spec, before) if notifies else ())

    def _carried(self, spec: NodeSpec, before: Entry | None) -> tuple[str, ...]:
        """The objects of a notification, which stay what they were."""
        notification = next(n for n in self.module.notifications if n.name == spec.key.name)
        members = tuple(e.name for e in notifications.carried(notification, self.entries))
        if before is not None and before.date != self.draft:
            published = tuple(self.renamed.get(name, name) for name in before.members)
            if members != published:
                message = f"'{before.name}' is published with {', '.join(published)}"
                hint = "what a notification carries is fixed: add one of another name"
                self.frozen.append(("objects", Finding(spec.span, message, hint)))
        return members

    def _syntax(self, spec: NodeSpec) -> str:
        """The type of an object; that of an enum may have kept a former name."""
        convention = self.entries.get(spec.key.part("type")) if spec.key.item else None
        return convention.name if convention is not None else spec.syntax

    def _index_clauses(self, former: dict[Key, Entry | None]) -> None:
        """Fill in the clauses of rows, now that their index objects have names."""
        names = {
            spec.name: self.entries[key].name
            for key, spec in self.required.items()
            if key.role in ("index", keys.KEY, keys.FAMILY)
        }
        for key, spec in self.required.items():
            if spec.kind == "row":
                clause = _WORD.sub(lambda match: names.get(match[0], match[0]), spec.syntax)
                self.entries[key] = self.entries[key]._replace(syntax=clause)
                before = former[key]
                if before is not None:
                    self._unchanged(spec, before, clause)

    def _names_in_texts(self) -> None:
        """Call objects in sentences about them what they are called: a renamed item has the object
        that it had."""
        for key, entry in self.entries.items():
            ended = key.role == notifications.CLEARED
            item = key._replace(role=notifications.RAISED) if ended else key.part("")
            if item not in self.required or not (ended or key.role in ("", "family", "low")):
                continue
            before, name = self.required[item].name, self.entries[item].name
            end = "Type." if not key.role else ""
            if before != name and (ended or key.item):
                text = entry.description.replace(f" {before}{end}", f" {name}{end}")
                self.entries[key] = entry._replace(description=text)
        for key, entry in self.entries.items():  # an address and its type name each other
            other = key._replace(role=keys.PARTNERS.get(key.role, ""))
            if key.role in keys.PARTNERS and other in self.required:
                pattern = rf"\b{self.required[other].name}\b"
                text = re.sub(pattern, self.entries[other].name, entry.description)
                self.entries[key] = entry._replace(description=text)

    def _unchanged(self, spec: NodeSpec, before: Entry, syntax: str) -> None:
        """Report a published type or index that is no longer the same."""
        if self.draft == before.date or before.syntax == syntax:
            return
        types = {part.name: part.syntax for part in self.required.values() if part.kind == "type"}
        if not changes.compatible(before.syntax, syntax, types):
            what = "index" if spec.kind == "row" else "type"
            message = f"the {what} of '{before.name}' is published as {before.syntax}, not {syntax}"
            hint = changes.labels_moved(before.syntax, syntax) or (
                "give it another name (without renamed_from): the old one becomes deprecated"
            )
            self.frozen.append((what, Finding(spec.span, message, hint)))

    def _free_name(self, spec: NodeSpec) -> str:
        """The name that the schema gives, or one with a number when something retired has it."""
        name = spec.name
        if not spec.fixed_name and name.lower() in self.names:
            end = next((end for end in ("Table", "Entry") if name.endswith(end)), "")
            numbered = (f"{name.removesuffix(end)}{number}{end}" for number in count(2))
            name = next(n for n in numbered if n.lower() not in self.names)
        self.names.add(name.lower())
        return name

    def _oid(self, spec: NodeSpec) -> Oid:
        if spec.oid or spec.kind == "type":
            return spec.oid
        parent = self.entries[spec.parent].oid if spec.parent else self.root
        number = spec.number
        if number is None or (*parent, number) in self.used:
            number = self.last.get(parent, 1 if spec.parent == OBJECTS else 0) + 1
        oid = (*parent, number)
        self._use(oid)
        return oid

    # ---- what the schema no longer has ----

    def _retired(self) -> Iterator[Entry]:
        for entry in self.old.entries:
            given = entry.key.role == definitions.ROLE
            if (given or entry.kind == "node") and entry.key in self.entries:
                continue
            if entry.kind in definitions.CONFORMANCE and not given:
                continue
            if entry.gone:
                outdated = entry.status == "deprecated" and entry.date < self.revision
                yield entry._replace(status="obsolete", date=self.date) if outdated else entry
            elif entry.key not in self.continued:
                status = "withdrawn" if entry.date == self.draft else "deprecated"
                if entry.kind == "node" or entry.status == "obsolete":
                    status = entry.status
                yield entry._replace(gone=True, status=status, date=self.date)

    # ---- conformance ----

    def _groups(self) -> list[Entry]:
        """Every group and compliance; a new one where what belongs to it is no longer the same."""
        old = [
            entry._replace(**definitions.of_entry(entry).named(self.renamed)._asdict())
            for entry in sorted(self.old.entries, key=order)
            if entry.kind in definitions.CONFORMANCE and entry.key.role != definitions.ROLE
        ]
        for entry in old:
            self.families.setdefault((entry.kind, entry.key), []).append(entry)
        if self.defined:
            parts = [w._replace(name=self.entries[key].name) for key, w in self.required.items()]
            made = GROUPS in self.entries  # else every object is in one by its new name
            self.grouped = definitions.grouped(self.module, parts) if made else {*self.required}
        readable: dict[Key, list[str]] = {}
        for key, spec in self.required.items():
            shown = spec.kind == "object" and spec.access != "not-accessible"
            if shown and key not in self.grouped:
                group = groups.with_status(groups.home(spec), spec.status)
                readable.setdefault(group, []).append(self.entries[key].name)
        newest: list[Entry] = []
        optional: set[str] = set()
        for home in groups.homes(self.module):
            for status in groups.STATES:
                key = groups.with_status(home.key, status)
                if members := readable.get(key):
                    former = groups.with_status(home.former, status)
                    name = f"{home.start}{groups.of_status(status)}Group"
                    spec = NodeSpec(key, "group", name, GROUPS, status=status)
                    newest.append(self._successor(spec._replace(former=(former,)), members))
                    optional |= {newest[-1].name} if home.optional else set()
        newest += self._notification_group()
        families = [self.entries[key] for key in self.entries if key.role == groups.FAMILY]
        for status in groups.STATES:
            if members := [entry.name for entry in newest if entry.status == status]:
                key = groups.with_status(COMPLIANCE, status)
                name = f"{prefix(self.module)}{groups.of_status(status)}Compliance"
                spec = NodeSpec(key, "compliance", name, COMPLIANCES, status=status)
                chosen = tuple(member for member in members if member in optional)
                refined = tuple(entry.name for entry in families if entry.status == status)
                newest.append(self._successor(spec, members, chosen, refined))
        return list({entry.oid: entry for entry in (*old, *newest)}.values())

    def _notification_group(self) -> Iterator[Entry]:
        """The group of all notifications that the schema's own groups leave, if there are any."""
        notified = (part for part in self.required.values() if part.kind == notifications.KIND)
        left = [p.key for p in notified if p.key not in self.grouped and p.status == LIVE]
        members = [self.entries[key].name for key in left]
        if members:
            name = f"{prefix(self.module)}NotificationGroup"
            kind, parent = notifications.GROUP_KIND, GROUPS
            yield self._successor(NodeSpec(notifications.GROUP, kind, name, parent), members)

    def _successor(
        self, spec: NodeSpec, members: list[str], optional: tuple[str, ...] = (),
        refined: tuple[str, ...] = (),
    ) -> Entry:  # fmt: skip
        """The newest of a family when it has just these members, else a new one behind it. That
        objects are refined is no reason for a new one: one that was published stays as it is."""
        families = [self.families.get((spec.kind, k), []) for k in (spec.key, *spec.former)]
        family = max(families, key=lambda one: (any(not e.gone for e in one), bool(one)))
        if current := [entry for entry in family if not entry.gone]:
            newest = current[-1]._replace(key=spec.key, status=spec.status)
            same = {*newest.members} == {*members} and {*newest.optional} == {*optional}
            if newest.date == self.draft:
                if not same:
                    newest = newest._replace(members=tuple(members), optional=optional)
                return newest._replace(refined=refined)
            if same:
                return newest
        if family:
            spec = spec._replace(name=f"{spec.name}{len(family) + 1}")
        return Entry(
            spec.kind, self._oid(spec), self._free_name(spec), spec.status, self.date,
            spec.key, members=tuple(members), optional=optional, refined=refined,
        )  # fmt: skip

    # ---- the module ----

    def _rewritten(self) -> Iterator[Finding]:
        """Findings about published revisions that differ in the schema."""
        published = {r.date: r.description for r in self.old.revisions if not r.draft}
        for revision in self.module.snmp.revisions:
            text = published.get(revision.date, revision.description)
            if text != revision.description:
                message = f"the revision of {revision.date} is published as '{text}'"
                yield Finding(revision.span, message, "write that again, or add a newer revision")
            elif revision.draft and revision.date in published:
                message = f"the revision of {revision.date} is published, and no draft any more"
                yield Finding(revision.span, message, "add a newer revision, with `draft: true`")

    def _revisions(self) -> tuple[ir.Revision, ...]:
        """The schema's revisions, and published ones that it does not have."""
        revisions = list(self.module.snmp.revisions)
        dates = {revision.date for revision in revisions}
        revisions += [r for r in self.old.revisions if r.date not in dates and not r.draft]
        revisions.sort(key=lambda revision: revision.date, reverse=True)
        return (*revisions[:1], *(replace(revision, draft=False) for revision in revisions[1:]))
