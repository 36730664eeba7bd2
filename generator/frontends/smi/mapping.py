# SPDX-License-Identifier: BSD-3-Clause
"""Maps an SMI module to a schema: docs/mib.md for users."""

import re
from itertools import takewhile
from operator import itemgetter
from typing import Any

from ...model.language.defaults import NOT_STATED
from ...model.language.shapes import MAX_TEXT
from ...model.naming import smi
from ...publish import names, standard
from ...publish import text as mib_text
from ...publish.lock import parse_oid
from ...publish.standard import MAX_NAME
from ..raw import Placed
from . import types
from .model import RETIRED, Labels, Module, Object, Table, Type
from .reading import Reading

MAX_ROWS = 64
"""Rows of a table whose module does not have their number."""
EARLIEST = "1990"
"""Year of the first SMI: there are no older revisions."""

_TEXT = re.compile(r"[^\x20-\x7e\xa1-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_HIDDEN = ("not-accessible", "accessible-for-notify")
_ACCESS = {"write-only": "read-write", "not-implemented": "read-only"}
"""Access of the first SMI and of agents' capabilities, which a schema has no words for."""
DESCRIPTOR = re.compile(r"[a-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*\Z")
_START = 48
"""Characters that the names of other objects for a table start with."""
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def plain(text: str) -> str:
    """Free text on one line, without what a schema cannot hold."""
    text = _INVISIBLE.sub("", _TEXT.sub(" ", text))
    return " ".join(text.split())


def _fitting(labels: Labels) -> dict[str, int]:
    """Labels without those whose values a schema cannot hold."""
    return {name: value for name, value in types.distinct(labels)[0] if value in types.INT32_RANGE}


def _stated(**keys: Any) -> dict[str, Any]:
    """Keys that have a value."""
    return {key: value for key, value in keys.items() if value}


def _retired(status: str) -> str:
    return status if status in RETIRED else ""


class Mapper:
    """Makes the schema of one module; `reading` finds types and objects of other modules."""

    def __init__(self, module: Module, reading: Reading) -> None:
        self.module, self.source = module, reading.source
        self.lookup, self.objects, self.note = reading.lookup, reading.object, reading.note
        self.tables = reading.table
        self.scopes = names.Imported(module.name)
        self.derived_types: dict[str, Any] = {}

    def run(self) -> Placed:
        """The schema; findings go to `note`."""
        module = self.module
        conventions = {
            name: self._convention(name) for name in sorted(module.types, key=self.source.order)
        }
        scopes: dict[str, Any] = {}
        for scalar in sorted(module.scalars, key=self._order):
            scope = scopes.setdefault("global", Placed(self.source.region(scalar.name), {}))
            self._item(scope, "global", "", scalar)
        for table in sorted(module.tables, key=self._order):
            self._table(scopes, table)
        snmp = self._snmp()
        if types_ := conventions | self.derived_types:
            snmp["types"] = types_
        description = self._description(module.description, module.identity)
        return Placed(self.source.region(""), {
            "ctrgen": 1,
            "module": names.module(module.name),
            "description": description or f"Statistics of {module.name}.",
            "reset": False,
            "snmp": snmp,
            "scopes": scopes,
        })  # fmt: skip

    def _order(self, definition: Object | Table) -> tuple[int, str]:
        return self.source.order(definition.name)

    # ---- the module ----

    def _snmp(self) -> dict[str, Any]:
        module = self.module
        identity = module.identity
        nodes = {name: oid for name, oid in module.nodes.items() if DESCRIPTOR.match(name)}
        nodes = {name: oid for name, oid in nodes.items() if "." in oid}  # iso, ccitt
        oid = nodes.pop(identity, "") or self._root(nodes)
        required, keys = {"name": self._module_name(), "oid": oid}, dict[str, Any]()
        if identity and DESCRIPTOR.match(identity):
            keys["identity"] = identity
        elif oid in nodes.values():
            keys["identity"] = next(name for name, other in nodes.items() if other == oid)
            del nodes[keys["identity"]]
        elif (usual := smi.identity(module.name)) in nodes.keys() | module.objects():
            keys["identity"] = f"{usual}Module"
        keys |= {
            "organization": plain(module.organization),
            "contact": plain(module.contact),
            "parent": self._parent(oid),
            "revisions": self._revisions(),
            "nodes": nodes,
        }
        return Placed(self.source.region(identity), required | _stated(**keys))

    def _module_name(self) -> str:
        """The name of the module, or a valid one."""
        name = self.module.name
        new = re.sub("-{2,}", "-", re.sub(r"[^A-Za-z0-9-]", "-", name)).strip("-")[:MAX_NAME]
        if new != name:
            message = f"the module '{name}' is called '{new}' in the schema"
            self.note("import-renamed", self.module.identity, message)
        return new

    def _parent(self, oid: str) -> str:
        """The node of another module that this one is right below, as `MODULE::node`."""
        above, module = self.source.parent(self.module.identity)
        known = parse_oid(oid)[:-1] in {**standard.ROOTS, **standard.ARCS}
        return "" if known or not DESCRIPTOR.match(above) else f"{module}::{above}"

    def _root(self, nodes: dict[str, str]) -> str:
        """The OID of a module without a MODULE-IDENTITY: what all of its OIDs are below."""
        oids = [*nodes.values(), *(scalar.oid for scalar in self.module.scalars)]
        oids += [table.oid for table in self.module.tables]
        split = [oid.split(".") for oid in oids if oid]
        same = takewhile(lambda arcs: len(set(arcs)) == 1, zip(*split, strict=False))
        shared = [arcs[0] for arcs in same]
        if split and len(shared) == min(map(len, split)) and ".".join(shared) not in nodes.values():
            shared.pop()
        return ".".join(shared) if len(shared) > 6 else "1.3.6.1.4.1.32473.1"

    def _revisions(self) -> list[dict[str, str]]:
        revisions: list[dict[str, str]] = []
        for date, text in sorted(self.module.revisions, key=itemgetter(0), reverse=True):
            if not _DATE.match(date) or date < EARLIEST:
                continue
            day, _, time = date.partition(" ")
            stamp = day if time in ("", "00:00") else f"{day}T{time}"
            if not revisions or revisions[-1]["date"] != stamp:
                text = "" if text.startswith("[Revision added by libsmi") else plain(text)
                revisions.append({"date": stamp, "description": text or NOT_STATED})
        return revisions

    def _convention(self, name: str) -> Placed:
        convention = types.completed(self.module.types[name], self.lookup)
        keys: dict[str, Any] = {"syntax": types.spelled(convention, self.module.name) or "INTEGER"}
        if convention.labels and not convention.parent:
            keys["labels"] = _fitting(convention.labels)
        if convention.hint:
            keys["display_hint"] = convention.hint
        return self._placed(name, keys, convention)

    def _placed(
        self, name: str, keys: dict[str, Any], definition: Object | Type, unit: str = ""
    ) -> Placed:
        """The keys of a definition with its status, unit and description."""
        keys |= _stated(
            status=_retired(definition.status),
            unit=unit,
            description=self._description(definition.description, name),
            reference=self._description(definition.reference, name),
        )
        return Placed(self.source.region(name), keys)

    # ---- tables ----

    def _table(self, scopes: dict[str, Any], table: Table) -> None:
        columns = {column.name: column for column in table.columns}
        keys = [self._split(index) for index in table.index]
        index = [name for module, name in keys if module == self.module.name and name in columns]
        rest = [column for column in table.columns if column.name not in index]
        if not rest:
            readable = [name for name in index if columns[name].access not in _HIDDEN]
            if not readable:
                message = f"the row '{table.entry}' has no column that can be read"
                message = f"{message}: the last index of '{table.name}' is an item"
                self.note("import-inexact", table.name, message)
            rest = [columns[(readable or index)[-1]]]
            index.remove(rest[0].name)
        definition = self.source.definitions.get(table.name)
        if definition is not None and definition.macro != "OBJECT-TYPE":
            message = f"'{table.name}' is no OBJECT-TYPE: it is read as the table of its row"
            self.note("import-syntax", table.name, f"{message} '{table.entry}'")
        name = self.scopes.scope(table.name)
        scope = Placed(self.source.region(table.name), {})
        scopes[name] = scope
        text = self._description(table.description, table.name)
        scope["description"] = text or f"Rows of {table.name}."
        scope["max"] = self._rows(table, columns)
        snmp = self._scope_snmp(table)
        if table.augments:
            module, entry = self._split(table.augments)
            scope["augments"] = entry if module == self.module.name else f"{module}::{entry}"
            far = module != self.module.name and not standard.index_of(scope["augments"])
            base = self.tables(module, entry) if far else None
            keys = [self._split(index) for index in base.index] if base is not None else []
            if any(key in self.source.definitions for _, key in keys):
                keys = []  # an index of that name would be taken for the module's own object
            if base is not None and base.implied:
                snmp["implied"] = True
        if keys:
            scope["index"] = [self._index(module, key, columns, index) for module, key in keys]
        scope["snmp"] = snmp
        for column in sorted(rest, key=self._order):
            self._item(scope, name, table.name, column)

    def _scope_snmp(self, table: Table) -> dict[str, Any]:
        start = table.name.removesuffix("Table")
        named = start != table.name or len(start) > _START
        row = self._description(table.row, table.entry)
        return {"oid": table.oid, "table": table.name, "entry": table.entry} | _stated(
            name=start[:_START].rstrip("-") if named else "",
            implied=table.implied,
            status=_retired(table.status),
            row=row,
            reference=self._description(table.reference, table.name),
        )

    def _split(self, qualified: str) -> tuple[str, str]:
        module, _, name = qualified.rpartition("::")
        return module or self.module.name, name

    def _rows(self, table: Table, columns: dict[str, Object]) -> int:
        """How many rows there can be: what the ranges of the index say, when that is few."""
        product = 1
        for qualified in table.index:
            name = self._split(qualified)[1]
            if name not in columns:
                return MAX_ROWS
            _, type_ = types.resolve(columns[name].type, self.lookup)
            bounds = types.bounds(type_)
            if bounds is None or type_.base not in ("Integer32", "Unsigned32"):
                return MAX_ROWS
            product *= max(bounds[1] - bounds[0] + 1, 1)
        return product if table.index and product <= MAX_ROWS else MAX_ROWS

    def _index(
        self, module: str, name: str, columns: dict[str, Object], local: list[str]
    ) -> dict[str, Any] | str:
        inside = module == self.module.name
        column = (columns.get(name) if inside else None) or self.objects(module, name)
        qualified = name if inside else f"{module}::{name}"
        if column is None:
            return qualified
        type_ = types.completed(column.type, self.lookup)
        syntax = types.spelled(type_, module if name in local else "")
        if name in local and type_.base in ("Enumeration", "Bits") and not type_.parent:
            bits = type_.base == "Bits"
            syntax = self._own_type(column, "BITS" if bits else "INTEGER", "Type")
        syntax = syntax.removeprefix(f"{self.module.name}::")
        keys = {"object": qualified}
        if name in local:
            keys["oid"] = column.oid
        if syntax not in ("", "INTEGER"):
            keys["syntax"] = syntax
        if name not in local:
            return keys
        access = "" if column.access == "not-accessible" else column.access
        keys |= _stated(access=access)
        return self._placed(name, keys, column, plain(column.unit))

    # ---- objects ----

    def _item(self, scope: dict[str, Any], scope_name: str, table: str, smi_object: Object) -> None:
        entry = types.entry(smi_object.type, self.lookup)
        name = self.scopes.item(scope_name, table, smi_object.name)
        group = scope.setdefault(entry.kind.plural, {})
        group[name] = Placed(self.source.region(smi_object.name), self._values(smi_object, entry))
        if entry.note:
            self.note("import-inexact", smi_object.name, f"'{smi_object.name}': {entry.note}")

    def _values(self, smi_object: Object, entry: types.Entry) -> dict[str, Any]:
        """The keys of an item, as a user would write them."""
        name, numeric = smi_object.name, entry.kind.numeric
        keys: dict[str, Any] = {} if numeric else {"type": entry.type.name}
        unit = names.unit(smi_object.unit, name, needed=numeric)
        if unit:
            keys["unit"] = unit
        if numeric and entry.type.width == 32:
            keys["width"] = 32
        if entry.type.key == "length":
            keys["length"] = entry.length
        snmp: dict[str, Any] = {"name": name, "oid": smi_object.oid}
        if entry.type.labelled:
            self._labels(name, entry.labels, keys, snmp)
        low, high = entry.bounds or (0, 2**32 - 1)
        bounded = (low, high) != (0, 2**32 - 1) and high <= entry.kind.range(entry.type)[1]
        text = self._description(smi_object.description, name) or f"What {name} says."
        if bounded and low <= high and numeric:
            keys |= {"min": low, "max": high}
            text = text.removesuffix(mib_text.bounds(low, high))  # what the MIB backend adds
        elif entry.bounds is not None and low <= high:
            limits = {"min": (low, entry.type.low), "max": (high, entry.type.high)}
            keys |= {key: bound for key, (bound, limit) in limits.items() if bound != limit}
        keys["description"] = text
        syntax, units = self._syntax(smi_object, entry), plain(smi_object.unit)
        definition = self.source.definitions.get(name)
        access = definition.access if definition is not None else ""
        if access == "write-only":
            message = f"'{name}' is write-only in the module, read-write in the schema"
            self.note("import-inexact", name, message)
        if access not in ("read-create", "read-write"):
            access = _ACCESS.get(smi_object.access, smi_object.access)
        snmp |= _stated(
            syntax=syntax,
            units=units if units != unit else "",
            status=_retired(smi_object.status),
            access=access if access != "read-only" else "",
            reference=self._description(smi_object.reference, name),
        )
        return keys | {"snmp": snmp}

    def _labels(
        self, name: str, stated: Labels, keys: dict[str, Any], snmp: dict[str, Any]
    ) -> None:
        fitting = tuple(label for label in stated if label[1] in types.INT32_RANGE)
        for label, value in stated:
            if value not in types.INT32_RANGE:
                message = f"label '{label}' of '{name}' is {value}, beyond 32 bits"
                self.note("import-large-number", name, message)
        fitting, again = types.distinct(fitting)
        labels, smi_names = names.labels(fitting)
        for label in again:
            message = f"label '{label}' of '{name}' is a second one of its name or number"
            if len(label) > types.LONGEST:
                message = f"label '{label}' of '{name}' has over 64 characters: it is cut"
            self.note("import-duplicate", name, message)
        if labels:
            keys["labels"] = labels
        else:
            keys["type"] = "int32"
        if smi_names:
            snmp["labels"] = smi_names

    def _syntax(self, smi_object: Object, entry: types.Entry) -> str:
        """The type of an object where it does not follow from the item's, else nothing."""
        name, stated = smi_object.name, smi_object.type
        type_ = types.completed(stated, self.lookup)
        if type_.base == "Bits" and not type_.parent:
            return self._own_type(smi_object, "BITS", "Bits")
        syntax = types.spelled(type_, self.module.name)
        bare = syntax.rpartition("::")[2]
        if stated.parent and stated.labels:
            message = f"'{name}' has some of the labels of {bare}, the MIB will have all"
            self.note("import-inexact", name, message)
        follows = (entry.kind.syntax(entry.type, entry.length, imported=True), "INTEGER")
        return "" if bare in follows else syntax

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

    def _own_type(self, smi_object: Object, syntax: str, end: str) -> str:
        """The name of a type made for an object whose labels are its own."""
        name = f"{smi_object.name[:1].upper()}{smi_object.name[1 : MAX_NAME - len(end)]}{end}"
        while name in self.derived_types or name in self.module.types:  # each turn is shorter
            name = f"{name[: -len(end) - 1]}{end}"
        labels = _fitting(smi_object.type.labels)
        entry = {"syntax": syntax, "labels": labels, "description": f"Values of {smi_object.name}."}
        self.derived_types[name] = Placed(self.source.region(smi_object.name), entry)
        return name
