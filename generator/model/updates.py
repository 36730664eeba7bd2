# SPDX-License-Identifier: BSD-3-Clause
"""Updates in the IR: calls that change several items as one transaction."""

import enum
from dataclasses import dataclass

from ..findings.diagnostics import Span
from .kinds import OBSERVE
from .types import TYPES, Type


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter of an update; `type` is one of `types.PARAMETERS`."""

    name: str
    type: str

    @property
    def value_type(self) -> Type:
        """The row of its type in the table of types."""
        return TYPES[self.type]


@dataclass(frozen=True, slots=True)
class Operation:
    """One effect of an update on one item: exactly one of `constant` and `argument` is set.

    `labels` are the indexes that the update fixes: pairs of a level's name and one of its labels.
    All operations of an update on one scope fix the same. It is applied to each instance of a list
    of `most` at most, if that is not 0, or to the instance whose index is called `role`. `written`
    is the target as in the schema; empty without brackets. With `observed`, a parameter, `item` is
    the first bucket of a histogram, and stands for the one that the value of the parameter is in.
    To `observe` is what is done to a peak.
    """

    verb: str  # one of `kinds.VERBS`, or `kinds.OBSERVE`
    scope: str
    item: str
    constant: int | None
    argument: str | None
    span: Span
    labels: tuple[tuple[str, str], ...] = ()
    written: str = ""
    observed: str = ""
    most: int = 0
    role: str = ""

    @property
    def single(self) -> bool:
        """Whether it is of one call: what several do, or one with their sum, is something else."""
        return bool(self.observed or self.most) or self.verb == OBSERVE

    @property
    def target(self) -> str:
        """Its target, as the schema names it."""
        return self.written or f"{self.scope}.{self.item}"


@dataclass(frozen=True, slots=True)
class Update:
    """One call that changes several items as one transaction.

    `weight` is how often it happens, compared with the other updates. `scopes` are the touched
    scopes in schema order, `indexes` the names of the index parameters they take (a parent's index
    once), in the same order: those that no label fixes, roles in place of the scope's own.
    """

    name: str
    description: str
    arguments: tuple[Argument, ...]
    operations: tuple[Operation, ...]
    scopes: tuple[str, ...]
    indexes: tuple[str, ...]
    span: Span
    weight: int = 1

    @property
    def fixed(self) -> dict[str, dict[str, str]]:
        """By scope the indexes that it fixes: labels by the names of levels."""
        return {op.scope: dict(op.labels) for op in self.operations if op.labels}

    @property
    def lists(self) -> dict[str, int]:
        """By scope with a list of instances the largest length; the index has its name."""
        return {op.scope: op.most for op in self.operations if op.most}

    @property
    def roles(self) -> dict[str, str]:
        """The scopes of which instances are named, by these names."""
        return {op.role: op.scope for op in self.operations if op.role}


class Condition(str, enum.Enum):
    """Conditions of a notification, by key in the schema."""

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
