# SPDX-License-Identifier: BSD-3-Clause
"""An SMI module as the readers deliver it: what it defines, before it becomes a schema."""

from dataclasses import dataclass, field

Labels = tuple[tuple[str, int], ...]
"""Names and numbers of an enumeration, in the order of the module."""


_OF_SMI = ("Counter32", "Counter64", "Gauge32", "TimeTicks", "IpAddress", "Opaque", "Unsigned32")
_FIRST_SMI = {"Counter": "Counter32", "Gauge": "Gauge32", "NetworkAddress": "IpAddress"}
OF_SMI = {**{name: name for name in _OF_SMI}, **_FIRST_SMI}
"""Types of SMI itself that objects have, those of the first SMI by what they are called now."""

RETIRED = ("deprecated", "obsolete")
"""Statuses of definitions no longer in use; any other counts as current."""


@dataclass(frozen=True, slots=True)
class Type:
    """The type of an object, or a type that a module defines.

    `base` is one of `Integer32 Unsigned32 Integer64 Unsigned64 OctetString ObjectIdentifier
    Enumeration Bits`, or empty when it follows from `parent` (`MODULE::Name`, or a bare name of
    SMI itself). `ranges` are pairs of bounds as text, of a size for strings.
    """

    base: str = ""
    parent: str = ""
    ranges: tuple[tuple[str, str], ...] = ()
    labels: Labels = ()
    hint: str = ""
    status: str = ""
    description: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Object:
    """A scalar or a column. `oid` has no instance behind it."""

    name: str
    oid: str
    type: Type
    access: str = ""
    status: str = ""
    unit: str = ""
    description: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its row, whose description is `row`. `index` and `augments` are written
    `MODULE::name`."""

    name: str
    oid: str
    entry: str
    columns: tuple[Object, ...]
    index: tuple[str, ...] = ()
    augments: str = ""
    implied: bool = False
    status: str = ""
    description: str = ""
    reference: str = ""
    row: str = ""


@dataclass(slots=True)
class Module:
    """Definitions of a module. `revisions` are pairs of a date and a text, newest first. `nodes`
    and `besides` are OIDs by name, the latter of notifications, groups and compliances."""

    name: str
    identity: str = ""
    organization: str = ""
    contact: str = ""
    description: str = ""
    revisions: list[tuple[str, str]] = field(default_factory=list)
    nodes: dict[str, str] = field(default_factory=dict)
    besides: dict[str, str] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    scalars: list[Object] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)

    def objects(self) -> set[str]:
        """The names of all scalars, tables, rows and columns."""
        names = {scalar.name for scalar in self.scalars}
        for table in self.tables:
            names |= {table.name, table.entry, *(column.name for column in table.columns)}
        return names
