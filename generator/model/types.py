# SPDX-License-Identifier: BSD-3-Clause
"""The types of items and of parameters: one row each, a column for every fact about it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A type; `name` is how a schema has it.

    In C: `c` is the type of a value (of each octet of a wide one; empty for an enum, which has a
    type of its own), `constant` what follows `CTR_` in its `enum ctr_type`. `octets` is the size
    of the word that holds a value, or of a `wide` value, which fits no word; 0 for one that has
    the `length` of the item and a terminator. `width` is that of the intermediate representation,
    in bits. `low` and `high` bound the values of a type that is not wide. `accessors` are verbs of
    functions that items of the type have beyond those of their kind.

    Elsewhere: `smi` is the syntax of an object, `family` the InetAddressType that goes with it,
    `imported_smi` the syntax of an imported one where it differs, `smi_names` are the types of SMI
    modules that become this one. `metric` is the type in Prometheus: `info` for values shown as
    text. `state` says whether a state can have the type, `key` which key of the schema goes with
    it, as in `example`.
    """

    name: str
    c: str
    width: int
    octets: int
    low: int = 0
    high: int = 0
    constant: str = ""
    smi: str = ""
    imported_smi: str = ""
    smi_names: tuple[str, ...] = ()
    metric: str = "gauge"
    state: bool = True
    wide: bool = False
    key: str = ""
    example: str = ""
    accessors: tuple[str, ...] = ()
    family: str = ""

    @property
    def moment(self) -> bool:
        """Whether a value is a point in time, 0 for never."""
        return "touch" in self.accessors

    @property
    def signed(self) -> bool:
        """Whether a value can be negative."""
        return self.low < 0

    @property
    def labelled(self) -> bool:
        """Whether values have names: those of an enum."""
        return self.key == "labels"

    @property
    def text(self) -> bool:
        """Whether a value is shown as text or octets rather than as a number."""
        return self.metric == "info"


INT32 = (-(2**31), 2**31 - 1)
"""Bounds of a signed number of 32 bits: `Integer32`, the value of a label."""

_BITS8, _BITS16, _BITS32, _BITS64 = ((0, 2**bits - 1) for bits in (8, 16, 32, 64))

_TEXTS = ("DisplayString", "SnmpAdminString", "OwnerString", "Utf8String")

_TABLE = (
    Type("bool", "bool", 8, 4, 0, 1, "BOOL", "TruthValue", smi_names=("TruthValue",)),
    Type("int32", "int32_t", 32, 4, *INT32, "I32", "Integer32"),
    Type("uint8", "uint8_t", 8, 4, *_BITS8, state=False),
    Type("uint16", "uint16_t", 16, 4, *_BITS16, state=False),
    Type("uint32", "uint32_t", 32, 4, *_BITS32, "U32", "Unsigned32"),
    Type("uint64", "uint64_t", 64, 8, *_BITS64, "U64", "CounterBasedGauge64"),
    Type(
        "enum", "", 32, 4, *INT32, "ENUM", "INTEGER",
        metric="stateset", key="labels", example="`labels: {idle: 1, up: 2}`",
    ),
    Type(
        "timeticks", "uint32_t", 32, 4, *_BITS32, "TIMETICKS", "TimeTicks",
        smi_names=("TimeTicks", "TimeStamp"),
    ),
    Type("timestamp", "uint64_t", 64, 8, *_BITS64, "TIMESTAMP", "TimeStamp", accessors=("touch",)),
    Type(
        "ipv4", "uint32_t", 32, 4, *_BITS32, "IPV4", "InetAddress (SIZE (4))",
        imported_smi="IpAddress", metric="info", family="ipv4(1)",
        smi_names=("IpAddress", "NetworkAddress", "InetAddressIPv4"),
    ),
    Type(
        "ipv6", "uint8_t", 128, 16, constant="IPV6", smi="InetAddress (SIZE (16))",
        imported_smi="OCTET STRING (SIZE (16))", metric="info", wide=True, family="ipv6(2)",
        smi_names=("InetAddressIPv6", "Ipv6Address"),
    ),
    Type(
        "mac", "uint8_t", 48, 6, constant="MAC", smi="MacAddress", metric="info", wide=True,
        smi_names=("MacAddress",),
    ),
    Type(
        "string", "char", 0, 0, constant="STRING", smi="SnmpAdminString (SIZE (0..{}))",
        metric="info", wide=True, smi_names=_TEXTS, key="length", example="`length: 32`",
    ),
)  # fmt: skip

TYPES = {row.name: row for row in _TABLE}
"""Every type by its name."""

_CODES = "uint32 uint64 bool int32 enum timeticks ipv4 ipv6 mac string timestamp"
CODES = {row.constant.lower(): row for row in map(TYPES.__getitem__, _CODES.split())}
"""Rows by the constants of `enum ctr_type`, in the order of these."""

STATES = tuple(row.name for row in _TABLE if row.state)
"""Types that a state can have."""

PARAMETERS = ("bool", "uint8", "uint16", "uint32", "uint64", "int32")
"""Types that a parameter of an update can have."""

KEYS = {row.key: row for row in _TABLE if row.key}
"""Keys of a state that go with one type only."""

BY_SMI = {name: row.name for row in _TABLE for name in row.smi_names}
"""The type that a state has by the name of its type in an SMI module."""
