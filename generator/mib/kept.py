# SPDX-License-Identifier: BSD-3-Clause
"""What is published in a way that new objects no longer are: it stays as it was published.

RFC 2578 (10.2) lets neither a range nor another type come to an object that had none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..model import ir
from .lock import Entry, Key
from .wanted import HEALTH, Wanted


def without_reports(parts: Iterable[Wanted]) -> tuple[Wanted, ...]:
    """The parts without those in which a module reports of itself: they come to a module that was
    published without them with its next revision (RFC 2578, 10)."""
    return tuple(part for part in parts if part.key.scope != ir.HEALTH and part.key != HEALTH)


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
