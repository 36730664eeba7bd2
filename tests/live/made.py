# SPDX-License-Identifier: BSD-3-Clause
"""An application that is made up: one of everything that a source can tell."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from prometheus_client import Metric
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from ctrgen.tools.live.metrics import Applications
from ctrgen.tools.live.model import (
    Histogram,
    Index,
    Instance,
    Item,
    LiveError,
    Module,
    Scope,
    Value,
)

SIZES = Histogram("sizes", "Sizes of packets.", "bytes", (64, 512), first=4, sum=7)
ITEMS = (
    Item("pkts", "counter", "u64", "packets", "Packets of the session.", 64),
    Item("load", "gauge", "u64", "%", 'Load, as "top" has it\nand more.', 64),
    Item("phase", "state", "enum", "", "Where it is.", labels=(("idle", 0), ("up", 5))),
    Item("peer", "state", "string", "", "Who it is."),
    *(Item(f"sizes_{n}", "counter", "u64", "packets", "Packets.", 64) for n in range(3)),
    Item("sizes_sum", "counter", "u64", "bytes", "Octets.", 64),
    Item("up", "state", "bool", "", "Whether it is up."),
)
SESSION = Scope("session", "Sessions.", (Index("session", 1000),), ITEMS, (SIZES,))
GLOBAL = Scope("global", "All.", (), (Item("events", "counter", "u64", "packets", "All.", 64),))
EP = Module("ep", "Example.", (GLOBAL, SESSION), layout="1")


def instance(number: int, *values: Value, since: float = 0) -> Instance:
    """An instance of a scope with one index."""
    return Instance((number,), (str(number),), values, since)


@dataclass
class Made:
    """An application: instances by scope; reading a scope in `broken` fails behind them."""

    module: Module = EP
    instances: dict[str, list[Instance]] = field(default_factory=dict)
    broken: frozenset[str] = frozenset()
    left_out: dict[tuple[str, str], int] = field(default_factory=dict)
    published: float = 0.0

    def memory(self) -> tuple[int, int]:
        return 8192, 4096

    def age(self) -> float:
        return self.published

    def modules(self) -> tuple[Module, ...]:
        return (self.module,)

    def read(self, module: Module, scope: Scope) -> Iterator[Instance]:
        assert module is self.module
        yield from self.instances.get(scope.name, [])
        if scope.name in self.broken:
            raise LiveError("it is gone")

    def close(self) -> None:
        return


class Gone(Made):
    """An application that cannot be read."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self.why = why

    def age(self) -> float:
        raise LiveError(self.why)


def usual(pkts: int = 7, text: str = "a") -> Made:
    """Two sessions, one of which has no values that are optional."""
    full = instance(3, pkts, 50, "up", text, 1, 2, 4, 900, True, since=1.7e9)
    bare = instance(9, 2**64 - 1, 0, None, None, 0, 0, 0, 0, False)
    total = Instance((), (), (pkts + 1,), 1.7e9)
    return Made(instances={"global": [total], "session": [full, bare]})


def collected(applications: Applications) -> list[Metric]:
    """The metrics that a scraper gets, as a strict parser of OpenMetrics reads them."""
    return list(text_string_to_metric_families(applications.text()))
