# SPDX-License-Identifier: BSD-3-Clause
"""An SNMP input for Telegraf: fields, tables, and tags of the parts of their indexes."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from ..model import ir
from ..model.naming import symbols
from ..output.render import render
from . import BuiltIn, Options, in_short
from .polled import Object, Syntax, Table, polled

_OCTETS = r"\d+(?:\.\d+){{{}}}"
"""N more sub-identifiers after the first one."""
_CONVERSIONS = {
    "MacAddress": "hwaddr", "InetAddress": "ipaddr", "InetAddressIPv4": "ipaddr",
    "InetAddressIPv6": "ipaddr",
}  # fmt: skip
_PARTS = {"IpAddress": 4, "InetAddressIPv4": 4, "InetAddressIPv6": 16, "MacAddress": 6}
"""Types of index objects with as many sub-identifiers as they have octets."""
_VARIABLE = ("InetAddress", "OBJECT IDENTIFIER", "Opaque", "BITS")


class Field(NamedTuple):
    """A field: its name after that of the measurement, and the text of its comment."""

    name: str
    oid: str
    conversion: str
    about: str


def _field(table: Table, found: Object, measurement: str) -> Field:
    name = found.metric.name.removeprefix(f"{measurement}_")
    oid = found.entry.dotted if table.oid else f"{found.entry.dotted}.0"
    return Field(name, oid, _CONVERSIONS.get(found.syntax.base, ""), found.about)


def _pattern(syntax: Syntax) -> str:
    """Pattern of a part of an index; empty if the part includes its length."""
    octets = _PARTS.get(syntax.base, 0)
    if not octets and ("STRING" in syntax.base.upper() or syntax.base in _VARIABLE):
        octets = syntax.size
        if not octets:
            return ""
    return _OCTETS.format(octets - 1) if octets > 1 else r"\d+"


def _parts(table: Table) -> Iterator[tuple[str, str]]:
    """The tags of the parts of an index, with the patterns that match them; none if any part has
    no pattern: the parts cannot be separated."""
    patterns = [_pattern(index.syntax) for index in table.indexes]
    if not all(patterns):
        return
    for number, index in enumerate(table.indexes):
        marked = (f"({p})" if n == number else p for n, p in enumerate(patterns))
        pattern = r"\.".join(marked)
        yield index.label, f"^{pattern}$"


def _measurement(module: ir.Module, table: Table) -> str:
    return f"{module.name}_{table.scope.name}" if table.oid else module.name


def _rewrites(
    module: ir.Module, found: list[Table]
) -> Iterator[tuple[str, str, str, tuple[tuple[int, str], ...]]]:
    """Measurements, tags or fields by name, and their values that become others, as TOML has them:
    labels of indexes, and the truth as 1 and 0."""
    for table in found:
        name = _measurement(module, table)
        for index in table.indexes:
            named = index.syntax.named
            labels = tuple((n, json.dumps(name, ensure_ascii=False)) for n, name in named)
            if labels:
                yield name, "tag", index.label, labels
        for member in table.objects:
            if member.syntax.base == "TruthValue":
                yield name, "field", _field(table, member, name).name, ((1, "1"), (2, "0"))


def generate(module: ir.Module, options: Options) -> dict[str, str]:
    """The file; nothing when there is nothing to poll."""
    lock, found = polled(module, options)
    names = [_measurement(module, table) for table in found]
    fields = [
        [_field(table, member, name) for member in table.objects]
        for table, name in zip(found, names, strict=True)
    ]
    several = [*zip(found, names, fields, strict=True)]
    text = render(
        "monitoring/telegraf.conf.j2", options=options, mib=lock.name, module=module.name,
        scalars=[field for table, _, own in several if not table.oid for field in own],
        tables=[(name, own, [*_parts(table)]) for table, name, own in several if table.oid],
        rewrites=list(_rewrites(module, found)),
    )  # fmt: skip
    return {f"{symbols.prefix(module.name)}_telegraf.conf": text} if found else {}


BACKEND = BuiltIn("telegraf", in_short(__doc__), generate, default=False, uses_lock=True)
