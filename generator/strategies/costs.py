# SPDX-License-Identifier: BSD-3-Clause
"""What a strategy does for an update, in the words of the cost model (docs/cost-model.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from .base import Conditional, Entry, TunableName, Value


@dataclass(frozen=True, slots=True)
class Primitive:
    """One step of an update, or several together.

    `instructions` that are executed, read-modify-writes that are `locked`, memory
    `fences`. `lock` says that it takes one that lcores share: `crowd` when all waiters
    fetch its line at each release, `queue` when only the next one does, `element` for
    one in each instance of a scope. `line` is whether it has a cache line of its own.
    """

    instructions: int
    locked: int = 0
    fences: int = 0
    lock: str = ""
    line: bool = False


PRIMITIVES = {
    "find_one": Primitive(2),
    "find_slot": Primitive(8),
    "add": Primitive(4),
    "atomic_add": Primitive(3, locked=1),
    "sequence": Primitive(6, fences=2),
    "lock_own": Primitive(5, locked=1),
    "lock_shared": Primitive(5, locked=1, lock="crowd"),
    "lock_queue": Primitive(10, locked=2, lock="queue"),
    "lock_element": Primitive(5, locked=1, lock="element"),
    "lock_line": Primitive(0, line=True),
    "reserve": Primitive(5),
    "append": Primitive(7),
    "apply": Primitive(9),
}
"""Every primitive. Instructions were counted in what gcc 12 -O3 makes for x86-64."""


def _known(name: str) -> str:
    if name not in PRIMITIVES:
        raise ValueError(f"no primitive '{name}': {', '.join(PRIMITIVES)}")
    return name


def _as_use(value: Any) -> Any:
    return {"use": value} if isinstance(value, str) else value


class Use(Conditional):
    """A primitive of the cost model, used always or with some values of tunables; a primitive
    that is always used may be written as its name alone."""

    use: Annotated[str, AfterValidator(_known)]
    """The primitive."""


Uses = Annotated[tuple[Annotated[Use, BeforeValidator(_as_use)], ...], Field(strict=False)]


def _total(uses: tuple[Use, ...], tunables: Mapping[str, Value]) -> Primitive:
    used = [PRIMITIVES[entry.use] for entry in uses if entry.applies(tunables)]
    return Primitive(
        instructions=sum(p.instructions for p in used),
        locked=sum(p.locked for p in used),
        fences=sum(p.fences for p in used),
        lock=next((p.lock for p in used if p.lock), ""),
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
        return _total(self.transaction, tunables), _total(self.operation, tunables)


class Flush(Steps):
    """What applies the operations that an lcore has buffered."""

    counts: Literal["operations", "transactions"] = "operations"
    """What the two tunables below count."""
    every: TunableName
    """The tunable for the number of operations that a flush applies."""
    room: TunableName
    """The tunable for the capacity of the buffer."""


class Cost(Steps):
    """What an update does, in the words of the [cost model](cost-model.md#primitives)."""

    flush: Flush | None = None
    """What a flush does, if operations are buffered."""
    set: Steps | None = None
    """What a transaction does that sets a value, if that differs."""
