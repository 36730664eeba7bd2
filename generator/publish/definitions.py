# SPDX-License-Identifier: BSD-3-Clause
"""Definitions of a MIB module besides objects: notifications, groups, compliances.

They have names and OIDs of their own, as in an imported module. ctrgen generates groups and a
compliance only for objects that none of these groups has. Published ones stay: RFC 2578 (10.3)
requires it of notifications, RFC 2580 (7) of groups and compliances.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..findings.rules import Finding
from ..model import ir
from .lock import LIVE, Entry, Key, parse_oid
from .nodespec import NodeSpec

CONFORMANCE = ("group", "notification-group", "compliance")
"""Kinds of entries that are about what an implementation needs."""

ROLE, IDENTITY = "defined", "identity"
"""The role of their keys, and of the texts of an OBJECT-IDENTITY."""


class Members(NamedTuple):
    """The names in a definition, as entries of the lock have them."""

    members: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    refined: tuple[str, ...] = ()

    def named(self, names: Mapping[str, str]) -> Members:
        """The same with the names that objects have now, by their former ones."""
        return Members(*(tuple(names.get(name, name) for name in part) for part in self))


def of_entry(entry: Entry) -> Members:
    """The names in an entry of the lock."""
    return Members(entry.members, entry.optional, entry.refined)


def key(name: str) -> Key:
    """The key of a definition."""
    return Key(role=ROLE, name=name)


def by_name(module: ir.Module) -> dict[str, ir.Definition]:
    """The definitions of a schema by their names."""
    return {one.name: one for one in module.snmp.definitions}


def required(module: ir.Module) -> Iterator[NodeSpec]:
    """Nodes of the module for its definitions."""
    for one in module.snmp.definitions:
        text = one.description if one.kind == "notification" else ""  # else no line has one
        yield NodeSpec(
            key(one.name), one.kind, one.name, None, description=text, status=one.status,
            oid=parse_oid(one.oid), fixed_name=True, span=one.span,
        )  # fmt: skip


def members(one: ir.Definition) -> Members:
    """The names in a definition: of a compliance the groups, and the objects that it refines."""
    if one.kind != "compliance":
        return Members(one.members)
    found: dict[str, None] = {}
    optional: dict[str, None] = {}
    refined: dict[str, None] = {}
    for part in one.modules:
        start = f"{part.module}::" if part.module else ""
        chosen = [start + name for name, _ in part.groups]
        found.update(dict.fromkeys([*(start + name for name in part.mandatory), *chosen]))
        optional.update(dict.fromkeys(chosen))
        refined.update((start + refinement.name, None) for refinement in part.objects)
    return Members(tuple(found), tuple(optional), tuple(refined))


def refinements(one: ir.Definition) -> dict[tuple[str, str], tuple[str, str, str]]:
    """The types and access that a compliance requires of objects, by module and name."""
    return {
        (part.module, refinement.name): (
            refinement.syntax,
            refinement.write_syntax,
            refinement.min_access,
        )
        for part in one.modules
        for refinement in part.objects
    }


def grouped(module: ir.Module, parts: Collection[NodeSpec]) -> set[Key]:
    """The keys of parts of a module that are in one of its own groups, or need none. RFC 2580 (3.1)
    requires each object and notification in a group, each current one in a current group."""
    there = {part.key for part in parts}
    given = (one for one in module.snmp.definitions if key(one.name) in there)
    groups = [one for one in given if one.kind.endswith("group")]
    found = {name for one in groups for name in one.members}
    current = {name for one in groups if one.status == LIVE for name in one.members}
    needing = {p.key for p in parts if p.kind == "object" and p.access != "not-accessible"}
    needing |= {part.key for part in parts if part.kind == "notification"}
    named = {p.key for p in parts if p.name in (current if p.status == LIVE else found)}
    return there - needing | named


def shadowed(module: ir.Module, old: Iterable[Entry]) -> list[NodeSpec]:
    """Definitions that are not in the module, as an earlier build had made and published a group
    or compliance of that name."""
    made = {e.name for e in old if e.key.role != ROLE and e.kind in CONFORMANCE}
    return [one for one in required(module) if one.name in made]


def lost(
    module: ir.Module, old: Iterable[Entry], draft: str, renamed: Mapping[str, str]
) -> Iterator[tuple[Entry, bool, Finding]]:
    """Changes of published definitions, except those of a draft: the former entry, of `old`, and
    whether it was removed. `renamed` are new names of objects by the former ones."""
    now = by_name(module)
    for entry in old:
        if entry.key.role != ROLE or entry.gone or entry.date == draft:
            continue
        rule = "RFC 2578, 10.3" if entry.kind == "notification" else "RFC 2580, 7"
        one = now.get(entry.name)
        if one is None or one.kind != entry.kind:
            message = f"published {entry.kind} '{entry.name}' was removed or redefined ({rule})"
            hint = "restore it in `snmp: definitions:`, with `status: deprecated` if it is unused"
            yield entry, True, Finding(module.snmp.span, message, hint)
            continue
        before = of_entry(entry).named(renamed)
        pairs, ordered = zip(before, members(one), strict=True), entry.kind == "notification"
        if any(was != has if ordered else {*was} != {*has} for was, has in pairs):
            message = f"'{entry.name}' is published with {', '.join(before.members) or 'nothing'}"
            hint = "restore that: with anything else in it, it is one of another name and OID"
            yield entry, False, Finding(one.span, f"{message} ({rule})", hint)


def texts(module: ir.Module) -> Iterator[tuple[Key, dict[str, object]]]:
    """Texts of definitions and nodes, by key."""
    for identity in module.snmp.identities:
        of_node = {"status": identity.status, "description": identity.description}
        yield Key(role=IDENTITY, name=identity.name), {**of_node, "reference": identity.reference}
    for one in module.snmp.definitions:
        found: dict[str, object] = {"description": one.description, "reference": one.reference}
        for number, part in enumerate(one.modules):
            found |= {f"{number}.{name}": text for name, text in part.groups}
            for refined in part.objects:
                asked = (refined.syntax, refined.write_syntax, refined.min_access)
                found[f"{number}.{refined.name}"] = " ".join((*asked, refined.description))
        yield key(one.name), found
