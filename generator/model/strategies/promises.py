# SPDX-License-Identifier: BSD-3-Clause
"""Promises of a strategy: their order, and which values satisfy a need."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import Discriminator, Field, Tag

from .base import Conditional, Entry, Value

Waits = Literal["never", "bounded", "spinning"]


class Case(Conditional):
    """A value that `waits` has with some tunables."""

    value: Waits
    """The value."""


class Promises(Entry):
    """Promises; values are listed from the best to the worst."""

    exact: bool
    """Whether every update counts, however many threads update."""
    consistency: Literal["update", "counter", "none"]
    """Consistency of the values of one read."""
    reader: Literal["preemptible", "stalls-lcore", "blocks-writers"]
    """What a preempted reader blocks."""
    reset: Literal["lossless", "lossy"]
    """Whether a reset loses counts of concurrent updates."""
    propagation: Literal["store", "flush", "drain"] = Field(title="Visible after")
    """The event after which readers see a count."""
    instances: Literal["one", "lcores"]
    """How many copies of the counters there are."""
    waits: Annotated[
        Annotated[Waits, Tag("(value)")]
        | Annotated[tuple[Case, ...], Field(strict=False), Tag("(cases)")],
        Discriminator(lambda value: "(value)" if isinstance(value, str) else "(cases)"),
    ] = Field(default="spinning", title="Update waits")
    """How an update on an lcore waits for a thread that was preempted: never, no longer than that
    thread takes for what it does (it inherits the priority), or spinning until it runs again.
    A list of cases where that depends on tunables: the first that applies."""
    signals: Literal["any", "x86-64", "none"] = Field(default="none", title="From signals")
    """On which machines a signal handler may update that interrupts an update of its thread:
    any, or x86-64 with inline assembly, where an add is one instruction."""

    def under(self, tunables: Mapping[str, Value]) -> Promises:
        """The same with these tunables: every promise is one value then."""
        if isinstance(self.waits, str):
            return self
        cases = (case.value for case in self.waits if case.applies(tunables))
        return self.model_copy(update={"waits": next(cases, "spinning")})

    def shortfall(self, promise: str, need: Any) -> str:
        """How a promise falls short of the value `need` of it; empty when it satisfies that."""
        value = getattr(self, promise)
        if rank(promise, value) <= rank(promise, need):
            return ""
        return SHORTFALLS[promise, value]

    def weaker_than(self, other: Promises) -> list[str]:
        """The promises that are worse than those of another strategy."""
        return [
            name
            for name in PROMISES
            if name != "instances"
            and rank(name, getattr(self, name)) > rank(name, getattr(other, name))
        ]


def _values(annotation: Any) -> tuple[Any, ...]:
    """The values of a type: those of the first literal in it."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return next(filter(None, map(_values, get_args(annotation))), ())


PROMISES: dict[str, tuple[Any, ...]] = {
    name: _values(field.annotation) or (True, False)
    for name, field in Promises.model_fields.items()
}
"""Every promise with its values, the best first. `instances` has no better or worse."""


def rank(promise: str, value: Any) -> int:
    """How good a value of a promise is: 0 is the best."""
    return PROMISES[promise].index(value)


LOSES_COUNTS = "loses counts when threads update at the same time"

SHORTFALLS: dict[tuple[str, Any], str] = {
    ("exact", False): f"it {LOSES_COUNTS}",
    ("consistency", "counter"): "its reads have consistency counter",
    ("consistency", "none"): "its reads have consistency none",
    ("reader", "stalls-lcore"): "an interrupted reader blocks an lcore",
    ("reader", "blocks-writers"): "an interrupted reader blocks all writers",
    ("reset", "lossy"): "a reset loses counts of concurrent updates",
    ("signals", "x86-64"): "updates in a signal handler are exact on x86-64 only",
    ("signals", "none"): "an update in a signal handler can hang, or be wrong",
    ("waits", "bounded"): "an update can wait for a thread that holds a lock",
    ("waits", "spinning"): "an update can spin until a thread that was preempted runs again",
    ("propagation", "flush"): "counts become visible only after a flush",
    ("propagation", "drain"): "counts become visible only after a poll of a control thread",
}
"""Meaning of each value below the best for the application, for promises in `requires`."""
