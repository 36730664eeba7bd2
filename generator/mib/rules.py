# SPDX-License-Identifier: BSD-3-Clause
"""Rules of SMIv2, those included that no other tool checks, over what a module will hold."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator

from ..findings.diagnostics import Severity, Span, declare
from ..language.defaults import DOCUMENTATION
from ..model import ir
from ..model.naming import smi
from . import objects, standard
from .assign import Assignment, Finding
from .lock import Entry, Lock, Oid
from .view import base_type

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*")

_ENDS = {"table": "Table", "row": "Entry"}

MAX_ARC = 2**32 - 1
MAX_OID = 120
"""Largest number in an OID, and most numbers, which leaves some for an index."""

EARLIEST = "1990"
"""Year of the first SMI."""

MAX_NAME = 64
"""Longest name in SMIv2; over 32 is discouraged (RFC 2578 section 3.1)."""

declare(
    "documentation-enterprise",
    Severity.WARNING,
    "A module that is published is below the enterprise number of its organization.",
)
declare("default-revision", Severity.WARNING, "A MIB module says when it was last changed.")
declare("revision-order", Severity.ERROR, "Revisions are days of the calendar, newest first.")
declare(
    "unrevised-change",
    Severity.WARNING,
    "A change of a published MIB module comes with a new revision.",
)
declare("rename-taken", Severity.ERROR, "A former name is not that of something else.")
declare("rename-unknown", Severity.WARNING, "A former name is one that the lock file has.")
declare("smi-long-name", Severity.WARNING, "Names in a MIB have at most 32 characters.")
declare(
    "smi-name", Severity.ERROR, "Names in a MIB are letters and digits, and at most 64 of them."
)
declare("smi-hyphen", Severity.WARNING, "Names in a MIB have no hyphens (RFC 2578 section 3.1).")
declare("smi-collision", Severity.ERROR, "Names in a MIB differ by more than case.")
declare("smi-case", Severity.WARNING, "What a MIB has already may differ by case only.")
declare("smi-type", Severity.ERROR, "The types of a MIB are defined in it or imported.")
declare("smi-index", Severity.ERROR, "Index objects are defined somewhere that is known.")
declare("smi-oid", Severity.ERROR, "An OID is that of one thing, and columns are below their row.")
declare("smi-enum", Severity.WARNING, "Values of an enumeration start at 1 (RFC 4181).")
declare("smi-table-name", Severity.WARNING, "Tables are called xTable, their rows xEntry.")
declare("smi-unused", Severity.WARNING, "A type that a MIB defines is used in it.")
declare("smi-access", Severity.WARNING, "Objects are there to be read, counters for nothing else.")
declare("smi-index-range", Severity.WARNING, "An index that is a number has a range.")
declare("frozen-type", Severity.ERROR, "The type of what was published under an OID stays.")
declare("frozen-index", Severity.ERROR, "The index of a table that was published stays.")
declare("frozen-oid", Severity.ERROR, "An OID that was published stays.")


def check(module: ir.Module, made: Assignment, old: Lock | None) -> Iterator[Finding]:
    """Everything that is wrong, or better done in another way, with the module to be."""
    yield from made.findings
    yield from _identity(module)
    yield from _revisions(module)
    yield from _renames(module, old)
    if old is not None and not made.findings:
        yield from _unrevised(module, made.lock, old)
    yield from _names(module, made)
    yield from _types(module, made)
    yield from _shapes(module, made)
    yield from _indexes(module)
    yield from _oids(made)
    yield from _values(module)


# ---- the module ----


def _identity(module: ir.Module) -> Iterator[Finding]:
    snmp = module.snmp
    if not {"enterprise", "oid"} & set(snmp.written):
        message = f"the MIB module is below {DOCUMENTATION}, the enterprise number for examples"
        hint = "add `snmp: {enterprise: N}` with the number that IANA gave your organization"
        yield Finding("documentation-enterprise", snmp.span, message, hint)
    if snmp.written and "revisions" not in snmp.written:
        first = snmp.revisions[0].date
        message = f"the MIB module has no revisions, so it is dated {first}"
        hint = "add `revisions: [{date: YYYY-MM-DD, description: Initial revision.}]`"
        yield Finding("default-revision", snmp.span, message, hint)


def _revisions(module: ir.Module) -> Iterator[Finding]:
    later = ""
    for number, revision in enumerate(module.snmp.revisions):
        if not _is_date(revision.date):
            message = f"there is no day {revision.date}"
            yield Finding("revision-order", revision.span, message)
        elif revision.date < EARLIEST:
            message = f"the revision of {revision.date} is older than SMI"
            yield Finding("revision-order", revision.span, message)
        elif later and revision.date >= later:
            message = f"the revision of {revision.date} is behind that of {later}"
            yield Finding("revision-order", revision.span, message, "put the newest one first")
        elif revision.draft and number:
            message = f"the revision of {revision.date} is not the newest, and cannot be a draft"
            yield Finding("revision-order", revision.span, message, "remove `draft`")
        later = revision.date


def _is_date(text: str) -> bool:
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _unrevised(module: ir.Module, new: Lock, old: Lock) -> Iterator[Finding]:
    if not old.revisions or new.revisions[0].date != old.revisions[0].date or old.draft:
        return
    if _content(new) != _content(old):
        message = f"the MIB module is not what was published as of {old.revisions[0].date}"
        hint = "add a revision to `snmp: revisions:`, with `draft: true` until it is published"
        yield Finding("unrevised-change", module.snmp.span, message, hint)


def _content(lock: Lock) -> list[tuple[Oid, str, str, str, str]]:
    return [(e.oid, e.name, e.status, e.syntax, e.unit) for e in lock.entries]


# ---- names ----


def _renames(module: ir.Module, old: Lock | None) -> Iterator[Finding]:
    scopes = {scope.name for scope in module.scopes}
    known = {entry.key for entry in old.entries} if old is not None else set()
    for scope in objects.shown_scopes(module):
        former = scope.renamed_from
        if former in scopes:
            message = f"'{scope.name}' was '{former}', but there is a scope of that name"
            yield Finding("rename-taken", scope.span, message, "remove `renamed_from`")
        items = {item.name for item in scope.items}
        for item in scope.items:
            if item.renamed_from in items:
                message = f"'{item.name}' was '{item.renamed_from}', which is there as well"
                yield Finding("rename-taken", item.span, message, "remove `renamed_from`")
            elif old is not None and item.renamed_from:
                names = [item.name, item.renamed_from]
                keys = {objects.item_key(s, n) for s in (scope.name, former) for n in names}
                if not keys & known:
                    message = f"nothing called '{item.renamed_from}' is in the lock file"
                    yield Finding("rename-unknown", item.span, message, "check the former name")


def _names(module: ir.Module, made: Assignment) -> Iterator[Finding]:
    first = {entry.name.lower(): entry.name for entry in made.lock.entries if entry.gone}
    where = module.snmp.span
    names = [(made.lock.identity, where), *((name, where) for name, _ in module.snmp.nodes)]
    spans = {scope.name: scope.span for scope in module.scopes}
    spans.update({key: one.span for key, one in made.wanted.items()})
    names += [(e.name, spans.get(e.key, where)) for e in made.lock.entries if not e.gone]
    types = {one.name for one in module.snmp.types}  # imported modules have what they have
    first.update({name.lower(): name for name in _imported(module)})
    existing = types | _existing(module, made)
    for name, span in names:
        taken = name.lower() in first
        other = first.setdefault(name.lower(), name)
        if taken and other != name and ({name, other} <= existing or {name, other} & types):
            message = f"'{name}' differs from '{other}' only by case"
            yield Finding("smi-case", span, message, "some tools take them for the same")
        elif taken and name not in types:
            hint = "give one of them another name with `snmp: {name: ...}`"
            yield Finding("smi-collision", span, _twice(name, other), hint)
        if name in types:
            continue
        if not _NAME.fullmatch(name) or name in standard.KEYWORDS or name in standard.TYPES:
            message = f"'{name}' cannot be a name in the MIB"
            yield Finding("smi-name", span, message, "letters and digits, starting with a letter")
        elif "-" in name:
            message = f"'{name}' has a hyphen, which names in a MIB should not have"
            yield Finding("smi-hyphen", span, message)
    longest: dict[Span, str] = {}
    for name, span in names:
        longest[span] = max(longest.get(span, ""), name, key=len)
    for span, name in longest.items():
        yield from _one_name(name, span)
    for item in (item for scope in objects.shown_scopes(module) for item in scope.items):
        if item.value_type.labelled:
            yield from _labels(item)
    for one in module.snmp.types:
        for label in one.labels:
            yield from _hyphen(label.name, where)


def _existing(module: ir.Module, made: Assignment) -> set[str]:
    """Names of what has an OID of its own: it was there before the schema."""
    names = {name for name, _ in module.snmp.nodes}
    names |= {e.name for e in made.lock.entries if e.key in made.wanted and made.wanted[e.key].oid}
    return names | ({made.lock.identity} if "oid" in module.snmp.written else set())


def _imported(module: ir.Module) -> set[str]:
    """Names of index objects that come from other modules."""
    known = {index.name for scope in module.scopes for index in scope.snmp.index if index.oid}
    return {
        index.name
        for scope in objects.shown_scopes(module)
        for index in scope.snmp.index
        if (index.module or index.name in standard.INDEXES)
        and index.module != module.snmp.name
        and index.name not in known
    }


def _twice(name: str, other: str) -> str:
    if name == other:
        return f"two things would be called '{name}' in the MIB"
    return f"'{name}' and '{other}' would both be in the MIB, which takes them for the same"


def _one_name(name: str, span: Span) -> Iterator[Finding]:
    hint = "rename it, or set `snmp: {name: ...}` to something shorter"
    if len(name) > MAX_NAME:
        message = f"'{name}' has {len(name)} characters in the MIB, more than {MAX_NAME}"
        yield Finding("smi-name", span, message, hint)
    elif len(name) > 32:
        message = f"'{name}' has {len(name)} characters in the MIB, more than 32"
        yield Finding("smi-long-name", span, message, hint)


def _labels(item: ir.Item) -> Iterator[Finding]:
    given = dict(item.snmp.labels) if item.snmp is not None else {}
    seen: set[str] = set()
    for label in item.labels:
        name = given.get(label.name) or smi.camel(label.name)
        if name in seen:
            message = f"two labels of '{item.name}' would be called '{name}' in the MIB"
            yield Finding("smi-collision", item.span, message, "give one another name")
        seen.add(name)
        yield from _hyphen(name, item.span)
        if len(name) > MAX_NAME:
            message = f"the label '{name}' has {len(name)} characters, more than {MAX_NAME}"
            yield Finding("smi-name", item.span, message, "shorten it")
        elif len(name) > 32:
            message = f"the label '{name}' has {len(name)} characters, more than 32"
            yield Finding("smi-long-name", item.span, message, "shorten it")


def _hyphen(label: str, span: Span) -> Iterator[Finding]:
    if "-" in label:
        message = f"the label '{label}' has a hyphen, which labels in a MIB should not have"
        yield Finding("smi-hyphen", span, message)


# ---- types, values, OIDs ----


def _types(module: ir.Module, made: Assignment) -> Iterator[Finding]:
    local = {entry.name for entry in made.lock.entries if entry.kind == "type"}
    known = local | set(standard.TYPES) | standard.BUILT_IN
    for entry in made.lock.entries:
        wanted = made.wanted.get(entry.key)
        if entry.gone or wanted is None or entry.kind not in ("object", "type"):
            continue
        if "::" not in entry.syntax and base_type(entry.syntax) not in known:
            message = f"'{entry.name}' has the type {base_type(entry.syntax)}, which is not known"
            hint = "write it as `MODULE::TYPE`, or define it in `snmp: types:`"
            yield Finding("smi-type", wanted.span, message, hint)


def _shapes(module: ir.Module, made: Assignment) -> Iterator[Finding]:
    """What is legal, and not what SMI wants."""
    used = {base_type(entry.syntax) for entry in made.lock.entries}
    for entry in made.lock.entries:
        wanted = made.wanted.get(entry.key)
        if entry.gone or wanted is None:
            continue
        span, name = wanted.span, entry.name
        counter = base_type(entry.syntax) in ("Counter32", "Counter64", "CounterBasedGauge64")
        if entry.kind in _ENDS and not name.endswith(_ENDS[entry.kind]):
            message = f"the {entry.kind} '{name}' should be called something{_ENDS[entry.kind]}"
            yield Finding("smi-table-name", span, message)
        elif entry.kind == "type" and name not in used:
            yield Finding("smi-unused", span, f"nothing has the type '{name}'", "remove it")
        elif "." in entry.key and entry.access == "not-accessible":
            yield Finding("smi-access", span, f"nobody can read '{name}'", "make it read-only")
        elif counter and entry.access not in ("read-only", "accessible-for-notify"):
            yield Finding("smi-access", span, f"'{name}' is a counter, and {entry.access}")
        elif "/index:" in entry.key and entry.syntax in ("Integer32", "INTEGER", "Unsigned32"):
            message = f"the index '{name}' has no range"
            hint = f"write `syntax: {entry.syntax} (1..2147483647)`"
            yield Finding("smi-index-range", span, message, hint)


def _indexes(module: ir.Module) -> Iterator[Finding]:
    own = {objects.entry_name(module, scope) for scope in objects.shown_scopes(module)}
    known = {
        item.snmp.name
        for scope in module.scopes
        for item in scope.items
        if item.snmp is not None and item.snmp.name
    } | {index.name for scope in module.scopes for index in scope.snmp.index if index.oid}
    known |= set(standard.INDEXES)
    for scope in objects.shown_scopes(module):
        if scope.name == ir.GLOBAL:
            continue
        for index in scope.snmp.index:
            if not index.module and index.name not in known:
                message = f"no module is known that defines the index '{index.name}'"
                hint = f"write it as `MODULE::{index.name}`"
                yield Finding("smi-index", scope.span, message, hint)
        augments = scope.snmp.augments
        if augments and len(scope.path) > 1:
            message = f"scope '{scope.name}' has a parent, and cannot augment {augments}"
            yield Finding("smi-index", scope.span, message, "remove one of the two")
        elif augments and "::" not in augments and augments not in own | set(standard.INDEXES):
            message = f"no module is known that defines the row '{augments}'"
            yield Finding("smi-index", scope.span, message, f"write it as `MODULE::{augments}`")
        elif not augments and not objects.index_objects(module, scope):
            message = f"the index of '{scope.name}' is not known: its parent augments a table"
            hint = "give the parent `index:` as well, with the index objects of that table"
            yield Finding("smi-index", scope.span, message, hint)


def _oids(made: Assignment) -> Iterator[Finding]:
    first: dict[Oid, str] = {made.lock.oid: made.lock.identity}
    rows = {entry.oid: entry.key for entry in made.lock.entries if entry.kind == "row"}
    wanted_rows = {one.key for one in made.wanted.values() if one.kind == "row"}
    holders = {e.oid: e for e in made.lock.entries if e.kind in ("table", "row", "object")}
    for entry in made.lock.entries:
        wanted = made.wanted.get(entry.key)
        if not entry.oid:
            continue
        other = first.setdefault(entry.oid, entry.name)
        if entry.gone or wanted is None:
            continue
        parent = wanted.parent if wanted.parent in wanted_rows else None
        if other is not entry.name:
            message = f"'{entry.name}' and '{other}' have the same OID, {entry.dotted}"
            yield Finding("smi-oid", wanted.span, message, "give one of them another")
        elif entry.kind == "object" and rows.get(entry.oid[:-1]) != parent:
            message = f"the OID of '{entry.name}', {entry.dotted}, is not below its row"
            yield Finding("smi-oid", wanted.span, message, "columns are at TABLE.1.N")
        elif above := _misplaced(entry, holders):
            message = f"the OID of '{entry.name}', {entry.dotted}, is below that of '{above}'"
            yield Finding("smi-oid", wanted.span, message, "give it one that is free")
        elif max(entry.oid) > MAX_ARC or len(entry.oid) > MAX_OID or 0 in entry.oid[-1:]:
            message = f"'{entry.name}' cannot have the OID {entry.dotted}"
            yield Finding("smi-oid", wanted.span, message, "numbers are 1 to 2^32-1, at most 120")


def _misplaced(entry: Entry, holders: dict[Oid, Entry]) -> str:
    """What has its OID above that of an entry, other than the entry's own row and table."""
    above = {"object": ("row", "table"), "row": ("table",)}.get(entry.kind, ())
    for length in range(len(entry.oid) - 1, 0, -1):
        holder = holders.get(entry.oid[:length])
        back = len(entry.oid) - length - 1
        if holder is not None and (back >= len(above) or holder.kind != above[back]):
            return holder.name
    return ""


def _values(module: ir.Module) -> Iterator[Finding]:
    for item in (item for scope in objects.shown_scopes(module) for item in scope.items):
        imported = item.snmp is not None and item.snmp.oid
        for label in item.labels if not imported else ():
            if label.value < 1:
                message = f"label '{label.name}' of '{item.name}' has the value {label.value}"
                yield Finding("smi-enum", item.span, message, "number labels from 1")
