# SPDX-License-Identifier: BSD-3-Clause
"""What a strategy does for an update, in the words of the cost model (docs/cost-model.md).

The key `cost` of a strategy.yaml names primitives: those of a transaction, those of
each operation, and, where operations are held back, those of a flush.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Primitive:
    """One step of an update.

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

Use = tuple[str, tuple[tuple[str, tuple[Any, ...]], ...]]
"""A primitive, and the values of tunables with which it is used."""


@dataclass(frozen=True, slots=True)
class Steps:
    """What is done once for a transaction, and for each of its operations."""

    transaction: tuple[Use, ...] = ()
    operation: tuple[Use, ...] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """What a strategy does. With `flush`, operations are held back and applied later.

    `every` names the tunable that says how many operations a flush applies, `room` the
    one that says how many can be held. `set` is for transactions that set a value.
    """

    steps: Steps
    flush: Steps | None = None
    every: str = ""
    room: str = ""
    set: Steps | None = None


def chosen(uses: tuple[Use, ...], tunables: Mapping[str, Any]) -> list[Primitive]:
    """The primitives that are used with these tunables."""
    return [
        PRIMITIVES[name]
        for name, when in uses
        if all(tunables.get(key) in values for key, values in when)
    ]


def parse(raw: Any) -> Cost | None:
    """The `cost` of a strategy.yaml; None without. Raises ValueError for what is not one."""
    if raw is None:
        return None
    known = {"transaction", "operation", "flush", "set"}
    _only(raw, known, "cost")
    flush = raw.get("flush")
    if flush is None:
        return Cost(_steps(raw), set=_optional(raw.get("set")))
    _only(flush, {"transaction", "operation", "every", "room"}, "cost.flush")
    every, room = str(flush["every"]), str(flush["room"])
    return Cost(_steps(raw), _steps(flush), every, room, _optional(raw.get("set")))


def _optional(raw: Any) -> Steps | None:
    if raw is None:
        return None
    _only(raw, {"transaction", "operation"}, "cost.set")
    return _steps(raw)


def _only(raw: Any, known: set[str], where: str) -> None:
    if not isinstance(raw, dict) or set(raw) - known:
        raise ValueError(f"{where} must have keys of {', '.join(sorted(known))}")


def _steps(raw: Any) -> Steps:
    return Steps(
        tuple(_use(entry) for entry in raw.get("transaction") or ()),
        tuple(_use(entry) for entry in raw.get("operation") or ()),
    )


def _use(raw: Any) -> Use:
    name, when = (raw, {}) if isinstance(raw, str) else (raw["use"], raw.get("when") or {})
    if name not in PRIMITIVES:
        raise ValueError(f"cost names no primitive '{name}': {', '.join(PRIMITIVES)}")
    pairs = ((k, tuple(v) if isinstance(v, list) else (v,)) for k, v in sorted(when.items()))
    return name, tuple(pairs)
