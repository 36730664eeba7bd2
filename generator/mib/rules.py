# SPDX-License-Identifier: BSD-3-Clause
"""Rules of SMIv2, those included that no other tool checks, over what a module will hold."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial

from ..findings.diagnostics import Severity, Span
from ..findings.rules import Finding, RuleSet
from ..model import ir
from ..model.naming import smi
from ..resolve.snmp import DOCUMENTATION
from . import objects, standard
from .assign import Assignment
from .lock import Entry, Lock, Oid
from .objects import Wanted
from .view import base_type

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")

_ENDS = {"table": "Table", "row": "Entry"}

MAX_ARC = 2**32 - 1
MAX_OID = 120
"""Largest number in an OID, and most numbers, which leaves some for an index."""

EARLIEST = "1990"
"""Year of the first SMI."""

MAX_NAME = 64
LONG_NAME = 32
"""Longest name in SMIv2, and the longest that is recommended (RFC 2578 section 3.1)."""

COUNTERS = ("Counter32", "Counter64", "CounterBasedGauge64")


@dataclass(frozen=True)
class Candidate:
    """A MIB module to be: what it is made from, the OIDs it gets, and the lock before it."""

    module: ir.Module
    assignment: Assignment
    old: Lock | None

    @cached_property
    def scopes(self) -> tuple[ir.Scope, ...]:
        """The scopes that the module shows."""
        return objects.shown_scopes(self.module)

    @cached_property
    def items(self) -> list[ir.Item]:
        """The items that the module shows."""
        return [item for scope in self.scopes for item in scope.items]

    @cached_property
    def entries(self) -> list[tuple[Entry, Wanted]]:
        """Every entry that the schema asks for, with what asks for it."""
        wanted = self.assignment.wanted
        entries = (entry for entry in self.assignment.lock.entries if not entry.gone)
        return [(entry, wanted[entry.key]) for entry in entries if entry.key in wanted]

    @cached_property
    def types(self) -> set[str]:
        """Names of the textual conventions that the schema defines."""
        return {convention.name for convention in self.module.snmp.types}

    @cached_property
    def names(self) -> list[tuple[str, Span]]:
        """Every name that the module will define, and what it comes from."""
        where, lock = self.module.snmp.span, self.assignment.lock
        spans = {scope.name: scope.span for scope in self.module.scopes}
        spans.update({key: wanted.span for key, wanted in self.assignment.wanted.items()})
        names = [(lock.identity, where), *((name, where) for name, _ in self.module.snmp.nodes)]
        return names + [(e.name, spans.get(e.key, where)) for e in lock.entries if not e.gone]

    @cached_property
    def labels(self) -> list[tuple[ir.Item, str]]:
        """Every label of an enumeration by its name in the MIB."""
        labels = []
        for item in self.items:
            if item.type == "enum":
                written = dict(item.snmp.labels) if item.snmp is not None else {}
                names = (written.get(label.name) or smi.camel(label.name) for label in item.labels)
                labels += [(item, name) for name in names]
        return labels


RULES: RuleSet[Candidate] = RuleSet()
"""Every rule about a MIB module to be."""

rule = RULES.rule


# ---- the module ----


@rule(
    "documentation-enterprise",
    Severity.WARNING,
    "A module that is published is below the enterprise number of its organization.",
)
def documentation_enterprise(c: Candidate) -> Iterator[Finding]:
    if not {"enterprise", "oid"} & set(c.module.snmp.written):
        message = f"the MIB module is below {DOCUMENTATION}, the enterprise number for examples"
        hint = "add `snmp: {enterprise: N}` with the number that IANA gave your organization"
        yield Finding(c.module.snmp.span, message, hint)


@rule("default-revision", Severity.WARNING, "A MIB module says when it was last changed.")
def default_revision(c: Candidate) -> Iterator[Finding]:
    snmp = c.module.snmp
    if snmp.written and "revisions" not in snmp.written:
        message = f"the MIB module has no revisions, so it is dated {snmp.revisions[0].date}"
        hint = "add `revisions: [{date: YYYY-MM-DD, description: Initial revision.}]`"
        yield Finding(snmp.span, message, hint)


@rule("revision-order", Severity.ERROR, "Revisions are days of the calendar, newest first.")
def revision_order(c: Candidate) -> Iterator[Finding]:
    later = ""
    for number, revision in enumerate(c.module.snmp.revisions):
        message = hint = ""
        if not _is_date(revision.date):
            message = f"there is no day {revision.date}"
        elif revision.date < EARLIEST:
            message = f"the revision of {revision.date} is older than SMI"
        elif later and revision.date >= later:
            message = f"the revision of {revision.date} is behind that of {later}"
            hint = "put the newest one first"
        elif revision.draft and number:
            message = f"the revision of {revision.date} is not the newest, and cannot be a draft"
            hint = "remove `draft`"
        if message:
            yield Finding(revision.span, message, hint)
        later = revision.date


def _is_date(text: str) -> bool:
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


@rule(
    "unrevised-change",
    Severity.WARNING,
    "A change of a published MIB module comes with a new revision.",
)
def unrevised_change(c: Candidate) -> Iterator[Finding]:
    old, new = c.old, c.assignment.lock
    if old is None or c.assignment.frozen or old.draft or not old.revisions:
        return
    if new.revisions[0].date == old.revisions[0].date and _content(new) != _content(old):
        message = f"the MIB module is not what was published as of {old.revisions[0].date}"
        hint = "add a revision to `snmp: revisions:`, with `draft: true` until it is published"
        yield Finding(c.module.snmp.span, message, hint)


def _content(lock: Lock) -> list[tuple[Oid, str, str, str, str]]:
    return [(e.oid, e.name, e.status, e.syntax, e.unit) for e in lock.entries]


def _frozen(what: str, c: Candidate) -> Iterator[Finding]:
    """What the assignment of OIDs found to differ from what was published."""
    return (finding for kind, finding in c.assignment.frozen if kind == what)


rule("frozen-type", Severity.ERROR, "The type of what was published under an OID stays.")(
    partial(_frozen, "type")
)
rule("frozen-index", Severity.ERROR, "The index of a table that was published stays.")(
    partial(_frozen, "index")
)
rule("frozen-oid", Severity.ERROR, "An OID that was published stays.")(partial(_frozen, "oid"))


# ---- names ----


@rule("rename-taken", Severity.ERROR, "A former name is not that of something else.")
def rename_taken(c: Candidate) -> Iterator[Finding]:
    scopes = {scope.name for scope in c.module.scopes}
    for scope in c.scopes:
        if scope.renamed_from in scopes:
            message = (
                f"'{scope.name}' was '{scope.renamed_from}', but there is a scope of that name"
            )
            yield Finding(scope.span, message, "remove `renamed_from`")
        items = {item.name for item in scope.items}
        for item in scope.items:
            if item.renamed_from in items:
                message = f"'{item.name}' was '{item.renamed_from}', which is there as well"
                yield Finding(item.span, message, "remove `renamed_from`")


@rule("rename-unknown", Severity.WARNING, "A former name is one that the lock file has.")
def rename_unknown(c: Candidate) -> Iterator[Finding]:
    if c.old is None:
        return
    known = {entry.key for entry in c.old.entries}
    for scope in c.scopes:
        items = {item.name for item in scope.items}
        for item in scope.items:
            if item.renamed_from and item.renamed_from not in items:
                names = [item.name, item.renamed_from]
                scopes = (scope.name, scope.renamed_from)
                if not {objects.item_key(s, name) for s in scopes for name in names} & known:
                    message = f"nothing called '{item.renamed_from}' is in the lock file"
                    yield Finding(item.span, message, "check the former name")


def _too_long(limit: int, most: int, c: Candidate) -> Iterator[Finding]:
    """Names and labels of more than `limit` characters, and at most `most`; one for each place."""
    longest: dict[Span, str] = {}
    for name, span in c.names:
        longest[span] = max(longest.get(span, ""), name, key=len)
    for span, name in longest.items():
        if limit < len(name) <= most:
            message = f"'{name}' has {len(name)} characters in the MIB, more than {limit}"
            hint = "rename it, or set `snmp: {name: ...}` to something shorter"
            yield Finding(span, message, hint)
    for item, name in c.labels:
        if limit < len(name) <= most:
            message = f"the label '{name}' has {len(name)} characters, more than {limit}"
            yield Finding(item.span, message, "shorten it")


rule("smi-long-name", Severity.WARNING, "Names in a MIB have at most 32 characters.")(
    partial(_too_long, LONG_NAME, MAX_NAME)
)


@rule("smi-name", Severity.ERROR, "Names in a MIB are letters and digits, and at most 64 of them.")
def smi_name(c: Candidate) -> Iterator[Finding]:
    for name, span in c.names:
        if name not in c.types and not _is_name(name):
            message = f"'{name}' cannot be a name in the MIB"
            yield Finding(span, message, "letters and digits, starting with a letter")
    yield from _too_long(MAX_NAME, MAX_ARC, c)


def _is_name(text: str) -> bool:
    reserved = text in standard.KEYWORDS or text in standard.TYPES
    return _NAME.fullmatch(text) is not None and not reserved


@rule("smi-hyphen", Severity.WARNING, "Names in a MIB have no hyphens (RFC 2578 section 3.1).")
def smi_hyphen(c: Candidate) -> Iterator[Finding]:
    for name, span in c.names:
        if "-" in name and name not in c.types and _is_name(name):
            message = f"'{name}' has a hyphen, which names in a MIB should not have"
            yield Finding(span, message)
    snmp = c.module.snmp
    labels = [(item.span, name) for item, name in c.labels]
    labels += [(snmp.span, label.name) for kind in snmp.types for label in kind.labels]
    for span, name in labels:
        if "-" in name:
            message = f"the label '{name}' has a hyphen, which labels in a MIB should not have"
            yield Finding(span, message)


def _clashes(c: Candidate) -> Iterator[tuple[str, str, Span, bool]]:
    """Names that SMI takes for the same: both, where, and whether it is just their case."""
    first = {entry.name.lower(): entry.name for entry in c.assignment.lock.entries if entry.gone}
    first.update({name.lower(): name for name in _imported(c)})
    existing = c.types | _existing(c)  # imported modules have what they have
    for name, span in c.names:
        other = first.get(name.lower())
        first.setdefault(name.lower(), name)
        if other is not None:
            both = {name, other}
            yield name, other, span, other != name and (both <= existing or bool(both & c.types))


def _existing(c: Candidate) -> set[str]:
    """Names of what has an OID of its own: it was there before the schema."""
    lock, snmp, wanted = c.assignment.lock, c.module.snmp, c.assignment.wanted
    names = {name for name, _ in snmp.nodes}
    names |= {e.name for e in lock.entries if e.key in wanted and wanted[e.key].oid}
    return names | ({lock.identity} if "oid" in snmp.written else set())


def _imported(c: Candidate) -> set[str]:
    """Names of index objects that come from other modules."""
    known = {index.name for scope in c.module.scopes for index in scope.snmp.index if index.oid}
    return {
        index.name
        for scope in c.scopes
        for index in scope.snmp.index
        if (index.module or index.name in standard.INDEXES)
        and index.module != c.module.snmp.name
        and index.name not in known
    }


@rule("smi-case", Severity.WARNING, "What a MIB has already may differ by case only.")
def smi_case(c: Candidate) -> Iterator[Finding]:
    for name, other, span, only_case in _clashes(c):
        if only_case:
            message = f"'{name}' differs from '{other}' only by case"
            yield Finding(span, message, "some tools take them for the same")


@rule("smi-collision", Severity.ERROR, "Names in a MIB differ by more than case.")
def smi_collision(c: Candidate) -> Iterator[Finding]:
    for name, other, span, only_case in _clashes(c):
        if not only_case and name not in c.types:
            message = f"two things would be called '{name}' in the MIB"
            if name != other:
                message = f"'{name}' and '{other}' would both be in the MIB, "
                message += "which takes them for the same"
            yield Finding(span, message, "give one of them another name with `snmp: {name: ...}`")
    seen: set[tuple[str, str, str]] = set()
    for item, name in c.labels:
        if (item.scope, item.name, name) in seen:
            message = f"two labels of '{item.name}' would be called '{name}' in the MIB"
            yield Finding(item.span, message, "give one another name")
        seen.add((item.scope, item.name, name))


# ---- types, values, OIDs ----


@rule("smi-type", Severity.ERROR, "The types of a MIB are defined in it or imported.")
def smi_type(c: Candidate) -> Iterator[Finding]:
    local = {entry.name for entry in c.assignment.lock.entries if entry.kind == "type"}
    known = local | set(standard.TYPES) | standard.BUILT_IN
    for entry, wanted in c.entries:
        typed = entry.kind in ("object", "type") and "::" not in entry.syntax
        if typed and base_type(entry.syntax) not in known:
            message = f"'{entry.name}' has the type {base_type(entry.syntax)}, which is not known"
            hint = "write it as `MODULE::TYPE`, or define it in `snmp: types:`"
            yield Finding(wanted.span, message, hint)


@rule("smi-enum", Severity.WARNING, "Values of an enumeration start at 1 (RFC 4181).")
def smi_enum(c: Candidate) -> Iterator[Finding]:
    for item in c.items:
        imported = item.snmp is not None and item.snmp.oid
        for label in item.labels if not imported else ():
            if label.value < 1:
                message = f"label '{label.name}' of '{item.name}' has the value {label.value}"
                yield Finding(item.span, message, "number labels from 1")


@rule("smi-table-name", Severity.WARNING, "Tables are called xTable, their rows xEntry.")
def smi_table_name(c: Candidate) -> Iterator[Finding]:
    for entry, wanted in c.entries:
        end = _ENDS.get(entry.kind, "")
        if not entry.name.endswith(end):
            message = f"the {entry.kind} '{entry.name}' should be called something{end}"
            yield Finding(wanted.span, message)


@rule("smi-unused", Severity.WARNING, "A type that a MIB defines is used in it.")
def smi_unused(c: Candidate) -> Iterator[Finding]:
    used = {base_type(entry.syntax) for entry in c.assignment.lock.entries}
    for entry, wanted in c.entries:
        if entry.kind == "type" and entry.name not in used:
            yield Finding(wanted.span, f"nothing has the type '{entry.name}'", "remove it")


@rule("smi-access", Severity.WARNING, "Objects are there to be read, counters for nothing else.")
def smi_access(c: Candidate) -> Iterator[Finding]:
    for entry, wanted in c.entries:
        counter = entry.kind == "object" and base_type(entry.syntax) in COUNTERS
        if "." in entry.key and entry.access == "not-accessible":
            message = f"nobody can read '{entry.name}'"
            yield Finding(wanted.span, message, "make it read-only")
        elif counter and entry.access not in ("read-only", "accessible-for-notify"):
            yield Finding(wanted.span, f"'{entry.name}' is a counter, and {entry.access}")


@rule("smi-index-range", Severity.WARNING, "An index that is a number has a range.")
def smi_index_range(c: Candidate) -> Iterator[Finding]:
    for entry, wanted in c.entries:
        if "/index:" in entry.key and entry.syntax in ("Integer32", "INTEGER", "Unsigned32"):
            hint = f"write `syntax: {entry.syntax} (1..2147483647)`"
            yield Finding(wanted.span, f"the index '{entry.name}' has no range", hint)


@rule("smi-index", Severity.ERROR, "Index objects are defined somewhere that is known.")
def smi_index(c: Candidate) -> Iterator[Finding]:
    rows = {objects.entry_name(c.module, scope) for scope in c.scopes}
    known = {
        item.snmp.name
        for scope in c.module.scopes
        for item in scope.items
        if item.snmp is not None and item.snmp.name
    } | {index.name for scope in c.module.scopes for index in scope.snmp.index if index.oid}
    known |= set(standard.INDEXES)
    for scope in c.scopes:
        if scope.name == ir.GLOBAL:
            continue
        for index in scope.snmp.index:
            if not index.module and index.name not in known:
                message = f"no module is known that defines the index '{index.name}'"
                hint = f"write it as `MODULE::{index.name}`"
                yield Finding(scope.span, message, hint)
        augments = scope.snmp.augments
        if augments and len(scope.path) > 1:
            message = f"scope '{scope.name}' has a parent, and cannot augment {augments}"
            yield Finding(scope.span, message, "remove one of the two")
        elif augments and "::" not in augments and augments not in rows | set(standard.INDEXES):
            message = f"no module is known that defines the row '{augments}'"
            yield Finding(scope.span, message, f"write it as `MODULE::{augments}`")
        elif not augments and not objects.index_objects(c.module, scope):
            message = f"the index of '{scope.name}' is not known: its parent augments a table"
            hint = "give the parent `index:` as well, with the index objects of that table"
            yield Finding(scope.span, message, hint)


@rule("smi-oid", Severity.ERROR, "An OID is that of one thing, and columns are below their row.")
def smi_oid(c: Candidate) -> Iterator[Finding]:
    lock = c.assignment.lock
    first: dict[Oid, str] = {lock.oid: lock.identity}
    rows = {entry.oid: entry.key for entry in lock.entries if entry.kind == "row"}
    wanted_rows = {wanted.key for wanted in c.assignment.wanted.values() if wanted.kind == "row"}
    by_oid = {e.oid: e for e in lock.entries if e.kind in ("table", "row", "object")}
    for entry in lock.entries:
        wanted = c.assignment.wanted.get(entry.key)
        if not entry.oid:
            continue
        other = first.setdefault(entry.oid, entry.name)
        if entry.gone or wanted is None:
            continue
        parent = wanted.parent if wanted.parent in wanted_rows else None
        if other is not entry.name:
            message = f"'{entry.name}' and '{other}' have the same OID, {entry.dotted}"
            yield Finding(wanted.span, message, "give one of them another")
        elif entry.kind == "object" and rows.get(entry.oid[:-1]) != parent:
            message = f"the OID of '{entry.name}', {entry.dotted}, is not below its row"
            yield Finding(wanted.span, message, "columns are at TABLE.1.N")
        elif above := _misplaced(entry, by_oid):
            message = f"the OID of '{entry.name}', {entry.dotted}, is below that of '{above}'"
            yield Finding(wanted.span, message, "give it one that is free")
        elif max(entry.oid) > MAX_ARC or len(entry.oid) > MAX_OID or 0 in entry.oid[-1:]:
            message = f"'{entry.name}' cannot have the OID {entry.dotted}"
            yield Finding(wanted.span, message, "numbers are 1 to 2^32-1, at most 120")


def _misplaced(entry: Entry, by_oid: dict[Oid, Entry]) -> str:
    """What has its OID above that of an entry, other than the entry's own row and table."""
    above = {"object": ("row", "table"), "row": ("table",)}.get(entry.kind, ())
    for length in range(len(entry.oid) - 1, 0, -1):
        holder = by_oid.get(entry.oid[:length])
        back = len(entry.oid) - length - 1
        if holder is not None and (back >= len(above) or holder.kind != above[back]):
            return holder.name
    return ""
