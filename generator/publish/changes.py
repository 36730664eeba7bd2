# SPDX-License-Identifier: BSD-3-Clause
"""Differences between a published module and its next build: each needs a new revision (RFC 2578,
10). Published objects keep what new objects no longer have: RFC 2578 (10.2) allows neither a new
range nor another type.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping
from operator import attrgetter

from ..findings.rules import Finding
from ..model import ir
from . import groups, keys, notifications
from .lock import LIVE, UNREVISED, Entry, Key, Lock
from .nodespec import LABEL, NodeSpec
from .texts import MODULE

RULE = "RFC 2578, 10"
"""The rule that requires a revision for each change."""

_FACTS = {"oid": "OID", "status": "status", "syntax": "type", "unit": "unit", "access": "access"}
_facts = attrgetter("name", *_FACTS)
_DERIVED = ("row", "group", "compliance", "node")
"""Kinds that change because others do."""

_MOST = 3
_FIRST_SMI = "1990"


def compatible(old: str, new: str, types: Mapping[str, str]) -> bool:
    """Whether a published type may be replaced: it is the same, has more labels, or is one of the
    `types` that the module defines, and that is the same (RFC 2578, 10.2 (2)). A number may get
    another name (1), but no name another number."""
    before, now = dict(LABEL.findall(old)), dict(LABEL.findall(new))
    same = old.partition("{")[0] == new.partition("{")[0]
    kept = all(now.get(name, number) == number for name, number in before.items())
    more = bool(before) and {*before.values()} <= {*now.values()}
    return old in (new, types.get(new)) or (same and more and kept)


def labels_moved(old: str, new: str) -> str:
    """Hint for labels of a published type that were renumbered by inserting or reordering labels;
    empty if the types differ for another reason."""
    before, now = dict(LABEL.findall(old)), dict(LABEL.findall(new))
    if not before or not before.keys() <= now.keys():
        return ""
    added = ", ".join(f"'{label}'" for label in now if label not in before)
    if added:
        return f"add {added} at the end: the number of a label stays"
    return f"restore the order: {', '.join(before)}"


def disorder(revisions: Iterable[ir.Revision]) -> Iterator[Finding]:
    """Revisions of no day of the calendar, and those not before the one in front of them."""
    later = ""
    for revision in revisions:
        message = hint = ""
        if not _is_date(revision.date):
            message = f"there is no day {revision.date}"
        elif revision.date < _FIRST_SMI:
            message = f"the revision of {revision.date} is older than SMI"
        elif later == revision.date:
            message = f"two revisions are of {later}"
            hint = f"give the later one a time of day: `{later[:10]}T14:30`"
        elif later and revision.date > later:
            message = f"the revision of {revision.date} follows that of {later}"
            hint = "put the newest one first"
        elif revision.draft and later:
            message = f"the revision of {revision.date} is not the newest, and cannot be a draft"
            hint = "remove `draft`"
        if message:
            yield Finding(revision.span, message, hint)
        later = revision.date


def _is_date(text: str) -> bool:
    try:
        datetime.datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def late_names(
    scopes: Iterable[ir.Scope], live: Mapping[Key, Entry]
) -> Iterator[tuple[ir.Scope, str]]:
    """Scopes whose objects have other names in the MIB than the schema gives them, with the first
    of those. `live` are the objects that were published, by their present keys."""
    for scope in (scope for scope in scopes if scope.snmp.name):
        entries = (entry for key, entry in live.items() if key.scope == scope.name)
        names = [entry.name for entry in entries if entry.kind in ("object", "table")]
        if names and not any(name.startswith(scope.snmp.name) for name in names):
            yield scope, names[0]


def differs(old: Lock, new: Lock) -> bool:
    """Whether the modules of two locks differ in anything except texts."""
    return {*map(_facts, old.entries)} != {*map(_facts, new.entries)} or bool(_older(old, new))


def published(lock: Lock) -> Lock:
    """A lock without the changes that builds made and no revision has."""
    entries = []
    for entry in lock.entries:
        unrevised = entry.date.endswith(UNREVISED)
        if unrevised and entry.status == "deprecated":
            entry = entry._replace(status=LIVE)
        elif unrevised and entry.status == LIVE:
            continue
        entries.append(entry)
    return lock._replace(entries=tuple(entries))


def shown(old: Lock, new: Lock, texts: Iterable[Key]) -> str:
    """The first few differences, as part of a sentence; `texts` are keys in the new lock."""
    found = list(_differences(old, new, texts))
    more = len(found) - _MOST
    return ", ".join(found[:_MOST]) + (f" and {more} more" if more > 0 else "")


def _older(old: Lock, new: Lock) -> list[str]:
    """Dates of revisions that were put in before the newest one."""
    known = {revision.date for revision in old.revisions}
    newest = max(known, default="")
    return [r.date for r in new.revisions if r.date not in known and r.date < newest]


def _differences(old: Lock, new: Lock, texts: Iterable[Key]) -> Iterator[str]:
    before = {entry.name: entry for entry in old.published}
    now = {entry.name: entry for entry in new.published}
    names = [*now, *(name for name in before if name not in now)]
    changed = {name: _said(before.get(name), now.get(name)) for name in names}
    found = [name for name in names if changed[name]]
    first = [name for name in found if (now.get(name) or before[name]).kind not in _DERIVED]
    yield from (f"'{name}' {changed[name]}" for name in first or found)
    yield from (f"a revision of {date} was put in" for date in _older(old, new))
    live = new.live()
    for key in texts:
        whose = f"'{live[key].name if key in live else key.name}'"
        whose = "the module itself" if key == MODULE else whose
        yield f"{whose} has another {'text' if key == MODULE else 'description'}"


def _said(old: Entry | None, new: Entry | None) -> str:
    if old is None or new is None:
        return "is new" if new is not None else "was removed"
    if old.status != new.status:
        return f"is {new.status}"
    changed = [word for fact, word in _FACTS.items() if getattr(old, fact) != getattr(new, fact)]
    return f"has another {' and '.join(changed)}" if changed else ""


def without_columns(
    parts: Iterable[NodeSpec], module: ir.Module, live: Mapping[Key, Entry]
) -> tuple[NodeSpec, ...]:
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
    parts: Iterable[NodeSpec], live: Mapping[Key, Entry], draft: str, *, revised: bool
) -> Iterator[NodeSpec]:
    """The parts of a module; those that were published with the type or the description of an
    earlier version of ctrgen have these again.

    `live` is what was published before, `draft` the date of what can still change (or empty). With
    `revised`, a new revision, descriptions of rows may change.
    """
    parts = tuple(parts)
    dropped: set[Key] = set()
    kept: dict[Key, NodeSpec] = {}
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


def _before(part: NodeSpec, live: Mapping[Key, Entry]) -> Entry | None:
    """The published entry of a part, under its present or a former key."""
    return next((live[key] for key in (part.key, *part.former) if key in live), None)


def changed(spec: NodeSpec, before: Entry, name: str) -> Iterator[tuple[str, Finding]]:
    """Changes of a published object that SMI forbids, other than of its type and OID."""
    if name != before.name and before.kind in ("object", "table", "row", notifications.KIND):
        message = f"'{before.name}' is published under that name, not as '{name}'"
        hint = f"write `name: {before.name}`, or leave the name out: the object keeps it"
        yield "name", Finding(spec.span, message, hint)
    order_of = groups.STATES.index
    states = [order_of(s) for s in (spec.status, before.status) if s in groups.STATES]
    if states != sorted(states, reverse=True):
        message = f"'{before.name}' is published as {before.status}, and would be {spec.status}"
        hint = f"write `status: {before.status}`; what is wanted again is a new item"
        yield "status", Finding(spec.span, message, hint)
    if before.kind != "object" or spec.key.role not in ("", "index", keys.KEY, keys.FAMILY):
        return
    if before.unit and spec.unit != before.unit:
        message = f"'{before.name}' is published in {before.unit}, not {spec.unit or 'no unit'}"
        hint = "an amount in another unit is another item: add one, and keep this one for a while"
        yield "unit", Finding(spec.span, message, hint)
    if spec.access != before.access:
        message = f"the access to '{before.name}' is published as {before.access}"
        message += f", not {spec.access}"
        yield "access", Finding(spec.span, message, f"write `access: {before.access}`")
