# SPDX-License-Identifier: BSD-3-Clause
"""Limits: what a scope does when counters reach an amount, and the items that show it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..findings.diagnostics import Span

STATES = ("idle", "open", "near", "reached", "reported")
"""Labels of the state of a limit, numbered from 1 as enum ctr_limit_state."""

ACCOUNT = 48
"""Bytes of the account of an instance: struct ctr_limit_account (runtime/include/ctr_limit.h)."""

SHARE = 8
"""Bytes of an lcore's share of an instance: struct ctr_limit_share."""

MAX_INSTANCES = 2**31
"""Most instances of a scope with limits."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit of one scope on the sum of the counters `of`: a quota, which `stops` updates when it
    is used up, or a threshold, whose crossing is reported once. Or a quota of one `gauge`, which
    may not exceed it."""

    name: str
    scope: str
    of: tuple[str, ...]
    stops: bool
    description: str
    span: Span
    renamed_from: str = ""
    gauge: bool = False

    @property
    def remaining(self) -> str:
        """The name of the gauge of what remains; its word is the account."""
        return f"{self.name}_remaining"

    @property
    def refused(self) -> str:
        """The name of the counter of updates that were refused; a threshold has none."""
        return f"{self.name}_refused"

    @property
    def since(self) -> str:
        """The name of the gauge of what was counted since the last crossing, of a threshold."""
        return f"{self.name}_since"

    @property
    def state(self) -> str:
        """The name of its state."""
        return f"{self.name}_state"

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of all its items, in order."""
        return (self.remaining, self.refused if self.stops else self.since, self.state)


def lent(every: Sequence[Limit]) -> list[Limit]:
    """Those of which lcores hold shares: limits of counters."""
    return [limit for limit in every if not limit.gauge]
