# SPDX-License-Identifier: BSD-3-Clause
"""The part of the schema language about what a MIB module defines besides objects.

`ctrgen import` fills it in, so that a build gives back what a module had. In a schema of one's own
ctrgen makes groups and a compliance by itself.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from .base import ByName, EmptyList, Model, mapping, optional
from .descriptors import Access, Descriptor, ModuleName, Oid, Qualified, Refinement, Status


class Definition(Model):
    """What all of them have."""

    oid: Oid = Field(description="Its OID.")
    status: Status = Field(default="current", description="Status of the definition.")
    description: str = Field(default="", description="What it is for: DESCRIPTION.")
    reference: str = Field(default="", description="What document defines it: REFERENCE.")


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
    description: str = Field(default="", description="What is to be said of it.")


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
