# SPDX-License-Identifier: BSD-3-Clause
"""Modules that ctrgen generated: back to what their schema said, not to what was made from it.

What SMI has no words for is in the module's comments (ctrgen.mib.annotations). They also say
whether names and OIDs follow from the schema; a module where they do not, as its schema was
imported or has a history, is imported like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...language.defaults import ENTERPRISES
from ...mib import text, unresolve
from ...mib.annotations import MADE, OIDS, ORDER, PART
from ...mib.lock import parse_oid
from ...model import ir
from ...model.kinds import HISTOGRAMS, KINDS, Kind
from ..raw import Node
from .comments import Holders
from .mapping import plain
from .model import Module, Object
from .source import Source

_INET = "InetAddressType"
_TIME = re.compile(r"DiscontinuityTime[0-9]*\Z")


class Marks:
    """What the comments of a module say about its OIDs and names.

    `derived` says that they follow from the schema, but for `numbered` tables (or the scalars,
    as ``), of which `items` follow all the same. `companions` are objects beyond the items of
    the schema, `rewritten` those of which a comment says all, `parts` those of histograms.
    """

    def __init__(self, source: Source) -> None:
        marks = {(comment.owner, comment.text) for comment in source.annotations}
        self.derived = ("", f"{OIDS} = made") in marks
        self.numbered = {owner for owner, mark in marks if owner and mark == f"{OIDS} = given"}
        if ("", f"scopes.{ir.GLOBAL}.{OIDS} = given") in marks:
            self.numbered.add("")
        self.items = {owner for owner, mark in marks if mark == f"{OIDS} = made"}
        self.companions = {owner for owner, mark in marks if mark == f"{MADE} = true"}
        self.parts = {owner for owner, mark in marks if owner and mark.startswith(f"{PART} = ")}
        self.low = ("", "snmp.low_capacity = true") in marks
        kinds = {kind.value for kind in Kind}
        self.rewritten = {owner for owner, mark in marks if mark.partition(" = ")[0] in kinds}

    def follows(self, table: str, name: str) -> bool:
        """Whether the OID of an item follows from the schema; `table` is empty for a scalar."""
        return table not in self.numbered or name in self.items


def is_complete(module: Module, marks: Marks) -> bool:
    """Whether ctrgen would give a module all of its OIDs again: it says so, and none is missing."""
    return marks.derived and all(
        sorted(parse_oid(entry.oid)[-1] for entry in objects) == list(range(1, len(objects) + 1))
        for name, objects in _objects(module)
        if name not in marks.numbered
    )


def _objects(module: Module) -> list[tuple[str, Sequence[Object]]]:
    """The scalars, under the name ``, and the columns of each table."""
    return [("", module.scalars), *((table.name, table.columns) for table in module.tables)]


def drop_parts(schema: dict[str, Any], holders: Holders, marks: Marks) -> None:
    """Take the counters of histograms out of an imported schema: a comment has those whole."""
    for owner in marks.parts & holders.keys():
        group, name = holders.pop(owner)
        del group[name]
    for scope in schema["scopes"].values() if marks.parts else ():
        for kind in [kind for kind in KINDS if scope.get(kind) == {}]:
            del scope[kind]


def stripped(module: Module, marks: Marks) -> Module:
    """The module without what was made beyond the items of its schema."""
    items = {name: tuple(_items(objects, name, marks)) for name, objects in _objects(module)}
    tables = [replace(table, columns=items[table.name]) for table in module.tables]
    nodes = module.nodes
    if not marks.numbered:
        nodes = {name: oid for name, oid in nodes.items() if name == module.identity}
    return replace(
        module, scalars=list(items[""]), tables=tables, nodes=nodes,
        description=text.of_module(module.description),
    )  # fmt: skip


def _items(objects: Sequence[Object], table: str, marks: Marks) -> Iterator[Object]:
    names = {entry.name for entry in objects}
    for entry in objects:
        name = entry.name
        if not marks.follows(table, name):
            if name not in marks.companions:
                yield entry
            continue
        base = entry.type.parent.rpartition("::")[2]
        time = base == "TimeStamp" and _TIME.search(name) is not None
        family = base == _INET and name.removesuffix("Type") in names - {name}
        low = marks.low and name.endswith("Low") and name.removesuffix("Low") in names
        if name in marks.rewritten or not (time or family or low):
            yield replace(entry, description=text.of_object(entry.description))


def restore(schema: dict[str, Any], module: Module, holders: Holders, marks: Marks) -> None:
    """Take out of a schema that was imported what ctrgen would make again by itself."""
    del schema["reset"]
    if not marks.numbered:
        schema["snmp"].pop("types", None)
    _place(schema["snmp"], schema["module"])
    for table in module.tables:
        if table.name in holders and table.name not in marks.numbered:
            scopes, name = holders[table.name]
            for key in ("index", "augments", "snmp"):
                scopes[name].pop(key, None)
    for owner, objects in _objects(module):
        for entry in objects:
            if entry.name in holders and marks.follows(owner, entry.name):
                group, name = holders[entry.name]
                _restore_item(group[name], entry)


def _restore_item(item: dict[str, Any], smi_object: Object) -> None:
    item.pop("snmp", None)
    if not smi_object.unit:
        item.pop("unit", None)
        if "type" not in item:
            item["unit"] = "1"
    if "type" not in item:
        description, low, high = text.bounded(plain(smi_object.description))
        if description:  # else what the import made of it is kept
            item["description"] = description
        bounds = {"min": low, "max": high}
        item.update((key, bound) for key, bound in bounds.items() if bound is not None)


def _place(snmp: dict[str, Any], module: str) -> None:
    """Give the name and OID of a module as a schema does: by what differs from the defaults."""
    oid, texts = snmp["oid"], ("identity", "organization", "contact")
    enterprise = int(oid.split(".")[6]) if oid.startswith(f"{ENTERPRISES}.") else None
    resolved = ir.Snmp(
        oid, snmp["name"], enterprise=enterprise, **{key: snmp.get(key, "") for key in texts}
    )
    rest = {key: snmp[key] for key in snmp if key not in ("name", "oid", *texts)}
    snmp.clear()
    snmp.update(unresolve.plain(unresolve.snmp(resolved, module)) | rest)


def settle(schema: dict[str, Any], module: Module, holders: Holders, marks: Marks) -> None:
    """Put scopes and items into the order they had; comments have been applied before."""
    schema.pop(OIDS, None)
    for name in _texts(schema.pop(MADE, None)):
        for key in ("nodes", "types"):
            schema["snmp"].get(key, {}).pop(name, None)
    for scope in schema["scopes"].values():
        if isinstance(scope, dict):
            scope.pop(OIDS, None)
    for table, objects in _objects(module):
        ordered = sorted(objects, key=lambda entry: parse_oid(entry.oid))
        placed = [holders[entry.name] for entry in ordered if entry.name in holders]
        for group, item in placed:
            group[item].pop(OIDS, None)
        if placed and table not in marks.numbered:
            name = holders[table][1] if table else ir.GLOBAL
            _order_items(schema["scopes"][name], placed)
    scopes = dict(schema["scopes"])
    schema["scopes"].clear()
    for name in (*_texts(schema.pop(ORDER, None)), *scopes):
        if name in scopes:
            schema["scopes"].setdefault(name, scopes[name])


def _texts(node: Node | None) -> list[str]:
    """What a comment lists; nothing when it is no list."""
    entries = node.value if isinstance(node, Node) and isinstance(node.value, list) else []
    return [str(entry.value) for entry in entries]


def _order_items(scope: dict[str, Any], placed: list[tuple[dict[str, Any], str]]) -> None:
    """Order groups, and items in them, like the objects; say the order of items across groups."""
    groups: dict[str, dict[str, Any]] = {}
    for group, name in placed:
        kind = next(kind for kind in KINDS if scope.get(kind) is group)
        groups.setdefault(kind, {})[name] = group[name]
    for kind, items in groups.items():
        del scope[kind]
        scope[kind] = items
    order = [name for _, name in placed]
    if HISTOGRAMS in scope:  # they are no objects: a comment has said it
        return
    if order != [name for items in groups.values() for name in items]:
        scope["order"] = order
