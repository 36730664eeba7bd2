# SPDX-License-Identifier: BSD-3-Clause
"""What kind of item an SMI type makes, and how the type is written in a schema."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from ...model import kinds
from ...model.kinds import Kind
from ...model.types import BY_SMI, INT32, TYPES
from ...model.types import Type as ItemType
from .model import OF_SMI, Labels, Type

Lookup = Callable[[str, str], Type | None]
"""Finds the type that a module defines: module, name."""

INT32_RANGE = range(INT32[0], INT32[1] + 1)
"""Values that a label of an enumeration can have."""

_DEEP = 16
_STRING = re.compile(r"[at]$|^(1|255)?[at]")

_BASES = ("Integer32", "Unsigned32", "OctetString", "ObjectIdentifier")
_SPELLED = {
    "OctetString": "OCTET STRING",
    "ObjectIdentifier": "OBJECT IDENTIFIER",
    "Enumeration": "INTEGER",
    "Bits": "BITS",
    "Unsigned64": "Counter64",
    "Integer64": "Integer32",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """What an object becomes: an item of a kind and type, and the keys that follow from it.

    `note` says what of the object's values does not fit, and is empty when all do.
    """

    kind: Kind
    type: ItemType
    length: int = 0
    labels: Labels = ()
    bounds: tuple[int, int] | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Resolved:
    """A type with all that it is made from: names from the outermost to SMI's own."""

    names: tuple[str, ...]
    base: str
    ranges: tuple[tuple[str, str], ...]
    labels: Labels
    hint: str


def resolve(type_: Type, lookup: Lookup) -> Resolved:
    """Follow a type to its base; what cannot be found ends the chain."""
    names: list[str] = []
    base, hint = "", ""
    ranges: tuple[tuple[str, str], ...] = ()
    labels: Labels = ()
    current: Type | None = type_
    while current is not None:
        base, ranges = base or current.base, ranges or current.ranges
        labels, hint = labels or current.labels, hint or current.hint
        if not current.parent or len(names) == _DEEP:
            break
        module, _, name = current.parent.rpartition("::")
        names.append(name)
        current = lookup(module, name)
    if not base and names and names[-1] in _BASES:
        base = names[-1]
    return Resolved(tuple(names), base, ranges, labels, hint)


def entry(type_: Type, lookup: Lookup) -> Entry:
    """What an object of a type becomes in a schema."""
    resolved = resolve(type_, lookup)
    for name in resolved.names:
        if name in kinds.BY_SMI:
            kind, of = kinds.BY_SMI[name]
            return Entry(kind, of, bounds=bounds(resolved) if kind.bounded else None)
        known = BY_SMI.get(name, "")
        if known == "string":
            return _string(resolved)
        if known:
            return _state(known)
    if resolved.base == "Unsigned64":
        return Entry(Kind.GAUGE, TYPES["uint64"])
    return _by_base(resolved)


def _state(name: str, *, length: int = 0, labels: Labels = (), note: str = "") -> Entry:
    return Entry(Kind.STATE, TYPES[name], length, labels, note=note)


def _by_base(resolved: Resolved) -> Entry:
    if resolved.base == "Enumeration" or (resolved.base in ("Integer32", "") and resolved.labels):
        return _state("enum", labels=resolved.labels)
    if resolved.base == "Integer32":
        return _state("int32")
    if resolved.base == "Unsigned32":
        return _state("uint32")
    if resolved.base == "Bits":
        note = "BITS are kept as text, an octet at a time, which ends at an octet of zero"
        octets = max((number for _, number in resolved.labels), default=7) // 8 + 1
        return _state("string", length=min(max(octets, 1), 255), note=note)
    if resolved.base == "OctetString":
        size = _size(resolved)
        inet = "InetAddress" in resolved.names
        if inet and resolved.ranges and size == 16 and resolved.ranges[0][0] == "16":
            return _state("ipv6")
        if inet and resolved.ranges and size == 4 and resolved.ranges[0][0] == "4":
            return _state("ipv4")
        if _STRING.search(resolved.hint):
            return _string(resolved)
        return _string(resolved, "octets are kept as text, which ends at an octet of zero")
    if resolved.base == "ObjectIdentifier":
        return _state("string", length=255, note="an OBJECT IDENTIFIER is kept as text")
    name = resolved.names[-1] if resolved.names else "an unknown type"
    return _state("string", length=255, note=f"{name} is kept as text")


def _string(resolved: Resolved, note: str = "") -> Entry:
    size = _size(resolved)
    if size > 255:
        note = note or f"only 255 of its {size} octets fit"
    return _state("string", length=min(max(size, 1), 255), note=note)


def _size(resolved: Resolved) -> int:
    sizes = [int(high) for _, high in resolved.ranges if high.isdigit()]
    return max(sizes, default=255)


def bounds(resolved: Resolved) -> tuple[int, int] | None:
    """The range of a type, where it is a single one that begins at 0 or above."""
    if len(resolved.ranges) != 1:
        return None
    low, high = resolved.ranges[0]
    return (int(low), int(high)) if low.isdigit() and high.isdigit() else None


def spelled(type_: Type, module: str) -> str:
    """A type as `snmp: {syntax: ...}` has it; labels of an enumeration are not in it.

    Empty for one that has no such form (an enumeration without a name).
    """
    name = type_.parent.removeprefix(f"{module}::")
    bare = name.rpartition("::")[2]
    name = "Integer32" if bare == "Integer32" else OF_SMI.get(bare, name)
    name = _SPELLED.get(name, name) or _SPELLED.get(type_.base, type_.base)
    labelled = type_.base in ("Enumeration", "Bits")
    if not name or (labelled and not type_.parent):
        return "BITS" if type_.base == "Bits" else ""
    ranges = "|".join(low if low == high else f"{low}..{high}" for low, high in type_.ranges)
    if not ranges or labelled:
        return name
    size = type_.base in ("OctetString", "ObjectIdentifier", "")
    return f"{name} (SIZE ({ranges}))" if size else f"{name} ({ranges})"


def completed(type_: Type, lookup: Lookup) -> Type:
    """A type with its base filled in, so that it can be spelled."""
    return type_ if type_.base else replace(type_, base=resolve(type_, lookup).base)
