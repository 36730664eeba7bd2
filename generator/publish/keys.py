# SPDX-License-Identifier: BSD-3-Clause
"""The index columns of a scope whose instances have keys (RFC 2578, 7.7; RFC 4001)."""

from collections.abc import Iterator
from typing import NamedTuple

from ..model import ir
from ..model.naming import smi
from .lock import Key
from .nodespec import around, enumeration, labels
from .text import shown

KEY, FAMILY = "key", "keytype"
"""Roles of the objects of a part of a key: of its value, and of the type of an address."""
PARTNERS = {KEY: FAMILY, FAMILY: KEY}
"""The role of the other object of an address."""


class Column(NamedTuple):
    """An index column: its key in the lock, its name, type and description."""

    key: Key
    name: str
    syntax: str
    description: str


def columns(scope: ir.Scope, start: str) -> Iterator[Column]:
    """The columns of the key of a scope, in the order of the INDEX clause; names begin with
    `start`."""
    for part in scope.key:
        name = start + smi.pascal(part.name)
        text = part.description + shown(part.labels)
        family = part.value_type.family
        if family:
            family_text = f"The type of the address in {name}: {family}."
            key = Key(scope.name, role=FAMILY, name=part.name)
            yield Column(key, f"{name}Type", "InetAddressType", family_text)
            text += f" The type of this address is given by {name}Type."
        key = Key(scope.name, role=KEY, name=part.name)
        yield Column(key, name, _syntax(part), text)


def _syntax(part: ir.KeyPart) -> str:
    """The type of the column of a part."""
    if part.labels:
        return enumeration(labels(part.labels))
    length = str(part.length) if part.fixed or not part.value_type.text else f"1..{part.length}"
    return part.value_type.smi.format(length)


def arcs(module: ir.Module, scope: ir.Scope) -> int:
    """Most sub-identifiers of the index of a scope's rows; index objects of other modules count as
    one."""
    return sum(
        sum(part.arcs for part in outer.key) or len(outer.snmp.index) or len(outer.own)
        for outer in around(module, scope)
    )
