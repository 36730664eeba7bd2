# SPDX-License-Identifier: BSD-3-Clause
"""The MIB module in the intermediate representation; import it from `ir`."""

import dataclasses
from dataclasses import dataclass

from ..findings.diagnostics import NOWHERE, Span

DEFINITIONS = {
    "notification": "notifications",
    "group": "object_groups",
    "notification-group": "notification_groups",
    "compliance": "compliances",
}
"""Kinds of definitions, as entries of the lock have them, by where a schema has those."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The OBJECT-IDENTITY of a node in `nodes`."""

    name: str
    status: str = "current"
    description: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Refinement:
    """Requirements of a compliance for an object; unspecified texts are empty."""

    name: str
    syntax: str = ""
    write_syntax: str = ""
    min_access: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class ComplianceModule:
    """What a compliance asks of a module, empty for its own one: `mandatory` groups, other
    `groups` with what says when they are needed, single `objects`."""

    module: str = ""
    mandatory: tuple[str, ...] = ()
    groups: tuple[tuple[str, str], ...] = ()
    objects: tuple[Refinement, ...] = ()


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of a `kind` that entries of the lock have: `notification`, `group`,
    `notification-group` or `compliance`. `members` are the names in it, `MODULE::name` of another
    module; those of a compliance are in its `modules`."""

    kind: str
    name: str
    oid: str
    members: tuple[str, ...] = ()
    modules: tuple[ComplianceModule, ...] = ()
    status: str = "current"
    description: str = ""
    reference: str = ""
    span: Span = dataclasses.field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Label:
    """One named value of an enumeration. `text` is what people read instead; empty without."""

    name: str
    value: int
    text: str = ""

    @property
    def shown(self) -> str:
        """The displayed text."""
        return self.text or self.name


@dataclass(frozen=True, slots=True)
class ItemSnmp:
    """What a schema says of the object of an item; empty text is what it does not say. `labels`
    maps labels of an enum to their names in the MIB. `units` are UNITS in place of the unit.
    `group` names a `Group` of the module, `default` is its DEFVAL."""

    name: str = ""
    oid: str = ""
    syntax: str = ""
    status: str = ""
    access: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    units: str = ""
    reference: str = ""
    group: str = ""
    default: str = ""


@dataclass(frozen=True, slots=True)
class IndexObject:
    """An index object that is not made by ctrgen. `module` defines it; empty for one of the same
    module. `oid` is set for a column of the table itself; `syntax` is empty when not known."""

    name: str
    module: str = ""
    oid: str = ""
    syntax: str = ""
    description: str = ""
    unit: str = ""
    status: str = "current"
    access: str = "not-accessible"
    reference: str = ""
    default: str = ""


@dataclass(frozen=True, slots=True)
class ScopeSnmp:
    """How a scope appears in the MIB and to managers; empty text is what was not given. `index`
    holds the index objects of the scope's own level; none: the table has its own, the index in C
    plus one. `augments` is `MODULE::entry` or `entry`. `serve` is None when the user does not say,
    `cap` 0 without a limit. `row` describes a row. `optional` says when an implementation needs the
    objects; empty: always."""

    name: str = ""
    oid: str = ""
    table: str = ""
    entry: str = ""
    status: str = ""
    implied: bool = False
    serve: bool | None = None
    cap: int = 0
    index: tuple[IndexObject, ...] = ()
    augments: str = ""
    row: str = ""
    reference: str = ""
    group: str = ""
    optional: str = ""


@dataclass(frozen=True, slots=True)
class Revision:
    """A state of the MIB module; `date` is `2026-11-21` or `2026-11-21T14:30`, UTC. A `draft` is
    still being worked on."""

    date: str
    description: str
    span: Span = dataclasses.field(default=NOWHERE, compare=False)
    draft: bool = False


@dataclass(frozen=True, slots=True)
class Convention:
    """A textual convention that the MIB module defines. `syntax` is its base type."""

    name: str
    syntax: str
    description: str
    display_hint: str = ""
    status: str = "current"
    labels: tuple[Label, ...] = ()
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A conformance group that items and scopes name. `optional` says when it is needed; it always
    is where that is empty."""

    name: str
    description: str = ""
    optional: str = ""


@dataclass(frozen=True, slots=True)
class Snmp:
    """The MIB module. `oid` is that of its MODULE-IDENTITY, `name` such as `EP-STATS-MIB`,
    `identity` such as `epStatsMIB`. `enterprise` is None when the schema gives the OID itself.
    `nodes` are further names of OIDs, some with `identities`; `definitions` are those of the module
    other than objects. `published`: OIDs, names and types are fixed by a lock file; else the module
    is a draft. `parent` is the `MODULE::node` above it, or empty.
    `written` holds the keys that the schema gives."""

    oid: str = ""
    name: str = ""
    identity: str = ""
    enterprise: int | None = None
    organization: str = ""
    contact: str = ""
    revisions: tuple[Revision, ...] = ()
    low_capacity: bool = False
    nodes: tuple[tuple[str, str], ...] = ()
    identities: tuple[Identity, ...] = ()
    definitions: tuple[Definition, ...] = ()
    types: tuple[Convention, ...] = ()
    parent: str = ""
    groups: tuple[Group, ...] = ()
    published: bool = True
    written: tuple[str, ...] = ()
    span: Span = NOWHERE
