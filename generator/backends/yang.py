# SPDX-License-Identifier: BSD-3-Clause
"""A YANG module of the same objects, and C that writes their values as JSON (RFC 7951)."""

# A container has the scalars, a list each table. All of it is as the lock has it, also what the
# schema no longer has: nothing that was published may vanish (RFC 7950 section 11).

import re
from collections.abc import Iterator, Sequence
from itertools import chain, count
from typing import Any, NamedTuple

from ..model import health, ir
from ..model.naming import symbols, yang
from ..model.naming.lines import filled
from ..output.render import render
from ..publish import managed, notifications, text
from ..publish.assign import assign
from ..publish.lock import Entry, Lock, Oid
from ..publish.managed import Index, Syntax
from ..publish.wanted import prefix
from . import BuiltIn, Options, in_short

_RFC6991 = "RFC 6991: Common YANG Data Types"
IMPORTS = (("yang", "ietf-yang-types", _RFC6991), ("inet", "ietf-inet-types", _RFC6991))
"""Modules that types come from: prefix, name, where they are defined."""

_GLOBAL = "global"
"""The container of scalars: no scope of rows has the name of the one that has none."""

_STATUS = ("", "deprecated", "obsolete")
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

_FAMILY = "InetAddressType"
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
    """A type: its name, the range or length that restricts it; of an enumeration the names, their
    values, and what the MIB and people call them."""

    name: str
    limits: str = ""
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
    """A list, or a container, which has no keys. `scope` is None for one that the schema no longer
    has."""

    name: str
    description: str
    status: str
    keys: tuple[Leaf, ...]
    leaves: tuple[Leaf, ...]
    scope: ir.Scope | None

    def listed(self, columns: int, first: str) -> str:
        """The names of the keys behind `first`, on as many lines of `columns` as they need."""
        return filled([key.name for key in self.keys], columns, first, " " * len(first))

    @property
    def mapped(self) -> bool:
        """Whether only the application can tell the keys of an entry: they are not one number, or
        one of several labels, for each index in C."""
        kinds = [key.type for key in self.keys]
        plain = all(kind.labels or kind.name in ("int32", "uint32") for kind in kinds)
        return self.scope is None or len(kinds) != len(self.scope.path) or not plain


def nodes(module: ir.Module, lock: Lock) -> list[Node]:
    """The container of the scalars, if there are some, the lists in the order of their OIDs, and
    what the module reports of itself."""
    return list(_Nodes(module, lock).run())


def container(lock: Lock) -> str:
    """Name of the module and of its only top node."""
    return yang.module_name(lock.name)


def _notified(module: ir.Module, lock: Lock, found: Sequence[Node]) -> Iterator[dict[str, Any]]:
    """The notifications in the order of their OIDs, each with the keys of the entry that it is
    about, and what it carries. Objects that no node has are left out: those of other modules, and
    what only SNMP needs."""
    leaves = {leaf.object: (node, leaf) for node in found for leaf in (*node.leaves, *node.keys)}
    start, top = yang.words(prefix(module)), container(lock)
    taken = {top}
    for entry in (entry for entry in lock.published if entry.kind == notifications.KIND):
        carried: dict[tuple[str, str], dict[str, Any]] = {}
        names: set[str] = set()
        for node, leaf in (leaves[name] for name in entry.members if name in leaves):
            for part in (*node.keys, leaf):
                if (node.name, part.name) not in carried:
                    path = [f"/{name}" for name in (top, node.name, part.name)]
                    carried[node.name, part.name] = {
                        "name": _free(names, part.name, f"{node.name}-{part.name}"), "leaf": part,
                        "steps": path if len("".join(path)) > _LONGEST else ["".join(path)],
                        "status": max(_status(entry), part.status, node.status, key=_STATUS.index),
                    }  # fmt: skip
        yield {
            "name": _named(taken, entry.name, start[: yang.common(entry.name, start)]),
            "description": entry.description or entry.name, "status": _status(entry),
            "leaves": list(carried.values()),
        }  # fmt: skip


def _typed(syntax: Syntax, moment: bool = False) -> Type:
    """The type of an object. A `moment` is a time of day: the application knows when that was."""
    if moment:
        return Type(_MOMENT)
    if syntax.labels:
        found = ((yang.kebab(one.mib), one.value, one.mib, one.text) for one in syntax.labels)
        return Type("enumeration", labels=tuple(found))
    if syntax.base == _FAMILY:
        return Type("enumeration", labels=tuple((name, n, name, "") for name, n in _FAMILIES))
    if syntax.base == "InetAddress" and syntax.size in _SIZED:
        return Type(_SIZED[syntax.size])
    name = _TYPES.get(syntax.base, "string")
    limits = syntax.sizes if name == "string" else syntax.ranges
    limits = " | ".join((limits or _LIMITS.get(syntax.base, "")).replace(" ", "").split("|"))
    return Type(name, limits if name == "string" or name in _NUMBERS else "")


class _Nodes:
    def __init__(self, module: ir.Module, lock: Lock) -> None:
        self.lock, self.reader = lock, managed.Reader(module, lock)
        self.start = yang.words(prefix(module))
        self.scopes = {scope.name: scope for scope in health.shown(module)}
        self.by_oid = {entry.oid: entry for entry in lock.published if entry.oid}

    def run(self) -> Iterator[Node]:
        columns, taken = self.lock.columns(), {_GLOBAL}
        scalars = columns.get((), [])
        own = [entry for entry in scalars if entry.key.scope == ir.HEALTH]
        if scalars := [entry for entry in scalars if entry not in own]:
            leaves = tuple(self._leaves(scalars, self.start, set()))
            yield Node(_GLOBAL, "What there is once.", "", (), leaves, self.scopes.get(ir.GLOBAL))
        for oid, row in sorted(self.reader.rows.items()):
            yield self._list(oid, row, columns.get(oid, []), taken)
        if own:
            start = self.start[: yang.common(own[0].name, self.start)]
            leaves, name = tuple(self._leaves(own, start, set())), _free(taken, "health", "reports")
            said = "What the module reports of itself."
            yield Node(name, said, "", (), leaves, self.scopes.get(ir.HEALTH))

    def _list(self, oid: Oid, row: Entry, columns: list[Entry], taken: set[str]) -> Node:
        entry = yang.words(row.name)
        start = entry[:-1] if entry[-1:] == ("entry",) else entry
        head = self.start[: yang.common(row.name, self.start)]
        name = _free(taken, "-".join(start[len(head) :]), "-".join(start), yang.kebab(row.name))
        table = self.by_oid[oid[:-1]]
        status, names = _status(table), set[str]()
        indexes = list(self.reader.indexes(row))
        behind = zip(indexes, [*indexes[1:], None], strict=True)
        shown = [index for index, after in behind if not _is_family(index, after)]
        keys = tuple(self._key(index, n, status, names) for n, index in enumerate(shown))
        own = {index.oid for index in indexes}
        members = [column for column in columns if column.oid not in own]
        leaves = tuple(self._leaves(members, start, names, status))
        scope = self.scopes.get(row.key.scope) if not row.gone else None
        return Node(name, table.description or row.description, status, keys, leaves, scope)

    def _key(self, index: Index, number: int, status: str, names: set[str]) -> Leaf:
        name = _named(names, index.name, self.start[: yang.common(index.name, self.start)])
        said = text.of_object(index.description)
        said = said or f"The {index.name} of {index.module or 'another module'}."
        kind = _typed(index.syntax)
        if index.syntax.base == "OCTET STRING":
            kind = kind._replace(name="binary")
        return Leaf(name, kind, "", said, status, key=number, object=index.name)

    def _leaves(
        self, entries: list[Entry], start: tuple[str, ...], names: set[str], above: str = ""
    ) -> Iterator[Leaf]:
        for entry in entries:
            if entry.access in managed.READABLE and entry.key.role not in _LEFT_OUT:
                yield self._leaf(entry, _named(names, entry.name, start), above)

    def _leaf(self, entry: Entry, name: str, above: str) -> Leaf:
        key, number, item = entry.key, None, None
        scope = self.scopes.get(key.scope) if not entry.gone else None
        if scope is not None and key.item and not key.role:
            places = (n for n, one in enumerate(scope.items) if one.name == key.item)
            number = next(places, None)
            item = scope.items[number] if number is not None else None
        jump = key.role == "discontinuity"
        moment = jump or (item is not None and item.value_type.moment)
        said = _description(entry, item, jump)
        kind = _typed(self.reader.syntax(entry.syntax), moment)
        if kind.name in _BOUNDED and not kind.limits:
            said, low, high = text.bounded(said)
            if low is not None or high is not None:
                least, most = "min" if low is None else low, "max" if high is None else high
                kind = kind._replace(limits=f"{least}..{most}")
        role = key.role if jump and not entry.gone else ""
        status = max(_status(entry), above, key=_STATUS.index)
        return Leaf(name, kind, entry.unit, said, status, None, number, role, entry.name)


def _is_family(index: Index, after: Index | None) -> bool:
    """Whether an index object only says which type the address in the one behind it has."""
    return index.syntax.base == _FAMILY and after is not None and after.syntax.base == "InetAddress"


def _status(entry: Entry) -> str:
    return "" if entry.status == "current" else entry.status


def _named(taken: set[str], mib: str, start: tuple[str, ...]) -> str:
    """A free name for what the MIB has, without the words at its start."""
    return _free(taken, yang.kebab(mib, start), yang.kebab(mib))


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


def _shows(kind: Type, item: ir.Item) -> bool:
    """Whether values of an item are values of a type: an object may have a type of its own."""
    if item.value_type.text:
        return kind.name in _TEXTS.get(item.type, ("string",))
    if item.value_type.moment:
        return kind.name == _MOMENT
    if kind.labels or item.type == "bool":
        return bool(kind.labels) or kind.name == "boolean"
    return kind.name in _NUMBERS


def _written(module: ir.Module, found: Sequence[Node]) -> Iterator[dict[str, Any]]:
    """The nodes whose values are written, which are all but those whose keys only the application
    knows: the place of the scope, the leaves that have an item, and the leaf of the last
    discontinuity, if there is one."""
    places = {scope.name: place for place, scope in enumerate(health.shown(module))}
    for node in found:
        if (scope := node.scope) is None or node.mapped:
            continue
        if not any(module.scope(level.scope).key for level in scope.levels):
            items = [
                (leaf, scope.items[leaf.item]) for leaf in node.leaves if leaf.item is not None
            ]
            jumps = (leaf.name for leaf in node.leaves if leaf.role == "discontinuity")
            yield {
                "node": node, "place": places[scope.name], "discontinuity": next(jumps, ""),
                "leaves": [leaf for leaf, item in items if _shows(leaf.type, item)],
            }  # fmt: skip


def _revisions(lock: Lock) -> list[tuple[str, str]]:
    """Dates and descriptions, newest first: those of one day are one revision."""
    by_day: dict[str, list[str]] = {}
    for revision in lock.revisions:
        by_day.setdefault(revision.date[:10], []).append(revision.description)
    return [(day, "\n\n".join(texts)) for day, texts in by_day.items()]


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The module and the C; nothing when there is nothing to show."""
    lock = options.lock or assign(module, None).lock
    found = nodes(module, lock)
    if not found:
        return {}
    name, start, p = container(lock), module.name.replace("_", "-"), symbols.prefix(module.name)
    used = {leaf.type.name.partition(":")[0] for node in found for leaf in node.keys + node.leaves}
    text_of_module = render(
        "yang/module.yang.j2", options=options, m=module, name=name, mib=lock.name,
        prefix=name if start in ("yang", "inet") else start, namespace=module.snmp.namespace,
        imports=[entry for entry in IMPORTS if entry[0] in used], nodes=found,
        notifications=list(_notified(module, lock, found)), revisions=_revisions(lock),
        draft=text.DRAFT,
    )  # fmt: skip
    written = list(_written(module, found))
    shown = {one["node"].scope for one in written}
    left_out = [node.name for node in found if node.scope and node.scope not in shown]
    context = {"options": options, "p": p, "name": name, "written": written, "left_out": left_out}
    files = {
        f"{p}_yang{end}": render(
            f"yang/module{end}.j2", sym=symbols.of_module(module), **context
        )
        for end in (".h", ".c")
    }  # fmt: skip
    return {f"{name}.yang": text_of_module, **files}


BACKEND = BuiltIn("yang", in_short(__doc__), generate, default=False, uses_lock=True)
