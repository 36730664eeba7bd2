# SPDX-License-Identifier: BSD-3-Clause
"""Types of the SMI in outputs: a new type is a row of this table."""

from typing import NamedTuple


class Shown(NamedTuple):
    """How outputs show a type: its type in YANG (RFC 6991) with a range or length, and that of
    snmp_exporter, which is empty for numbers."""

    yang: str = "string"
    limits: str = ""
    text: str = ""


SHOWN = {
    "Counter32": Shown("yang:counter32"), "Counter64": Shown("yang:counter64"),
    "ZeroBasedCounter32": Shown("yang:zero-based-counter32"),
    "ZeroBasedCounter64": Shown("yang:zero-based-counter64"),
    "Gauge32": Shown("yang:gauge32"), "CounterBasedGauge64": Shown("yang:gauge64"),
    "Integer32": Shown("int32"), "INTEGER": Shown("int32"), "Unsigned32": Shown("uint32"),
    "TimeTicks": Shown("yang:timeticks"), "TimeStamp": Shown("yang:timestamp"),
    "TruthValue": Shown("boolean"), "InetPortNumber": Shown("inet:port-number"),
    "InetAutonomousSystemNumber": Shown("inet:as-number"),
    "InetAddressPrefixLength": Shown("uint32", "0..2040"),
    "InterfaceIndex": Shown("int32", "1..2147483647"),
    "InterfaceIndexOrZero": Shown("int32", "0..2147483647"),
    "TimeInterval": Shown("int32", "0..2147483647"),
    "IpAddress": Shown("inet:ipv4-address-no-zone", "", "InetAddressIPv4"),
    "InetAddressIPv4": Shown("inet:ipv4-address-no-zone", "", "InetAddressIPv4"),
    "InetAddressIPv6": Shown("inet:ipv6-address-no-zone", "", "InetAddressIPv6"),
    "InetAddress": Shown("inet:ip-address-no-zone", "", "InetAddress"),
    "MacAddress": Shown("yang:mac-address", "", "PhysAddress48"),
    "DateAndTime": Shown("yang:date-and-time", "", "DateAndTime"),
    "DisplayString": Shown("string", "0..255", "DisplayString"),
    "SnmpAdminString": Shown("string", "0..255", "DisplayString"),
    "OwnerString": Shown("string", "0..255", "DisplayString"),
    "InetAddressDNS": Shown("string", "", "DisplayString"),
    "OCTET STRING": Shown("string", "", "OctetString"), "BITS": Shown("string", "", "Bits"),
    "PhysAddress": Shown("string", "", "OctetString"),
    "Opaque": Shown("string", "", "OctetString"),
    "OBJECT IDENTIFIER": Shown("yang:object-identifier", "", "OctetString"),
}  # fmt: skip
"""Types of the SMI and of standard modules; all others are numbers, and text in YANG."""
