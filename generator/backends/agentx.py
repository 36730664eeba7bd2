# SPDX-License-Identifier: BSD-3-Clause
"""The AgentX subagent: tables that the runtime's agent serves a module's live values from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .. import ir, mib
from ..lock import LIVE, Entry, Lock, Oid
from ..mib import objects
from ..mib.view import base_type
from ..render import render
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
_NUMBERS = ("Integer32", "INTEGER", "Unsigned32", "Gauge32", "InterfaceIndex", "")


@dataclass(frozen=True, slots=True)
class Object:
    """A scalar or column: its number, the item behind it, and how it is shown."""

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
    cap: int
    mapped: bool
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


def _keyed(scope: ir.Scope) -> Iterator[tuple[str, int, str]]:
    """Keys that objects of a scope can have: key, item, and the syntax where that is fixed."""
    for number, item in enumerate(scope.items):
        key = objects.item_key(scope.name, item.name)
        yield f"{key}/family", number, "IPV6"
        yield key, number, ""
        yield f"{key}/low", number, "COUNTER32"
    yield f"{scope.name}/discontinuity", 0, "JUMP"


def served(scope: ir.Scope) -> bool:
    """Whether the agent shows a scope: all but large ones, those where the schema says so."""
    said = scope.snmp.serve
    return said if said is not None else bool(scope.snmp.cap) or scope.instances <= CAP


def mapped(module: ir.Module, scope: ir.Scope) -> bool:
    """Whether only the application can tell the index of a row: it is not one number a level."""
    if scope.name == ir.GLOBAL:
        return False
    found = objects.index_objects(module, scope)
    plain = all(base_type(one.syntax) in _NUMBERS for one in found)
    return bool(scope.snmp.augments) or len(found) != len(scope.path) or not plain


def groups(module: ir.Module, lock: Lock) -> Iterator[Group]:
    """What is served, each group under the OID that its objects share."""
    live = {key: entry for key, entry in lock.live().items() if entry.status == LIVE or entry.oid}
    for place, scope in enumerate(module.scopes):
        if scope.storage is ir.Storage.EMBEDDED or not served(scope):
            continue
        found: dict[Oid, list[Object]] = {}
        for key, item, syntax in _keyed(scope):
            entry = live.get(key)
            if entry is None or not entry.oid or entry.access not in _READABLE:
                continue
            shown = syntax or _syntax(scope.items[item], entry)
            one = Object(entry.name, entry.oid[-1], item, shown)
            found.setdefault(entry.oid[:-1], []).append(one)
        for number, oid in enumerate(sorted(found)):
            yield Group(
                f"{scope.name}{number or ''}", scope.name, oid, place, scope.snmp.cap,
                mapped(module, scope), tuple(sorted(found[oid], key=lambda o: o.number)),
            )  # fmt: skip


class AgentxBackend:
    """Generates `<module>_stats_agentx.h` and `.c`: calls that serve the module's values."""

    name = "agentx"
    summary = "an AgentX subagent: live values for SNMP managers, through net-snmp's snmpd"
    default = False
    uses_lock = True

    def generate(self, module: ir.Module, options: Options) -> dict[str, str]:
        """The two files; nothing when there is nothing to serve."""
        lock = options.lock or mib.assign(module, None).lock
        found = list(groups(module, lock))
        if not found:
            return {}
        name = f"{module.name}_stats"
        return {
            f"{name}_agentx{end}": render(
                f"agentx/module{end}.j2",
                options=options, m=module, p=name, groups=found, mib=lock.name,
                held_back=[s.name for s in module.scopes if not served(s)],
            )
            for end in (".h", ".c")
        }  # fmt: skip


BACKEND = AgentxBackend()
