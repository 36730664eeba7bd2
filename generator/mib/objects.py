# SPDX-License-Identifier: BSD-3-Clause
"""What a schema wants to have in its MIB module: nodes, types, tables, objects, without OIDs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from itertools import count
from operator import attrgetter
from typing import NamedTuple

from ..findings.diagnostics import NOWHERE, Span
from ..model import ir
from ..model.naming import smi
from . import keys, standard, text
from .lock import Key, Oid, parse_oid

OBJECTS, SCALARS, CONFORMANCE = (Key(role=role) for role in ("objects", "scalars", "conformance"))
COMPLIANCES, GROUPS = Key(role="compliances"), Key(role="groups")
COMPLIANCE = Key(role="compliance")
"""Keys of what is not part of the schema."""

_END = re.compile(r"(.)-*(MIB|Mib)\Z")
_PLURAL = re.compile(r"s[0-9]*\Z")
_PLURAL_UNIT = re.compile(r"[a-z]+s\Z")

_INDEX_SYNTAX = "Unsigned32 (1..4294967295)"
"""Type of a table's own index: the index in C plus one; no bound that a later `max` could break."""


class Wanted(NamedTuple):
    """Something that the module needs, by its key. `parent` is the key of the node above it.

    `oid` is set when the schema gives it, `fixed_name` when it gives the name, `number` when the
    place below the parent is fixed. `former` are keys it had before it was renamed.
    """

    key: Key
    kind: str
    name: str
    parent: Key | None
    syntax: str = ""
    unit: str = ""
    description: str = ""
    access: str = ""
    status: str = "current"
    oid: Oid = ()
    number: int = 0
    former: tuple[Key, ...] = ()
    fixed_name: bool = False
    span: Span = NOWHERE


def published_scopes(module: ir.Module) -> tuple[ir.Scope, ...]:
    """The scopes in the MIB: all but embedded ones, whose instances nobody can list."""
    return tuple(s for s in module.scopes if s.storage is not ir.Storage.EMBEDDED)


def prefix(module: ir.Module) -> str:
    """What names of the module as a whole start with: `epStats`."""
    return _END.sub(r"\1", module.snmp.identity)


def scope_prefix(module: ir.Module, scope: ir.Scope) -> str:
    """What names of a scope's objects start with: `epSession`."""
    if scope.snmp.name:
        return scope.snmp.name
    if scope.name == ir.GLOBAL:
        return prefix(module)
    return smi.camel(module.name) + smi.pascal(scope.name)


def _table_name(module: ir.Module, scope: ir.Scope) -> str:
    return scope.snmp.table or f"{scope_prefix(module, scope)}Table"


def entry_name(module: ir.Module, scope: ir.Scope) -> str:
    """Name of a scope's row: `epSessionEntry`."""
    return scope.snmp.entry or f"{_table_name(module, scope).removesuffix('Table')}Entry"


@lru_cache(maxsize=1)
def wanted(module: ir.Module) -> tuple[Wanted, ...]:
    """All that the module needs, what is above something before it, types before what has them;
    nothing without objects. It is asked for several times in a build."""
    scopes = published_scopes(module)
    if not scopes:
        return ()
    types = list(_conventions(module))
    parts = list(_nodes(module))
    outer = {parent.name: parent.renamed_from for parent in module.parents}
    for scope in scopes:
        types += _of_scope(scope, _enum_types(module, scope), outer)
        members = _scalars if scope.name == ir.GLOBAL else _table
        parts += _of_scope(scope, members(module, scope), outer)
    if all(part.oid for part in parts if part.parent == SCALARS):
        parts = [part for part in parts if part.key != SCALARS]
    if all(part.oid or part.key == OBJECTS for part in parts if part.parent == OBJECTS):
        parts = [part for part in parts if part.key != OBJECTS]
    return (*types, *parts)


def _of_scope(
    scope: ir.Scope, parts: Iterator[Wanted], outer: Mapping[str, str]
) -> Iterator[Wanted]:
    """The parts of a scope: where they come from, and keys that they had under former names."""
    items = {item.name: item for item in scope.items}
    scopes = dict.fromkeys((scope.name, scope.renamed_from or scope.name))
    for part in parts:
        item, key = items.get(part.key.item), part.key
        names = dict.fromkeys((key.item, (item and item.renamed_from) or key.item))
        ends = dict.fromkeys((key.name, (key.role == "index" and outer.get(key.name)) or key.name))
        keys = [Key(s, n, key.role, end) for s in scopes for n in names for end in ends]
        yield part._replace(former=tuple(keys[1:]), span=(item or scope).span)


def _nodes(module: ir.Module) -> Iterator[Wanted]:
    conformance, number = _numbers(module)
    for key, parent, arc in (
        (OBJECTS, None, number),
        (SCALARS, OBJECTS, 1),
        (CONFORMANCE, None, conformance),
        (COMPLIANCES, CONFORMANCE, 1),
        (GROUPS, CONFORMANCE, 2),
    ):
        name = prefix(module) + key.role.capitalize()
        yield Wanted(key, "node", name, parent, number=arc, span=module.snmp.span)


def _numbers(module: ir.Module) -> tuple[int, int]:
    """Where conformance goes: 2, or the next number that no OID of the schema is below. And where
    objects go: 1, or the next number when the schema has a node of another name there."""
    root = parse_oid(module.snmp.oid)
    nodes = [parse_oid(oid) for _, oid in module.snmp.nodes]
    oids = [parse_oid(oid) for scope in module.scopes for oid in schema_oids(scope)] + nodes
    taken = {oid[len(root)] for oid in oids if oid[: len(root)] == root and len(oid) > len(root)}
    free = (arc for arc in count(2) if arc not in taken)
    return next(free), next(free) if (*root, 1) in nodes else 1


def schema_oids(scope: ir.Scope) -> list[str]:
    """The OIDs that the schema gives in a scope, as it was imported: of its table, items, index."""
    oids = [scope.snmp.oid, *(item.snmp.oid for item in scope.items if item.snmp is not None)]
    return [oid for oid in (*oids, *(index.oid for index in scope.snmp.index)) if oid]


def _scalars(module: ir.Module, scope: ir.Scope) -> Iterator[Wanted]:
    parent = SCALARS
    if scope.snmp.oid:
        parent = Key(scope.name, role="scalars")
        oid = parse_oid(scope.snmp.oid)
        yield Wanted(parent, "node", f"{prefix(module)}Totals", None, oid=oid)
    yield from _members(module, scope, parent)


def _table(module: ir.Module, scope: ir.Scope) -> Iterator[Wanted]:
    key, snmp = Key(scope.name), scope.snmp
    table, row = key.part("table"), key.part("entry")
    oid = _table_oid(scope)
    path = " of one ".join(map(_words, dict.fromkeys(lv.scope for lv in reversed(scope.levels))))
    hidden = partial(Wanted, access="not-accessible", status=snmp.status or "current")
    yield hidden(
        table, "table", _table_name(module, scope), OBJECTS, description=scope.description,
        oid=oid, fixed_name=bool(snmp.table),
    )  # fmt: skip
    yield hidden(
        row, "row", entry_name(module, scope), table, _index_clause(module, scope),
        description=f"The objects of one {path}.{keys.ROWS if scope.key else ''}",
        oid=oid and (*oid, 1), number=1, fixed_name=bool(snmp.entry),
    )  # fmt: skip
    for level in _index_columns(module, scope):
        whose = _words(level.scope)
        text = f"The number of the {whose}, from 1: its index in the data plane plus one."
        if level.labels:
            text = (
                f"Which {_words(level.dimension)} this is; in the data plane, its index plus one."
            )
        name = "" if level.name == scope.name else level.dimension
        yield hidden(
            key.part("index", name), "object", _index_name(module, scope, level), row,
            _index_syntax(level), description=text,
        )  # fmt: skip
    for column in keys.columns(scope, scope_prefix(module, scope)):
        yield hidden(
            column.key, "object", column.name, row, column.syntax, description=column.description
        )
    for index in snmp.index:
        if index.oid:
            yield Wanted(
                key.part("index", index.name), "object", index.name, row,
                index.syntax or "Integer32", index.unit,
                index.description or "An index of the table.", index.access, index.status,
                parse_oid(index.oid), fixed_name=True,
            )  # fmt: skip
    yield from _members(module, scope, row)


def _table_oid(scope: ir.Scope) -> Oid:
    """Where a table is when the schema says so, by its own OID or by that of a column."""
    columns = (parse_oid(item.snmp.oid)[:-2] for item in scope.items if item.snmp)
    return parse_oid(scope.snmp.oid) or next(filter(None, columns), ())


def _index_columns(module: ir.Module, scope: ir.Scope) -> Iterator[ir.Level]:
    """The indexes that are columns of a table: its own ones, behind those of scopes around it that
    have no table and are in none of the tables around it."""
    for level in scope.levels:
        outer = module.scope(level.scope)
        if _has_index_column(outer) and _table_of(module, scope, outer) is scope:
            yield level


def _table_of(module: ir.Module, scope: ir.Scope, outer: ir.Scope) -> ir.Scope:
    """The scope whose table has the index columns of `outer`, which is around `scope` or `scope`
    itself: the next one inwards that has a table."""
    path = list(dict.fromkeys(level.scope for level in scope.levels))
    inwards = map(module.scope, path[path.index(outer.name) :])
    return next(step for step in inwards if step not in module.parents)


def _has_index_column(scope: ir.Scope) -> bool:
    """Whether the table has an index column that ctrgen makes of its position."""
    return not scope.snmp.index and not scope.snmp.augments and not scope.key


def _index_name(module: ir.Module, scope: ir.Scope, level: ir.Level) -> str:
    """Name of an index column: `epSessionIndex`, of one of several dimensions `epDropReason`, of
    a scope around it that has no table `epQueuePortIndex`."""
    taken = {smi.camel(item.name).lower() for item in scope.items}
    start = "" if level.name == scope.name else smi.pascal(level.dimension)
    ends = ["Index", "Number", "Row", "Id"]
    ends = [start + end for end in ([""] if start and level.labels else []) + ends]
    end = next((end for end in ends if end.lower() not in taken), f"{start}TableIndex")
    return f"{scope_prefix(module, scope)}{end}"


def _index_syntax(level: ir.Level) -> str:
    """The type of an index column: a number from 1, or one of its labels."""
    if not level.labels:
        return _INDEX_SYNTAX
    return f"INTEGER {{ {', '.join(f'{name}({n})' for name, n in index_labels(level))} }}"


def index_labels(level: ir.Level) -> tuple[tuple[str, int], ...]:
    """The labels of an index by their names in the MIB, from 1: RFC 2578, 7.7 has 0 avoided."""
    return tuple((smi.camel(label), number) for number, label in enumerate(level.labels, 1))


def index_objects(module: ir.Module, scope: ir.Scope) -> list[ir.IndexObject]:
    """The index objects of a table, those of the scopes around it first."""
    objects: list[ir.IndexObject] = []
    for outer in map(module.scope, dict.fromkeys(level.scope for level in scope.levels)):
        if _has_index_column(outer):
            table = _table_of(module, scope, outer)
            objects += [
                ir.IndexObject(_index_name(module, table, level), syntax=_index_syntax(level))
                for level in outer.own
            ]
        elif outer.key:
            objects += keys.objects(outer, scope_prefix(module, outer))
        else:
            objects += outer.snmp.index
    return objects


def _index_clause(module: ir.Module, scope: ir.Scope) -> str:
    """The INDEX or AUGMENTS clause of a row, names as `MODULE::name` where imported."""
    if scope.snmp.augments and scope.own == scope.levels:
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


def _members(module: ir.Module, scope: ir.Scope, parent: Key) -> Iterator[Wanted]:
    for item in scope.items:
        wanted = _item(module, scope, item, parent)
        name = wanted.name
        companion = partial(wanted._replace, oid=(), fixed_name=False)
        if item.type == "ipv6" and wanted.syntax == item.value_type.smi:
            yield companion(
                key=wanted.key.part("family"), name=f"{name}Type", syntax="InetAddressType",
                description=f"The type of the address in {name}: ipv6(2).", unit="",
            )  # fmt: skip
            text = f"{wanted.description} The type of this address is given by {name}Type."
            wanted = wanted._replace(description=text)
        yield wanted
        if module.snmp.low_capacity and wanted.syntax == "Counter64":
            low = f"The low-order 32 bits of {name}, for managers that cannot read 64-bit counters."
            key = wanted.key.part("low")
            yield companion(key=key, name=f"{name}Low", syntax="Counter32", description=low)
    if scope.reset and any(item.kind.accumulates for item in scope.items):
        whose = f"the counters of this {_words(scope.name)}"
        if scope.name == ir.GLOBAL:
            whose = "the module-wide counters of this module"
        yield Wanted(
            Key(scope.name, role="discontinuity"), "object",
            f"{scope_prefix(module, scope)}DiscontinuityTime", parent, "TimeStamp",
            description=f"The value of sysUpTime on the most recent occasion at "
            f"which any one or more of {whose} suffered a discontinuity, such as a "
            "reset. If no such discontinuity has occurred since the last re-initialization of the "
            "local management subsystem, then this object contains a zero value.",
            access="read-only",
        )  # fmt: skip


def _item(module: ir.Module, scope: ir.Scope, item: ir.Item, parent: Key) -> Wanted:
    snmp = item.snmp or ir.ItemSnmp()
    return Wanted(
        Key(scope.name, item.name), "object",
        snmp.name or scope_prefix(module, scope) + _object_name(item), parent,
        snmp.syntax or _item_syntax(module, scope, item), "" if item.unit == "1" else item.unit,
        item.description + _more(scope, item), snmp.access or "read-only",
        snmp.status or "current", parse_oid(snmp.oid), fixed_name=bool(snmp.name),
    )  # fmt: skip


def _more(scope: ir.Scope, item: ir.Item) -> str:
    """What the description of an object says that follows from the item's kind, type and bounds."""
    if item.value_type.moment and not (item.snmp and item.snmp.syntax):
        return text.MOMENT
    bounds = text.bounds(item.minimum, item.maximum)
    if item.kind is ir.Kind.PEAK and not (item.snmp and item.snmp.oid):
        since = "since the last reset" if scope.reset else "so far"
        return text.PEAK.format("least" if item.least else "greatest", since) + bounds
    return bounds


def _object_name(item: ir.Item) -> str:
    """An item's part of a name. Counters have plurals by custom: `drop_ttl`, counted in packets,
    is `DropTtlPackets`."""
    name = smi.pascal(item.name)
    if item.histogram:  # `SizesTo64` is plural enough
        return name
    if item.kind.accumulates and not _PLURAL.search(name) and _PLURAL_UNIT.match(item.unit):
        return name + smi.pascal(item.unit)
    return name


def _item_syntax(module: ir.Module, scope: ir.Scope, item: ir.Item) -> str:
    imported = item.snmp is not None and bool(item.snmp.oid)
    if item.value_type.labelled:  # the object of an imported one has the labels itself
        return _enumeration(item) if imported else _type_name(module, scope, item)
    return item.kind.syntax(item.value_type, item.length, imported=imported)


def _type_name(module: ir.Module, scope: ir.Scope, item: ir.Item) -> str:
    """Name of the textual convention of an enum: `EpSessionPhaseType`."""
    return f"{smi.capital(scope_prefix(module, scope) + smi.pascal(item.name))}Type"


def _enumeration(item: ir.Item) -> str:
    """The labels of an enum as SMI: `INTEGER { up(1), down(2) }`."""
    return f"INTEGER {{ {', '.join(f'{name}({value})' for name, value in labels(item))} }}"


def labels(item: ir.Item) -> tuple[tuple[str, int], ...]:
    """The labels of an item by their names in the MIB, in the order of their values."""
    names = dict(item.snmp.labels) if item.snmp is not None else {}
    ordered = sorted(item.labels, key=attrgetter("value"))
    return tuple((names.get(label.name) or smi.camel(label.name), label.value) for label in ordered)


def _conventions(module: ir.Module) -> Iterator[Wanted]:
    """The textual conventions of the schema."""
    for convention in module.snmp.types:
        labels = ", ".join(f"{label.name}({label.value})" for label in convention.labels)
        yield Wanted(
            Key(role="type", name=convention.name), "type", convention.name, None,
            f"{convention.syntax} {{ {labels} }}" if labels else convention.syntax,
            convention.display_hint, convention.description or "A type of this module.",
            status=convention.status, fixed_name=True, span=module.snmp.span,
        )  # fmt: skip


def _enum_types(module: ir.Module, scope: ir.Scope) -> Iterator[Wanted]:
    for item in scope.items:
        imported = item.snmp is not None and (item.snmp.oid or item.snmp.syntax)
        if item.value_type.labelled and not imported:
            yield Wanted(
                Key(scope.name, item.name, "type"), "type", _type_name(module, scope, item), None,
                _enumeration(item), description=item.description,
            )  # fmt: skip
