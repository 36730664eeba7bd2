# SPDX-License-Identifier: BSD-3-Clause
"""What a MIB module defines besides objects, in the IR: others have it from `ir`."""

from __future__ import annotations

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
    """What an OBJECT-IDENTITY says of a node, which is among `nodes`."""

    name: str
    status: str = "current"
    description: str = ""
    reference: str = ""


@dataclass(frozen=True, slots=True)
class Refinement:
    """What a compliance asks of an object; empty text is what it does not say."""

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
