# SPDX-License-Identifier: BSD-3-Clause
"""An AgentX subagent: live values for SNMP managers, through net-snmp's snmpd."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ..model import health, ir
from ..model.naming import symbols
from ..output.render import render
from ..publish import notifications, objects, standard
from ..publish.assign import assign
from ..publish.lock import Entry, Key, Lock, Oid
from ..publish.nodespec import around, base_type, served
from . import BuiltIn, Options, in_short
from .polled import READABLE

SYNTAXES = {
    "Integer32": "INTEGER", "INTEGER": "INTEGER", "TruthValue": "TRUTH", "IpAddress": "IPADDRESS",
    "Counter32": "COUNTER32", "ZeroBasedCounter32": "GAUGE32", "Counter64": "COUNTER64",
    "CounterBasedGauge64": "COUNTER64", "ZeroBasedCounter64": "COUNTER64", "Gauge32": "GAUGE32",
    "Unsigned32": "GAUGE32", "TimeTicks": "TICKS", "TimeStamp": "TICKS",
    **dict.fromkeys(standard.OIDS, "OID"),
    **dict.fromkeys(
        ("InterfaceIndex", "InterfaceIndexOrZero", "TimeInterval", "TestAndIncr",
         "SnmpSecurityModel", "SnmpMessageProcessingModel", "SnmpSecurityLevel", "RowStatus",
         "StorageType", "InetAddressType", "InetScopeType", "InetVersion", "IANAifType",
         "IANAtunnelType"), "INTEGER",
    ),
    **dict.fromkeys(
        ("InetPortNumber", "InetAddressPrefixLength", "InetAutonomousSystemNumber",
         "InetZoneIndex"), "GAUGE32",
    ),
}  # fmt: skip
"""How types of the SMI and of standard modules are shown; others as the item's type is."""

_NUMBERS = {
    "Integer32": "INTEGER", "INTEGER": "INTEGER", "InterfaceIndex": "INTEGER",
    "InterfaceIndexOrZero": "INTEGER", "InetAddressType": "INTEGER", "TruthValue": "INTEGER",
    "Unsigned32": "UNSIGNED", "Gauge32": "UNSIGNED", "InetPortNumber": "UNSIGNED",
    "TimeTicks": "TICKS", "TimeStamp": "TICKS", "": "INTEGER",
}  # fmt: skip
"""Types of index objects that are one sub-identifier, and how those are shown. That of an index
object of another module may not be known."""

_ROWS = ("ifEntry", "IF-MIB::ifEntry")
"""Rows of other modules whose index is known: one number."""


class Object(NamedTuple):
    """A scalar or column: the item behind it, and how it is shown.

    `item` of an index column is the sub-identifier of the index where its value begins.
    """

    name: str
    oid: Oid
    item: int
    syntax: str


class Rows(NamedTuple):
    """Indexes of rows of a scope: `base` is the number of the scope whose index they start with,
    `own` the number of further levels, 0 if that is their scope. `mapped`: only the application
    knows the index. `cap` is the greatest number of rows, 0 without one."""

    base: int
    own: int
    mapped: bool
    cap: int


class Group(NamedTuple):
    """Scalars below one node, or the columns of one row; `place` is that of the scope."""

    scope: ir.Scope
    place: int
    rows: Rows
    oid: Oid
    objects: tuple[Object, ...]
    label: str = ""
    alone: bool = False


def _syntax(item: ir.Item, base: str) -> str:
    """How an item is shown: as its object's type says, unless its values are of another nature."""
    syntax = SYNTAXES.get(base, "")
    if item.type == "ipv4":  # by other modules it is mostly a convention for IpAddress
        known = {*standard.TYPES, *standard.BUILT_IN} - {"IpAddress"}
        return "OCTETS" if base in known else "IPADDRESS"
    if item.value_type.text:
        return "OID" if (item.type, syntax) == ("string", "OID") else "OCTETS"
    unfit = {"", "IPADDRESS", "OID", "TRUTH" if item.kind.numeric else ""}
    if item.type == "bool":
        unfit.add("INTEGER")
    if item.value_type.moment and syntax == "TICKS":
        return "STAMP"
    if item.value_type.moment and base == "DateAndTime":
        return "DATE"
    if syntax not in unfit:
        return syntax
    if item.kind.numeric:
        return "COUNTER64" if item.kind.accumulates and item.width == 64 else "GAUGE32"
    return SYNTAXES.get(base_type(item.value_type.smi), "OCTETS")


def _keyed(module: ir.Module, scope: ir.Scope) -> Iterator[tuple[Key, int, str]]:
    """Keys that objects of a scope can have: key, item, and the syntax where that is fixed.

    Index objects have the place of their value in the index for an item. Those that are text, and
    what is behind them, are left out.
    """
    position = 0
    for index in objects.index_objects(module, scope):
        name = _base(module, index.syntax)
        syntax = "IPADDRESS" if name == "IpAddress" else _NUMBERS.get(name)
        if syntax is None:
            break
        yield Key(scope.name, role="index", name=index.name), position, f"INDEX_{syntax}"
        position += 4 if name == "IpAddress" else 1
    for number, item in enumerate(scope.items):
        key = Key(scope.name, item.name)
        yield key.part("family"), number, item.type.upper()
        yield key, number, ""
        yield key.part("low"), number, "COUNTER32"
    yield Key(scope.name, role="discontinuity"), 0, "DISCONTINUITY"


def _base(module: ir.Module, syntax: str) -> str:
    """A type without range and size, textual conventions of the module resolved."""
    types = {convention.name: convention.syntax for convention in module.snmp.types}
    for _ in types:  # a chain has no more links than there are types
        syntax = syntax.removeprefix(f"{module.snmp.name}::")
        if "::" in syntax or base_type(syntax) in _NUMBERS:
            break
        syntax = types.get(base_type(syntax), syntax)
    return base_type(syntax)


def _augmented(module: ir.Module, scope: ir.Scope) -> ir.Scope:
    """The scope of the module whose rows a scope augments; the scope itself for others."""
    row = scope.snmp.augments.removeprefix(f"{module.snmp.name}::")
    if not row or "::" in row:
        return scope
    tables = (s for s in module.scopes if s.name != ir.GLOBAL and s is not scope)
    return next((s for s in tables if objects.entry_name(module, s) == row), scope)


def _rows(module: ir.Module, places: Mapping[str, int], scope: ir.Scope) -> Rows:
    """How rows of a scope are called. Who augments a row has no parent, so it is outermost."""
    first, *inner = around(module, scope) or [scope]
    base = _augmented(module, first)
    unknown = any(_unknown(module, one) for one in inner)
    if base is first:
        foreign = first.snmp.augments
        begins = foreign not in _ROWS if foreign else _unknown(module, first)
        return Rows(places[scope.name], 0, begins or unknown, scope.snmp.cap)
    cap = scope.snmp.cap if inner else scope.snmp.cap or base.snmp.cap
    outer = (around(module, base) or [base])[0]
    if base.storage is ir.Storage.EMBEDDED or _augmented(module, outer) is not outer:
        return Rows(places[scope.name], 0, True, cap)  # there is no such row, or it augments itself
    mapped = unknown or _rows(module, places, base).mapped
    return Rows(places[base.name], sum(len(one.own) for one in inner), mapped, cap)


def _unknown(module: ir.Module, scope: ir.Scope) -> bool:
    """Whether the index of the scope's own levels is neither a key nor a number for each."""
    given = scope.snmp.index
    numbers = all(_base(module, index.syntax) in _NUMBERS for index in given)
    return bool(given) and (len(given) != len(scope.own) or not numbers)


def _objects(
    module: ir.Module, live: Mapping[Key, Entry], scope: ir.Scope
) -> dict[Oid, list[Object]]:
    """The objects of a scope that can be read, by the OID that they share."""
    by_parent: dict[Oid, list[Object]] = {}
    for key, item, fixed in _keyed(module, scope):
        entry = live.get(key)
        if entry is not None and entry.oid and entry.access in READABLE:
            syntax = fixed or _syntax(scope.items[item], _base(module, entry.syntax))
            readable = Object(entry.name, entry.oid, item, syntax)
            by_parent.setdefault(entry.oid[:-1], []).append(readable)
    return by_parent


def _served_groups(module: ir.Module, lock: Lock) -> Iterator[Group]:
    """Groups of served objects, each under the OID that its objects share.

    Objects are registered one by one where that OID has other groups below it: a master agent
    refuses a registration inside another one of the same subagent, or reports a duplicate. Labels
    are the names of scopes, numbered where a scope has several groups.
    """
    groups: list[Group] = []
    live = lock.live()
    places = {scope.name: place for place, scope in enumerate(health.shown(module))}
    for place, scope in enumerate(health.shown(module)):
        if scope.storage is ir.Storage.EMBEDDED or not served(scope):
            continue
        rows = _rows(module, places, scope)
        for oid, members in sorted(_objects(module, live, scope).items()):
            shown = tuple(sorted(members, key=lambda member: member.oid))
            groups.append(Group(scope, place, rows, oid, shown))
    above = {group.oid[:end] for group in groups for end in range(len(group.oid))}
    labels: Counter[str] = Counter()
    for group in groups:
        alone = group.oid in above
        for part in [(member,) for member in group.objects] if alone else [group.objects]:
            name = group.scope.name.strip("_")
            label = f"{labels[name]}_{name}" if labels[name] else name
            labels[name] += 1
            yield group._replace(label=label, alone=alone, objects=part)


class Notice(NamedTuple):
    """A notification: its OIDs, that for when it has cleared empty without one; the rows that it is
    about; what it carries."""

    name: str
    raised: Oid
    cleared: Oid
    rows: Rows
    binds: tuple[Object, ...]


def _notifications(module: ir.Module, lock: Lock) -> Iterator[Notice]:
    """Every notification of a module, in its order."""
    live = lock.live()
    places = {scope.name: place for place, scope in enumerate(module.scopes)}
    for notification in module.notifications:
        scope = module.scope(notification.scope)
        fixed = {key: (item, syntax) for key, item, syntax in _keyed(module, scope)}
        binds = []
        for entry in notifications.carried(notification, live):
            item, syntax = fixed[entry.key]
            shown = syntax or _syntax(scope.items[item], _base(module, entry.syntax))
            binds.append(Object(entry.name, entry.oid, item, shown))
        cleared = live.get(notifications.key(notification, notifications.CLEARED))
        yield Notice(
            notification.name, live[notifications.key(notification)].oid,
            cleared.oid if cleared else (),
            _rows(module, places, scope), tuple(binds),
        )  # fmt: skip


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The two files; nothing when there is nothing to serve."""
    lock = options.lock or assign(module, None).lock
    groups = list(_served_groups(module, lock))
    if not groups and not module.notifications:
        return {}
    name = symbols.prefix(module.name)
    return {
        f"{name}_agentx{end}": render(
            f"agentx/module{end}.j2",
            options=options, m=module, p=name, groups=groups, mib=lock.name,
            notifications=list(_notifications(module, lock)),
            sym=symbols.of_module(module),
            unserved=[s.name for s in module.scopes if not served(s)],
            indexed=list(dict.fromkeys(group.scope.name for group in groups if group.rows.mapped)),
        )
        for end in (".h", ".c")
    }  # fmt: skip


BACKEND = BuiltIn("agentx", in_short(__doc__), generate, default=False, uses_lock=True)
