# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of items that are not stored: how a read fills them in."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...model import ir
from ...model.sources import Operation

if TYPE_CHECKING:
    from .items import ItemView


class DerivedView(NamedTuple):
    """A derived item, in a read of the value struct `out`, and what it is made of."""

    item: ItemView
    said: ir.Derivation
    operands: tuple[ItemView, ...]

    @property
    def width(self) -> int:
        """The bits of a difference: 32 only where all counters have so many."""
        narrow = all(o.accumulates and o.ir.width == 32 for o in self.operands)
        return 32 if narrow else 64


class SourcesView:
    """The items of a scope that are not stored."""

    def __init__(self, scope: ir.Scope, every: tuple[ItemView, ...]) -> None:
        self.items = [item for item in every if not item.ir.stored]
        self.devices = [item for item in self.items if item.ir.source.value == "device"]
        # Those that the application reports.
        self.provided = [item for item in self.items if item.ir.source.value == "callback"]
        self.asked = len(self.devices) + len(self.provided)
        named = {item.name: item for item in every}
        # Each behind those that it is made of.
        self.derived = [
            DerivedView(named[item.name], said, tuple(named[name] for name in said.operands))
            for item in scope.derived
            if (said := item.derivation)
        ]
        rates = (one for one in self.derived if one.said.operation is Operation.RATE)
        self.rates = [one.item.name for one in rates]
