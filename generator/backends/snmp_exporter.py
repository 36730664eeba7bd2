# SPDX-License-Identifier: BSD-3-Clause
"""snmp.yml and generator.yml: the MIB's objects as metrics, for Prometheus' snmp_exporter."""

from __future__ import annotations

from typing import Any

from ..mib.lock import Oid, dotted
from ..mib.managed import Index, Object, Syntax, Table
from ..model import ir
from ..model.naming import symbols
from . import BuiltIn, Options, in_short
from .polled import in_yaml, polled

TYPES = {
    "IpAddress": "InetAddressIPv4", "InetAddressIPv4": "InetAddressIPv4",
    "InetAddressIPv6": "InetAddressIPv6", "InetAddress": "InetAddress",
    "MacAddress": "PhysAddress48", "DateAndTime": "DateAndTime",
    "DisplayString": "DisplayString", "SnmpAdminString": "DisplayString",
    "OwnerString": "DisplayString", "InetAddressDNS": "DisplayString",
    "OCTET STRING": "OctetString", "PhysAddress": "OctetString", "BITS": "Bits",
    "OBJECT IDENTIFIER": "OctetString", "Opaque": "OctetString",
}  # fmt: skip
"""Types of the exporter by those of the SMI; all others are numbers."""

_SIZED = {("InetAddress", 4): "InetAddressIPv4", ("InetAddress", 16): "InetAddressIPv6",
          ("PhysAddress", 6): "PhysAddress48"}  # fmt: skip
_TRUTH = {"scale": -1, "offset": 2}
"""TruthValue is 1 for true and 2 for false, a metric 1 and 0."""

_IF_NAME = "1.3.6.1.2.1.31.1.1.1.1"
"""Where an interface's name is, by ifIndex."""

AUTHS = {"public_v2": {"version": 2, "community": "public"}}
"""The authentication profile, by its name in the exporter's default file."""


def _type(syntax: Syntax, counts: bool = False) -> str:
    """The type of a metric, or of an index, whose named values do not make it one."""
    sized = _SIZED.get((syntax.base, syntax.size))
    return sized or TYPES.get(syntax.base, "counter" if counts else "gauge")


def _index(index: Index) -> dict[str, Any]:
    kind = "EnumAsInfo" if index.syntax.labels else _type(index.syntax)
    shown: dict[str, Any] = {"labelname": index.label, "type": kind}
    if index.syntax.size and kind in ("OctetString", "DisplayString"):
        shown["fixed_size"] = index.syntax.size
    if index.implied:
        shown["implied"] = True
    if index.syntax.labels:
        shown["enum_values"] = {label.value: label.name for label in index.syntax.labels}
    return shown


def _indexes(table: Table) -> list[dict[str, Any]]:
    """The indexes; an InetAddress that is behind its type has both."""
    shown: list[dict[str, Any]] = []
    before = ""
    for index in table.indexes:
        one = _index(index)
        if one["type"] == "InetAddress" and before == "InetAddressType":
            shown.pop()
        before = index.syntax.base
        shown.append(one)
    return shown


def _lookups(table: Table) -> list[dict[str, Any]]:
    """Additional labels of an instance: ifName for an interface."""
    names = [index.name for index in table.indexes]
    if "ifIndex" not in names or "ifName" in names:
        return []
    return [
        {"labels": ["ifIndex"], "labelname": "ifName", "oid": _IF_NAME, "type": "DisplayString"}
    ]


def _changes(found: Object) -> dict[str, Any]:
    """The type of a metric, and what makes of the object's value that of the item."""
    syntax = found.syntax
    if syntax.base == "TruthValue":
        return {"type": "gauge", **_TRUTH}
    if syntax.labels:
        return {"type": "Bits" if syntax.base == "BITS" else "EnumAsStateSet"}
    return {"type": _type(syntax, found.counts)}


def _metric(table: Table, found: Object) -> dict[str, Any]:
    oid, changes = found.entry.dotted, _changes(found)
    shown = {
        "name": found.metric.name, "oid": oid, "type": changes.pop("type"),
        "help": f"{found.about} - {oid}",
    }  # fmt: skip
    if table.indexes:
        shown["indexes"] = _indexes(table)
    if lookups := _lookups(table):
        shown["lookups"] = lookups
    if found.syntax.labels:
        shown["enum_values"] = {label.value: label.name for label in found.syntax.labels}
    return {**shown, **changes}


def _oids(found: list[Table], rows: bool) -> list[Oid]:
    """The columns of tables, or the scalars. An InetAddress without a fixed size needs its type,
    which is the object before it."""
    oids = set()
    for member in (m for table in found if bool(table.oid) == rows for m in table.objects):
        oid = member.entry.oid
        oids |= {oid, (*oid[:-1], oid[-1] - 1)} if _type(member.syntax) == "InetAddress" else {oid}
    return sorted(oids)


def _ready(name: str, found: list[Table]) -> dict[str, Any]:
    """The configuration of the exporter. It walks columns, as a table may have some that are not
    wanted, and names of interfaces."""
    names = [_IF_NAME] if any(map(_lookups, found)) else []
    asked = {
        "walk": [*names, *map(dotted, _oids(found, True))],
        "get": [f"{dotted(oid)}.0" for oid in _oids(found, False)],
    }
    metrics = [_metric(table, member) for table in found for member in table.objects]
    module = {**{key: oids for key, oids in asked.items() if oids}, "metrics": metrics}
    return {"auths": AUTHS, "modules": {name: module}}


def _generator(name: str, found: list[Table]) -> dict[str, Any]:
    """The input of the generator."""
    members = [member for table in found for member in table.objects]
    module: dict[str, Any] = {"walk": [member.entry.name for member in members]}
    if any(map(_lookups, found)):
        module["lookups"] = [{"source_indexes": ["ifIndex"], "lookup": "ifName"}]
    module["overrides"] = {
        member.entry.name: {"name": member.metric.name, **_changes(member)} for member in members
    }
    return {"auths": AUTHS, "modules": {name: module}}


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The two files; nothing when there is nothing to poll."""
    lock, found = polled(module, options)
    if not found:
        return {}
    name = symbols.prefix(module.name)
    ready = in_yaml(module, options, "snmp.yml", _ready(name, found), lock.name)
    return ready | in_yaml(module, options, "generator.yml", _generator(name, found), lock.name)


BACKEND = BuiltIn("snmp_exporter", in_short(__doc__), generate, default=False, uses_lock=True)
