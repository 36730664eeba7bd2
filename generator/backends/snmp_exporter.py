# SPDX-License-Identifier: BSD-3-Clause
"""snmp.yml and generator.yml: the MIB's objects as metrics, for Prometheus' snmp_exporter."""

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


def _changes(found: Object) -> dict[str, Any]:
    """The type of a metric, and what makes of the object's value that of the item."""
    syntax = found.syntax
    if syntax.base == "TruthValue":
        return {"type": "gauge", **_TRUTH}
    if syntax.named:
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
    if _has_name(table):
        shown["lookups"] = [_NAME]
    return {**shown, **_enumerated(found.syntax), **changes}


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
    wanted, and names of interfaces; and the input of its generator. Nothing when there is nothing
    to poll."""
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
    members = {member.entry.name: member for table in found for member in table.objects}
    generator = {
        "walk": [*members],
        **({"lookups": [{"source_indexes": ["ifIndex"], "lookup": "ifName"}]} if named else {}),
        "overrides": {n: {"name": m.metric.name, **_changes(m)} for n, m in members.items()},
    }
    name, files = symbols.prefix(module.name), dict[str, str]()
    for end, data in (("snmp.yml", ready), ("generator.yml", generator)):
        whole = {"auths": AUTHS, "modules": {name: data}}
        files |= in_yaml(module, options, end, whole, lock.name)
    return files


BACKEND = BuiltIn("snmp_exporter", in_short(__doc__), generate, default=False, uses_lock=True)
