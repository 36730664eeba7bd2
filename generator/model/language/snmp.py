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
    """What all definitions of a MIB module have."""

    status: Status = Field(default="current", description="Status of the definition.")
    description: str = Field(default="", description="What it is for: DESCRIPTION.")
    reference: str = Field(default="", description="What document defines it: REFERENCE.")


class Definition(Described):
    """A definition that has an OID."""

    oid: Oid = Field(description="Its OID.")


class KeptNotification(Definition):
    """A NOTIFICATION-TYPE. Who sends it is the application: ctrgen only defines it."""

    objects: Annotated[list[Qualified], EmptyList] = Field(default_factory=list)
    """The objects that it carries, in order: names in the MIB, `MODULE::name` of another module."""


class ObjectGroup(Definition):
    """An OBJECT-GROUP."""

    objects: Annotated[list[Qualified], EmptyList, Field(min_length=1)]
    """The objects in it, by their names in the MIB."""


class NotificationGroup(Definition):
    """A NOTIFICATION-GROUP."""

    notifications: Annotated[list[Qualified], EmptyList, Field(min_length=1)]
    """The notifications in it, by their names in the MIB."""


class RefinedObject(Model):
    """What a compliance asks of an object, where that is less than what the object is."""

    syntax: Refinement | None = None
    """The values that must be supported, such as `INTEGER { up(1), down(2) }`."""
    write_syntax: Refinement | None = optional("The values that must be accepted when written.")
    min_access: Access | None = optional("The access that must be supported.")
    description: str = Field(default="", description="Its DESCRIPTION.")


class ComplianceModule(Model):
    """What a compliance asks of one module."""

    module: ModuleName | None = optional("The module; without, the one that has the compliance.")
    mandatory: Annotated[list[Descriptor], EmptyList] = Field(default_factory=list)
    """Groups that every implementation needs."""
    groups: ByName[str] = mapping("Other groups, each with what says when it is needed.")
    objects: ByName[RefinedObject] = mapping("What is asked of single objects, by their names.")


class Compliance(Definition):
    """A MODULE-COMPLIANCE."""

    modules: Annotated[list[ComplianceModule], EmptyList] = Field(default_factory=list)
    """The modules that it is about."""


class Definitions(Model):
    """What a MIB module defines besides its objects, by name. What is published of it stays."""

    notifications: ByName[KeptNotification] = mapping("Notifications that the application sends.")
    object_groups: ByName[ObjectGroup] = mapping("Groups of objects.")
    notification_groups: ByName[NotificationGroup] = mapping("Groups of notifications.")
    compliances: ByName[Compliance] = mapping("What implementations are asked for.")


class Revision(Model):
    """One published state of the MIB module."""

    date: Annotated[str, Field(pattern=DATE), Expected(example="2026-11-21")]
    """Day of the revision (UTC) as `2026-11-21`; a time of day may follow
    (`2026-11-21T14:30`)."""
    description: str = Field(description="What the revision changes.")
    draft: bool = False
    """Whether the newest revision is still being worked on: what it added can still change.
    Published revisions cannot."""


class Convention(Described):
    """A textual convention that the MIB module defines."""

    syntax: Syntax = Field(description="Its base type with range or size, such as `Integer32`.")
    display_hint: str = Field(default="", description="How managers show values.")
    labels: ByName[int] = mapping("Names of the values of an enumeration or of bits.")


class Index(Described):
    """An index object of a table: of another module, or a column of the table itself."""

    object: Qualified
    """Its name, with the module that defines it: `IF-MIB::ifIndex`."""
    oid: Oid | None = optional("OID of the column, when it is one of the table itself.")
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
    """How an item appears in the MIB, where that differs from what its name and type give."""

    name: Descriptor | None = optional("Name of the object.")
    oid: Oid | None = optional("OID of the object (of the column, for one in a table).")
    syntax: Syntax | None = None
    """Type of the object as SMI, such as `SNMPv2-TC::DisplayString (SIZE (0..64))`; `IpAddress` for
    an `ipv4` that has no object for its type; `DateAndTime` for a `timestamp` by the calendar."""
    status: Status | None = optional("Status of the object.")
    access: Access | None = None
    """Access to the object; what is served is read-only all the same."""
    units: str = ""
    """UNITS in the MIB, where that is not the item's `unit`: any text, such as
    `kilobits per second`."""
    reference: str = Field(default="", description="What document defines it: REFERENCE.")
    group: GroupName | None = None
    """Name of the conformance group of the object, such as `power`, where that is not the one of
    its scope; `groups` of the module says whether it is optional."""
    labels: ByName[Descriptor] = mapping("Names in the MIB of labels of an enum.")
    default: Default | None = None
    """DEFVAL of the object, as the MIB has it: `5`, `up`, `'00'H`, `"text"`, `{ a, b }`."""


class ScopeSnmp(Model):
    """How a scope appears in the MIB and to managers."""

    name: Descriptor | None = None
    """What names of the scope's objects start with (`ifX` gives `ifXTable`)."""
    oid: Oid | None = optional("OID of the table; of the node above the scalars for `global`.")
    table: Descriptor | None = optional("Name of the table.")
    entry: Descriptor | None = optional("Name of the table's row.")
    implied: bool = False
    """Whether the last index is IMPLIED, a string without length."""
    status: Status | None = optional("Status of the table.")
    serve: bool | None = optional(
        "Whether the agent serves the table. The default is to serve all but tables that are large."
    )
    cap: Annotated[int, Field(ge=1, le=2**32 - 1)] | None = None
    """Most rows that the agent serves."""
    row: str = ""
    """DESCRIPTION of a row, in place of `The objects of one session.`; a sentence on when rows
    appear and vanish follows, except in a table with an `oid`."""
    reference: str = Field(default="", description="What document defines the table: REFERENCE.")
    group: GroupName | None = None
    """Name of the conformance group of the scope's objects, which several scopes may share."""
    optional: str = ""
    """When an implementation needs the objects of the scope. Without, every one needs them."""


class Group(Model):
    """A conformance group that items and scopes name."""

    description: str = Field(default="", description="What its objects have in common.")
    optional: str = ""
    """When an implementation needs the objects of the group. Without, every one needs them."""


class Identity(Definition):
    """A node that an OBJECT-IDENTITY defines."""


NodeField = Annotated[
    Annotated[Oid, Tag("text")] | Annotated[Identity, Tag("mapping")],
    Discriminator(shape),
    Expected("an OID, or a mapping of an OBJECT-IDENTITY", example="1.3.6.1.4.1.32473.1"),
]


class Snmp(Model):
    """The MIB module: its name, its place in the tree of OIDs, its contact, its history."""

    draft: bool = False
    """Whether nothing of the module is published yet: then nothing of it is fixed, there is no lock
    file, and the module says that it is a draft. So it is without `snmp`, too."""
    enterprise: Annotated[int, Field(ge=1, le=2**32 - 1)] | None = None
    """Private enterprise number of the organization. The default is 32473, which is kept for
    documentation."""
    arc: Annotated[list[Arc], EmptyList, Field(max_length=100)] | None = None
    """Where the module is below the enterprise: `[1]` (the default) makes it
    1.3.6.1.4.1.ENTERPRISE.1."""
    oid: Oid | None = optional("OID of the module, instead of `enterprise` and `arc`.")
    parent: ParentName | None = None
    """Node of another module that this one is right below, such as `ACME-SMI::acmeStats`: it is
    imported. `enterprise` and `arc` (or `oid`) still say where the module is."""
    name: ModuleName | None = optional("Name of the MIB module. The default is made from `module`.")
    identity: Descriptor | None = None
    """Name of its MODULE-IDENTITY. The default is made from `module`."""
    organization: str | None = optional("Who maintains the module.")
    contact: str | None = optional("How to reach them.")
    revisions: Annotated[list[Revision], EmptyList] | None = None
    """History of the module, newest first."""
    low_capacity: bool = False
    """Whether every Counter64 also has a Counter32, for SNMPv1 managers."""
    groups: ByName[Group] = mapping("Conformance groups by the names that items and scopes use.")
    nodes: ByName[NodeField] = mapping(
        "Further names of OIDs that the module defines: an OID, or a mapping of an OBJECT-IDENTITY."
    )
    types: ByName[Convention] = mapping("Textual conventions that the module defines, by name.")
    definitions: Definitions | None = None
    """What the module defines besides objects, by names and OIDs of its own: kept as it is in a
    module that was imported."""
