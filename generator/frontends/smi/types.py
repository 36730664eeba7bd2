# SPDX-License-Identifier: BSD-3-Clause
"""Mapping of SMI types to kinds of items and to types of a schema."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

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
_NUMBERS = {"Integer32": "int32", "Unsigned32": "uint32"}
_ADDRESSES = {("4", 4): "ipv4", ("16", 16): "ipv6"}
_SPELLED = {
    "OctetString": "OCTET STRING",
    "ObjectIdentifier": "OBJECT IDENTIFIER",
    "Enumeration": "INTEGER",
    "Bits": "BITS",
    "Unsigned64": "Counter64",
    "Integer64": "Integer32",
}


class Entry(NamedTuple):
    """Item for an imported object: its kind, its type, and the keys that follow from it.

    `note` names values of the object that do not fit, and is empty when all do.
    """

    kind: Kind
    type: ItemType
    length: int = 0
    labels: Labels = ()
    bounds: tuple[int, int] | None = None
    note: str = ""


def resolve(type_: Type, lookup: Lookup) -> tuple[list[str], Type]:
    """The names that a type is made from, up to SMI's own, and the type with all they give it.

    What cannot be found ends the chain.
    """
    names: list[str] = []
    full, above = type_, type_
    while above.parent and len(names) < _DEEP:
        module, _, name = above.parent.rpartition("::")
        names.append(name)
        found = lookup(module, name)
        if found is None:
            break
        above = found
        full = replace(
            full,
            base=full.base or above.base,
            ranges=full.ranges or above.ranges,
            labels=full.labels or above.labels,
            hint=full.hint or above.hint,
        )
    if not full.base and names and names[-1] in _BASES:
        full = replace(full, base=names[-1])
    return names, full


def last(type_: Type, lookup: Lookup) -> str:
    """The name at the end of the chain that a type is made from: `MODULE::Name`, or bare."""
    for _ in range(_DEEP):
        module, _, name = type_.parent.rpartition("::")
        above = lookup(module, name)
        if above is None or not above.parent:
            break
        type_ = above
    return type_.parent


def entry(type_: Type, lookup: Lookup) -> Entry:
    """The schema entry for an object of a type."""
    names, full = resolve(type_, lookup)
    for name in names:
        if name in kinds.BY_SMI:
            kind, of = kinds.BY_SMI[name]
            return Entry(kind, of, bounds=bounds(full) if kind.bounded else None)
        known = BY_SMI.get(name, "")
        if known == "string":
            return _string(full)
        if known:
            return _state(known)
    if full.base == "Unsigned64":
        return Entry(Kind.GAUGE, TYPES["uint64"])
    return _by_base(names, full)


def _state(name: str, *, length: int = 0, labels: Labels = (), note: str = "") -> Entry:
    return Entry(Kind.STATE, TYPES[name], length, labels, note=note)


def _number(name: str, full: Type) -> Entry:
    """A state that is a number, with a single range that its type can hold."""
    entry, kept = _state(name), [bound for pair in full.ranges for bound in pair]
    if len(full.ranges) != 1 or not all(re.fullmatch(r"-?[0-9]{1,10}", bound) for bound in kept):
        return entry
    low, high = map(int, kept)
    fits = entry.type.low <= low <= high <= entry.type.high
    return entry._replace(bounds=(low, high)) if fits else entry


def _by_base(names: list[str], full: Type) -> Entry:
    if full.base == "Enumeration" or (full.base in ("Integer32", "") and full.labels):
        return _state("enum", labels=full.labels)
    if full.base in _NUMBERS:
        return _number(_NUMBERS[full.base], full)
    if full.base == "Bits":
        note = "BITS are kept as text, an octet at a time, which ends at an octet of zero"
        octets = max((number for _, number in full.labels), default=7) // 8 + 1
        return _state("string", length=min(max(octets, 1), 255), note=note)
    if full.base == "OctetString":
        if "InetAddress" in names and full.ranges:
            sizes = (full.ranges[0][0], _size(full))
            if sizes in _ADDRESSES:
                return _state(_ADDRESSES[sizes])
        if _STRING.search(full.hint):
            return _string(full)
        return _string(full, "octets are kept as text, which ends at an octet of zero")
    if full.base == "ObjectIdentifier":
        return _state("string", length=255, note="an OBJECT IDENTIFIER is kept as text")
    name = names[-1] if names else "an unknown type"
    return _state("string", length=255, note=f"{name} is kept as text")


def _string(full: Type, note: str = "") -> Entry:
    size = _size(full)
    if size > 255:
        note = note or f"only 255 of its {size} octets fit"
    return _state("string", length=min(max(size, 1), 255), note=note)


def _size(type_: Type) -> int:
    sizes = [int(high) for _, high in type_.ranges if high.isdigit()]
    return max(sizes, default=255)


def bounds(type_: Type) -> tuple[int, int] | None:
    """The range of a type, where it is a single one that begins at 0 or above."""
    if len(type_.ranges) != 1:
        return None
    low, high = type_.ranges[0]
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
    return type_ if type_.base else replace(type_, base=resolve(type_, lookup)[1].base)


LONGEST = 64
"""Characters of a label, at most (RFC 2578, 3.1)."""


def distinct(labels: Labels) -> tuple[Labels, list[str]]:
    """Labels of which no two have the same name or number, none too long; and those that are not
    among them, or changed."""
    names: set[str] = set()
    values: set[int] = set()
    unique, duplicates = [], []
    for name, value in labels:
        if value in values:
            duplicates.append(name)
            continue
        short = name if len(name) <= LONGEST else name[: LONGEST - 4].rstrip("-")
        new, number = short, 2
        while new in names:  # each turn gives another name
            new, number = f"{short}V{number}", number + 1
        if new != name:
            duplicates.append(name)
        names.add(new)
        values.add(value)
        unique.append((new, value))
    return tuple(unique), duplicates
