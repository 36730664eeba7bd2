# SPDX-License-Identifier: BSD-3-Clause
"""Result of the cost model for a packet, and the time between two packets of an lcore."""

from dataclasses import dataclass, replace

from ...model.strategies.base import applies
from ...model.workload import Deployment, Transaction

USUAL_WORK = 1000.0  # default cycles of a packet without statistics, from the DPDK design book


@dataclass(slots=True)
class Estimate:
    """Cycles per packet by cause, and the figures behind them."""

    working_set: int  # bytes, of an lcore
    operations: float
    transactions: int
    lines: int
    instructions: float = 0.0  # plain work
    sync: float = 0.0  # atomic instructions and fences
    misses: float = 0.0  # lines from other cores, caches and memory
    waiting: float = 0.0  # for other lcores

    @property
    def packet(self) -> float:
        """Cycles for each packet."""
        return self.instructions + self.sync + self.misses + self.waiting

    @property
    def update(self) -> float:
        """Cycles per counter update, as the DPDK design book states costs."""
        return self.packet / max(1, self.operations)


def budget_cycles(deployment: Deployment) -> float:
    """Cycles that an lcore has for a packet; those of its work if no packet rate is given."""
    if deployment.pps is not None:
        return deployment.hz * deployment.lcores / deployment.pps
    return USUAL_WORK if deployment.work is None else deployment.work


def think(deployment: Deployment) -> float:
    """Cycles between the updates of two packets of an lcore: at least the packet's work."""
    return max(deployment.work or 0.0, budget_cycles(deployment))


APIS = ("single", "bulk")  # calls that can be compared
BURST = 32  # packets of a burst, which a bulk call counts; CTR_BULK of the runtime

ELEMENT, PREFETCH, SUM = 6, 8, 2
"""Instructions for a packet, by gcc 12: to find its element in a loop, to prefetch, to add up what
exists once."""


@dataclass(frozen=True, slots=True)
class Calls:
    """How often things are done for a packet."""

    transactions: float = 1.0  # begun
    flat: float = 1.0  # operations on items that exist once
    each: float = 1.0  # other operations
    extra: float = 0.0  # further instructions
    within: float = 0.0  # those of them while the transaction is open
    ahead: float = 1.0  # lines that are prefetched before the first is needed

    def often(self, flat: bool) -> float:
        """How often a line is visited."""
        return self.flat if flat else self.each

    def counted(self, transaction: Transaction) -> float:
        """Operations that are done for a packet."""
        return (
            transaction.flat * self.flat + (transaction.operations - transaction.flat) * self.each
        )


def calls(transaction: Transaction, deployment: Deployment) -> Calls:
    """The calls of a transaction with the deployment's `api`, times its share of packets. A bulk
    call sums up a burst on what exists once, but no observations, if one strategy keeps it all, not
    element by element."""
    made, names = Calls(), ("transactions", "flat", "each", "extra", "within")
    if deployment.api == "bulk":
        ahead = BURST if transaction.indexed else 1
        extra = PREFETCH if transaction.indexed else 0
        made = Calls(extra=extra, ahead=ahead)
        tunables = dict(transaction.domain.sync.tunables)
        by_element = applies(transaction.domain.strategy.element_transactions, tunables)
        if transaction.alone and not by_element and not transaction.observes:
            within = (ELEMENT if transaction.indexed else 0) + (SUM if transaction.flat else 0)
            made = Calls(1 / BURST, 1 / BURST, extra=extra + within, within=within, ahead=ahead)
    return replace(made, **{name: getattr(made, name) * transaction.share for name in names})
