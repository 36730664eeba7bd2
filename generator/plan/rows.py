# SPDX-License-Identifier: BSD-3-Clause
"""What is known of strategies that are compared, and the choice between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..bench.report.places import ALIKE as ALIKE
from .estimate import Estimate
from .reading import Reading


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy: bytes, where its working set fits, its cost, and what speaks against it.

    `calls` are the costs by the call that is used, None where the strategy says too little, and
    `call` the one to use: the first of the cheapest. A snapshot stops lcores for `stops` seconds;
    `reader` is what else there is to say of one.
    `broken` are needs that it does not satisfy, each with the reason; `fragile` says why it should
    not be taken even so.
    """

    strategy: str
    memory: int
    bytes_per_instance: int
    bytes_per_lcore: int
    level: str
    calls: Mapping[str, Estimate]
    call: str
    stops: float
    reader: Reading | None
    broken: dict[str, str]
    fragile: str = ""

    @property
    def cost(self) -> Estimate | None:
        """What updates cost by the call to use."""
        return self.calls.get(self.call)

    @property
    def cycles(self) -> float:
        """Cycles for each counter update; infinite when unknown."""
        return self.cost.update if self.cost else float("inf")


@dataclass(frozen=True, slots=True)
class Choice:
    """What to take for one scope (all of them: ""), and why; and why not what is cheaper."""

    scope: str
    rows: tuple[Row, ...]
    strategy: str
    reasons: tuple[str, ...]
    left: tuple[str, ...] = ()

    @property
    def best(self) -> Row | None:
        """The row of what to take, if there is any."""
        return next((row for row in self.rows if row.strategy == self.strategy), None)

    @property
    def ranked(self) -> list[Row]:
        """The rows, the cheapest first."""
        return sorted(self.rows, key=lambda row: (row.cycles, row.strategy))


@dataclass(frozen=True, slots=True)
class Advice:
    """The table over all scopes together, one for each scope, and what to do.

    `taken` is the row of what is recommended, if anything is; `lines` say so, and why, `caveats`
    what that does besides costing cycles. `picks` is what it comes to: a strategy by the name of
    its scope, without the embedded scopes that nothing was chosen for.
    """

    whole: Choice
    scopes: tuple[Choice, ...]
    mixed: Row | None
    taken: Row | None
    lines: tuple[str, ...]
    caveats: tuple[str, ...]
    picks: Mapping[str, str]

    @property
    def summary(self) -> tuple[str, ...]:
        """The lines, the first with the caveats."""
        return "; ".join((self.lines[0], *self.caveats)), *self.lines[1:]
