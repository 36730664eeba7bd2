# SPDX-License-Identifier: BSD-3-Clause
"""A discovery file for LibreNMS: counters, gauges and states as sensors."""

from typing import Any

from ..model import ir
from ..publish.nodespec import words
from . import BuiltIn, Options, in_short
from .polled import Object, Table, in_yaml, polled

CLASSES = {
    "Cel": "temperature", "V": "voltage", "A": "current", "W": "power", "Hz": "frequency",
    "dB[m]": "dbm", "dBm": "dbm", "%": "percent",
}  # fmt: skip
"""Classes of sensors by units; all others are a count of something."""

UNKNOWN = 3
"""LibreNMS: the generic value of a state without a declared severity."""


def _sensor(table: Table, found: Object) -> dict[str, Any]:
    entry = found.entry
    where = "{{ $index }}"
    unit = f" [{entry.unit}]" if entry.unit else ""
    what = f"{words(table.scope.name)} {where} {found.words}" if table.oid else found.words
    sensor: dict[str, Any] = {
        "oid": table.name if table.oid else entry.name,
        "value": entry.name,
        "num_oid": f".{entry.dotted}.{where}" if table.oid else f".{entry.dotted}.0",
        "index": f"{entry.name}.{where}" if table.oid else f"{entry.name}.0",
        "descr": f"{what}{unit}",
        "group": found.scope.name,
    }
    if not table.oid:
        del sensor["value"]
    if found.named:
        states = [
            {"descr": name, "graph": 0, "value": value, "generic": UNKNOWN}
            for value, name in found.named
        ]
        return {**sensor, "state_name": entry.name, "states": states}
    return {**sensor, "rrd_type": "COUNTER"} if found.counts else sensor


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The file; nothing when there are no numbers to read."""
    lock, found = polled(module, options)
    sensors: dict[str, Any] = {}
    numbers = ((t, one) for t in found for one in t.objects if not (one.text or one.moment))
    for table, one in numbers:
        kind = "state" if one.named else CLASSES.get(one.entry.unit, "count")
        kind = "count" if one.counts else kind
        sensors.setdefault(kind, {"data": []})["data"].append(_sensor(table, one))
    data = {"mib": lock.name, "modules": {"sensors": sensors}}
    return in_yaml(module, options, "librenms.yaml", data, lock.name) if sensors else {}


BACKEND = BuiltIn("librenms", in_short(__doc__), generate, default=False, uses_lock=True)
