# SPDX-License-Identifier: BSD-3-Clause
"""Conformance groups: which objects are in which, and which of them every implementation needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..model import ir
from ..model.naming import smi
from .lock import Entry, Key
from .wanted import Wanted, prefix, published_scopes, scope_prefix

FAMILY = "family"
"""The role of objects that say of what type an address is."""

_ROLE = "group"


class Home(NamedTuple):
    """A group by its key: what its name starts with, what it is for, when it is needed (always, if
    that is empty), and the key it had before its scope was renamed."""

    key: Key
    start: str
    description: str
    optional: str
    former: Key


def home(wanted: Wanted) -> Key:
    """The key of the group that an object is in, while it is current."""
    return Key(role=_ROLE, name=wanted.group) if wanted.group else Key(wanted.key.scope)


def homes(module: ir.Module) -> Iterator[Home]:
    """All groups that a module can have: those of its scopes, then those that it names."""
    for scope in published_scopes(module):
        name = scope.name.replace("_", " ")
        whose = "the module as a whole" if scope.name == ir.GLOBAL else f"each {name}"
        key, former = Key(scope.name), Key(scope.renamed_from or scope.name)
        told = f"The objects of {whose}."
        yield Home(key, scope_prefix(module, scope), told, scope.snmp.optional, former)
    for group in module.snmp.groups:
        start, key = prefix(module) + smi.pascal(group.name), Key(role=_ROLE, name=group.name)
        told = group.description or f"The objects of {group.name.replace('_', ' ')}."
        yield Home(key, start, told, group.optional, key)


def of(module: ir.Module, entry: Entry) -> Home | None:
    """What the schema says of a group of the lock; None when it no longer has it."""
    named = entry.key.role == _ROLE
    key = entry.key._replace(name=entry.key.name.partition(":")[0] if named else "")
    return next((home for home in homes(module) if home.key == key), None)
