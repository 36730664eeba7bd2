# SPDX-License-Identifier: BSD-3-Clause
"""Notifications in the IR: conditions of items of which managers are told."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from ..findings.diagnostics import Span


class Condition(str, enum.Enum):
    """What raises a notification, by its key in a schema."""

    RISES = "rises_above"
    FALLS = "falls_below"
    BECOMES = "becomes"

    @property
    def clears(self) -> str:
        """The key with the threshold at which it clears; none of a state's value."""
        return {"rises_above": "clears_below", "falls_below": "clears_above"}.get(self.value, "")


@dataclass(frozen=True, slots=True)
class NotificationSnmp:
    """Names and OIDs of an imported notification, and of what is sent when it has cleared; empty
    where they are made."""

    name: str = ""
    oid: str = ""
    cleared_name: str = ""
    cleared_oid: str = ""


@dataclass(frozen=True, slots=True)
class Notification:
    """A condition of an item, in every instance of its scope.

    `threshold` and `clear` are of what rises or falls, per second of a counter; they are the same
    without hysteresis. `values` are of what becomes one of them. Times are in seconds: it is
    evaluated `every` so often, must hold for `lasts`, and is sent at most `most` times in a
    `window` (0: no limit). `carries` are items whose objects go with that of `item`.
    """

    name: str
    description: str
    scope: str
    item: str
    condition: Condition
    span: Span
    threshold: int = 0
    clear: int = 0
    values: tuple[int, ...] = ()
    every: int = 1
    lasts: int = 0
    most: int = 0
    window: int = 0
    carries: tuple[str, ...] = ()
    cleared: bool = False
    renamed_from: str = ""
    snmp: NotificationSnmp = NotificationSnmp()

    @property
    def items(self) -> tuple[str, ...]:
        """The items whose objects it carries, the one that it watches first."""
        return tuple(dict.fromkeys((self.item, *self.carries)))
