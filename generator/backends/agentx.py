# SPDX-License-Identifier: BSD-3-Clause
"""The AgentX subagent: tables that the runtime's agent serves a module's live values from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from .. import mib
from ..mib import objects
from ..mib.key import Key
from ..mib.lock import Entry, Lock, Oid
from ..mib.view import base_type
from ..model import ir
from ..output.render import render
from . import Options

CAP = 10_000
"""Scopes of more instances are served where the schema says `serve: true` or a cap for them."""

_SYNTAXES = {
    "Integer32": "INTEGER",
    "INTEGER": "INTEGER",
    "TruthValue": "TRUTH",
    "Counter32": "COUNTER32",
    "ZeroBasedCounter32": "GAUGE32",
    "Counter64": "COUNTER64",
    "CounterBasedGauge64": "COUNTER64",
    "ZeroBasedCounter64": "COUNTER64",
    "Gauge32": "GAUGE32",
    "Unsigned32": "GAUGE32",
    "TimeTicks": "TICKS",
    "TimeStamp": "TICKS",
    "IpAddress": "IPADDRESS",
}
"""How types of the SMI are shown; textual conventions are shown as the state is held."""

_STATES = {
    "bool": "TRUTH",
    "int32": "INTEGER",
    "enum": "INTEGER",
    "uint32": "GAUGE32",
    "timeticks": "TICKS",
    "ipv4": "IPADDRESS",
    "ipv6": "OCTETS",
    "mac": "OCTETS",
    "string": "OCTETS",
}

_READABLE = ("read-only", "read-write", "read-create")
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


@dataclass(frozen=True, slots=True)
class Object:
    """A scalar or column: its number, the item behind it, and how it is shown.

    `item` of an index column is the sub-identifier of the index where its value begins.
    """

    name: str
    number: int
    item: int
    syntax: str


@dataclass(frozen=True, slots=True)
class Group:
    """Scalars below one node, or the columns of one row."""

    label: str
    name: str
    oid: Oid
    scope: int
    base: int
    cap: int
    mapped: bool
    alone: bool
    objects: tuple[Object, ...]


def _syntax(item: ir.Item, entry: Entry) -> str:
    known = _SYNTAXES.get(base_type(entry.syntax))
    if item.kind is ir.Kind.STATE:
        if item.type in ("ipv4", "ipv6", "mac", "string"):
            return "OCTETS" if known != "IPADDRESS" else known
        if item.type == "bool" and known == "INTEGER":
            return "TRUTH"
        return known if known and known != "IPADDRESS" else _STATES[item.type]
    if known in (None, "IPADDRESS", "TRUTH"):
        return "GAUGE32" if item.kind is ir.Kind.GAUGE or item.width == 32 else "COUNTER64"
    return known


def _keyed(scope: ir.Scope) -> Iterator[tuple[Key, int, str]]:
    """Keys that objects of a scope can have: key, item, and the syntax where that is fixed."""
    for number, item in enumerate(scope.items):
        key = Key(scope.name, item.name)
        yield key.part("family"), number, "IPV6"
        yield key, number, ""
        yield key.part("low"), number, "COUNTER32"
    yield Key(scope.name, role="discontinuity"), 0, "JUMP"


def served(scope: ir.Scope) -> bool:
    """Whether the agent shows a scope: all but large ones, those where the schema says so."""
    said = scope.snmp.serve
    return said if said is not None else bool(scope.snmp.cap) or scope.instances <= CAP


def _index_type(module: ir.Module, one: ir.IndexObject) -> str:
    """The type of an index object, textual conventions of the module resolved."""
    types = {kept.name: kept.syntax for kept in module.snmp.types}
    name = base_type(one.syntax).rpartition("::")[2]
    for _ in types:  # a chain has no more links than there are types
        if name in _NUMBERS or name not in types:
            break
        name = base_type(types[name]).rpartition("::")[2]
    return name


def augmented(module: ir.Module, scope: ir.Scope) -> ir.Scope:
    """The scope of the module whose rows a scope augments; the scope itself for others."""
    wanted = scope.snmp.augments.rpartition("::")[2]
    return next((s for s in module.scopes if wanted and s.snmp.entry == wanted), scope)


def mapped(module: ir.Module, scope: ir.Scope) -> bool:
    """Whether only the application can tell the index of a row: it is not one number a level."""
    if scope.name == ir.GLOBAL:
        return False
    if scope.snmp.augments:
        base = augmented(module, scope)
        return mapped(module, base) if base is not scope else scope.snmp.augments not in _ROWS
    found = objects.index_objects(module, scope)
    plain = all(_index_type(module, one) in _NUMBERS for one in found)
    return len(found) != len(scope.path) or not plain


def _index_columns(module: ir.Module, scope: ir.Scope) -> Iterator[tuple[Key, int, str]]:
    """Index objects that may be columns to read: key, where in the index, and the syntax. Those
    that are text, and what is behind them, are left out."""
    place = 0
    for one in objects.index_objects(module, scope):
        key = Key(scope.name, role="index", name=one.name)
        name = _index_type(module, one)
        if name == "IpAddress":
            yield key, place, "INDEX_IPADDRESS"
            place += 4
        elif name in _NUMBERS:
            yield key, place, f"INDEX_{_NUMBERS[name]}"
            place += 1
        else:
            return


def _shown(module: ir.Module, lock: Lock, scope: ir.Scope) -> dict[Oid, list[Object]]:
    """The objects of a scope that can be read, by the OID that they share."""
    live = lock.live()
    found: dict[Oid, list[Object]] = {}
    for key, item, syntax in [*_index_columns(module, scope), *_keyed(scope)]:
        entry = live.get(key)
        if entry is None or not entry.oid or entry.access not in _READABLE:
            continue
        shown = syntax or _syntax(scope.items[item], entry)
        one = Object(entry.name, entry.oid[-1], item, shown)
        found.setdefault(entry.oid[:-1], []).append(one)
    return found


def groups(module: ir.Module, lock: Lock) -> list[Group]:
    """What is served, each group under the OID that its objects share.

    Where that OID has other groups below it, its objects are on their own: a registration
    inside of another one of the same agent is refused, or said to be a duplicate.
    """
    found: list[Group] = []
    for place, scope in enumerate(module.scopes):
        if scope.storage is ir.Storage.EMBEDDED or not served(scope):
            continue
        base = module.scopes.index(augmented(module, scope))
        for oid, members in sorted(_shown(module, lock, scope).items()):
            one = Group(
                "", scope.name, oid, place, base, scope.snmp.cap, mapped(module, scope), False,
                tuple(sorted(members, key=lambda o: o.number)),
            )  # fmt: skip
            found.append(one)
    oids = [group.oid for group in found]
    split: list[Group] = []
    for group in found:
        if any(oid != group.oid and oid[: len(group.oid)] == group.oid for oid in oids):
            split += [replace(group, alone=True, objects=(one,)) for one in group.objects]
        else:
            split.append(group)
    return list(_labelled(split))


def _labelled(found: list[Group]) -> Iterator[Group]:
    """The groups with names of their own: that of the scope, numbered where there are several."""
    seen: dict[str, int] = {}
    for group in found:
        number = seen[group.name] = seen.get(group.name, -1) + 1
        yield replace(group, label=f"{group.name}{number or ''}")


class AgentxBackend:
    """Generates `<module>_stats_agentx.h` and `.c`: calls that serve the module's values."""

    name = "agentx"
    summary = "an AgentX subagent: live values for SNMP managers, through net-snmp's snmpd"
    default = False
    uses_lock = True

    def generate(self, module: ir.Module, options: Options) -> dict[str, str]:
        """The two files; nothing when there is nothing to serve."""
        lock = options.lock or mib.assign(module, None).lock
        found = groups(module, lock)
        if not found:
            return {}
        name = f"{module.name}_stats"
        return {
            f"{name}_agentx{end}": render(
                f"agentx/module{end}.j2",
                options=options, m=module, p=name, groups=found, mib=lock.name,
                held_back=[s.name for s in module.scopes if not served(s)],
                indexed=list(dict.fromkeys(group.name for group in found if group.mapped)),
            )
            for end in (".h", ".c")
        }  # fmt: skip


BACKEND = AgentxBackend()
