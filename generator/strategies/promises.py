# SPDX-License-Identifier: BSD-3-Clause
"""What users may rely on under a strategy: the promises, their order, what satisfies a need."""

from __future__ import annotations

from typing import Any, Literal, get_args

from pydantic import Field

from .base import Entry


class Promises(Entry):
    """What users may rely on; values are listed from the best to the worst."""

    exact: bool
    """Whether every update counts, however many threads update."""
    consistency: Literal["update", "counter", "none"]
    """What the values of one read agree on."""
    reader: Literal["preemptible", "stalls-lcore", "blocks-writers"]
    """What a reader holds up that is interrupted."""
    writers: Literal["any", "lcores"]
    """Who may update."""
    reset: Literal["lossless", "lossy"]
    """Whether a reset loses counts of updates meanwhile."""
    propagation: Literal["store", "flush"] = Field(title="Visible after")
    """After what readers see a count."""
    instances: Literal["one", "lcores"]
    """How many copies of the counters there are."""

    def shortfall(self, promise: str, need: Any) -> str:
        """How a promise falls short of the value `need` of it; empty when it satisfies that."""
        value, values = getattr(self, promise), PROMISES[promise]
        return SHORTFALLS[promise, value] if values.index(value) > values.index(need) else ""

    def weaker_than(self, other: Promises) -> list[str]:
        """The promises that are worse than those of another strategy."""
        return [
            name
            for name, values in PROMISES.items()
            if name != "instances"
            and values.index(getattr(self, name)) > values.index(getattr(other, name))
        ]


PROMISES: dict[str, tuple[Any, ...]] = {
    name: get_args(field.annotation) or (True, False)
    for name, field in Promises.model_fields.items()
}
"""Every promise with its values, the best first. `instances` has no better or worse."""

LOSES_COUNTS = "loses counts when threads update at the same time"

SHORTFALLS: dict[tuple[str, Any], str] = {
    ("exact", False): f"it {LOSES_COUNTS}",
    ("consistency", "counter"): "its reads have consistency counter",
    ("consistency", "none"): "its reads have consistency none",
    ("reader", "stalls-lcore"): "a reader that is interrupted holds up an lcore",
    ("reader", "blocks-writers"): "a reader that is interrupted holds up all writers",
    ("writers", "lcores"): "only lcores can update",
    ("propagation", "flush"): "counts are seen after a flush, whenever that is",
}
"""What a value short of the best means to the application, for promises that `requires` names."""
