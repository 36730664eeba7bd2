# SPDX-License-Identifier: BSD-3-Clause
"""The part of the schema language about SNMP: identity of the MIB module and of its objects.

Only `enterprise`, `revisions` and `draft` matter to a schema of one's own. The rest
keeps names, numbers and types of a module that was imported.
"""

from typing import Annotated, Literal, get_args

from pydantic import Discriminator, Field, Tag

from .base import ByName, EmptyList, Expected, Model, mapping, optional, shape

OID = r"^[0-2](\.(0|[1-9][0-9]{0,9})){1,127}$"
DATE = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2})?$"
_WORD = "[A-Za-z0-9]*(-[A-Za-z0-9]+)*"
DESCRIPTOR = rf"^[a-z]{_WORD}$"
MODULE = rf"^[A-Z]{_WORD}$"
QUALIFIED = rf"^([A-Z]{_WORD}::)?[a-z]{_WORD}$"
PARENT = rf"^[A-Z]{_WORD}::[a-z]{_WORD}$"
GROUP = r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$"
_ONE = r"(-?[0-9]{1,20}|'[0-9A-Fa-f]*'[Hh])"
_RANGES = rf"{_ONE}(\.\.{_ONE})?( ?\| ?{_ONE}(\.\.{_ONE})?)*"
SYNTAX = (
    rf"^(([A-Z]{_WORD}::)?[A-Z]{_WORD}|OCTET STRING|OBJECT IDENTIFIER)"
    rf"( ?\(({_RANGES}|SIZE ?\({_RANGES}\))\))?$"
)
_LABEL = rf"[A-Za-z]{_WORD}\(-?[0-9]{{1,10}}\)"
REFINEMENT = (
    rf"^(([A-Z]{_WORD}::)?[A-Z]{_WORD}|OCTET STRING|OBJECT IDENTIFIER)"
    rf"( \(({_RANGES}|SIZE \({_RANGES}\))\)| \{{ {_LABEL}(, {_LABEL})* \}})?$"
)
_STRING = '"[ !#-~]*"'
_PART = rf"([a-z]{_WORD}|[0-9]{{1,10}})"
DEFAULT = (
    rf"^(-?[0-9]{{1,20}}|'[0-9A-Fa-f]*'[Hh]|'[01]*'[Bb]|{_STRING}|([A-Z]{_WORD}::)?[a-z]{_WORD}"
    rf"|\{{( {_PART}(,? {_PART})*)? \}})$"
)

Oid = Annotated[str, Field(pattern=OID), Expected(example="1.3.6.1.4.1.32473.1")]
Descriptor = Annotated[str, Field(pattern=DESCRIPTOR), Expected(example="ifInOctets")]
ModuleName = Annotated[str, Field(pattern=MODULE), Expected(example="EP-STATS-MIB")]
ParentName = Annotated[str, Field(pattern=PARENT), Expected(example="ACME-SMI::acmeStats")]
GroupName = Annotated[str, Field(pattern=GROUP), Expected(example="power")]
Qualified = Annotated[str, Field(pattern=QUALIFIED), Expected(example="IF-MIB::ifIndex")]
Syntax = Annotated[
    str, Field(pattern=SYNTAX), Expected(example="SNMPv2-TC::DisplayString (SIZE (0..64))")
]
Refinement = Annotated[
    str, Field(pattern=REFINEMENT), Expected(example="INTEGER { up(1), down(2) }")
]
Default = Annotated[str, Field(pattern=DEFAULT), Expected(example="{ up, down }")]
Arc = Annotated[int, Field(ge=0, le=2**32 - 1)]
Status = Literal["current", "deprecated", "obsolete"]
Access = Literal[
    "not-accessible", "accessible-for-notify", "read-only", "read-write", "read-create"
]
ACCESSES: tuple[str, ...] = get_args(Access)
"""Every access."""


class Described(Model):
    """Keys of all definitions of a MIB module."""

    status: Status = Field(default="current", description="Status of the definition.")
    description: str = Field(default="", description="Its DESCRIPTION.")
    reference: str = Field(default="", description="The defining document: REFERENCE.")


class Definition(Described):
    """A definition that has an OID."""

    oid: Oid = Field(description="Its OID.")


class KeptNotification(Definition):
    """A NOTIFICATION-TYPE that ctrgen only defines: the application sends it."""

    objects: Annotated[list[Qualified], EmptyList] = Field(default_factory=list)
    """Its objects, in order: names in the MIB, `MODULE::name` of another module."""


class ObjectGroup(Definition):
    """An OBJECT-GROUP."""

    objects: Annotated[list[Qualified], EmptyList, Field(min_length=1)]
    """Its objects, by their names in the MIB."""


class NotificationGroup(Definition):
    """A NOTIFICATION-GROUP."""

    notifications: Annotated[list[Qualified], EmptyList, Field(min_length=1)]
    """Its notifications, by their names in the MIB."""


class RefinedObject(Model):
    """Reduced requirements of a compliance for an object."""

    syntax: Refinement | None = None
    """The values that must be supported, such as `INTEGER { up(1), down(2) }`."""
    write_syntax: Refinement | None = optional("The values that must be accepted when written.")
    min_access: Access | None = optional("The access that must be supported.")
    description: str = Field(default="", description="Its DESCRIPTION.")


class ComplianceModule(Model):
    """Requirements of a compliance for one module."""

    module: ModuleName | None = optional("The module; default: the module of the compliance.")
    mandatory: Annotated[list[Descriptor], EmptyList] = Field(default_factory=list)
    """Groups that every implementation needs."""
    groups: ByName[str] = mapping("Conditional groups, each with its condition.")
    objects: ByName[RefinedObject] = mapping("Reduced requirements for objects, by name.")


class Compliance(Definition):
    """A MODULE-COMPLIANCE."""

    modules: Annotated[list[ComplianceModule], EmptyList] = Field(default_factory=list)
    """Its modules."""


class Definitions(Model):
    """Definitions of a MIB module other than objects, by name. Published ones do not change."""

    notifications: ByName[KeptNotification] = mapping("Notifications that the application sends.")
    object_groups: ByName[ObjectGroup] = mapping("Groups of objects.")
    notification_groups: ByName[NotificationGroup] = mapping("Groups of notifications.")
    compliances: ByName[Compliance] = mapping("Requirements for implementations.")


class Revision(Model):
    """A published version of the MIB module."""

    date: Annotated[str, Field(pattern=DATE), Expected(example="2026-11-21")]
    """Day of the revision (UTC) as `2026-11-21`; a time of day may follow
    (`2026-11-21T14:30`)."""
    description: str = Field(description="Changes of the revision.")
    draft: bool = False
    """Whether the newest revision is a draft: its additions can still change, unlike those of
    published revisions."""


class Convention(Described):
    """A textual convention that the MIB module defines."""

    syntax: Syntax = Field(description="Its base type with range or size, such as `Integer32`.")
    display_hint: str = Field(default="", description="How managers show values.")
    labels: ByName[int] = mapping("Names of the values of an enumeration or of bits.")


class Index(Described):
    """An index object of a table: from another module, or a column of the table."""

    object: Qualified
    """Its name, with the module that defines it: `IF-MIB::ifIndex`."""
    oid: Oid | None = optional("OID of the column, if it is in the table.")
    syntax: Syntax | None = optional("Type of the object, such as `Integer32 (1..2147483647)`.")
    unit: str = Field(default="", description="Unit of the object, if it has one.")
    access: Access = Field(default="not-accessible", description="Access to the column.")
    default: Default | None = optional("DEFVAL of the column, as the MIB has it.")


IndexEntry = Annotated[
    Annotated[Qualified, Tag("text")] | Annotated[Index, Tag("mapping")],
    Discriminator(shape),
    Expected("the name of an object, a mapping, or a list of those"),
]
IndexField = Annotated[
    Annotated[Qualified, Tag("text")]
    | Annotated[Index, Tag("mapping")]
    | Annotated[list[IndexEntry], Tag("list")],
    Discriminator(shape),
    Expected("the name of an object, a mapping, or a list of those"),
]


class ItemSnmp(Model):
    """How an item appears in the MIB, if not as its name and type imply."""

    name: Descriptor | None = optional("Name of the object.")
    oid: Oid | None = optional("OID of the object (of the column, for one in a table).")
    syntax: Syntax | None = None
    """SMI type of the object, such as `SNMPv2-TC::DisplayString (SIZE (0..64))`; `IpAddress` for an
    `ipv4` in one object; `DateAndTime` for a `timestamp` as calendar time."""
    status: Status | None = optional("Status of the object.")
    access: Access | None = None
    """Access to the object; ctrgen serves it read-only in any case."""
    units: str = ""
    """UNITS in the MIB, if not the item's `unit`: any text, such as `kilobits per second`."""
    reference: str = Field(default="", description="The defining document: REFERENCE.")
    group: GroupName | None = None
    """Conformance group of the object, such as `power`, if not that of its scope; `groups` of the
    module may make it optional."""
    labels: ByName[Descriptor] = mapping("Names in the MIB of labels of an enum.")
    default: Default | None = None
    """DEFVAL of the object, as the MIB has it: `5`, `up`, `'00'H`, `"text"`, `{ a, b }`."""


class ScopeSnmp(Model):
    """How a scope appears in the MIB and to managers."""

    name: Descriptor | None = None
    """Prefix of the names of the scope's objects (`ifX` gives `ifXTable`)."""
    oid: Oid | None = optional("OID of the table; of the node above the scalars for `global`.")
    table: Descriptor | None = optional("Name of the table.")
    entry: Descriptor | None = optional("Name of the table's row.")
    implied: bool = False
    """Whether the last index is IMPLIED, a string without length."""
    status: Status | None = optional("Status of the table.")
    serve: bool | None = optional(
        "Whether the agent serves the table. By default it serves all but large tables."
    )
    cap: Annotated[int, Field(ge=1, le=2**32 - 1)] | None = None
    """Maximum number of rows that the agent serves."""
    row: str = ""
    """DESCRIPTION of a row, instead of `The objects of one session.`; a sentence on the lifetime of
    rows follows, except in a table with an `oid`."""
    reference: str = Field(default="", description="The defining document: REFERENCE.")
    group: GroupName | None = None
    """Conformance group of the scope's objects, which several scopes may share."""
    optional: str = ""
    """Condition for implementing the objects of the scope. Default: always required."""


class Group(Model):
    """A conformance group that items and scopes name."""

    description: str = Field(default="", description="Its DESCRIPTION.")
    optional: str = ""
    """Condition for implementing the objects of the group. Default: always required."""


class Identity(Definition):
    """A node that an OBJECT-IDENTITY defines."""


NodeField = Annotated[
    Annotated[Oid, Tag("text")] | Annotated[Identity, Tag("mapping")],
    Discriminator(shape),
    Expected("an OID, or a mapping of an OBJECT-IDENTITY", example="1.3.6.1.4.1.32473.1"),
]


class Snmp(Model):
    """The MIB module: name, OID, contact, revisions."""

    draft: bool = False
    """Whether the module is a draft, as without `snmp`: it may change, has no lock file, and is
    marked as a draft."""
    enterprise: Annotated[int, Field(ge=1, le=2**32 - 1)] | None = None
    """Private enterprise number of the organization. The default is 32473, which is reserved for
    documentation."""
    arc: Annotated[list[Arc], EmptyList, Field(max_length=100)] | None = None
    """Position of the module below the enterprise: `[1]` (the default) is
    1.3.6.1.4.1.ENTERPRISE.1."""
    oid: Oid | None = optional("OID of the module, instead of `enterprise` and `arc`.")
    parent: ParentName | None = None
    """Parent node, defined by another module and imported, such as `ACME-SMI::acmeStats`.
    `enterprise` and `arc` (or `oid`) still give the OID."""
    name: ModuleName | None = optional("Name of the MIB module. The default is made from `module`.")
    identity: Descriptor | None = None
    """Name of its MODULE-IDENTITY. The default is made from `module`."""
    organization: str | None = optional("ORGANIZATION: who maintains the module.")
    contact: str | None = optional("CONTACT-INFO.")
    revisions: Annotated[list[Revision], EmptyList] | None = None
    """Revisions of the module, newest first."""
    low_capacity: bool = False
    """Whether every Counter64 also has a Counter32, for SNMPv1 managers."""
    groups: ByName[Group] = mapping("Conformance groups by the names that items and scopes use.")
    nodes: ByName[NodeField] = mapping(
        "Names of further OIDs of the module: an OID, or a mapping of an OBJECT-IDENTITY."
    )
    types: ByName[Convention] = mapping("Textual conventions that the module defines, by name.")
    definitions: Definitions | None = None
    """Definitions other than objects, with their own names and OIDs, as in an imported module."""
