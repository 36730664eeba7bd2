# SPDX-License-Identifier: BSD-3-Clause
"""The objects of a scope in its MIB module: those of its items, and what goes with them."""

import re
from collections.abc import Iterator
from functools import partial

from ..model import ir
from ..model.naming import smi
from . import nodespec, text
from .lock import Key, parse_oid
from .nodespec import NodeSpec, base_type, enumeration, prefix, scope_prefix, words

_PLURAL = re.compile(r"s[0-9]*\Z")
_PLURAL_UNIT = re.compile(r"[a-z]+s\Z")
_RANGED = ("Gauge32", "Integer32", "Unsigned32")


def members(module: ir.Module, scope: ir.Scope, parent: Key) -> Iterator[NodeSpec]:
    """The objects of a scope's items in order, each behind or before those that go with it."""
    for item in scope.items:
        part = _item(module, scope, item, parent)
        name = part.name
        companion = partial(part._replace, oid=(), fixed_name=False)
        if item.value_type.family and part.syntax == item.value_type.smi:
            family = f"The type of the address in {name}: {item.value_type.family}."
            yield companion(
                key=part.key.part("family"), name=f"{name}Type", syntax="InetAddressType",
                description=family, unit="",
            )  # fmt: skip
            text = f"{part.description} The type of this address is given by {name}Type."
            earlier = (item.value_type.imported_smi, part.description)
            part = part._replace(description=text, earlier=earlier)
        yield part
        if module.snmp.low_capacity and part.syntax == "Counter64":
            low = f"The low-order 32 bits of {name}, for managers that cannot read 64-bit counters."
            key = part.key.part("low")
            yield companion(key=key, name=f"{name}Low", syntax="Counter32", description=low)
    own = scope.name == ir.HEALTH  # its counts begin at 0 with each process
    counts = any(item.kind.accumulates for item in scope.items)
    if counts and (scope.reset or own or not _imported(scope)):
        whose = f"the counters of this {words(scope.name)}"
        start = f"{prefix(module)}Health" if own else scope_prefix(module, scope)
        if scope.name in ir.NAMELESS:
            whose = "the module-wide counters of this module"
        yield NodeSpec(
            Key(scope.name, role="discontinuity"), "object",
            f"{start}DiscontinuityTime", parent, "TimeStamp",
            description=f"The value of sysUpTime on the most recent occasion at "
            f"which any one or more of {whose} suffered a discontinuity, such as a "
            "reset. If no such discontinuity has occurred since the last re-initialization of the "
            "local management subsystem, then this object contains a zero value.",
            access="read-only",
        )  # fmt: skip


def _imported(scope: ir.Scope) -> bool:
    """Whether another module defines its objects, so that none may be added."""
    return bool(scope.snmp.oid) or any(item.snmp and item.snmp.oid for item in scope.items)


def _item(module: ir.Module, scope: ir.Scope, item: ir.Item, parent: Key) -> NodeSpec:
    snmp = item.snmp or ir.ItemSnmp()
    syntax = snmp.syntax or _item_syntax(module, scope, item)
    described = item.description + _more(scope, item, snmp)
    bounds = text.bounds(item.minimum, item.maximum)
    # what can have a range has it (RFC 2578, 9)
    bounded = bool(bounds) and syntax in _RANGED and not (snmp.syntax or snmp.oid)
    ranged = "{} ({}..{})".format(syntax, *item.range) if bounded else syntax
    earlier = (syntax, described + bounds) if bounds else ("", "")
    return NodeSpec(
        Key(scope.name, item.name), "object",
        snmp.name or scope_prefix(module, scope) + _object_name(item), parent,
        ranged, snmp.units or ("" if item.unit == "1" else item.unit),
        described if "(" in ranged else described + bounds, snmp.access or "read-only",
        snmp.status or "current", parse_oid(snmp.oid), fixed_name=bool(snmp.name),
        group=snmp.group, earlier=earlier,
    )  # fmt: skip


def _more(scope: ir.Scope, item: ir.Item, snmp: ir.ItemSnmp) -> str:
    """Sentence in an object's description that follows from the item's kind and type."""
    if item.value_type.moment and not snmp.syntax:
        return text.MOMENT
    if item.value_type.moment and not snmp.oid and base_type(snmp.syntax) == "DateAndTime":
        return text.CALENDAR
    if item.kind.says and not snmp.oid:
        since = "since the last reset" if scope.reset else "so far"
        return f" {item.kind.says.format('least' if item.least else 'greatest', since)}"
    return ""


def _object_name(item: ir.Item) -> str:
    """An item's part of a name. Counters have plurals by custom: `drop_ttl`, counted in packets,
    is `DropTtlPackets`."""
    name = smi.pascal(item.name)
    if item.histogram:  # `SizesTo64` is plural enough
        return name
    if item.kind.accumulates and not _PLURAL.search(name) and _PLURAL_UNIT.match(item.unit):
        return name + smi.pascal(item.unit)
    return name


def _item_syntax(module: ir.Module, scope: ir.Scope, item: ir.Item) -> str:
    imported = item.snmp is not None and bool(item.snmp.oid)
    if item.value_type.labelled:  # the object of an imported one has the labels itself
        return enumeration(labels(item)) if imported else _type_name(module, scope, item)
    return item.kind.syntax(item.value_type, item.length, imported=imported)


def _type_name(module: ir.Module, scope: ir.Scope, item: ir.Item) -> str:
    """Name of the textual convention of an enum: `EpSessionPhaseType`."""
    return f"{smi.capital(scope_prefix(module, scope) + smi.pascal(item.name))}Type"


def labels(item: ir.Item) -> tuple[tuple[str, int], ...]:
    """The labels of an item by their names in the MIB, in the order of their values."""
    return nodespec.labels(item.labels, dict(item.snmp.labels) if item.snmp is not None else None)


def enum_types(module: ir.Module, scope: ir.Scope) -> Iterator[NodeSpec]:
    """The textual conventions of the enums of a scope."""
    for item in scope.items:
        imported = item.snmp is not None and (item.snmp.oid or item.snmp.syntax)
        if item.value_type.labelled and not imported:
            yield NodeSpec(
                Key(scope.name, item.name, "type"), "type", _type_name(module, scope, item), None,
                enumeration(labels(item)), description=item.description + text.shown(item.labels),
            )  # fmt: skip
