# SPDX-License-Identifier: BSD-3-Clause
"""Costs of an update under a strategy, in terms of the cost model (docs/benchmark.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PrivateAttr,
    ValidationInfo,
    model_validator,
)

from .base import Conditional, Entry, TunableName, Value


class Primitive(Entry):
    """One step of an update, or several together."""

    instructions: int = Field(ge=0)
    """Instructions that are executed."""
    locked: int = Field(default=0, ge=0)
    """Atomic read-modify-writes among them."""
    fences: int = Field(default=0, ge=0)
    """Memory fences."""
    lock: Literal["crowd", "queue", "element"] | None = None
    """A lock that lcores share: `crowd` when all waiters fetch its line at each release, `queue`
    when only the next one does, `element` for one in each instance of a scope."""
    line: bool = False
    """Whether that lock has a cache line of its own."""


PRIMITIVES = {
    "find_one": Primitive(instructions=2),
    "find_slot": Primitive(instructions=8),
    "add": Primitive(instructions=4),
    "atomic_add": Primitive(instructions=3, locked=1),
    "sequence": Primitive(instructions=6, fences=2),
    "lock_own": Primitive(instructions=5, locked=1),
    "lock_shared": Primitive(instructions=5, locked=1, lock="crowd"),
    "lock_queue": Primitive(instructions=10, locked=2, lock="queue"),
    "lock_element": Primitive(instructions=5, locked=1, lock="element"),
    "lock_line": Primitive(instructions=0, line=True),
    "reserve": Primitive(instructions=5),
    "append": Primitive(instructions=7),
    "apply": Primitive(instructions=9),
    "take": Primitive(instructions=11),
}
"""Every primitive of ctrgen. Instructions were counted in what gcc 12 -O3 makes for x86-64."""


def _known(name: str, info: ValidationInfo) -> str:
    own = info.context["primitives"] if info.context else {}
    if name not in PRIMITIVES and name not in own:
        raise ValueError(f"no primitive '{name}': {', '.join((*PRIMITIVES, *own))}")
    return name


class Use(Conditional):
    """A primitive of the cost model, used always or with some values of tunables; a primitive
    that is always used may be written as its name alone."""

    use: Annotated[str, AfterValidator(_known)]
    """The primitive."""
    _primitive: Primitive = PrivateAttr()

    @model_validator(mode="after")
    def _resolved(self, info: ValidationInfo) -> Use:
        """Knows its primitive: one of ctrgen, or of the folder."""
        own = info.context["primitives"].get(self.use) if info.context else None
        known = PRIMITIVES.get(self.use)
        self._primitive = known or Primitive.model_validate(own)
        return self

    @property
    def primitive(self) -> Primitive:
        """Its steps."""
        return self._primitive


_Named = BeforeValidator(lambda value: {"use": value} if isinstance(value, str) else value)
Uses = Annotated[tuple[Annotated[Use, _Named], ...], Field(strict=False)]


def total(uses: tuple[Use, ...], tunables: Mapping[str, Value]) -> Primitive:
    """The sum of what is used with these tunables."""
    used = [entry.primitive for entry in uses if entry.applies(tunables)]
    return Primitive(
        instructions=sum(p.instructions for p in used),
        locked=sum(p.locked for p in used),
        fences=sum(p.fences for p in used),
        lock=next((p.lock for p in used if p.lock), None),
        line=any(p.line for p in used),
    )


class Steps(Entry):
    """The primitives of a transaction."""

    transaction: Uses = ()
    """Primitives that are used once."""
    operation: Uses = ()
    """Primitives of each operation."""

    def totals(self, tunables: Mapping[str, Value]) -> tuple[Primitive, Primitive]:
        """The sums of those used once, and of those of each operation, with these tunables."""
        return total(self.transaction, tunables), total(self.operation, tunables)


class Flush(Steps):
    """What applies the operations that an lcore has buffered."""

    record: Uses = ()
    """Primitives of each record, of which there is one for what the two tunables below count."""
    counts: Literal["operations", "transactions"] = "operations"
    """Unit of the two tunables below."""
    every: TunableName
    """The tunable for the number of operations that a flush applies."""
    room: TunableName
    """The tunable for the capacity of the buffer."""


class Eviction(Steps):
    """What evicts an element from those that an lcore holds: once, and for each counter of it."""

    find: Uses = ()
    """Primitives of each update of an element, which find out whether the lcore holds it."""


class Cost(Steps):
    """Steps of an update, in terms of the [cost model](benchmark.md#primitives)."""

    flush: Flush | None = None
    """Steps of a flush, if operations are buffered."""
    set: Steps | None = None
    """Steps of a transaction that sets a value, if they differ."""
    evict: Eviction | None = None
    """Steps of an eviction, with `lcores.elements` in the [shape](#shape)."""
