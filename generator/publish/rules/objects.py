# SPDX-License-Identifier: BSD-3-Clause
"""Rules about types, tables, indexes and OIDs."""

from functools import cache, partial

from ...findings.diagnostics import Severity
from ...findings.rules import Finding, Findings
from ...model import ir
from .. import definitions, notifications, objects, standard
from ..lock import Entry, Lock, Oid
from ..nodespec import CAP, NodeSpec, around, base_type, served
from .candidate import Candidate, rule

_MAX_ARC = 2**32 - 1
_MAX_OID = 120
"""Largest number in an OID, and most numbers, which leaves some for an index."""

_WIDE = ("Counter64", "ZeroBasedCounter64")
_COUNTERS = ("Counter32", "Counter64", "CounterBasedGauge64")


@rule(Severity.ERROR, "The types of a MIB are defined in it or imported.")
def smi_type(c: Candidate) -> Findings:
    local = {entry.name for entry in c.assignment.lock.entries if entry.kind == "type"}
    known = local | set(standard.TYPES) | standard.BUILT_IN
    for entry, spec in c.entries:
        typed = entry.kind in ("object", "type") and "::" not in entry.syntax
        if typed and base_type(entry.syntax) not in known:
            message = f"'{entry.name}' has the type {base_type(entry.syntax)}, which is not known"
            hint = "write it as `MODULE::TYPE`, or define it in `snmp: types:`"
            yield Finding(spec.span, message, hint)


@rule(Severity.WARNING, "The type of an object can have the values of its item.")
def unfit_syntax(c: Candidate) -> Findings:
    local = {convention.name: convention.syntax for convention in c.module.snmp.types}
    for item in c.items:
        written = item.snmp.syntax if item.snmp is not None else ""
        base = base_type(written)
        for _ in local:  # a chain has no more links than there are types
            base = base_type(local.get(base, base))
        if base not in standard.BUILT_IN and base not in standard.TYPES:
            continue
        text = base in standard.TEXTS and not (item.value_type.moment and base == "DateAndTime")
        narrow = item.kind.accumulates and item.width < 64 and base in _WIDE
        if narrow or text is not item.value_type.text:
            message = f"'{item.name}' cannot have the type {base_type(written)}"
            what = "octets" if item.value_type.text else "numbers"
            reason = "it wraps at 2^32" if narrow else f"its values are {what}"
            hint = "write a type of such values, or leave `syntax` out"
            wider = f"remove `width: {item.width}`, or write `syntax: Counter32`"
            yield Finding(item.span, f"{message}: {reason}", wider if narrow else hint)


@rule(Severity.WARNING, "Values of an enumeration start at 1 (RFC 4181).")
def smi_enum(c: Candidate) -> Findings:
    for item in c.items:
        imported = item.snmp is not None and item.snmp.oid
        for label in item.labels if not imported else ():
            if label.value < 1:
                message = f"label '{label.name}' of '{item.name}' has the value {label.value}"
                yield Finding(item.span, message, "number labels from 1")


@rule(Severity.WARNING, f"Tables of more than {CAP:,} rows say whether they are served.")
def large_table(c: Candidate) -> Findings:
    for scope in c.scopes if c.module.snmp.published else ():
        if scope.snmp.serve is None and not served(scope):
            message = f"scope '{scope.name}' may have {scope.instances:,} rows: managers see none"
            hint = "write `snmp: {serve: true}`, `snmp: {cap: N}` or `snmp: {serve: false}`"
            yield Finding(scope.span, message, hint)


@rule(Severity.WARNING, "Objects are there to be read, counters for nothing else.")
def smi_access(c: Candidate) -> Findings:
    for entry, spec in c.entries:
        counter = entry.kind == "object" and base_type(entry.syntax) in _COUNTERS
        if entry.key.item and entry.access == "not-accessible":
            message = f"no manager can read '{entry.name}'"
            yield Finding(spec.span, message, "make it read-only")
        elif counter and entry.access not in ("read-only", "accessible-for-notify"):
            yield Finding(spec.span, f"'{entry.name}' is a counter, and {entry.access}")


@rule(Severity.WARNING, "An index that is a number has a range.")
def smi_index_range(c: Candidate) -> Findings:
    for entry, spec in c.entries:
        imported = entry.key.role == "index" and bool(entry.key.name)
        if imported and entry.syntax in ("Integer32", "INTEGER", "Unsigned32"):
            hint = f"write `syntax: {entry.syntax} (1..2147483647)`"
            yield Finding(spec.span, f"the index '{entry.name}' has no range", hint)


@rule(Severity.ERROR, "Index objects are defined somewhere that is known.")
def smi_index(c: Candidate) -> Findings:
    tables = (scope for scope in c.scopes if scope.name != ir.GLOBAL)
    rows = {objects.entry_name(c.module, scope) for scope in tables}
    known = {i.snmp.name for scope in c.module.scopes for i in scope.items if i.snmp is not None}
    known |= c.index_columns | set(standard.INDEXES)
    for scope in (*c.module.parents, *c.scopes):
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
        elif scope.items and (outer := _without_index(c.module, scope)):
            row = outer.snmp.augments
            message = f"the index of '{scope.name}' begins with that of {row}, which is not known"
            hint = f"give '{outer.name}' `index:` as well, with the index objects of {row}"
            yield Finding(scope.span, message, hint)


@rule(Severity.ERROR, "The last number but one in the OID of a notification is 0 (RFC 2578, 8.5).")
def notification_oid(c: Candidate) -> Findings:
    for entry, spec in c.entries:
        made = entry.kind == notifications.KIND and entry.key.role != definitions.ROLE
        if made and not notifications.is_last_but_zero(entry.oid):
            message = f"notification '{entry.name}' cannot have the OID {entry.dotted}"
            yield Finding(spec.span, message, "write one that ends in .0.N, or leave it out")


def _without_index(module: ir.Module, scope: ir.Scope) -> ir.Scope | None:
    """The enclosing scope, if any, that augments a row whose index is unknown."""
    augmenting = (o for o in around(module, scope) if o.snmp.augments and o is not scope)
    return next((o for o in augmenting if not objects.index_objects(module, o)), None)


@rule(Severity.ERROR, "An OID is that of one thing, and columns are below their row.")
def smi_oid(c: Candidate) -> Findings:
    lock = c.assignment.lock
    gone = _gone(lock)
    first = {**gone, lock.oid: lock.identity}
    rows = {entry.oid: entry.key for entry in lock.entries if entry.kind == "row"}
    required = {spec.key for spec in c.assignment.required.values() if spec.kind == "row"}
    by_oid = {e.oid: e for e in lock.entries if e.kind in ("table", "row", "object")}
    misplaced = cache(partial(_misplaced, by_oid))
    for entry in lock.entries:
        spec = c.assignment.required.get(entry.key)
        if not entry.oid:
            continue
        other = first.setdefault(entry.oid, entry.name)
        if entry.gone or spec is None:
            continue
        parent = spec.parent if spec.parent in required else None
        if other is not entry.name:
            message = f"'{entry.name}' and '{other}' have the same OID, {entry.dotted}"
            hint = "give one of them another"
            if entry.oid in gone:
                hint = "give it another; if it is that under another name, write `renamed_from`"
            yield Finding(spec.span, f"{message} (RFC 2578, 10)", hint)
        elif entry.kind == "object" and rows.get(entry.oid[:-1]) != parent:
            message = f"the OID of '{entry.name}', {entry.dotted}, is not below its row"
            yield Finding(spec.span, message, "columns are at TABLE.1.N")
        elif above := misplaced(entry.kind, entry.oid[:-1]):
            message = f"the OID of '{entry.name}', {entry.dotted}, is below that of '{above}'"
            yield Finding(spec.span, message, "give it one that is free")
        elif max(entry.oid) > _MAX_ARC or len(entry.oid) > _MAX_OID or _is_zero(entry, spec):
            message = f"'{entry.name}' cannot have the OID {entry.dotted}"
            yield Finding(spec.span, message, "numbers are 1 to 2^32-1, at most 120")


def _gone(lock: Lock) -> dict[Oid, str]:
    """Names of removed entries by OID; these OIDs are not reused."""
    return {entry.oid: entry.name for entry in lock.entries if entry.gone}


def _is_zero(entry: Entry, spec: NodeSpec) -> bool:
    """Whether an OID ends with 0 that the schema does not require."""
    if entry.kind == "node":
        return False
    given = entry.kind in ("object", "table") or entry.key.role == definitions.ROLE
    return entry.oid[-1] == 0 and not (spec.oid and given)


def _misplaced(by_oid: dict[Oid, Entry], kind: str, parent: Oid) -> str:
    """Name of the entry at `parent` or above, other than the row and table of an object."""
    above = {"object": ("row", "table"), "row": ("table",)}.get(kind, ())
    for back in range(len(parent)):
        holder = by_oid.get(parent[: len(parent) - back])
        if holder is not None and (back >= len(above) or holder.kind != above[back]):
            return holder.name
    return ""
