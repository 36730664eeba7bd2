# SPDX-License-Identifier: BSD-3-Clause
"""A template for Zabbix: SNMP items, discovery rules of tables, value maps."""

import hashlib
import json
import uuid
from typing import Any

from ..model import ir
from ..output.render import render
from ..publish.lock import Oid, dotted
from ..publish.wanted import words
from . import BuiltIn, Options, in_short
from .polled import Index, Object, Table, in_yaml, polled

VERSION = "6.0"
"""Version of the format; later ones of Zabbix read it."""

GROUP = {"uuid": "a571c0d144b14fd4a87a9d9b2aa9fcd6", "name": "Templates/Applications"}
"""The group of templates that Zabbix comes with, under the UUID that it has there."""

_NUMBERS = (
    "Integer32", "INTEGER", "InterfaceIndex", "InterfaceIndexOrZero", "Unsigned32", "Gauge32",
)  # fmt: skip
_TAKEN = ("SNMPINDEX", "SNMPVALUE")
_RATE = [{"type": "CHANGE_PER_SECOND", "parameters": [""]}]


def unique(oid: Oid, what: str) -> str:
    """A UUID that is always that of the same thing: of version 4 by its form, made from an OID."""
    digest = hashlib.sha256(f"{dotted(oid)} {what}".encode()).digest()
    return uuid.UUID(bytes=digest[:16], version=4).hex


def _value_type(found: Object) -> str:
    if found.text:
        return "CHAR"
    negative = any(value < 0 for value, _ in found.named)
    signed = found.syntax.base in ("Integer32", "INTEGER") and not found.syntax.named
    return "FLOAT" if found.counts or signed or negative else "UNSIGNED"


def _item(table: Table, found: Object, whose: str) -> dict[str, Any]:
    """An item, or the prototype of one."""
    entry, place = found.entry, "{#SNMPINDEX}" if table.oid else "0"
    kind, unit = _value_type(found), entry.unit
    item: dict[str, Any] = {
        "uuid": unique(entry.oid, "item"), "name": f"{whose}: {found.words}",
        "type": "SNMP_AGENT", "snmp_oid": f"{entry.dotted}.{place}",
        "key": f"{found.metric.name}[{place}]" if table.oid else found.metric.name,
        "value_type": kind,
        "trends": "0" if kind == "CHAR" else "",
        "units": "" if kind == "CHAR" else f"{unit}/s" if unit and found.counts else unit,
        "description": " ".join(entry.description.split()),
        "valuemap": {"name": found.metric.name} if found.named else {},
        "preprocessing": _RATE if found.counts else [],
        "tags": [{"tag": "scope", "value": found.scope.name}],
    }  # fmt: skip
    return {key: value for key, value in item.items() if value}


def _macro(index: Index) -> str:
    """The macro of a part of an index."""
    name = index.label.upper().replace("-", "_")
    return f"{{#{f'{name}_PART' if name in _TAKEN else name}}}"


def _split(table: Table) -> str:
    """The script that makes a macro of each part of an index; empty where parts are no numbers."""
    if not all(index.syntax.named or index.syntax.base in _NUMBERS for index in table.indexes):
        return ""
    indexes = [(_macro(i), {str(n): name for n, name in i.syntax.named}) for i in table.indexes]
    template = "monitoring/zabbix_indexes.js.j2"
    return render(template, indexes=json.dumps(indexes), instance="{#SNMPINDEX}").strip()


def _rule(module: ir.Module, table: Table) -> dict[str, Any]:
    """The discovery of the rows of a table, by the first column that can be read."""
    script, first = _split(table), table.objects[0].entry
    places = [_macro(index) for index in table.indexes] if script else ["{#SNMPINDEX}"]
    name = f"{module.name} {words(table.scope.name)}"
    whose = f"{name} {' '.join(places)}"
    rule: dict[str, Any] = {
        "uuid": unique(table.oid, "rule"), "name": name, "type": "SNMP_AGENT",
        "snmp_oid": f"discovery[{{#SNMPVALUE}},{first.dotted}]",
        "key": f"{module.name}_{table.scope.name}.discovery",
        "delay": "1h",
        "description": " ".join(table.description.split()),
        "item_prototypes": [_item(table, member, whose) for member in table.objects],
    }  # fmt: skip
    if script:
        rule["preprocessing"] = [{"type": "JAVASCRIPT", "parameters": [script]}]
    return rule


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The template; nothing when there is nothing to poll."""
    lock, found = polled(module, options)
    members = [(table, member) for table in found for member in table.objects]
    value_maps = [
        {
            "uuid": unique(one.entry.oid, "valuemap"), "name": one.metric.name,
            "mappings": [{"value": str(value), "newvalue": name} for value, name in one.named],
        }
        for _, one in members if one.named
    ]  # fmt: skip
    template: dict[str, Any] = {
        "uuid": unique(lock.oid, "template"), "template": f"{lock.name} SNMP",
        "name": f"{lock.name} SNMP", "description": module.description,
        "groups": [{"name": GROUP["name"]}],
        "items": [_item(table, one, module.name) for table, one in members if not table.oid],
        "discovery_rules": [_rule(module, table) for table in found if table.oid],
        "valuemaps": value_maps,
    }  # fmt: skip
    template = {key: value for key, value in template.items() if value}
    data = {"zabbix_export": {"version": VERSION, "groups": [GROUP], "templates": [template]}}
    return in_yaml(module, options, "zabbix.yaml", data, lock.name) if found else {}


BACKEND = BuiltIn("zabbix", in_short(__doc__), generate, default=False, uses_lock=True)
