# SPDX-License-Identifier: BSD-3-Clause
"""Definitions of a schema for its MIB module, without OIDs: nodes, types, tables, objects."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import count

from ..model import ir
from ..model.naming import smi
from . import definitions, keys, notifications, standard, text
from . import nodespec as needs
from .lock import Key, parse_oid
from .members import enum_types
from .members import members as _members
from .nodespec import NodeSpec, around, enumeration, labels, prefix, reporting, scope_prefix, words

_INDEX_SYNTAX = "Unsigned32 (1..4294967295)"
"""Type of a table's own index: the index in C plus one; no bound that a later `max` could break."""


_OF_GROUPS = (needs.CONFORMANCE, needs.COMPLIANCES, needs.GROUPS)
"""Nodes that are there for groups and compliances that ctrgen makes."""


def _table_name(module: ir.Module, scope: ir.Scope) -> str:
    return scope.snmp.table or f"{scope_prefix(module, scope)}Table"


def entry_name(module: ir.Module, scope: ir.Scope) -> str:
    """Name of a scope's row: `epSessionEntry`."""
    return scope.snmp.entry or f"{_table_name(module, scope).removesuffix('Table')}Entry"


@lru_cache(maxsize=1)
def required(module: ir.Module) -> tuple[NodeSpec, ...]:
    """All definitions of the module, parents before children, types before their uses; none without
    objects. Cached, as a build needs it several times."""
    scopes = needs.published_scopes(module)
    if not scopes:
        return ()
    types, parts = list(_conventions(module)), list(_nodes(module))
    outer = {parent.name: parent.renamed_from for parent in module.parents}
    for scope in scopes:
        types += _of_scope(scope, enum_types(module, scope), outer)
        members = _scalars if scope.name == ir.GLOBAL else _table
        parts += _of_scope(scope, members(module, scope), outer)
    for own in reporting(module):
        parts += _of_scope(own, _reports(module, own), {})
    if all(part.oid for part in parts if part.parent == needs.SCALARS):
        parts = [part for part in parts if part.key != needs.SCALARS]
    if all(part.oid or part.key == needs.OBJECTS for part in parts if part.parent == needs.OBJECTS):
        parts = [part for part in parts if part.key != needs.OBJECTS]
    parts += notifications.required(module, prefix(module), max(_numbers(module)) + 1)
    if module.snmp.definitions:
        parts += definitions.required(module)
        if len(definitions.grouped(module, parts)) == len(parts):
            parts = [part for part in parts if part.key not in _OF_GROUPS]
    return (*types, *parts)


def _of_scope(
    scope: ir.Scope, parts: Iterator[NodeSpec], outer: Mapping[str, str]
) -> Iterator[NodeSpec]:
    """The parts of a scope: where they come from, and keys that they had under former names."""
    items = {item.name: item for item in scope.items}
    for part in parts:
        item, key = items.get(part.key.item), part.key
        end = outer.get(key.name, "") if key.role == "index" else ""
        if key.role in (keys.KEY, keys.FAMILY):
            end = next(one.renamed_from for one in scope.key if one.name == key.name)
        former = _former(key, scope.renamed_from, item.renamed_from if item else "", end)
        group = part.group or scope.snmp.group
        yield part._replace(former=former, span=(item or scope).span, group=group)


def _former(key: Key, scope: str, item: str, end: str) -> tuple[Key, ...]:
    """The keys of what has another one, by former names of its parts; those are empty or new."""
    if not scope and not item and not end:
        return ()
    scopes = dict.fromkeys((key.scope, scope or key.scope))
    names = dict.fromkeys((key.item, item or key.item))
    ends = dict.fromkeys((key.name, end or key.name))
    return tuple(Key(s, n, key.role, e) for s in scopes for n in names for e in ends)[1:]


def _nodes(module: ir.Module) -> Iterator[NodeSpec]:
    conformance, number = _numbers(module)
    for key, parent, arc in (
        (needs.OBJECTS, None, number),
        (needs.SCALARS, needs.OBJECTS, 1),
        (needs.CONFORMANCE, None, conformance),
        (needs.COMPLIANCES, needs.CONFORMANCE, 1),
        (needs.GROUPS, needs.CONFORMANCE, 2),
    ):
        name = prefix(module) + key.role.capitalize()
        yield NodeSpec(key, "node", name, parent, number=arc, span=module.snmp.span)


def _numbers(module: ir.Module) -> tuple[int, int]:
    """Where conformance goes: 2, or the next number that no OID of the schema is below. And where
    objects go: 1, or the next number when the schema has a node of another name there."""
    root = parse_oid(module.snmp.oid)
    nodes = [parse_oid(oid) for _, oid in module.snmp.nodes]
    nodes += [parse_oid(one.oid) for one in module.snmp.definitions]
    oids = [parse_oid(oid) for scope in module.scopes for oid in schema_oids(scope)] + nodes
    taken = {oid[len(root)] for oid in oids if oid[: len(root)] == root and len(oid) > len(root)}
    free = (arc for arc in count(2) if arc not in taken)
    return next(free), next(free) if (*root, 1) in nodes else 1


def schema_oids(scope: ir.Scope) -> list[str]:
    """The OIDs that the schema gives in a scope, as it was imported: of its table, items, index."""
    oids = [scope.snmp.oid, *(item.snmp.oid for item in scope.items if item.snmp is not None)]
    return [oid for oid in (*oids, *(index.oid for index in scope.snmp.index)) if oid]


def _scalars(module: ir.Module, scope: ir.Scope) -> Iterator[NodeSpec]:
    parent = needs.SCALARS
    if scope.snmp.oid:
        parent = Key(scope.name, role="scalars")
        oid = parse_oid(scope.snmp.oid)
        yield NodeSpec(parent, "node", f"{prefix(module)}Totals", None, oid=oid)
    yield from _members(module, scope, parent)


def _reports(module: ir.Module, scope: ir.Scope) -> Iterator[NodeSpec]:
    """Health objects: scalars below a node of their own, after all objects of the schema. An object
    whose name would be too long for SMI is omitted."""
    number = max(_numbers(module)) + 2  # one more is that of notifications
    yield NodeSpec(needs.HEALTH, "node", f"{prefix(module)}Health", None, number=number)
    objects = _members(module, scope, needs.HEALTH)
    yield from (part for part in objects if len(part.name) <= standard.MAX_NAME)


def _table(module: ir.Module, scope: ir.Scope) -> Iterator[NodeSpec]:
    key, snmp = Key(scope.name), scope.snmp
    table, row = key.part("table"), key.part("entry")
    columns = (parse_oid(item.snmp.oid)[:-2] for item in scope.items if item.snmp)
    oid = parse_oid(scope.snmp.oid) or next(filter(None, columns), ())  # that the schema declares
    inwards = around(module, scope)
    path = " of one ".join(words(outer.name) for outer in reversed(inwards))
    tables = [outer for outer in inwards[:-1] if outer not in module.parents]
    above = entry_name(module, tables[-1]) if tables else ""
    hidden = partial(NodeSpec, access="not-accessible", status=snmp.status or "current")
    yield hidden(
        table, "table", _table_name(module, scope), needs.OBJECTS, description=scope.description,
        oid=oid, fixed_name=bool(snmp.table),
    )  # fmt: skip
    yield hidden(
        row, "row", entry_name(module, scope), table, _index_clause(module, scope),
        description=text.of_row(scope, path, above), oid=oid and (*oid, 1), number=1,
        fixed_name=bool(snmp.entry), earlier=("", text.EARLIER_ROW.format(path)),
    )  # fmt: skip
    for outer in inwards:
        own = outer is scope or (not outer.key and _table_of(module, inwards, outer) is scope)
        for part, name, syntax, about in _columns(module, scope, outer) if own else ():
            yield hidden(part, "object", name, row, syntax, description=about)
    for index in snmp.index:
        if index.oid:
            yield NodeSpec(
                key.part("index", index.name), "object", index.name, row,
                index.syntax or "Integer32", index.unit,
                index.description or "An index of the table.", index.access, index.status,
                parse_oid(index.oid), fixed_name=True,
            )  # fmt: skip
    yield from _members(module, scope, row)


def _table_of(module: ir.Module, inwards: list[ir.Scope], outer: ir.Scope) -> ir.Scope:
    """The scope whose table has the index columns of `outer`, one of those around a scope: the
    next one inwards that has a table."""
    return next(step for step in inwards[inwards.index(outer) :] if step not in module.parents)


def _columns(module: ir.Module, table: ir.Scope, outer: ir.Scope) -> Iterator[keys.Column]:
    """The index columns that ctrgen makes for the instances of `outer`, in a table."""
    if outer.key:
        yield from keys.columns(outer, scope_prefix(module, outer))
    for level in outer.own if not (outer.key or outer.snmp.index or outer.snmp.augments) else ():
        syntax = _INDEX_SYNTAX
        about = f"The number of the {words(level.scope)}, from 1: its index in the data plane"
        if level.labels:
            syntax = enumeration(labels(numbered(level)))
            about = f"Which {words(level.dimension)} this is; in the data plane, its index"
        about += " plus one." + text.shown(numbered(level))
        name = "" if level.name == table.name else level.dimension
        key = Key(table.name, role="index", name=name)
        yield keys.Column(key, _index_name(module, table, level), syntax, about)


def _index_name(module: ir.Module, scope: ir.Scope, level: ir.Level) -> str:
    """Name of an index column: `epSessionIndex`, of one of several dimensions `epDropReason`, of
    a scope around it that has no table `epQueuePortIndex`."""
    taken = {smi.camel(item.name).lower() for item in scope.items}
    start = "" if level.name == scope.name else smi.pascal(level.dimension)
    ends = ["Index", "Number", "Row", "Id"]
    ends = [start + end for end in ([""] if start and level.labels else []) + ends]
    end = next((end for end in ends if end.lower() not in taken), f"{start}TableIndex")
    return f"{scope_prefix(module, scope)}{end}"


def numbered(level: ir.Level) -> tuple[ir.Label, ...]:
    """The labels of an index with their values in the MIB, from 1: RFC 2578, 7.7 has 0 avoided."""
    return tuple(ir.Label(label.name, label.value + 1, label.text) for label in level.named)


def index_objects(module: ir.Module, scope: ir.Scope) -> list[ir.IndexObject]:
    """The index objects of a table, those of the scopes around it first."""
    objects: list[ir.IndexObject] = []
    inwards = around(module, scope)
    for outer in inwards:
        columns = _columns(module, _table_of(module, inwards, outer), outer)
        made = [ir.IndexObject(column.name, syntax=column.syntax) for column in columns]
        objects += made or outer.snmp.index or _of_augmented(module, outer)
    return objects


def _of_augmented(module: ir.Module, scope: ir.Scope) -> list[ir.IndexObject]:
    """The index objects of the row that a scope augments; none where they are not known."""
    if index := standard.index_of(scope.snmp.augments):
        return [ir.IndexObject(index, module=standard.INDEXES[index])]
    row = scope.snmp.augments.removeprefix(f"{module.snmp.name}::")
    tables = (s for s in module.scopes if s.name != ir.GLOBAL and not s.snmp.augments)
    owner = next((s for s in tables if entry_name(module, s) == row), None)
    return index_objects(module, owner) if owner else []


def _index_clause(module: ir.Module, scope: ir.Scope) -> str:
    """The INDEX or AUGMENTS clause of a row, names as `MODULE::name` where imported."""
    if scope.snmp.augments and scope.own == scope.levels:
        return f"AUGMENTS {{ {_qualified(scope.snmp.augments)} }}"
    return index_of(index_objects(module, scope), scope.snmp.implied)


def index_of(found: Iterable[ir.IndexObject], implied: bool) -> str:
    """The INDEX clause of index objects."""
    names = [
        index.name if index.oid else _qualified(f"{index.module}::{index.name}".lstrip(":"))
        for index in found
    ]
    if implied and names:
        names[-1] = f"IMPLIED {names[-1]}"
    return f"INDEX {{ {', '.join(names)} }}"


def _qualified(name: str) -> str:
    """The name of a well-known index or row, with its module; other names stay."""
    return f"{standard.INDEXES[name]}::{name}" if name in standard.INDEXES else name


def _conventions(module: ir.Module) -> Iterator[NodeSpec]:
    """The textual conventions of the schema."""
    for convention in module.snmp.types:
        named = [(label.name, label.value) for label in convention.labels]
        yield NodeSpec(
            Key(role="type", name=convention.name), "type", convention.name, None,
            enumeration(named, convention.syntax) if named else convention.syntax,
            convention.display_hint, convention.description or "A type of this module.",
            status=convention.status, fixed_name=True, span=module.snmp.span,
        )  # fmt: skip
