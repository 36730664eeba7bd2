# SPDX-License-Identifier: BSD-3-Clause
"""snmp.yml: the MIB's objects as metrics, for Prometheus' snmp_exporter."""

from typing import Any

from ..model import ir
from ..model.naming import symbols
from ..publish.lock import Oid, dotted
from . import BuiltIn, Options, in_short
from .polled import Index, Object, Syntax, Table, in_yaml, polled

_TRUTH = {"scale": -1, "offset": 2}
"""TruthValue is 1 for true and 2 for false, a metric 1 and 0."""

_NAME = {"labels": ["ifIndex"], "labelname": "ifName", "oid": "1.3.6.1.2.1.31.1.1.1.1",
         "type": "DisplayString"}  # fmt: skip
"""The lookup of an interface's name."""

AUTHS = {"public_v2": {"version": 2, "community": "public"}}
"""The authentication profile, by its name in the exporter's default file."""


def _type(syntax: Syntax, counts: bool = False) -> str:
    """The type of a metric, or of an index, whose named values do not make it one."""
    mac = (syntax.base, syntax.size) == ("PhysAddress", 6)
    return "PhysAddress48" if mac else syntax.text or ("counter" if counts else "gauge")


def _enumerated(syntax: Syntax) -> dict[str, Any]:
    return {"enum_values": dict(syntax.named)} if syntax.named else {}


def _index(index: Index) -> dict[str, Any]:
    kind = "EnumAsInfo" if index.syntax.named else _type(index.syntax)
    shown: dict[str, Any] = {"labelname": index.label, "type": kind}
    if index.syntax.size and kind in ("OctetString", "DisplayString"):
        shown["fixed_size"] = index.syntax.size
    if index.implied:
        shown["implied"] = True
    return shown | _enumerated(index.syntax)


def _indexes(table: Table) -> list[dict[str, Any]]:
    """The indexes; an InetAddress that is behind its type has both."""
    families = [index.syntax.base == "InetAddressType" for index in table.indexes]
    shown = [_index(index) for index in table.indexes]
    joined = [f and n["type"] == "InetAddress" for f, n in zip(families, shown[1:], strict=False)]
    return [one for one, is_family in zip(shown, [*joined, False], strict=True) if not is_family]


def _has_name(table: Table) -> bool:
    """Whether instances get the ifName of an interface as another label."""
    names = {index.name for index in table.indexes}
    return "ifIndex" in names and "ifName" not in names


def _metric(table: Table, found: Object) -> dict[str, Any]:
    oid, syntax, kind = found.entry.dotted, found.syntax, _type(found.syntax, found.counts)
    if syntax.named:
        kind = "Bits" if syntax.base == "BITS" else "EnumAsStateSet"
    shown: dict[str, Any] = {"name": found.metric.name, "oid": oid, "type": kind}
    shown["help"] = f"{found.about} - {oid}"
    if table.indexes:
        shown["indexes"] = _indexes(table)
    if _has_name(table):
        shown["lookups"] = [_NAME]
    truth = _TRUTH if syntax.base == "TruthValue" else {}
    return {**shown, **_enumerated(syntax), **truth}


def _oids(found: list[Table], rows: bool) -> list[Oid]:
    """The columns of tables, or the scalars. An InetAddress without a fixed size needs its type,
    which is the object before it."""
    oids = set()
    for member in (m for table in found if bool(table.oid) == rows for m in table.objects):
        oid = member.entry.oid
        oids |= {oid, (*oid[:-1], oid[-1] - 1)} if _type(member.syntax) == "InetAddress" else {oid}
    return sorted(oids)


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The configuration of the exporter, which walks columns, as a table may have some that are not
    wanted, and names of interfaces. Nothing when there is nothing to poll."""
    lock, found = polled(module, options)
    if not found:
        return {}
    named = any(map(_has_name, found))
    asked = {
        "walk": [*([_NAME["oid"]] if named else []), *map(dotted, _oids(found, True))],
        "get": [f"{dotted(oid)}.0" for oid in _oids(found, False)],
    }
    metrics = [_metric(table, member) for table in found for member in table.objects]
    ready = {key: oids for key, oids in asked.items() if oids} | {"metrics": metrics}
    data = {"auths": AUTHS, "modules": {symbols.prefix(module.name): ready}}
    return in_yaml(module, options, "snmp.yml", data, lock.name)


BACKEND = BuiltIn("snmp_exporter", in_short(__doc__), generate, default=False, uses_lock=True)
