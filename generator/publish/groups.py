# SPDX-License-Identifier: BSD-3-Clause
"""Conformance groups: which objects are in which, and which of them every implementation needs."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..model import ir
from ..model.naming import smi
from .definitions import CONFORMANCE, ROLE
from .lock import LIVE, Entry, Key, order
from .nodespec import NodeSpec, prefix, published_scopes, reporting, scope_prefix, words

NAMED = "group"
"""The role of the keys of groups that a module names."""

FAMILY = "family"
"""The role of objects that hold the type of an address."""

OPTIONAL = "This group is optional."
"""Description of an optional group that is no longer in the schema."""

REFINED = "An implementation only has to support {}."
"""Why a compliance refines the type of an address."""

STATES = (LIVE, "deprecated", "obsolete")
"""Every status, in the order in which a definition passes them."""

_ADDRESS = re.compile(r"ipv[46]\([0-9]\)")


class Home(NamedTuple):
    """A group by its key: what its name starts with, what it is for, when it is needed (always, if
    that is empty), and the key it had before its scope was renamed."""

    key: Key
    start: str
    description: str
    optional: str
    former: Key


def home(spec: NodeSpec) -> Key:
    """The key of the group that an object is in, while it is current."""
    return Key(role=NAMED, name=spec.group) if spec.group else Key(spec.key.scope)


def homes(module: ir.Module) -> Iterator[Home]:
    """All groups that a module can have: those of its scopes, then those that it names."""
    for scope in (*published_scopes(module), *reporting(module)):
        former = Key(scope.renamed_from or scope.name)
        own, start = Key(scope.name), scope_prefix(module, scope)
        start = f"{prefix(module)}Health" if scope.name == ir.HEALTH else start
        yield Home(own, start, described(own), scope.snmp.optional, former)
    for group in module.snmp.groups:
        start, own = prefix(module) + smi.pascal(group.name), Key(role=NAMED, name=group.name)
        yield Home(own, start, group.description or described(own), group.optional, own)


def described(key: Key) -> str:
    """Default description of a group."""
    if key.scope == ir.HEALTH:
        return "The objects in which the module reports of itself."
    if key.scope == ir.GLOBAL:
        return "The objects of the module as a whole."
    return f"The objects of {words(key.name) if key.role else f'each {words(key.scope)}'}."


def address_type(entry: Entry) -> str:
    """The only value of an address type object: `ipv4(1)`."""
    match = _ADDRESS.search(entry.description)
    return match[0] if match else ""


def key(entry: Entry) -> Key:
    """The key of a group of the lock while what is in it is current."""
    named = entry.key.role == NAMED
    return entry.key._replace(name=entry.key.name.partition(":")[0] if named else "")


def with_status(key: Key, status: str) -> Key:
    """The key of a group or compliance, by the status of what is in it."""
    if status == LIVE:
        return key
    return key._replace(name=f"{key.name}:{status}" if key.name else status)


def of_status(status: str) -> str:
    """A status as part of a name; empty for `current`."""
    return "" if status == LIVE else status.capitalize()


def settled(entries: list[Entry]) -> list[Entry]:
    """Groups and compliances with the status that follows from what is in them."""
    status = {e.name: e.status for e in entries if e.kind not in CONFORMANCE}
    made: dict[str, list[Entry]] = {kind: [] for kind in CONFORMANCE}
    settled: list[Entry] = []
    for entry in entries:
        fixed = entry.kind not in CONFORMANCE or entry.key.role == ROLE or entry.gone
        (settled if fixed else made[entry.kind]).append(entry)
    for several in made.values():
        several.sort(key=order)
        newest = {entry.key: entry for entry in several}
        for entry in several:
            states = {status.get(member, "obsolete") for member in entry.members}
            new = "obsolete" if "obsolete" in states else "deprecated"
            if entry is newest[entry.key] and states == {LIVE}:
                new = LIVE
            status[entry.name] = new
            settled.append(entry._replace(status=new))
    return settled
