# SPDX-License-Identifier: BSD-3-Clause
"""What is published in a way that new objects no longer are: it stays as it was published.

RFC 2578 (10.2) lets neither a range nor another type come to an object that had none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..findings.rules import Finding
from ..model import ir
from . import groups, keys, notifications
from .lock import Entry, Key
from .wanted import HEALTH, Wanted


def without_reports(parts: Iterable[Wanted]) -> tuple[Wanted, ...]:
    """The parts without those in which a module reports of itself: they come to a module that was
    published without them with its next revision (RFC 2578, 10)."""
    return tuple(part for part in parts if part.key.scope != ir.HEALTH and part.key != HEALTH)


def without_columns(
    parts: Iterable[Wanted], module: ir.Module, live: Mapping[Key, Entry]
) -> tuple[Wanted, ...]:
    """The parts without the times of discontinuities of scopes that are never reset: they come to
    a scope that was published without one with the next revision of the module."""
    scopes = {key.scope for key in live}
    never = {scope.name for scope in module.scopes if not scope.reset and scope.name in scopes}
    return tuple(
        part
        for part in parts
        if part.key.role != "discontinuity"
        or part.key.scope not in never
        or _before(part, live) is not None
    )


def as_published(
    parts: Iterable[Wanted], live: Mapping[Key, Entry], draft: str, *, revised: bool
) -> Iterator[Wanted]:
    """The parts of a module; those that were published with the type or the description of an
    earlier version of ctrgen have these again.

    `live` is what was published before, `draft` the date of what can still change (or empty). With
    `revised`, a new revision, descriptions of rows may change.
    """
    parts = tuple(parts)
    dropped: set[Key] = set()
    kept: dict[Key, Wanted] = {}
    for part in parts:
        before = _before(part, live)
        if before is None or before.date == draft or part.earlier == ("", ""):
            continue
        syntax, description = part.earlier
        if part.kind == "row":
            if before.description == description and not revised:
                kept[part.key] = part._replace(description=description)
        elif before.syntax == syntax:
            kept[part.key] = part._replace(syntax=syntax, description=description)
            dropped.add(part.key.part("family"))
    for part in parts:
        if part.key not in dropped or _before(part, live) is not None:
            yield kept.get(part.key, part)


def _before(part: Wanted, live: Mapping[Key, Entry]) -> Entry | None:
    """What a part was published as."""
    return next((live[key] for key in (part.key, *part.former) if key in live), None)


def changed(wanted: Wanted, before: Entry, name: str) -> Iterator[tuple[str, Finding]]:
    """What a published object is no longer, of what SMI fixes beside its type and OID."""
    if name != before.name and before.kind in ("object", "table", "row", notifications.KIND):
        message = f"'{before.name}' is published under that name, not as '{name}'"
        hint = f"write `name: {before.name}`, or leave the name out: the object keeps it"
        yield "name", Finding(wanted.span, message, hint)
    order_of = groups.STATES.index
    states = [order_of(s) for s in (wanted.status, before.status) if s in groups.STATES]
    if states != sorted(states, reverse=True):
        message = f"'{before.name}' is published as {before.status}, and would be {wanted.status}"
        hint = f"write `status: {before.status}`; what is wanted again is a new item"
        yield "status", Finding(wanted.span, message, hint)
    if before.kind != "object" or wanted.key.role not in ("", "index", keys.KEY, keys.FAMILY):
        return
    if before.unit and wanted.unit != before.unit:
        message = f"'{before.name}' is published in {before.unit}, not {wanted.unit or 'no unit'}"
        hint = "an amount in another unit is another item: add one, and keep this one for a while"
        yield "unit", Finding(wanted.span, message, hint)
    if wanted.access != before.access:
        message = f"the access to '{before.name}' is published as {before.access}"
        message += f", not {wanted.access}"
        yield "access", Finding(wanted.span, message, f"write `access: {before.access}`")
