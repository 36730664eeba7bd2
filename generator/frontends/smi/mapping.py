# SPDX-License-Identifier: BSD-3-Clause
"""An SMI module as a schema. docs/smi-mapping.md is this for users."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...language.defaults import NOT_STATED
from ...mib import names
from . import types
from .item import Item
from .model import Module, Object, Table
from .source import Source
from .tree import FarRegion, Placed

Note = Callable[[str, str, str], None]
"""Reports a finding: rule, name of the definition it is about, message."""

MAX_ROWS = 64
"""Rows of a table that does not say how many it has."""
MAX_TEXT = 1000
EARLIEST = "1990"
"""Year of the first SMI: there are no older revisions."""

_TEXT = re.compile(r"[^\x20-\x7e\xa1-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_HIDDEN = ("not-accessible", "accessible-for-notify")
_NAME = re.compile(r"[a-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*\Z")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def plain(text: str) -> str:
    """Free text on one line, without what a schema cannot hold."""
    text = _INVISIBLE.sub("", _TEXT.sub(" ", text))
    return " ".join(text.split())


class Mapper:
    """Makes the schema of one module. `lookup` finds types, `objects` those of other modules."""

    def __init__(
        self,
        module: Module,
        source: Source,
        path: str,
        lookup: types.Lookup,
        objects: Callable[[str, str], Object | None],
        note: Note,
    ) -> None:
        self.module, self.source, self.path = module, source, path
        self.lookup, self.objects, self.note = lookup, objects, note
        self.name = names.module(module.name)
        self.scopes: names.Scopes | names.Made = names.Scopes(self.name, module.name)
        self.made_types: dict[str, Any] = {}
        self.holders: dict[str, tuple[dict[str, Any], str]] = {}

    def region(self, name: str) -> FarRegion:
        """Where a definition is in the SMI file."""
        return FarRegion(self.source.region(name), self.path)

    def run(self) -> Placed:
        """The schema; findings go to `note`."""
        kept = sorted(self.module.types, key=self._order)
        types_ = {name: self._convention(name) for name in kept}
        scopes: dict[str, Any] = {}
        scalars = sorted(self.module.scalars, key=lambda one: self._order(one.name))
        if scalars:
            place = self.region(scalars[0].name)
            scopes["global"] = Placed(place, {})
            for scalar in scalars:
                self._item(scopes["global"], "global", "", scalar)
        for table in sorted(self.module.tables, key=lambda one: self._order(one.name)):
            self._table(scopes, table)
        snmp = self._snmp()
        types_.update(self.made_types)
        if types_:
            snmp["types"] = types_
        return Placed(self.region(""), {
            "ctrgen": 1,
            "module": self.name,
            "description": self._description(self.module.description, self.module.identity)
            or f"Statistics of {self.module.name}.",
            "reset": False,
            "snmp": snmp,
            "scopes": scopes,
        })  # fmt: skip

    def _order(self, name: str) -> tuple[int, str]:
        return self.source.order(name), name

    # ---- the module ----

    def _snmp(self) -> dict[str, Any]:
        module = self.module
        identity = module.identity
        nodes = {name: oid for name, oid in module.nodes.items() if _NAME.match(name)}
        oid = nodes.pop(identity, "") or self._root(nodes)
        made: dict[str, Any] = {"name": module.name, "oid": oid}
        if identity and _NAME.match(identity):
            made["identity"] = identity
        elif oid in nodes.values():
            made["identity"] = next(name for name, other in nodes.items() if other == oid)
            del nodes[made["identity"]]
        for key in ("organization", "contact"):
            text = plain(getattr(module, key))
            if text:
                made[key] = text
        revisions = self._revisions()
        if revisions:
            made["revisions"] = revisions
        if nodes:
            made["nodes"] = nodes
        return Placed(self.region(identity), made)

    def _root(self, nodes: dict[str, str]) -> str:
        """The OID of a module without a MODULE-IDENTITY: what all of its OIDs are below."""
        oids = [*nodes.values(), *(one.oid for one in self.module.scalars)]
        oids += [table.oid for table in self.module.tables]
        split = [oid.split(".") for oid in oids if oid]
        shared: list[str] = []
        for arcs in zip(*split, strict=False):
            if len(set(arcs)) > 1:
                break
            shared.append(arcs[0])
        if split and len(shared) == min(map(len, split)) and ".".join(shared) not in nodes.values():
            shared.pop()
        return ".".join(shared) if len(shared) > 6 else "1.3.6.1.4.1.32473.1"

    def _revisions(self) -> list[dict[str, str]]:
        made: list[dict[str, str]] = []
        given = self.module.revisions
        found = [(date, text) for date, text in given if _DATE.match(date) and date >= EARLIEST]
        for date, text in sorted(found, key=lambda one: one[0], reverse=True):
            day, _, time = date.partition(" ")
            stamp = day if time in ("", "00:00") else f"{day}T{time}"
            if not made or made[-1]["date"] != stamp:
                text = "" if text.startswith("[Revision added by libsmi") else plain(text)
                made.append({"date": stamp, "description": text or NOT_STATED})
        return made

    def _convention(self, name: str) -> Placed:
        given = types.completed(self.module.types[name], self.lookup)
        made: dict[str, Any] = {"syntax": types.spelled(given, self.module.name) or "INTEGER"}
        if given.labels and not given.parent:
            made["labels"] = {
                label: value for label, value in given.labels if value in types.INT32_RANGE
            }
        if given.hint:
            made["display_hint"] = given.hint
        if given.status in ("deprecated", "obsolete"):
            made["status"] = given.status
        text = self._description(given.description, name)
        if text:
            made["description"] = text
        return Placed(self.region(name), made)

    # ---- tables ----

    def _table(self, scopes: dict[str, Any], table: Table) -> None:
        own = {column.name: column for column in table.columns}
        keys = [self._split(index) for index in table.index]
        index = [name for module, name in keys if module == self.module.name and name in own]
        rest = [column for column in table.columns if column.name not in index]
        if not rest:
            readable = [name for name in index if own[name].access not in _HIDDEN]
            if not readable:
                message = f"'{table.name}' has no column that can be read"
                self.note("import-lost-object", table.name, message)
                return
            rest = [own[readable[-1]]]
            index.remove(readable[-1])
        name = self.scopes.scope(table.name)
        scope = Placed(self.region(table.name), {})
        scopes[name] = scope
        self.holders[table.name] = self.holders[table.entry] = (scopes, name)
        text = self._description(table.description, table.name)
        scope["description"] = text or f"Rows of {table.name}."
        scope["max"] = self._rows(table, own)
        if table.augments:
            module, entry = self._split(table.augments)
            scope["augments"] = entry if module == self.module.name else f"{module}::{entry}"
        elif keys:
            scope["index"] = [self._index(module, key, own, index) for module, key in keys]
        scope["snmp"] = self._scope_snmp(table)
        for column in sorted(rest, key=lambda one: self._order(one.name)):
            self._item(scope, name, table.name, column)

    def _scope_snmp(self, table: Table) -> dict[str, Any]:
        made: dict[str, Any] = {"oid": table.oid, "table": table.name, "entry": table.entry}
        if table.name.endswith("Table"):
            made["name"] = table.name.removesuffix("Table")
        if table.implied:
            made["implied"] = True
        if table.status in ("deprecated", "obsolete"):
            made["status"] = table.status
        return made

    def _split(self, qualified: str) -> tuple[str, str]:
        module, _, name = qualified.rpartition("::")
        return module or self.module.name, name

    def _rows(self, table: Table, own: dict[str, Object]) -> int:
        """How many rows there can be: what the ranges of the index say, when that is few."""
        product = 1
        for qualified in table.index:
            name = self._split(qualified)[1]
            ranges = types.resolve(own[name].type, self.lookup).ranges if name in own else ()
            text = [bound for pair in ranges for bound in pair]
            if len(ranges) != 1 or not all(bound.isdigit() for bound in text):
                return MAX_ROWS
            if types.resolve(own[name].type, self.lookup).base not in ("Integer32", "Unsigned32"):
                return MAX_ROWS
            product *= max(int(text[1]) - int(text[0]) + 1, 1)
        return product if table.index and product <= MAX_ROWS else MAX_ROWS

    def _index(
        self, module: str, name: str, own: dict[str, Object], mine: list[str]
    ) -> dict[str, Any] | str:
        found = own.get(name) if module == self.module.name else None
        found = found or self.objects(module, name)
        shown = name if module == self.module.name else f"{module}::{name}"
        if found is None:
            return shown
        given = types.completed(found.type, self.lookup)
        syntax = types.spelled(given, module if name in mine else "")
        if name in mine and given.base == "Enumeration" and not given.parent:
            syntax = self.named(found, "INTEGER", "Type")
        syntax = syntax.removeprefix(f"{self.module.name}::")
        made: dict[str, Any] = {"object": shown}
        if name in mine:
            made["oid"] = found.oid
        if syntax and syntax != "INTEGER":
            made["syntax"] = syntax
        if name not in mine:
            return made
        if found.access and found.access != "not-accessible":
            made["access"] = found.access
        if found.status in ("deprecated", "obsolete"):
            made["status"] = found.status
        if found.unit:
            made["unit"] = names.unit(found.unit, name, needed=False)
        text = self._description(found.description, name)
        if text:
            made["description"] = text
        return Placed(self.region(name), made)

    # ---- objects ----

    def _item(self, scope: dict[str, Any], scope_name: str, table: str, given: Object) -> None:
        entry = types.entry(given.type, self.lookup)
        name = self.scopes.item(scope_name, table, given.name)
        item = Item(self, given, entry)
        group = scope.setdefault(entry.kind.plural, {})
        group[name] = Placed(self.region(given.name), item.values())
        self.holders[given.name] = (group, name)
        if entry.note:
            self.note("import-inexact", given.name, f"'{given.name}': {entry.note}")

    def _description(self, text: str, name: str) -> str:
        text = plain(text)
        if len(text) <= MAX_TEXT:
            return text
        cut = text[: MAX_TEXT - 4]
        end = max(cut.rfind(". "), cut.rfind("; "))
        cut = cut[: end + 1] if end > MAX_TEXT // 2 else cut.rpartition(" ")[0]
        message = f"the description of '{name}' is cut after {len(cut)} of {len(text)} characters"
        self.note("import-cut-text", name, message)
        return f"{cut} ..."

    def described(self, given: Object) -> str:
        """The description of an object, never empty."""
        return self._description(given.description, given.name) or f"What {given.name} says."

    def named(self, given: Object, syntax: str, end: str) -> str:
        """The name of a type made for an object whose labels are its own."""
        name = f"{given.name[:1].upper()}{given.name[1:]}{end}"
        labels = {label: value for label, value in given.type.labels if value in types.INT32_RANGE}
        entry = {"syntax": syntax, "labels": labels, "description": f"Values of {given.name}."}
        self.made_types[name] = Placed(self.region(given.name), entry)
        return name
