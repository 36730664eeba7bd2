# SPDX-License-Identifier: BSD-3-Clause
"""Groups, compliances and notifications of a schema's own that are gone, or hold something else."""

from __future__ import annotations

from ...mib.definitions import Members, by_name, key, members, same
from ..model import changes
from ..pairs import Change, Changes, Comparison


@changes()
def definitions(c: Comparison) -> Changes:
    if not c.old.snmp.published or not c.new.snmp.published:
        return
    now, names = by_name(c.new), {old.name: new.name for old, new in c.mibs.pairs}
    for old in c.old.snmp.definitions:
        entry = c.mibs.old.live.get(key(old.name))
        if entry is None or entry.date == c.mibs.old.lock.draft:
            continue
        told = old.kind == "notification"
        new = now.get(old.name)
        if new is None or new.kind != old.kind:
            rule = "notification-removed" if told else "group-changed"
            message = f"{old.kind} '{old.name}' ({old.oid}) is gone"
            yield Change(rule, c.new.snmp.span, old.name, message)
            continue
        before, after = members(old).named(names), members(new)
        if not same(old.kind, before, after):
            rule = "notification-objects" if told else "group-changed"
            message = f"{old.kind} '{old.name}' ({old.oid}) was published: {_signed(before, after)}"
            yield Change(rule, new.span, old.name, message)


def _signed(before: Members, after: Members) -> str:
    """What is no longer in a definition, and what is there now."""
    old, new = (dict.fromkeys((*one.members, *one.refined)) for one in (before, after))
    signed = [f"-{name}" for name in old if name not in new]
    signed += [f"+{name}" for name in new if name not in old]
    order = "in another order" if before.optional == after.optional else "with others optional"
    return ", ".join(signed) or order
