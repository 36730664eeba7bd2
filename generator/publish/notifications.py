# SPDX-License-Identifier: BSD-3-Clause
"""Notifications in the MIB: their node, their definitions, the objects that they carry.

The last number but one of a notification's OID is 0, as RFC 2578 section 8.5 wants it for SNMPv1.
"""

from collections.abc import Iterator

from ..model import ir
from ..model.naming import smi
from .lock import Entry, Key, Oid, parse_oid
from .nodespec import NodeSpec

NODE, ZERO = Key(role="notifications"), Key(role="notifications-prefix")
"""The node above notifications; and that below it, where it is not itself number 0."""

GROUP = Key(role="notification-group")
RAISED, CLEARED = "notification", "cleared"
"""Roles of the keys of a notification: condition raised, condition cleared."""

KIND, GROUP_KIND = "notification", "notification-group"
"""The kinds of their entries in the lock."""


def key(notification: ir.Notification, role: str = RAISED) -> Key:
    """The key of a notification."""
    return Key(role=role, name=notification.name)


def required(module: ir.Module, prefix: str, number: int) -> Iterator[NodeSpec]:
    """Nodes of the module for its notifications, parents first; none without notifications.

    `prefix` is the prefix of the names of the whole module. `number` is a free one below the
    module, for a module that already has something at 0.
    """
    if not module.notifications:
        return
    parts = list(_definitions(module))
    root = parse_oid(module.snmp.oid)
    if not all(part.oid for part in parts):
        taken = {parse_oid(oid) for _, oid in module.snmp.nodes}
        name, span = f"{prefix}Notifications", module.snmp.span
        plain = (*root, 0) not in taken
        yield NodeSpec(NODE, "node", name, None, number=0 if plain else number, span=span)
        if not plain:
            yield NodeSpec(ZERO, "node", f"{prefix}NotificationPrefix", NODE, number=0, span=span)
            parts = [part._replace(parent=ZERO) for part in parts]
    yield from parts


def _definitions(module: ir.Module) -> Iterator[NodeSpec]:
    for notification in module.notifications:
        clauses = notification.snmp
        name = clauses.name or smi.camel(module.name) + smi.pascal(notification.name)
        former = (notification.renamed_from,) if notification.renamed_from else ()
        text = notification.description
        yield NodeSpec(
            key(notification), KIND, name, NODE, description=text, oid=parse_oid(clauses.oid),
            former=tuple(Key(role=RAISED, name=n) for n in former),
            fixed_name=bool(clauses.name), span=notification.span,
        )  # fmt: skip
        if notification.cleared:
            yield NodeSpec(
                key(notification, CLEARED), KIND, clauses.cleared_name or f"{name}Cleared", NODE,
                description=f"The condition of {name} no longer holds: {text}",
                oid=parse_oid(clauses.cleared_oid),
                former=tuple(Key(role=CLEARED, name=n) for n in former),
                fixed_name=bool(clauses.cleared_name), span=notification.span,
            )  # fmt: skip


def carried(notification: ir.Notification, live: dict[Key, Entry]) -> list[Entry]:
    """The objects of a notification: those of its items, an address behind its type."""
    keys = [
        key
        for item in notification.items
        for key in (Key(notification.scope, item, "family"), Key(notification.scope, item))
    ]
    return [live[key] for key in keys if key in live]


def is_last_but_zero(oid: Oid) -> bool:
    """Whether an OID is one that a notification can have."""
    return len(oid) > 2 and oid[-2] == 0
