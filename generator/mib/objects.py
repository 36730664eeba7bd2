# SPDX-License-Identifier: BSD-3-Clause
"""What a schema wants to have in its MIB module: nodes, types, tables, objects, without OIDs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..findings.diagnostics import NOWHERE, Span
from ..model import ir
from ..model.naming import smi
from . import standard, text
from .lock import Oid, parse_oid

OBJECTS, SCALARS, CONFORMANCE = "/objects", "/scalars", "/conformance"
COMPLIANCES, GROUPS, COMPLIANCE = "/compliances", "/groups", "/compliance"
"""Keys of what is not part of the schema."""

_PLURAL = re.compile(r"s[0-9]*\Z")
_PLURAL_UNIT = re.compile(r"[a-z]+s\Z")

INDEX_SYNTAX = "Unsigned32 (1..4294967295)"
"""Type of a table's own index: the index in C plus one; no bound that a later `max` could break."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Something that the module needs, by its key. `parent` is the key of the node above it.

    `oid` is set when the schema gives it, `number` when the place below the
    parent is fixed. `former` are keys it had before it was renamed. `given`
    says that the schema gives the name. `scope` is empty for what belongs to none.
    """

    key: str
    kind: str
    name: str
    parent: str
    syntax: str = ""
    unit: str = ""
    description: str = ""
    access: str = ""
    status: str = "current"
    oid: Oid = ()
    number: int = 0
    former: tuple[str, ...] = ()
    given: bool = False
    scope: str = ""
    span: Span = NOWHERE


def item_key(scope: str, name: str) -> str:
    """The key of an item: `session.pkts`."""
    return f"{scope}.{name}"


def shown_scopes(module: ir.Module) -> tuple[ir.Scope, ...]:
    """The scopes in the MIB: all but embedded ones, whose instances nobody can list."""
    return tuple(s for s in module.scopes if s.storage is not ir.Storage.EMBEDDED)


def prefix(module: ir.Module) -> str:
    """What names of the module as a whole start with: `epStats`."""
    identity = module.snmp.identity
    for end in ("MIB", "Mib"):
        if identity.endswith(end) and len(identity) > len(end):
            return identity[: -len(end)].rstrip("-")
    return identity


def scope_prefix(module: ir.Module, scope: ir.Scope) -> str:
    """What names of a scope's objects start with: `epSession`."""
    if scope.snmp.name:
        return scope.snmp.name
    if scope.name == ir.GLOBAL:
        return prefix(module)
    return smi.camel(module.name) + smi.pascal(scope.name)


def table_name(module: ir.Module, scope: ir.Scope) -> str:
    """Name of a scope's table: `epSessionTable`."""
    return scope.snmp.table or f"{scope_prefix(module, scope)}Table"


def entry_name(module: ir.Module, scope: ir.Scope) -> str:
    """Name of a scope's row: `epSessionEntry`."""
    if scope.snmp.entry:
        return scope.snmp.entry
    return f"{table_name(module, scope).removesuffix('Table')}Entry"


def wanted(module: ir.Module) -> list[Wanted]:
    """All that the module needs, what is above something before it; nothing without objects."""
    scopes = shown_scopes(module)
    if not scopes:
        return []
    found = list(_nodes(module))
    for scope in scopes:
        if scope.name == ir.GLOBAL:
            found += _scalars(module, scope)
        else:
            found += _table(module, scope)
    if all(one.oid for one in found if one.parent == SCALARS):
        found = [one for one in found if one.key != SCALARS]
    if all(one.oid or one.key == OBJECTS for one in found if one.parent == OBJECTS):
        found = [one for one in found if one.key != OBJECTS]
    return found


def _nodes(module: ir.Module) -> Iterator[Wanted]:
    start, span = prefix(module), module.snmp.span
    conformance, number = _numbers(module)
    yield Wanted(OBJECTS, "node", f"{start}Objects", "", number=number, span=span)
    yield Wanted(SCALARS, "node", f"{start}Scalars", OBJECTS, number=1, span=span)
    yield Wanted(CONFORMANCE, "node", f"{start}Conformance", "", number=conformance, span=span)
    yield Wanted(COMPLIANCES, "node", f"{start}Compliances", CONFORMANCE, number=1, span=span)
    yield Wanted(GROUPS, "node", f"{start}Groups", CONFORMANCE, number=2, span=span)


def _numbers(module: ir.Module) -> tuple[int, int]:
    """Where conformance goes: 2, or the next number that no given OID is below. And where
    objects go: 1, or the next number when the schema has a node of another name there."""
    root = parse_oid(module.snmp.oid)
    given = [scope.snmp.oid for scope in module.scopes]
    given += [i.snmp.oid for scope in module.scopes for i in scope.items if i.snmp is not None]
    given += [index.oid for scope in module.scopes for index in scope.snmp.index]
    nodes = [parse_oid(oid) for _, oid in module.snmp.nodes]
    oids = [*(parse_oid(oid) for oid in given if oid), *nodes]
    taken = {oid[len(root)] for oid in oids if oid[: len(root)] == root and len(oid) > len(root)}
    conformance = 2
    while conformance in taken:
        conformance += 1
    number = conformance + 1 if (*root, 1) in nodes else 1
    while number > 1 and number in taken:
        number += 1
    return conformance, number


def _scalars(module: ir.Module, scope: ir.Scope) -> Iterator[Wanted]:
    parent = SCALARS
    if scope.snmp.oid:
        oid = parse_oid(scope.snmp.oid)
        parent = f"{scope.name}/scalars"
        name = f"{prefix(module)}Totals"
        yield Wanted(parent, "node", name, "", oid=oid, scope=scope.name, span=scope.span)
    yield from _members(module, scope, parent)


def _table(module: ir.Module, scope: ir.Scope) -> Iterator[Wanted]:
    name, row = table_name(module, scope), entry_name(module, scope)
    key = scope.name
    was = (scope.renamed_from,) if scope.renamed_from else ()
    oid = _table_oid(scope)
    status = scope.snmp.status or "current"
    yield Wanted(
        f"{key}/table", "table", name, OBJECTS,
        description=scope.description, access="not-accessible", status=status, oid=oid,
        former=tuple(f"{old}/table" for old in was), given=bool(scope.snmp.table),
        scope=key, span=scope.span,
    )  # fmt: skip
    yield Wanted(
        f"{key}/entry", "row", row, f"{key}/table", index_clause(module, scope),
        description=_entry_text(scope), access="not-accessible", status=status,
        oid=(*oid, 1) if oid else (), number=1, former=tuple(f"{old}/entry" for old in was),
        given=bool(scope.snmp.entry), scope=key, span=scope.span,
    )  # fmt: skip
    if own_index(scope):
        yield Wanted(
            f"{key}/index", "object", _index_name(module, scope), f"{key}/entry", INDEX_SYNTAX,
            description=f"The number of the {_words(key)}, from 1: its index in the data plane "
            "plus one.", access="not-accessible", status=status,
            former=tuple(f"{old}/index" for old in was), scope=key, span=scope.span,
        )  # fmt: skip
    for index in scope.snmp.index:
        if index.oid:
            yield Wanted(
                f"{key}/index:{index.name}", "object", index.name, f"{key}/entry",
                index.syntax or "Integer32", index.unit,
                index.description or "An index of the table.", index.access, index.status,
                parse_oid(index.oid), former=tuple(f"{old}/index:{index.name}" for old in was),
                given=True, scope=key, span=scope.span,
            )  # fmt: skip
    yield from _members(module, scope, f"{key}/entry")


def _table_oid(scope: ir.Scope) -> Oid:
    """Where a table is when the schema says so, by its own OID or by that of a column."""
    if scope.snmp.oid:
        return parse_oid(scope.snmp.oid)
    for item in scope.items:
        if item.snmp is not None and item.snmp.oid:
            return parse_oid(item.snmp.oid)[:-2]
    return ()


def own_index(scope: ir.Scope) -> bool:
    """Whether the table has an index column that ctrgen makes."""
    return not scope.snmp.index and not scope.snmp.augments


def _index_name(module: ir.Module, scope: ir.Scope) -> str:
    taken = {smi.camel(item.name).lower() for item in scope.items}
    ends = ("Index", "Number", "Row", "Id")
    end = next((end for end in ends if end.lower() not in taken), "TableIndex")
    return f"{scope_prefix(module, scope)}{end}"


def index_objects(module: ir.Module, scope: ir.Scope) -> list[ir.IndexObject]:
    """The index objects of a table, those of the scopes around it first."""
    found: list[ir.IndexObject] = []
    for level in scope.path:
        outer = scope if level == scope.name else module.scope(level)
        if own_index(outer):
            found.append(ir.IndexObject(_index_name(module, outer), syntax=INDEX_SYNTAX))
        else:
            found += outer.snmp.index
    return found


def index_clause(module: ir.Module, scope: ir.Scope) -> str:
    """The INDEX or AUGMENTS clause of a row, names as `MODULE::name` where imported."""
    if scope.snmp.augments and len(scope.path) == 1:
        return f"AUGMENTS {{ {_qualified(scope.snmp.augments)} }}"
    names = [
        index.name if index.oid else _qualified(f"{index.module}::{index.name}".lstrip(":"))
        for index in index_objects(module, scope)
    ]
    if scope.snmp.implied and names:
        names[-1] = f"IMPLIED {names[-1]}"
    return f"INDEX {{ {', '.join(names)} }}"


def _qualified(name: str) -> str:
    """The name of a well-known index or row, with its module; other names stay."""
    return f"{standard.INDEXES[name]}::{name}" if name in standard.INDEXES else name


def _words(name: str) -> str:
    return name.replace("_", " ").strip()


def _entry_text(scope: ir.Scope) -> str:
    words = " of one ".join(_words(level) for level in reversed(scope.path))
    return f"The objects of one {words}."


def has_discontinuity(scope: ir.Scope) -> bool:
    """Whether counters of the scope can jump, and an object says when they last did."""
    return scope.reset and any(item.kind.accumulates for item in scope.items)


def _members(module: ir.Module, scope: ir.Scope, parent: str) -> Iterator[Wanted]:
    start = scope_prefix(module, scope)
    for item in scope.items:
        made = _item(module, scope, item, parent, start)
        if item.type == "ipv6" and made.syntax == item.value_type.smi:
            yield replace(
                made, key=f"{made.key}/family", name=f"{made.name}Type", syntax="InetAddressType",
                unit="", description=f"The type of the address in {made.name}: ipv6(2).", oid=(),
                given=False, former=tuple(f"{old}/family" for old in made.former),
            )  # fmt: skip
            text = f"{made.description} The type of this address is given by {made.name}Type."
            made = replace(made, description=text)
        yield made
        if module.snmp.low_capacity and made.syntax == "Counter64":
            yield replace(
                made, key=f"{made.key}/low", name=f"{made.name}Low", syntax="Counter32",
                description=f"The low-order 32 bits of {made.name}, for managers that cannot "
                "read 64-bit counters.", oid=(), given=False,
                former=tuple(f"{old}/low" for old in made.former),
            )  # fmt: skip
    if has_discontinuity(scope):
        one = "this module" if scope.name == ir.GLOBAL else f"this {_words(scope.name)}"
        whose = "the module-wide counters of" if scope.name == ir.GLOBAL else "the counters of"
        old = f"{scope.renamed_from}/discontinuity"
        yield Wanted(
            f"{scope.name}/discontinuity", "object", f"{start}DiscontinuityTime", parent,
            "TimeStamp", description=f"The value of sysUpTime on the most recent occasion at "
            f"which any one or more of {whose} {one} suffered a discontinuity, such as a reset. "
            "If no such discontinuity has occurred since the last re-initialization of the local "
            "management subsystem, then this object contains a zero value.", access="read-only",
            former=(old,) if scope.renamed_from else (), scope=scope.name, span=scope.span,
        )  # fmt: skip


def _item(module: ir.Module, scope: ir.Scope, item: ir.Item, parent: str, start: str) -> Wanted:
    said = item.snmp or ir.ItemSnmp()
    scopes = [name for name in (scope.name, scope.renamed_from) if name]
    names = [name for name in (item.name, item.renamed_from) if name]
    former = tuple(item_key(s, n) for s in scopes for n in names)[1:]
    description = item.description + text.bounds(item.minimum, item.maximum)
    return Wanted(
        item_key(scope.name, item.name), "object", said.name or start + _object_name(item),
        parent, said.syntax or item_syntax(module, scope, item),
        "" if item.unit == "1" else item.unit, description,
        said.access or "read-only", said.status or "current",
        parse_oid(said.oid) if said.oid else (), former=former, given=bool(said.name),
        scope=scope.name, span=item.span,
    )  # fmt: skip


def _object_name(item: ir.Item) -> str:
    """An item's part of a name. Counters have plurals by custom: `drop_ttl`, counted in packets,
    is `DropTtlPackets`."""
    name = smi.pascal(item.name)
    if item.kind.accumulates and not _PLURAL.search(name) and _PLURAL_UNIT.match(item.unit):
        return name + smi.pascal(item.unit)
    return name


def item_syntax(module: ir.Module, scope: ir.Scope, item: ir.Item) -> str:
    """The type of an item's object when the schema does not give it."""
    imported = item.snmp is not None and bool(item.snmp.oid)
    if item.value_type.labelled:  # the object of an imported one has the labels itself
        return enumeration(item) if imported else type_name(module, scope, item)
    return item.kind.syntax(item.value_type, item.length, imported=imported)


def type_name(module: ir.Module, scope: ir.Scope, item: ir.Item) -> str:
    """Name of the textual convention of an enum: `EpSessionPhaseType`."""
    name = scope_prefix(module, scope) + smi.pascal(item.name)
    return f"{name[:1].upper()}{name[1:]}Type"


def enumeration(item: ir.Item) -> str:
    """The labels of an enum as SMI: `INTEGER { up(1), down(2) }`."""
    given = dict(item.snmp.labels) if item.snmp is not None else {}
    labels = sorted(item.labels, key=lambda label: label.value)
    shown = [f"{given.get(one.name) or smi.camel(one.name)}({one.value})" for one in labels]
    return f"INTEGER {{ {', '.join(shown)} }}"


def types(module: ir.Module) -> Iterator[Wanted]:
    """The textual conventions of the module: its own, and one for each enum."""
    for one in module.snmp.types:
        syntax = one.syntax
        if one.labels:
            labels = ", ".join(f"{label.name}({label.value})" for label in one.labels)
            syntax = f"{one.syntax} {{ {labels} }}"
        yield Wanted(
            f"/type:{one.name}", "type", one.name, "", syntax, one.display_hint,
            one.description or "A type of this module.", status=one.status, given=True,
            span=module.snmp.span,
        )  # fmt: skip
    for scope in shown_scopes(module):
        for item in scope.items:
            imported = item.snmp is not None and (item.snmp.oid or item.snmp.syntax)
            if item.value_type.labelled and not imported:
                made = _item(module, scope, item, "", "")
                yield Wanted(
                    f"{made.key}/type", "type", type_name(module, scope, item), "",
                    enumeration(item), "", item.description, scope=scope.name, span=item.span,
                    former=tuple(f"{old}/type" for old in made.former),
                )  # fmt: skip
