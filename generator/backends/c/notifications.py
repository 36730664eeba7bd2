# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of notifications: rows of a table, numbers in the place of names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...model import ir


class NotificationView(NamedTuple):
    """A notification: numbers of its scope and item, and where its values are in the table of
    all that states become."""

    ir: ir.Notification
    scope: int
    item: int
    first: int

    @property
    def raises(self) -> str:
        """The threshold as a literal."""
        return _literal(self.ir.threshold)

    @property
    def clears(self) -> str:
        """The threshold at which it clears as a literal."""
        return _literal(self.ir.clear)


def notification_views(module: ir.Module) -> Iterator[NotificationView]:
    """Every notification of a module, in its order."""
    scopes = {scope.name: number for number, scope in enumerate(module.scopes)}
    first = 0
    for told in module.notifications:
        items = [item.name for item in module.scope(told.scope).items]
        yield NotificationView(told, scopes[told.scope], items.index(told.item), first)
        first += len(told.values)


def becomes(module: ir.Module) -> list[int]:
    """All values that states become, those of each notification together."""
    return [value for told in module.notifications for value in told.values]


def _literal(number: int) -> str:
    return str(number) if abs(number) < 2**31 else f"INT64_C({number})"
