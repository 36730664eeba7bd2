# SPDX-License-Identifier: BSD-3-Clause
"""The MIB modules of two versions side by side: what has which OID, name, type.

Each version's lock file says what was published; what a version adds to it is
worked out as a build would. Where there is no lock file, nothing was
published: the new version is then taken to start from the old one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..mib.assign import assign
from ..mib.lock import Entry, Key, Lock
from ..mib.objects import Wanted
from ..model import ir


@dataclass(frozen=True, slots=True)
class Side:
    """One version: its lock after a build, what it has now, by key, and what asked for it."""

    lock: Lock
    live: dict[Key, Entry]
    wanted: dict[Key, Wanted]


@dataclass(frozen=True, slots=True)
class Mibs:
    """Both versions. `pairs` are what is in both, as (old, new).

    `published` says that both have lock files; `lost` that the new one has
    none though the old one has.
    """

    old: Side
    new: Side
    pairs: tuple[tuple[Entry, Entry], ...]
    published: bool
    lost: bool


def _side(module: ir.Module, lock: Lock | None) -> Side:
    assignment = assign(module, lock)
    live = {
        # A schema that gives another OID than the lock's means that other one.
        key: replace(entry, oid=assignment.wanted[key].oid or entry.oid)
        for key, entry in assignment.lock.live().items()
        if key in assignment.wanted
    }
    return Side(assignment.lock, live, assignment.wanted)


def mibs(
    old: ir.Module,
    new: ir.Module,
    locks: tuple[Lock | None, Lock | None],
    former: dict[tuple[str, str], tuple[str, str]],
    scopes: dict[str, str],
) -> Mibs:
    """Both modules; `former` and `scopes` give old names by new ones."""
    before = _side(old, locks[0])
    lost = locks[0] is not None and locks[1] is None
    now = _side(new, locks[1] or (None if lost else before.lock))

    def former_key(key: Key) -> Key:
        scope, item = scopes.get(key.scope, key.scope), ""
        if key.item:
            scope, item = former.get((key.scope, key.item), (key.scope, key.item))
        return replace(key, scope=scope, item=item)

    entries = ((before.live.get(former_key(key)), entry) for key, entry in now.live.items())
    pairs = tuple((was, entry) for was, entry in entries if was is not None)
    return Mibs(before, now, pairs, None not in locks, lost)
