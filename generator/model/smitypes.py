# SPDX-License-Identifier: BSD-3-Clause
"""Types of the SMI in outputs: a new type is a row of this table."""

TEXTS = {
    "IpAddress": "InetAddressIPv4", "InetAddressIPv4": "InetAddressIPv4",
    "InetAddressIPv6": "InetAddressIPv6", "InetAddress": "InetAddress",
    "MacAddress": "PhysAddress48", "DateAndTime": "DateAndTime",
    "DisplayString": "DisplayString", "SnmpAdminString": "DisplayString",
    "OwnerString": "DisplayString", "InetAddressDNS": "DisplayString",
    "OCTET STRING": "OctetString", "BITS": "Bits", "PhysAddress": "OctetString",
    "Opaque": "OctetString", "OBJECT IDENTIFIER": "OctetString",
}  # fmt: skip
"""Types of the SMI and of standard modules that are text, as snmp_exporter calls them; others are
numbers."""
