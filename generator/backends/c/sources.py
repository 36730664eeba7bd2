# SPDX-License-Identifier: BSD-3-Clause
"""What the C templates see of items that are not stored: how a read fills them in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ...model import ir
from ...model.kinds import Operation
from ...model.lazy import cached_property


class Seen(Protocol):
    """An item as C sees it (items.py)."""

    @property
    def ir(self) -> ir.Item:
        """The item."""

    @property
    def name(self) -> str:
        """Its name in structs."""

    @property
    def accumulates(self) -> bool:
        """Whether it is a counter."""


@dataclass(frozen=True)
class DerivedView:
    """A derived item, in a read of the value struct `out`."""

    item: Seen
    operands: tuple[Seen, ...]
    """What it is made of."""

    @property
    def said(self) -> ir.Derivation:
        assert self.item.ir.derivation is not None
        return self.item.ir.derivation

    @property
    def operation(self) -> str:
        """What it is: "sum", "difference", "ratio" or "rate"."""
        return self.said.operation.value

    @property
    def uncertain(self) -> list[str]:
        """Those of them that may be unavailable."""
        return [operand.name for operand in self.operands if not operand.ir.stored]

    @property
    def width(self) -> int:
        """The bits of a difference: 32 only where all counters have so many."""
        narrow = all(o.accumulates and o.ir.width == 32 for o in self.operands)
        return 32 if narrow else 64

    @property
    def window_ns(self) -> int:
        """Least time between the samples of a rate."""
        return self.said.window * 10**9


@dataclass(frozen=True)
class SourcesView:
    """The items of a scope that are not stored."""

    scope: ir.Scope
    every: tuple[Seen, ...]
    """All items of the scope."""

    @cached_property
    def items(self) -> tuple[Seen, ...]:
        return tuple(item for item in self.every if not item.ir.stored)

    def of(self, source: str) -> tuple[Seen, ...]:
        """Those of one source."""
        return tuple(item for item in self.items if item.ir.source.value == source)

    @property
    def devices(self) -> tuple[Seen, ...]:
        """Those of devices."""
        return self.of("device")

    @property
    def provided(self) -> tuple[Seen, ...]:
        """Those that the application says."""
        return self.of("callback")

    @property
    def asked(self) -> int:
        """How many of them devices and the application report."""
        return len(self.devices) + len(self.provided)

    @cached_property
    def derived(self) -> tuple[DerivedView, ...]:
        """The derived ones, each behind those that it is made of."""
        named = {item.name: item for item in self.every}
        return tuple(
            DerivedView(named[item.name], tuple(named[name] for name in item.derivation.operands))
            for item in self.scope.derived
            if item.derivation
        )

    @cached_property
    def rates(self) -> tuple[str, ...]:
        """The names of the rates."""
        rates = (one for one in self.derived if one.said.operation is Operation.RATE)
        return tuple(one.item.name for one in rates)
