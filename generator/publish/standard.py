# SPDX-License-Identifier: BSD-3-Clause
"""Definitions of standard modules: origin of types, index objects and roots of the tree."""

from .lock import Oid

MAX_NAME = 64
"""Characters of a name (RFC 2578 section 3.1)."""

SMI = "SNMPv2-SMI"
TC = "SNMPv2-TC"
CONF = "SNMPv2-CONF"

BUILT_IN = frozenset(["INTEGER", "OCTET STRING", "OBJECT IDENTIFIER", "BITS"])
"""Types that need no import."""

_TYPES = {
    SMI: "Integer32 Counter32 Counter64 Gauge32 Unsigned32 TimeTicks IpAddress Opaque",
    TC: "TruthValue MacAddress PhysAddress DisplayString TimeStamp TimeInterval DateAndTime "
    "RowStatus StorageType TestAndIncr AutonomousType RowPointer VariablePointer InstancePointer "
    "TDomain TAddress",
    "SNMP-FRAMEWORK-MIB": "SnmpAdminString SnmpEngineID SnmpSecurityModel SnmpSecurityLevel "
    "SnmpMessageProcessingModel",
    "INET-ADDRESS-MIB": "InetAddressType InetAddress InetAddressIPv4 InetAddressIPv6 "
    "InetAddressIPv4z InetAddressIPv6z InetAddressDNS InetAddressPrefixLength InetPortNumber "
    "InetAutonomousSystemNumber InetScopeType InetZoneIndex InetVersion",
    "HCNUM-TC": "CounterBasedGauge64 ZeroBasedCounter64",
    "IF-MIB": "InterfaceIndex InterfaceIndexOrZero OwnerString",
    "IANAifType-MIB": "IANAifType IANAtunnelType",
}

TYPES = {name: module for module, names in _TYPES.items() for name in names.split()}
"""Types of standard modules, by name: the module to import them from."""

OIDS = ("OBJECT IDENTIFIER", "AutonomousType", "RowPointer", "VariablePointer", "InstancePointer",
        "TDomain", "TransportDomain", "DataSource", "SmonDataSource")  # fmt: skip
"""Types whose values are OIDs."""

_OCTETS = (
    "BITS Opaque IpAddress MacAddress PhysAddress DisplayString DateAndTime TAddress "
    "SnmpAdminString SnmpEngineID InetAddress InetAddressIPv4 InetAddressIPv6 "
    "InetAddressIPv4z InetAddressIPv6z InetAddressDNS OwnerString"
)

TEXTS = frozenset(["OCTET STRING", *_OCTETS.split(), *OIDS])
"""Types whose values are octets or OIDs; those of all others of TYPES and BUILT_IN are numbers."""

_INDEXES = {
    "IF-MIB": "ifIndex ifEntry ifName",
    "ENTITY-MIB": "entPhysicalIndex entPhysicalEntry",
    "BRIDGE-MIB": "dot1dBasePort dot1dBasePortEntry",
    "HOST-RESOURCES-MIB": "hrDeviceIndex hrDeviceEntry",
}

INDEXES = {name: module for module, names in _INDEXES.items() for name in names.split()}
"""Index objects and rows that are often used, by name: the module that defines them."""

_ROWS = {
    "IF-MIB::ifEntry": "ifIndex",
    "IF-MIB::ifXEntry": "ifIndex",
    "ENTITY-MIB::entPhysicalEntry": "entPhysicalIndex",
    "BRIDGE-MIB::dot1dBasePortEntry": "dot1dBasePort",
    "HOST-RESOURCES-MIB::hrDeviceEntry": "hrDeviceIndex",
}


def index_of(row: str) -> str:
    """The name of the index object of a row that is often augmented, `MODULE::name` or, if that is
    one of INDEXES, the name alone; empty for other rows."""
    return _ROWS.get(row if "::" in row else f"{INDEXES.get(row, '')}::{row}", "")


ROOTS: dict[Oid, str] = {
    (1, 3): "org", (1, 3, 6): "dod", (1, 3, 6, 1): "internet", (1, 3, 6, 1, 1): "directory",
    (1, 3, 6, 1, 2): "mgmt", (1, 3, 6, 1, 2, 1): "mib-2", (1, 3, 6, 1, 2, 1, 10): "transmission",
    (1, 3, 6, 1, 3): "experimental", (1, 3, 6, 1, 4): "private",
    (1, 3, 6, 1, 4, 1): "enterprises", (1, 3, 6, 1, 5): "security", (1, 3, 6, 1, 6): "snmpV2",
    (1, 3, 6, 1, 6, 1): "snmpDomains", (1, 3, 6, 1, 6, 2): "snmpProxys",
    (1, 3, 6, 1, 6, 3): "snmpModules",
}  # fmt: skip
"""Nodes that SNMPv2-SMI defines."""

ARCS: dict[Oid, str] = {(0,): "ccitt", (1,): "iso", (2,): "joint-iso-ccitt"}
"""Nodes that need no import."""

_KEYWORDS = (
    "ABSENT ACCESS AGENT-CAPABILITIES ANY APPLICATION AUGMENTS BEGIN BIT BITS BOOLEAN BY CHOICE "
    "COMPONENT COMPONENTS CONTACT-INFO CREATION-REQUIRES Counter32 Counter64 DEFAULT DEFINED "
    "DEFINITIONS DEFVAL DESCRIPTION DISPLAY-HINT END ENTERPRISE ENUMERATED EXPLICIT EXPORTS "
    "EXTERNAL FALSE FROM GROUP Gauge32 IDENTIFIER IMPLICIT IMPLIED IMPORTS INCLUDES INDEX "
    "INTEGER Integer32 IpAddress LAST-UPDATED MANDATORY-GROUPS MAX MAX-ACCESS MIN MIN-ACCESS "
    "MINUS-INFINITY MODULE MODULE-COMPLIANCE MODULE-IDENTITY NOTIFICATION-GROUP "
    "NOTIFICATION-TYPE NOTIFICATIONS NULL OBJECT OBJECT-GROUP OBJECT-IDENTITY OBJECT-TYPE "
    "OBJECTS OCTET OF OPTIONAL ORGANIZATION Opaque PLUS-INFINITY PRESENT PRIVATE "
    "PRODUCT-RELEASE REAL REFERENCE REVISION SEQUENCE SET SIZE STATUS STRING SUPPORTS SYNTAX "
    "TAGS TEXTUAL-CONVENTION TRAP-TYPE TRUE TimeTicks UNITS UNIVERSAL Unsigned32 VARIABLES "
    "VARIATION WITH WRITE-SYNTAX"
)

KEYWORDS = frozenset(_KEYWORDS.split())
"""Reserved words of SMIv2 (RFC 2578 section 3.7)."""
