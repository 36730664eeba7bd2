# SPDX-License-Identifier: BSD-3-Clause
"""The published objects as a tree: containers of scalars, and lists of rows with their keys.

All of it is as the lock has it, also what the schema no longer has: nothing that was published may
vanish (RFC 7950 section 11).
"""

from collections.abc import Iterator
from itertools import chain, count
from typing import NamedTuple

from ..model import health, ir
from ..model.naming import yang
from ..model.naming.lines import filled
from ..model.smitypes import SHOWN
from ..publish import text
from ..publish.lock import Entry, Lock, Oid
from ..publish.wanted import prefix
from .polled import READABLE, Index, Label, Reader, Syntax

GLOBAL = "global"
"""The container of scalars: no scope of rows has the name of the one that has none."""

FAMILY = "InetAddressType"
"""The type of an object that says which type an address has. The address itself has it in YANG."""

MOMENT = SHOWN["DateAndTime"].yang

_FAMILIES = {"unknown": 0, "ipv4": 1, "ipv6": 2, "ipv4z": 3, "ipv6z": 4, "dns": 16}
_STATUS = ("", "deprecated", "obsolete")
_LEFT_OUT = ("low", "family")  # roles of objects that only SNMP needs
_RANGED = ("int32", "uint32", "yang:gauge32", "yang:gauge64")


class Type(NamedTuple):
    """A type: its name, the range or length that restricts it, the labels of an enumeration."""

    name: str
    limits: str = ""
    labels: tuple[Label, ...] = ()


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


def numeric(name: str) -> bool:
    """Whether values of a type are numbers."""
    words = ("int", "count", "gauge", "time", "number")
    return name != MOMENT and any(word in name for word in words)


def worst(*statuses: str) -> str:
    """The last of some statuses in the life of an object."""
    return max(statuses, key=_STATUS.index)


def status(entry: Entry) -> str:
    """The status of an entry; empty if it is current."""
    return "" if entry.status == "current" else entry.status


def free(taken: set[str], *names: str) -> str:
    """The first name that is free. The last one is the whole name in the MIB, and has a number
    behind it where an index has an object twice."""
    numbered = (f"{names[-1]}-{number}" for number in count(2))
    name = next(name for name in chain(names, numbered) if name and name not in taken)
    taken.add(name)
    return name


def named(taken: set[str], mib: str, start: tuple[str, ...]) -> str:
    """A free name for what the MIB has, without the words at its start."""
    return free(taken, yang.kebab(mib, start), yang.kebab(mib))


def _typed(syntax: Syntax) -> Type:
    """The type of an object."""
    if labels := syntax.labels:
        return Type("enumeration", labels=labels)
    if syntax.base == FAMILY:
        return Type("enumeration", "", tuple(Label(n, n, v) for n, v in _FAMILIES.items()))
    name, limits = syntax.shown.yang, syntax.shown.limits
    limits = (syntax.sizes if name == "string" else syntax.ranges) or limits
    limits = " | ".join(limits.replace(" ", "").split("|"))
    return Type(name, limits if name == "string" or numeric(name) else "")


class Tree:
    """Makes the nodes: the container of the scalars, if there are some, the lists in the order of
    their OIDs, and what the module reports of itself."""

    def __init__(self, module: ir.Module, lock: Lock) -> None:
        self.lock, self.reader = lock, Reader(module, lock)
        self.start = yang.words(prefix(module))
        self.scopes = {scope.name: scope for scope in health.shown(module)}
        self.by_oid = {entry.oid: entry for entry in lock.published if entry.oid}

    def nodes(self) -> Iterator[Node]:
        """All of them."""
        columns, taken = self.lock.columns(), {GLOBAL}
        scalars = columns.get((), [])
        own = [entry for entry in scalars if entry.key.scope == ir.HEALTH]
        if scalars := [entry for entry in scalars if entry not in own]:
            leaves = tuple(self._leaves(scalars, self.start, set()))
            yield Node(GLOBAL, "What there is once.", "", (), leaves, self.scopes.get(ir.GLOBAL))
        for oid, row in sorted(self.reader.rows.items()):
            yield self._list(oid, row, columns.get(oid, []), taken)
        if own:
            leaves = tuple(self._leaves(own, self.common(own[0].name), set()))
            about, name = "What the module reports of itself.", free(taken, "health", "reports")
            yield Node(name, about, "", (), leaves, self.scopes.get(ir.HEALTH))

    def common(self, name: str) -> tuple[str, ...]:
        """The words of the module that a name starts with."""
        return self.start[: yang.common(name, self.start)]

    def _list(self, oid: Oid, row: Entry, columns: list[Entry], taken: set[str]) -> Node:
        entry = yang.words(row.name)
        start = entry[:-1] if entry[-1:] == ("entry",) else entry
        short = "-".join(start[len(self.common(row.name)) :])
        name = free(taken, short, "-".join(start), yang.kebab(row.name))
        table = self.by_oid[oid[:-1]]
        above, names = status(table), set[str]()
        indexes = list(self.reader.indexes(row))
        behind = zip(indexes, [*indexes[1:], None], strict=True)
        shown = [index for index, after in behind if not _is_family(index, after)]
        keys = tuple(self._key(index, n, above, names) for n, index in enumerate(shown))
        own = {index.oid for index in indexes}
        members = [column for column in columns if column.oid not in own]
        leaves = tuple(self._leaves(members, start, names, above))
        scope = self.scopes.get(row.key.scope) if not row.gone else None
        return Node(name, table.description or row.description, above, keys, leaves, scope)

    def _key(self, index: Index, number: int, above: str, names: set[str]) -> Leaf:
        name, kind = named(names, index.name, self.common(index.name)), _typed(index.syntax)
        about = text.of_object(index.description)
        about = about or f"The {index.name} of {index.module or 'another module'}."
        if index.syntax.base == "OCTET STRING":
            kind = kind._replace(name="binary")
        return Leaf(name, kind, "", about, above, key=number, object=index.name)

    def _leaves(
        self, entries: list[Entry], start: tuple[str, ...], names: set[str], above: str = ""
    ) -> Iterator[Leaf]:
        for entry in entries:
            if entry.access in READABLE and entry.key.role not in _LEFT_OUT:
                yield self._leaf(entry, named(names, entry.name, start), above)

    def _leaf(self, entry: Entry, name: str, above: str) -> Leaf:
        key, number, item = entry.key, None, None
        scope = self.scopes.get(key.scope) if not entry.gone else None
        if scope is not None and key.item and not key.role:
            same = ((n, one) for n, one in enumerate(scope.items) if one.name == key.item)
            number, item = next(same, (None, None))
        jump = key.role == "discontinuity"
        moment = jump or (item is not None and item.value_type.moment)
        about = _description(entry, item, jump)
        kind = Type(MOMENT) if moment else _typed(self.reader.syntax(entry.syntax))
        if kind.name in _RANGED and not kind.limits:
            about, low, high = text.bounded(about)
            if low is not None or high is not None:
                least, most = "min" if low is None else low, "max" if high is None else high
                kind = kind._replace(limits=f"{least}..{most}")
        role, worse = key.role if jump and not entry.gone else "", worst(status(entry), above)
        return Leaf(name, kind, entry.unit, about, worse, None, number, role, entry.name)


def _is_family(index: Index, after: Index | None) -> bool:
    """Whether an index object only says which type the address in the one behind it has."""
    return index.syntax.base == FAMILY and after is not None and after.syntax.base == "InetAddress"


def _description(entry: Entry, item: ir.Item | None, jump: bool) -> str:
    """The description of the object, without what only SNMP has. What SNMP has as a value of
    sysUpTime is a time of day: the application knows when that was."""
    if jump:
        nameless = entry.key.scope in ir.NAMELESS
        whose = "container" if nameless else entry.key.scope.replace("_", " ")
        return (
            f"When one or more of the counters of this {whose} last suffered a discontinuity, such "
            "as a reset. Absent while that is not known."
        )
    if item is not None and item.value_type.moment:
        return f"{item.description} Absent if it never was."
    return text.of_object(entry.description) or entry.name
