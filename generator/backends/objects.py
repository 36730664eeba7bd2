# SPDX-License-Identifier: BSD-3-Clause
"""Objects as an application has them, one for each flow, with the counters of an embedded scope:
where `ctrgen bench` counts what a schema keeps with `storage: embedded`."""

from __future__ import annotations

from dataclasses import dataclass

from ..model import ir
from ..model.layout import CACHE_LINE, domains, round_up
from ..model.lazy import cached_property
from ..strategies.catalogue import all_strategies
from .c.items import ScopeView

USUAL = 1024
"""Objects of a harness that is not built for a number of flows; further flows share them."""

OWN_BYTES = 32
"""Bytes in an object beside the counters: sizeof(struct ctr_bench_own)."""


@dataclass(frozen=True)
class Objects:
    """The objects with the counters of one scope; it is `number` in the module's descriptor."""

    scope: ScopeView
    number: int
    count: int

    @property
    def name(self) -> str:
        """Name of the scope, after which what the harness has of it is called."""
        return self.scope.name

    @property
    def at_hand(self) -> str:
        """Its counters while the object of a packet is at hand."""
        return counters(self.name)

    @property
    def readers(self) -> list[str]:
        """What is done to an instance by a control thread."""
        return ["read", "reset"] if self.scope.ir.reset else ["read"]

    @cached_property
    def locked(self) -> bool:
        """Whether the application has to lock an object while it counts there."""
        return own_lock(self.scope.ir)


def own_lock(scope: ir.Scope) -> bool:
    """Whether its strategy leaves the lock to the application."""
    return all_strategies()[scope.sync.strategy].own_object


def counters(scope: str) -> str:
    """The expression for the counters in the object of a packet that is at hand."""
    return f"&{scope}_object->counters"


def kept(scope: str) -> str:
    """The array that keeps pointers to the counters of a burst, for one call."""
    return f"{scope}_counters"


def memory(module: ir.Module, count: int) -> int:
    """Bytes of the objects of all embedded scopes, `count` of each."""
    parts = (part for domain in domains(module) for part in domain.scopes)
    sizes = (
        part.data.size if part.data else 0
        for part in parts
        if part.scope.storage is ir.Storage.EMBEDDED
    )
    return count * sum(round_up(OWN_BYTES + size, CACHE_LINE) for size in sizes)
