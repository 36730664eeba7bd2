# SPDX-License-Identifier: BSD-3-Clause
"""Modules that ctrgen generated: back to what their schema said, not to what was made from it.

What SMI has no words for is in the module's comments (ctrgen.mib.annotations). They also say
whether names and OIDs follow from the schema; a module where they do not, as its schema was
imported or has a history, is imported like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ...language.defaults import ENTERPRISES, NOT_STATED
from ...mib import text
from ...mib.annotations import MADE, OIDS, ORDER
from ...mib.lock import parse_oid
from ...model.kinds import KINDS, Kind
from ...model.naming import smi
from ..raw import Node
from .comments import Holders
from .mapping import plain
from .model import Module, Object
from .source import Source

_ENTERPRISE = f"{ENTERPRISES}."
_INET = "InetAddressType"
_TIME = re.compile(r"DiscontinuityTime[0-9]*\Z")


class Said:
    """What the comments of a module say about OIDs and names."""

    def __init__(self, source: Source) -> None:
        said = [(one.owner, one.text) for one in source.annotations]
        self.own = ("", f"{OIDS} = made") in said
        self.given = {owner for owner, text in said if owner and text == f"{OIDS} = given"}
        if ("", f"scopes.global.{OIDS} = given") in said:
            self.given.add("")
        self.items = {owner for owner, text in said if text == f"{OIDS} = made"}
        self.objects = {owner for owner, text in said if text == f"{MADE} = true"}
        self.low = ("", "snmp.low_capacity = true") in said
        self.whole = {owner for owner, text in said if text.partition(" = ")[0] in set(Kind)}
        self.imported = bool(self.given)

    def made(self, table: str, name: str) -> bool:
        """Whether the OID of an item was made; `table` is empty for a scalar."""
        return table not in self.given or name in self.items


def whole(module: Module, said: Said) -> bool:
    """Whether ctrgen would give a module all of its OIDs again: it says so, and none is missing."""
    tables = {"": module.scalars, **{table.name: table.columns for table in module.tables}}
    for name, objects in tables.items():
        arcs = sorted(int(one.oid.rpartition(".")[2]) for one in objects)
        if name not in said.given and arcs and arcs != list(range(1, len(arcs) + 1)):
            return False
    return said.own


def stripped(module: Module, said: Said) -> Module:
    """The module without what was made beyond the items of its schema."""
    scalars = _objects(module.scalars, "", said)
    tables = []
    for table in module.tables:
        columns = tuple(_objects(table.columns, table.name, said))
        tables.append(replace(table, columns=columns))
    made = replace(module, scalars=scalars, tables=tables)
    if not said.imported:
        made.nodes = {name: oid for name, oid in module.nodes.items() if name == module.identity}
    made.description = text.of_module(module.description)
    return made


def _objects(given: Iterable[Object], table: str, said: Said) -> list[Object]:
    given = list(given)
    names = {one.name for one in given}
    kept = []
    for one in given:
        if not said.made(table, one.name):
            if one.name not in said.objects:
                kept.append(one)
            continue
        base = one.type.parent.rpartition("::")[2]
        time = base == "TimeStamp" and _TIME.search(one.name) is not None
        family = base == _INET and one.name.removesuffix("Type") in names - {one.name}
        twin = said.low and one.name.endswith("Low") and one.name.removesuffix("Low") in names
        if one.name in said.whole or not (time or family or twin):
            kept.append(replace(one, description=text.own(one.description)))
    return kept


def restore(schema: dict[str, Any], module: Module, holders: Holders, said: Said) -> None:
    """Take out of a schema that was imported what ctrgen would make again by itself."""
    del schema["reset"]
    if not said.imported:
        schema["snmp"].pop("types", None)
    _identity(schema["snmp"], schema["module"])
    for table in module.tables:
        if table.name in holders and table.name not in said.given:
            scopes, name = holders[table.name]
            for key in ("index", "augments", "snmp"):
                scopes[name].pop(key, None)
    columns = [(table.name, one) for table in module.tables for one in table.columns]
    for owner, one in (*(("", scalar) for scalar in module.scalars), *columns):
        if one.name in holders and said.made(owner, one.name):
            group, name = holders[one.name]
            _item(group[name], one)


def _item(entry: dict[str, Any], given: Object) -> None:
    entry.pop("snmp", None)
    if not given.unit:
        entry.pop("unit", None)
        if "type" not in entry:
            entry["unit"] = "1"
    if "type" not in entry:
        said, low, high = text.bounded(plain(given.description))
        if said:  # else what the import made of it is kept
            entry["description"] = said
        entry.update({} if low is None else {"min": low})
        entry.update({} if high is None else {"max": high})


def _identity(snmp: dict[str, Any], module: str) -> None:
    oid = snmp["oid"]
    if snmp["name"] == smi.module_name(module):
        del snmp["name"]
        if snmp.get("identity") == smi.identity(smi.module_name(module)):
            del snmp["identity"]
    if oid.startswith(_ENTERPRISE):
        enterprise, *arc = [int(number) for number in oid[len(_ENTERPRISE) :].split(".")]
        rest = dict(snmp)
        snmp.clear()
        snmp["enterprise"] = enterprise
        if arc != [1]:
            snmp["arc"] = arc
        snmp.update((key, value) for key, value in rest.items() if key != "oid")
    for key in ("organization", "contact"):
        if snmp.get(key) == NOT_STATED:
            del snmp[key]


def settle(schema: dict[str, Any], module: Module, holders: Holders, said: Said) -> None:
    """Put scopes and items into the order they had; comments have been applied before."""
    schema.pop(OIDS, None)
    made = schema.pop(MADE, None)
    for name in _texts(made):
        for key in ("nodes", "types"):
            schema["snmp"].get(key, {}).pop(name, None)
    for scope in schema["scopes"].values():
        if isinstance(scope, dict):
            scope.pop(OIDS, None)
    columns = [(table.name, table.columns) for table in module.tables]
    for name, objects in (("", module.scalars), *columns):
        placed = sorted(objects, key=lambda one: parse_oid(one.oid))
        found = [holders[one.name] for one in placed if one.name in holders]
        for group, item in found:
            group[item].pop(OIDS, None)
        if found and name not in said.given:
            _grouped(schema["scopes"]["global" if not name else holders[name][1]], found)
    scopes = schema["scopes"]
    names = [name for name in _texts(schema.pop(ORDER, None)) if name in scopes]
    held = [(name, scopes[name]) for name in (*names, *(n for n in scopes if n not in names))]
    scopes.clear()
    scopes.update(held)


def _texts(node: Node | None) -> list[str]:
    """What a comment lists; nothing when it is no list."""
    return [str(one.value) for one in node.value] if node and isinstance(node.value, list) else []


def _grouped(scope: dict[str, Any], found: list[tuple[dict[str, Any], str]]) -> None:
    """Order groups, and items in them, like the objects; say the order of items across groups."""
    groups: dict[str, dict[str, Any]] = {}
    for group, name in found:
        key = next(key for key in KINDS if scope.get(key) is group)
        groups.setdefault(key, {})[name] = group[name]
    for key, entries in groups.items():
        del scope[key]
        scope[key] = entries
    order = [name for _, name in found]
    if order != [name for entries in groups.values() for name in entries]:
        scope["order"] = order
