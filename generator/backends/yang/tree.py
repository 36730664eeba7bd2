# SPDX-License-Identifier: BSD-3-Clause
"""The published module as YANG: a container with the scalars, a list for each table, and the
notifications.

All of it is as the lock has it, also what the schema no longer has: nothing that was published may
vanish (RFC 7950 section 11).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, count
from typing import NamedTuple

from ...model import health, ir
from ...model.naming import yang
from ...model.naming.lines import filled
from ...publish import managed, notifications, text
from ...publish.lock import Entry, Lock
from ...publish.managed import Index, Syntax
from ...publish.wanted import prefix

GLOBAL = "global"
"""The container of scalars: no scope of rows has the name of the one that has none."""

_STATUS = ("current", "deprecated", "obsolete")
_LEFT_OUT = ("low", "family")
"""Roles of objects that only SNMP needs."""

_TYPES = {
    "Counter32": "yang:counter32", "Counter64": "yang:counter64",
    "ZeroBasedCounter32": "yang:zero-based-counter32",
    "ZeroBasedCounter64": "yang:zero-based-counter64",
    "Gauge32": "yang:gauge32", "CounterBasedGauge64": "yang:gauge64",
    "Integer32": "int32", "INTEGER": "int32", "Unsigned32": "uint32",
    "TimeTicks": "yang:timeticks", "TimeStamp": "yang:timestamp",
    "DateAndTime": "yang:date-and-time", "TruthValue": "boolean",
    "IpAddress": "inet:ipv4-address-no-zone", "InetAddressIPv4": "inet:ipv4-address-no-zone",
    "InetAddressIPv6": "inet:ipv6-address-no-zone", "InetAddress": "inet:ip-address-no-zone",
    "InetPortNumber": "inet:port-number", "InetAddressPrefixLength": "uint32",
    "InetAutonomousSystemNumber": "inet:as-number",
    "MacAddress": "yang:mac-address", "OBJECT IDENTIFIER": "yang:object-identifier",
    "InterfaceIndex": "int32", "InterfaceIndexOrZero": "int32", "TimeInterval": "int32",
}  # fmt: skip
"""Types by those of the SMI (RFC 6991); all others are text."""

_LIMITS = {
    "InterfaceIndex": "1..2147483647", "InterfaceIndexOrZero": "0..2147483647",
    "TimeInterval": "0..2147483647", "InetAddressPrefixLength": "0..2040",
    "DisplayString": "0..255", "SnmpAdminString": "0..255", "OwnerString": "0..255",
}  # fmt: skip
"""Ranges and sizes of conventions of standard modules."""

FAMILY = "InetAddressType"
"""The type of an object that says which type an address has. The address itself has it in YANG."""

_FAMILIES = (
    ("unknown", 0), ("ipv4", 1), ("ipv6", 2), ("ipv4z", 3), ("ipv6z", 4), ("dns", 16),
)  # fmt: skip
_BOUNDED = ("yang:gauge32", "yang:gauge64", "int32", "uint32")
"""Types of items that can have bounds."""

_LONGEST = 80
"""Most columns of a path on one line."""

_SIZED = {4: "inet:ipv4-address-no-zone", 16: "inet:ipv6-address-no-zone"}
_MOMENT = "yang:date-and-time"
_TEXTS = {
    "ipv4": ("inet:ipv4-address-no-zone", "inet:ip-address-no-zone"),
    "ipv6": ("inet:ipv6-address-no-zone", "inet:ip-address-no-zone"),
    "mac": ("yang:mac-address",),
}
"""Types that show values of items that are no numbers; others are text."""
_NUMBERS = frozenset(
    name for name in _TYPES.values() if re.search("int|count|gauge|time|number", name)
) - {_MOMENT}


class Type(NamedTuple):
    """A type: its name, what restricts it; of an enumeration the names, their values, and what the
    MIB and people call them."""

    name: str
    range: str = ""
    length: str = ""
    labels: tuple[tuple[str, int, str, str], ...] = ()


class Leaf(NamedTuple):
    """A leaf. `key` and `item` say where the values are; both None for what is not in the
    application: `key` is the number of an index, `item` that of an item of the scope. `object` is
    the name in the MIB."""

    name: str
    type: Type
    unit: str
    description: str
    status: str
    key: int | None = None
    item: int | None = None
    role: str = ""
    object: str = ""


class Node(NamedTuple):
    """A list, or the container of the scalars, which has no keys. `scope` is None for one that the
    schema no longer has."""

    name: str
    description: str
    status: str
    keys: tuple[Leaf, ...]
    leaves: tuple[Leaf, ...]
    scope: ir.Scope | None

    def listed(self, columns: int, first: str) -> str:
        """The names of the keys behind `first`, on as many lines of `columns` as they need."""
        return filled([key.name for key in self.keys], columns, first, " " * len(first))


class Carried(NamedTuple):
    """A leaf of a notification: its name there, the leaf whose value it has, and the names on the
    path to that one."""

    name: str
    leaf: Leaf
    path: tuple[str, ...]
    status: str

    @property
    def steps(self) -> list[str]:
        """The path in one part, or in one for each of its names where it is too long for a line."""
        whole = "/" + "/".join(self.path)
        return [whole] if len(whole) <= _LONGEST else [f"/{name}" for name in self.path]


class Notification(NamedTuple):
    """A notification: the keys of the entry that it is about, and what it carries."""

    name: str
    description: str
    status: str
    leaves: tuple[Carried, ...]


def nodes(module: ir.Module, lock: Lock) -> list[Node]:
    """The container of the scalars, if there are some, and the lists in the order of their OIDs."""
    return list(_Nodes(module, lock).run())


def notified(module: ir.Module, lock: Lock, found: Iterable[Node]) -> Iterator[Notification]:
    """The notifications in the order of their OIDs; `found` are the nodes of the module. Objects
    that no node has are left out: those of other modules, and what only SNMP needs."""
    leaves = {leaf.object: (node, leaf) for node in found for leaf in (*node.leaves, *node.keys)}
    start, top = yang.words(prefix(module)), container(lock)
    taken = {top}
    for entry in lock.published:
        if entry.kind != notifications.KIND:
            continue
        head = start[: yang.common(entry.name, start)]
        name = _free(taken, yang.kebab(entry.name, head), yang.kebab(entry.name))
        carried: dict[tuple[str, str], Carried] = {}
        names: set[str] = set()
        for node, leaf in (leaves[name] for name in entry.members if name in leaves):
            for part in (*node.keys, leaf):
                if (node.name, part.name) not in carried:
                    there = _free(names, part.name, f"{node.name}-{part.name}")
                    status = _worst(_status(entry), part.status, node.status)
                    path = (top, node.name, part.name)
                    carried[path[1:]] = Carried(there, part, path, status)
        text_of = entry.description or entry.name
        yield Notification(name, text_of, _status(entry), tuple(carried.values()))


def container(lock: Lock) -> str:
    """Name of the module and of its only top node."""
    return yang.module_name(lock.name)


def typed(syntax: Syntax, moment: bool = False) -> Type:
    """The type of an object. A `moment` is a time of day: the application knows when that was."""
    if moment:
        return Type(_MOMENT)
    if syntax.labels:
        labels = (
            (yang.kebab(label.mib), label.value, label.mib, label.text) for label in syntax.labels
        )
        return Type("enumeration", labels=tuple(labels))
    if syntax.base == FAMILY:
        return Type("enumeration", labels=tuple((name, n, name, "") for name, n in _FAMILIES))
    if syntax.base == "InetAddress" and syntax.size in _SIZED:
        return Type(_SIZED[syntax.size])
    name = _TYPES.get(syntax.base, "string")
    limits = syntax.sizes if name == "string" else syntax.ranges
    limits = " | ".join((limits or _LIMITS.get(syntax.base, "")).replace(" ", "").split("|"))
    if name == "string":
        return Type(name, length=limits)
    return Type(name, limits if name in _NUMBERS else "")


class _Nodes:
    def __init__(self, module: ir.Module, lock: Lock) -> None:
        self.module, self.lock = module, lock
        self.reader = managed.Reader(module, lock)
        self.start = yang.words(prefix(module))
        shown = health.shown(module)
        self.scopes = {scope.name: scope for scope in shown}
        self.numbers = {
            scope.name: {item.name: number for number, item in enumerate(scope.items)}
            for scope in shown
        }
        self.by_oid = {entry.oid: entry for entry in lock.published if entry.oid}

    def run(self) -> Iterator[Node]:
        columns = self.lock.columns()
        scalars = columns.get((), [])
        own = [entry for entry in scalars if entry.key.scope == ir.HEALTH]
        if scalars := [entry for entry in scalars if entry not in own]:
            text = "What there is once."
            leaves = tuple(self._leaves(scalars, self.start, set()))
            yield Node(GLOBAL, text, "", (), leaves, self.scopes.get(ir.GLOBAL))
        taken = {GLOBAL}
        for oid, row in sorted(self.reader.rows.items()):
            yield self._list(row, columns.get(oid, []), taken)
        if own:
            text = "What the module reports of itself."
            start = self.start[: yang.common(own[0].name, self.start)]
            leaves, name = tuple(self._leaves(own, start, set())), _free(taken, "health", "reports")
            yield Node(name, text, "", (), leaves, self.scopes.get(ir.HEALTH))

    def _list(self, row: Entry, columns: list[Entry], taken: set[str]) -> Node:
        entry = yang.words(row.name)
        start = entry[:-1] if entry[-1:] == ("entry",) else entry
        head = self.start[: yang.common(row.name, self.start)]
        name = _free(taken, "-".join(start[len(head) :]), "-".join(start), yang.kebab(row.name))
        table = self._table(row)
        status = _status(table)
        names: set[str] = set()
        indexes = list(self.reader.indexes(row))
        behind = [*indexes[1:], None]
        shown = [index for index, next_ in zip(indexes, behind, strict=True)
                 if not _is_family(index, next_)]  # fmt: skip
        keys = tuple(self._key(index, n, status, names) for n, index in enumerate(shown))
        own = {index.oid for index in indexes}
        members = [column for column in columns if column.oid not in own]
        leaves = tuple(self._leaves(members, start, names, status))
        scope = self.scopes.get(row.key.scope) if not row.gone else None
        return Node(name, table.description or row.description, status, keys, leaves, scope)

    def _table(self, row: Entry) -> Entry:
        return self.by_oid[row.oid[:-1]]

    def _key(self, index: Index, number: int, status: str, names: set[str]) -> Leaf:
        head = self.start[: yang.common(index.name, self.start)]
        name = _free(names, yang.kebab(index.name, head), yang.kebab(index.name))
        said = text.of_object(index.description)
        said = said or f"The {index.name} of {index.module or 'another module'}."
        kind = typed(index.syntax)
        if index.syntax.base == "OCTET STRING":
            kind = kind._replace(name="binary")
        return Leaf(name, kind, "", said, status, key=number, object=index.name)

    def _leaves(
        self, entries: list[Entry], start: tuple[str, ...], names: set[str], above: str = ""
    ) -> Iterator[Leaf]:
        for entry in entries:
            if entry.access in managed.READABLE and entry.key.role not in _LEFT_OUT:
                name = _free(names, yang.kebab(entry.name, start), yang.kebab(entry.name))
                yield self._leaf(entry, name, above)

    def _leaf(self, entry: Entry, name: str, above: str) -> Leaf:
        key, number, item = entry.key, None, None
        scope = self.scopes.get(key.scope) if not entry.gone else None
        if scope is not None and key.item and not key.role:
            number = self.numbers[scope.name].get(key.item)
            item = scope.items[number] if number is not None else None
        jump = key.role == "discontinuity"
        moment = jump or (item is not None and item.value_type.moment)
        syntax = self.reader.syntax(entry.syntax)
        role = key.role if jump and not entry.gone else ""
        said, kind = _description(entry, item, jump), typed(syntax, moment)
        if kind.name in _BOUNDED and not kind.range:
            said, low, high = text.bounded(said)
            if low is not None or high is not None:
                least, most = "min" if low is None else low, "max" if high is None else high
                kind = kind._replace(range=f"{least}..{most}")
        status = _worst(_status(entry), above)
        return Leaf(name, kind, entry.unit, said, status, None, number, role, entry.name)


def _is_family(index: Index, after: Index | None) -> bool:
    """Whether an index object only says which type the address in the one behind it has."""
    return index.syntax.base == FAMILY and after is not None and after.syntax.base == "InetAddress"


def _worst(*statuses: str) -> str:
    """The status of what is inside of, or refers to, things of other ones."""
    return max(statuses, key=lambda status: _STATUS.index(status or "current"))


def _status(entry: Entry) -> str:
    return "" if entry.status == "current" else entry.status


def _free(taken: set[str], *names: str) -> str:
    """The first name that is free. The last one is the whole name in the MIB, and has a number
    behind it where an index has an object twice."""
    numbered = (f"{names[-1]}-{number}" for number in count(2))
    name = next(name for name in chain(names, numbered) if name and name not in taken)
    taken.add(name)
    return name


def _description(entry: Entry, item: ir.Item | None, jump: bool) -> str:
    """The description of the object, without what only SNMP has."""
    if jump:
        whose = f"this {entry.key.scope.replace('_', ' ')}"
        if entry.key.scope in ir.NAMELESS:
            whose = "this container"
        return (
            f"When one or more of the counters of {whose} last suffered a discontinuity, such as a "
            "reset. Absent while that is not known."
        )
    if item is not None and item.value_type.moment:
        return f"{item.description} Absent if it never was."
    return text.of_object(entry.description) or entry.name


def mapped(module: ir.Module, node: Node) -> bool:
    """Whether only the application can tell the keys of an entry: they are not one number, or one
    of several labels, for each index in C, or instances have keys of their own."""
    if node.scope is None or any(module.scope(level.scope).key for level in node.scope.levels):
        return True
    kinds = [key.type for key in node.keys]
    plain = all(kind.labels or kind.name in ("int32", "uint32") for kind in kinds)
    return len(kinds) != len(node.scope.path) or not plain


def shows(kind: Type, item: ir.Item) -> bool:
    """Whether values of an item are values of a type: an object may have a type of its own."""
    if item.value_type.text:
        return kind.name in _TEXTS.get(item.type, ("string",))
    if item.value_type.moment:
        return kind.name == _MOMENT
    if kind.labels or item.type == "bool":
        return bool(kind.labels) or kind.name == "boolean"
    return kind.name in _NUMBERS
