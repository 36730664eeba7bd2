# SPDX-License-Identifier: BSD-3-Clause
"""Gives OIDs to what a schema wants, from its lock: nothing moves, nothing is given away twice.

What a lock holds is published (unless it is of a draft revision) and stays:
what the schema no longer has becomes deprecated, at a later revision
obsolete. Groups and compliances that would change are left as they are, and
new ones are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ..findings.rules import Finding
from ..model import ir
from . import objects
from .lock import LIVE, Entry, Lock, Oid, Published, order, parse_oid
from .objects import Wanted

_STATES = (LIVE, "deprecated", "obsolete")
_TITLES = {LIVE: "", "deprecated": "Deprecated", "obsolete": "Obsolete"}
_WORD = re.compile(r"(?<![:\w-])[A-Za-z][\w-]*")
_LABEL = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\((-?[0-9]+)\)")


class Assignment(NamedTuple):
    """The new lock, what was wanted by key, and what differs from what was published.

    `frozen` says of each difference whether it is an `oid`, `type` or `index`.
    """

    lock: Lock
    wanted: dict[str, Wanted]
    frozen: list[tuple[str, Finding]]


def assign(module: ir.Module, old: Lock | None) -> Assignment:
    """The lock of a module after this build, from the one before it (None: there was none).

    Pure. The same module and its own lock give the same lock again.
    """
    return _Assigner(module, old).run()


def _labels(syntax: str) -> set[str]:
    return {number for _, number in _LABEL.findall(syntax)}


def compatible(old: str, new: str) -> bool:
    """Whether a published type may be replaced: it is the same, or has more labels."""
    if old == new:
        return True
    same = old.partition("{")[0] == new.partition("{")[0]
    return same and bool(_labels(old)) and _labels(old) <= _labels(new)


class _Assigner:
    def __init__(self, module: ir.Module, old: Lock | None) -> None:
        self.module = module
        self.root = parse_oid(module.snmp.oid)
        self.old = old or Lock(module.snmp.name, module.snmp.identity, self.root)
        self.date = module.snmp.revisions[0].date
        if old is not None and old.revisions:
            self.date = max(self.date, old.revisions[0].date)
        self.draft = self.old.draft if self.old.draft == self.date else ""
        self.live = self.old.live()
        self.names = {entry.name.lower() for entry in self.old.entries}
        self.names |= {module.snmp.identity.lower(), *(n.lower() for n, _ in module.snmp.nodes)}
        self.last: dict[Oid, int] = {}
        # what something was published below is taken, though nothing may have that number itself
        above = {e.oid[:end] for e in self.old.entries for end in range(2, len(e.oid) + 1)}
        for oid in above:
            self._used(oid)
        self.used = above | {entry.oid for entry in self.old.entries}
        self.made: dict[str, Entry] = {}
        self.kept: set[str] = set()
        self.renamed: dict[str, str] = {}
        self.wanted: dict[str, Wanted] = {}
        self.newest: list[Entry] = []
        self.frozen: list[tuple[str, Finding]] = []

    def _used(self, oid: Oid) -> None:
        if oid:
            self.last[oid[:-1]] = max(self.last.get(oid[:-1], 0), oid[-1])

    def run(self) -> Assignment:
        wanted = objects.wanted(self.module)
        kinds = list(objects.types(self.module)) if wanted else []
        for one in (*kinds, *wanted):
            self.wanted.setdefault(one.key, one)
        former = {one.key: self._former(one) for one in self.wanted.values()}
        given = [one.oid for one in wanted if one.oid]
        for oid in given:  # what the schema numbers itself is not handed out
            self._used(oid)
            self.used.add(oid)
        for one in self.wanted.values():
            self.made[one.key] = self._entry(one, former[one.key])
        self._index_clauses(former)
        gone = [self._gone(entry) for entry in self._missing()]
        members = [
            replace(entry, members=tuple(self.renamed.get(name, name) for name in entry.members))
            for entry in self.old.entries
            if entry.kind in ("group", "compliance")
        ]
        entries = [*self.made.values(), *gone]
        if wanted:
            entries += self._groups(members) + self._compliances(members)
        else:
            entries += members
        entries = _settle(entries)
        lock = Lock(
            self.module.snmp.name, self.module.snmp.identity, self.root, self._revisions(),
            tuple(sorted(entries, key=order)),
        )  # fmt: skip
        return Assignment(lock, self.wanted, [*self._moved(), *self.frozen])

    # ---- one thing ----

    def _former(self, one: Wanted) -> Entry | None:
        for key in (one.key, *one.former):
            entry = self.live.get(key)
            if entry is not None and (key == one.key or key not in self.wanted):
                self.kept.add(key)
                return entry
        return None

    def _entry(self, one: Wanted, before: Entry | None) -> Entry:
        if before is None:
            name = one.name if one.given else self._free_name(one.name)
            self.names.add(name.lower())
            oid, date = self._oid(one), self.date
        else:
            self._frozen(one, before)
            name = one.name if one.given else before.name
            if name != before.name:
                self.renamed[before.name] = name
            oid = before.oid
            date = before.date if before.status == one.status else self.date
        return Entry(
            one.kind, oid, name, one.status, date, one.key, False, one.access,
            self._syntax(one), one.unit, one.description,
        )  # fmt: skip

    def _syntax(self, one: Wanted) -> str:
        """The type of an object; that of an enum may have kept a former name."""
        made = self.made.get(f"{one.key}/type")
        return made.name if made is not None else one.syntax

    def _index_clauses(self, former: dict[str, Entry | None]) -> None:
        """Fill in the clauses of rows, now that their index objects have names."""
        names = {
            one.name: self.made[one.key].name
            for one in self.wanted.values()
            if one.key.endswith("/index")
        }
        for one in self.wanted.values():
            if one.kind == "row":
                clause = _WORD.sub(lambda match: names.get(match[0], match[0]), one.syntax)
                self.made[one.key] = replace(self.made[one.key], syntax=clause)
                before = former[one.key]
                if before is not None:
                    self._unchanged(one, before, clause)

    def _frozen(self, one: Wanted, before: Entry) -> None:
        if one.kind not in ("node", "table", "row"):
            self._unchanged(one, before, self._syntax(one))
        if one.oid and one.oid != before.oid:
            message = f"'{before.name}' is published as {before.dotted}"
            hint = "an OID never moves: give the former one"
            self.frozen.append(("oid", Finding(one.span, message, hint)))

    def _unchanged(self, one: Wanted, before: Entry, syntax: str) -> None:
        """Report a published type or index that is no longer the same."""
        if before.date == self.draft or compatible(before.syntax, syntax):
            return
        what = "index" if one.kind == "row" else "type"
        message = f"the {what} of '{before.name}' is published as {before.syntax}, not {syntax}"
        hint = "give it another name (without renamed_from): the old one becomes deprecated"
        self.frozen.append((what, Finding(one.span, message, hint)))

    def _free_name(self, name: str) -> str:
        """`name`, or with a number behind it when something retired has it."""
        number, free = 2, name
        end = next((end for end in ("Table", "Entry") if name.endswith(end)), "")
        while free.lower() in self.names:
            free = f"{name.removesuffix(end)}{number}{end}"
            number += 1
        return free

    def _oid(self, one: Wanted) -> Oid:
        if one.kind == "type":
            return ()
        if one.oid:
            return one.oid
        parent = self.made[one.parent].oid if one.parent else self.root
        number = one.number
        if not number or (*parent, number) in self.used:
            number = self.last.get(parent, 1 if one.parent == objects.OBJECTS else 0) + 1
        oid = (*parent, number)
        self._used(oid)
        self.used.add(oid)
        return oid

    # ---- what is gone ----

    def _missing(self) -> Iterator[Entry]:
        for entry in self.old.entries:
            if entry.kind in ("group", "compliance"):
                continue
            if entry.gone or entry.key not in self.kept:
                yield entry

    def _gone(self, entry: Entry) -> Entry:
        if not entry.gone:
            status = "withdrawn" if entry.date == self.draft else "deprecated"
            if entry.kind == "node" or entry.status == "obsolete":
                status = entry.status
            return replace(entry, gone=True, status=status, date=self.date)
        if entry.status == "deprecated" and entry.date < self.date:
            return replace(entry, status="obsolete", date=self.date)
        return entry

    # ---- conformance ----

    def _groups(self, old: list[Entry]) -> list[Entry]:
        """Every group, and a new one where the objects of a scope are no longer the same."""
        known: dict[str, list[Entry]] = {}
        for entry in sorted(old, key=order):
            if entry.kind == "group":
                known.setdefault(entry.key, []).append(entry)
        readable: dict[str, list[str]] = {}
        for one in self.wanted.values():
            if one.kind == "object" and one.access != "not-accessible":
                readable.setdefault(_key(one.scope, one.status), []).append(one.key)
        found = {entry.oid: entry for family in known.values() for entry in family}
        for scope in objects.shown_scopes(self.module):
            start = objects.scope_prefix(self.module, scope)
            for status in _STATES:
                key, former = _key(scope.name, status), _key(scope.renamed_from, status)
                names = tuple(self.made[one].name for one in readable.get(key, ()))
                if names:
                    family = known.get(key) or (known.get(former, []) if scope.renamed_from else [])
                    name = f"{start}{_TITLES[status]}Group"
                    made = self._successor(family, names, "group", key, name, status)
                    self.newest.append(made)
                    found[made.oid] = made
        return list(found.values())

    def _compliances(self, old: list[Entry]) -> list[Entry]:
        """Every compliance, and a new one where the groups are no longer the same."""
        known = [entry for entry in sorted(old, key=order) if entry.kind == "compliance"]
        found = {entry.oid: entry for entry in known}
        for status in _STATES:
            key = _key(objects.COMPLIANCE, status)
            names = tuple(g.name for g in self.newest if g.status == status)
            if names:
                family = [entry for entry in known if entry.key == key]
                name = f"{objects.prefix(self.module)}{_TITLES[status]}Compliance"
                made = self._successor(family, names, "compliance", key, name, status)
                found[made.oid] = made
        return list(found.values())

    def _successor(
        self, family: list[Entry], names: tuple[str, ...], kind: str, key: str, name: str,
        status: str,
    ) -> Entry:  # fmt: skip
        """The newest of a family when it holds just these names, else a new one behind it."""
        if family:
            newest = replace(family[-1], key=key, status=status)
            if set(newest.members) == set(names):
                return newest
            if newest.date == self.draft:
                return replace(newest, members=names)
            name = f"{name}{len(family) + 1}"
        parent = objects.GROUPS if kind == "group" else objects.COMPLIANCES
        name = self._free_name(name)
        self.names.add(name.lower())
        oid = self._oid(Wanted(key, kind, name, parent))
        return Entry(kind, oid, name, status, self.date, key, members=names)

    # ---- the module ----

    def _revisions(self) -> tuple[Published, ...]:
        """The schema's revisions, and published ones that it does not have."""
        said = [Published(r.date, r.description, r.draft) for r in self.module.snmp.revisions]
        dates = {revision.date for revision in said}
        said += [r for r in self.old.revisions if r.date not in dates and not r.draft]
        said.sort(key=lambda revision: revision.date, reverse=True)
        return tuple(
            replace(revision, draft=revision.draft and number == 0)
            for number, revision in enumerate(said)
        )

    def _moved(self) -> Iterable[tuple[str, Finding]]:
        snmp = self.module.snmp
        if self.old.oid != self.root:
            was = ".".join(map(str, self.old.oid))
            message = f"the module is published as {was}, not {snmp.oid}"
            hint = "an OID never moves; remove the lock file only if nothing was published"
            yield "oid", Finding(snmp.span, message, hint)


def _key(key: str, status: str) -> str:
    """The key of a group or compliance, by the status of what is in it."""
    return key if status == LIVE else f"{key}:{status}"


def _settle(entries: list[Entry]) -> list[Entry]:
    """Groups and compliances with the status that follows from what is in them."""
    status = {e.name: e.status for e in entries if e.kind not in ("group", "compliance")}
    settled = [entry for entry in entries if entry.kind not in ("group", "compliance")]
    for kind in ("group", "compliance"):
        several = sorted((entry for entry in entries if entry.kind == kind), key=order)
        newest = {entry.key: entry for entry in several}
        for entry in several:
            states = {status.get(member, "obsolete") for member in entry.members}
            if "obsolete" in states:
                new = "obsolete"
            elif entry is newest[entry.key] and states == {LIVE}:
                new = LIVE
            else:
                new = "deprecated"
            status[entry.name] = new
            settled.append(replace(entry, status=new))
    return settled
