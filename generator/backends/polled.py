# SPDX-License-Identifier: BSD-3-Clause
"""Objects for monitoring systems: those of the published module that the schema still has; and
files in YAML.

Types, names and indexes are those of the lock. Names in metrics are in `model.naming.prometheus`.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import Any, NamedTuple

from ..model import ir
from ..model.naming import prometheus, symbols
from ..output.render import render
from ..output.tables import document
from ..publish import keys, objects, standard
from ..publish.assign import assign
from ..publish.lock import Entry, Key, Lock, Oid
from ..publish.nodespec import LABEL, base_type, published_scopes, reporting, served, words
from . import Options

READABLE = ("read-only", "read-write", "read-create")
"""Access of objects that can be read."""

TRUTH = ((1, "true"), (2, "false"))
"""The values of a TruthValue."""

MOMENTS = ("TimeStamp",)
"""Types whose values are those of sysUpTime when something happened."""

TEXTS = {
    "IpAddress": "InetAddressIPv4", "InetAddressIPv4": "InetAddressIPv4",
    "InetAddressIPv6": "InetAddressIPv6", "InetAddress": "InetAddress",
    "MacAddress": "PhysAddress48", "DateAndTime": "DateAndTime", "BITS": "Bits",
    **dict.fromkeys(
        ("DisplayString", "SnmpAdminString", "OwnerString", "InetAddressDNS", "SnmpTagValue",
         "SnmpTagList", "Utf8String", "LongUtf8String"), "DisplayString",
    ),
    **dict.fromkeys(
        ("OCTET STRING", "PhysAddress", "Opaque", "SnmpEngineID", "TAddress", "InetAddressIPv4z",
         "InetAddressIPv6z", *standard.OIDS), "OctetString",
    ),
}  # fmt: skip
"""Types of the SMI and of standard modules that are text, as snmp_exporter calls them. Others are
numbers, unless they have a SIZE or the schema has a text."""

_OF_ITEMS = {
    "string": "OCTET STRING", "ipv4": "IpAddress", "ipv6": "InetAddressIPv6", "mac": "MacAddress",
}  # fmt: skip
"""The types of an object of which only the type of the item is known."""

_CLAUSE = re.compile(r"(INDEX|AUGMENTS) \{ (.*) \}")
_SIZES = re.compile(r"\(SIZE ?\(([0-9.| ]+)\)\)$")
_TEXT_HINT = re.compile(r"[0-9]+[at]")  # a DISPLAY-HINT of characters
_FOREIGN = {
    "ifIndex": "InterfaceIndex", "ifName": "DisplayString",
    "entPhysicalIndex": "Integer32 (1..2147483647)", "dot1dBasePort": "Integer32 (1..65535)",
    "hrDeviceIndex": "Integer32 (1..2147483647)",
}  # fmt: skip
"""Types of index objects that other modules define; others are taken for numbers."""


class Syntax(NamedTuple):
    """The type of an object, conventions of the module resolved: a type of the SMI or of a
    standard module. `size` is the number of octets where that is fixed, else 0."""

    base: str
    size: int = 0
    named: tuple[tuple[int, str], ...] = ()  # values and their names

    @property
    def text(self) -> str:
        """What snmp_exporter calls it; empty for numbers."""
        sized = {4: "InetAddressIPv4", 16: "InetAddressIPv6"} if self.base == "InetAddress" else {}
        return TEXTS.get(sized.get(self.size, self.base), "")


class Index(NamedTuple):
    """An index object of a table. `label` is what metrics call it: the dimension where the values
    have names, else the object, as its numbers are the MIB's."""

    name: str
    label: str
    syntax: Syntax
    implied: bool = False


class Object(NamedTuple):
    """A scalar or column that can be read. `metric` is its name and type in metrics; `item` is
    None for objects that the MIB adds to a scope, for example a time of discontinuity."""

    entry: Entry
    syntax: Syntax
    metric: prometheus.Metric
    scope: ir.Scope
    item: ir.Item | None

    @property
    def text(self) -> bool:
        """Whether values are no numbers."""
        return bool(self.syntax.text)

    @property
    def named(self) -> tuple[tuple[int, str], ...]:
        """The values that have names, and these."""
        return TRUTH if self.syntax.base == "TruthValue" else self.syntax.named

    @property
    def words(self) -> str:
        """Its display text, or its name in words."""
        shown = self.item.display if self.item is not None else ""
        return shown or words(self.item.name if self.item else self.entry.key.role)

    @property
    def about(self) -> str:
        """Its description and its unit, on one line."""
        unit = f" [{self.entry.unit}]" if self.entry.unit else ""
        return f"{' '.join(self.entry.description.split())}{unit}"

    @property
    def counts(self) -> bool:
        """Whether what matters is how fast it grows."""
        return self.metric.type == "counter"

    @property
    def moment(self) -> bool:
        """Whether a value is that of sysUpTime at some time, in hundredths of a second."""
        return self.syntax.base in MOMENTS


class Table(NamedTuple):
    """The scalars of a scope, whose `oid` and `indexes` are empty, or a table by its row."""

    scope: ir.Scope
    name: str
    oid: Oid
    indexes: tuple[Index, ...]
    objects: tuple[Object, ...]


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1].strip() if match else ""


def _named(syntax: Syntax, labels: Iterable[ir.Label]) -> Syntax:
    """A type with the labels of the schema."""
    shown = {label.value: label.shown for label in labels}
    named = ((value, shown.get(value, name)) for value, name in syntax.named)
    return syntax._replace(named=tuple(named))


def _apart(indexes: Iterator[Index], members: Iterable[Object]) -> tuple[Index, ...]:
    """The index objects with labels that no other one has, nor a metric, which may be a label."""
    taken = {member.metric.name for member in members}
    apart: list[Index] = []
    for index in indexes:
        numbered = (f"{index.name}_{number}" for number in count(2))
        names = chain((index.label, index.name), numbered)  # a row may have an object twice
        label = next(name for name in names if name not in taken)
        taken.add(label)
        apart.append(index._replace(label=label))
    return tuple(apart)


class Reader:
    """Reads the lock of a module: `by_name` are the published entries, `rows` the rows of tables by
    their OIDs."""

    def __init__(self, module: ir.Module, lock: Lock) -> None:
        self.module, self.lock = module, lock
        self.by_name = {entry.name: entry for entry in lock.published}
        self.rows = {entry.oid: entry for entry in lock.published if entry.kind == "row"}
        self.taken: set[str] = set()
        self.names = {entry.oid: entry.name for entry in lock.entries if entry.oid}
        self.own: dict[str, list[Entry]] = {}
        for entry in lock.entries:
            self.own.setdefault(entry.key.scope, []).append(entry)

    def run(self) -> Iterator[Table]:
        """The tables of scopes that are served."""
        shown = (*published_scopes(self.module), *reporting(self.module))
        for scope in shown:
            by_parent: dict[Oid, list[Object]] = {}
            for found in self._objects(scope) if served(scope) else ():
                row = found.entry.oid[:-1]
                by_parent.setdefault(row if row in self.rows else (), []).append(found)
            for oid, members in sorted(by_parent.items()):
                ordered = tuple(sorted(members, key=lambda member: member.entry.oid))
                if oid:
                    indexes = _apart(self.indexes(self.rows[oid]), ordered)
                    yield Table(scope, self.names[oid[:-1]], oid, indexes, ordered)
                else:
                    yield Table(scope, self.lock.identity, (), (), ordered)

    def _objects(self, scope: ir.Scope) -> Iterator[Object]:
        """The objects of a scope. A metric whose name is taken steps aside, as names in C do."""
        items = {item.name: item for item in scope.items}
        for entry in self.own.get(scope.name, ()):
            key = entry.key
            wanted = key.role in ("", "discontinuity")
            if not wanted or entry.kind != "object" or entry.gone or entry.access not in READABLE:
                continue
            item = items.get(key.item)
            if (item is None) == (not key.role):
                continue
            syntax = self.syntax(entry.syntax, item)
            moment = syntax.base in MOMENTS
            metric = prometheus.polled(self.module, scope, item, key.role or "", moment)
            while metric.name in self.taken:
                metric = metric._replace(name=f"{metric.name}_own")
            self.taken.add(metric.name)
            yield Object(entry, syntax, metric, scope, item)

    def syntax(self, text: str, item: ir.Item | None = None) -> Syntax:
        """A type as the lock has it; labels by their names in the schema where `item` has some."""
        sizes = hint = ""
        for _ in range(len(self.lock.entries) + 1):  # a chain of types has no more links
            base = base_type(text)
            sizes = sizes or _found(_SIZES, text)
            name = "" if text.partition("::")[2] else base
            entry = self.by_name.get(name)
            if entry is None or entry.kind != "type":
                break
            text, hint = entry.syntax, hint or entry.unit
        named = tuple((int(value), name) for name, value in LABEL.findall(text))
        found = Syntax(base, int(sizes) if sizes.isdecimal() else 0, named)
        if not (named or found.text):  # a type of another module
            of_item = _OF_ITEMS.get(item.type, "") if item is not None else ""
            base = of_item or ("OCTET STRING" if sizes else base)
        shown = base == "OCTET STRING" and _TEXT_HINT.fullmatch(hint)
        found = found._replace(base="DisplayString" if shown else base)
        return _named(found, item.labels if item is not None else ())

    def indexes(self, row: Entry) -> Iterator[Index]:
        """The index objects of a row, by its clause: of a row that augments, those of the other."""
        match = _CLAUSE.fullmatch(row.syntax)
        if match is None:
            return
        if match[1] == "AUGMENTS":
            module, colons, other = match[2].rpartition("::")
            base = self.by_name.get(other)
            if base is not None and base.kind == "row" and base is not row:
                yield from self.indexes(base)
                return
            own = standard.index_of(match[2]) or f"{other}Index"
            given = self.module.scope(row.key.scope).snmp
            clause = objects.index_of(given.index, given.implied)
            match = _CLAUSE.fullmatch(
                clause if given.index else f"INDEX {{ {module}{colons}{own} }}"
            )
            assert match is not None
        for name in match[2].split(", "):
            yield self._index(row.key, name.removeprefix("IMPLIED "), name.startswith("IMPLIED "))

    def _index(self, row: Key, qualified: str, implied: bool) -> Index:
        module, _, name = qualified.rpartition("::")
        entry = self.by_name.get(name) if not module else None
        if entry is None:
            known = objects.index_objects(self.module, self.module.scope(row.scope))
            given = next((index.syntax for index in known if index.name == name), "")
            syntax = self.syntax(given or _FOREIGN.get(name, "Unsigned32"))
            return Index(name, name, syntax, implied)
        syntax = self.syntax(entry.syntax)
        level = self._level(entry.key) if syntax.named else None
        label = name
        if level is not None and level.labels:
            label = level.dimension
            syntax = _named(syntax, objects.numbered(level))
        elif entry.key.role == keys.KEY:
            parts = self.module.scope(entry.key.scope).key
            syntax = _named(syntax, next(p.labels for p in parts if p.name == entry.key.name))
        return Index(name, label, syntax, implied)

    def _level(self, key: Key) -> ir.Level | None:
        """The level of an index column that ctrgen made."""
        scope = next((s for s in self.module.every_scope if s.name == key.scope), None)
        for level in scope.levels if scope is not None else ():
            if key.name == ("" if level.name == key.scope else level.dimension):
                return level
        return None


def polled(module: ir.Module, options: Options) -> tuple[Lock, list[Table]]:
    """The OIDs of a module, and the tables to poll, in the order of the schema, of scopes that the
    agent serves. Objects only for SNMPv1 managers or for other objects are omitted, for example the
    low half of a counter."""
    lock = options.lock or assign(module, None).lock
    return lock, list(Reader(module, lock).run())


def in_yaml(
    module: ir.Module, options: Options, end: str, data: dict[str, Any], mib: str = ""
) -> dict[str, str]:
    """A file of `data`, whose name ends with `end`."""
    name = symbols.prefix(module.name)
    text = render(
        "monitoring/document.yaml.j2", options=options, end=end, mib=mib, name=name,
        body=document(data),
    )  # fmt: skip
    return {f"{name}_{end}": text}
