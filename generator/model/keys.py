# SPDX-License-Identifier: BSD-3-Clause
"""Keys of instances: the types that a part of a key can have, a row for each, and parts."""

import dataclasses
from dataclasses import dataclass

from ..findings.diagnostics import NOWHERE, Span
from .published import Label


@dataclass(frozen=True, slots=True)
class KeyType:
    """A type of a part of a key; `name` is how a schema has it.

    In C: `c` is the type of a value (of each octet of an array; empty for an enum), `octets` the
    length of an array (0: no array, or as long as the part says), `size` the bytes and `align` the
    alignment of what is no array, `constant` what follows `CTR_KEY_` in its `enum ctr_key_type`.

    In the MIB: `smi` is the syntax of the index object, with `{}` for the size of a string.
    `family` says that an InetAddressType precedes it. `arcs` is the number of
    sub-identifiers in an index, except those of a string. `key` is the key of the schema that
    goes with the type.
    """

    name: str
    c: str
    constant: str
    smi: str
    arcs: int = 1
    octets: int = 0
    size: int = 4
    align: int = 4
    family: str = ""
    key: str = ""

    @property
    def text(self) -> bool:
        """Whether it is a string, whose length may vary."""
        return self.name == "string"


_INET = "InetAddress (SIZE (4 | 16))"
"""The type of an address of either version. It is that of a key of one version, too: its length is
in the index, as managers know it of other tables, and the other version can come later."""

_TABLE = (
    KeyType("uint32", "uint32_t", "UINT32", "Unsigned32 (0..4294967295)"),
    KeyType("int32", "int32_t", "INT32", "Integer32 (0..2147483647)"),
    KeyType("enum", "", "ENUM", "INTEGER", key="labels"),
    KeyType("inet_port", "uint16_t", "PORT", "InetPortNumber", size=2, align=2),
    KeyType("ipv4", "uint32_t", "IPV4", _INET, 6, family="ipv4(1)"),
    KeyType("ipv6", "uint8_t", "IPV6", _INET, 18, octets=16, align=1, family="ipv6(2)"),
    KeyType(
        "ip_address", "struct ctr_ip_address", "IP", _INET, 18, size=20, family="ipv4(1) or ipv6(2)"
    ),
    KeyType("mac", "uint8_t", "MAC", "MacAddress", 6, octets=6, align=1),
    KeyType("string", "char", "STRING", "SnmpAdminString (SIZE ({}))", 0, align=1, key="length"),
    KeyType("octets", "uint8_t", "OCTETS", "OCTET STRING (SIZE ({}))", 0, align=1, key="length"),
)  # fmt: skip

KEY_TYPES = {row.name: row for row in _TABLE}
"""Every type by its name."""

TYPE_NAMES = tuple(KEY_TYPES)


@dataclass(frozen=True, slots=True)
class KeyPart:
    """A part of the key of a scope's instances. `length` is the maximum of octets of a string,
    exact if `fixed`, and that of `octets`. `implied`: a string at the end of an index without its
    length. `renamed_from` is a former name, or empty."""

    name: str
    type: str
    description: str
    length: int = 0
    fixed: bool = False
    implied: bool = False
    labels: tuple[Label, ...] = ()
    renamed_from: str = ""
    span: Span = dataclasses.field(default=NOWHERE, compare=False)

    @property
    def value_type(self) -> KeyType:
        """The row of its type in the table of types."""
        return KEY_TYPES[self.type]

    @property
    def octets(self) -> int:
        """Elements of the array that is its member in C, the terminator of a string included; 0
        where that is no array."""
        if self.value_type.text:
            return self.length + 1
        return self.value_type.octets or (self.length if self.type == "octets" else 0)

    @property
    def arcs(self) -> int:
        """Most sub-identifiers that it takes in an index (RFC 2578, 7.7)."""
        counted = self.value_type.text and not self.fixed and not self.implied
        return self.value_type.arcs + self.length + counted


def size(parts: tuple[KeyPart, ...]) -> int:
    """Bytes of the struct of a key, whose members are in the order of the parts."""
    end, whole = 0, 1
    for part in parts:
        align, octets = part.value_type.align, part.octets or part.value_type.size
        end, whole = -(-end // align) * align + octets, max(whole, align)
    return -(-end // whole) * whole


CHUNK = 1024
"""Keys for which memory is allocated at a time (runtime/src/core/ctr_key.c)."""
TABLE = 16
"""Bytes of the table of a scope's keys, without its lists and the pointers to chunks."""
RECORD = 8
"""Bytes of a record before the key."""


def memory(parts: tuple[KeyPart, ...], most: int, existing: int) -> int:
    """Bytes of the table of a scope with up to `most` instances, of which the first `existing`
    have keys."""
    chunks, used = -(-most // CHUNK), -(-existing // CHUNK)
    record = RECORD + -(-size(parts) // 8) * 8
    return TABLE + 8 * chunks + 4 * most + used * CHUNK * record
