# SPDX-License-Identifier: BSD-3-Clause
"""The model against the published figures of the statistics chapter.

Statistics, in the DPDK data plane design book by M. Ronnblom: cycles for each of
four counter updates, two global and two of one of 1024 flows, for each packet of
about 1000 cycles of other work. Flows stay on their lcore but for rare migrations.
`python -m tests.plan.published` prints the table that docs/benchmark.md leaves out.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from ctrgen.model import ir
from ctrgen.model.layout import domains
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.model.strategies.costs import Cost
from ctrgen.model.workload import Deployment
from ctrgen.tools.plan.machine import MACHINES, Machine
from ctrgen.tools.plan.model import estimate
from ctrgen.tools.plan.output import cycles
from tests.support.markdown import markdown
from tests.support.schemas import module_of

FLOWS = 1024
WORK = 1000

WITHIN = 2.0
"""The factor that an estimate may be off by."""

WANTED = 20
"""Estimates of published figures that must not be off by more."""

SCHEMA = """
ctrgen: 1
module: chapter
reset: false
scopes:
  session:
    max: 1024
    counters:
      bytes: {unit: bytes, description: Octets.}
      pkts:  {unit: packets, description: Packets.}
  global:
    counters:
      total_bytes: {unit: bytes, description: Octets.}
      total_pkts:  {unit: packets, description: Packets.}
updates:
  packet:
    args: {size: uint16}
    add: {global.total_pkts: 1, global.total_bytes: size, session.pkts: 1, session.bytes: size}
"""
"""The chapter's example as a schema."""


BOOK = yaml.safe_load((Path(__file__).parent / "published.yaml").read_text("utf-8"))
"""The published figures, and what its code does."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A published figure and what the model makes of it: cycles for each update."""

    strategy: str
    machine: Machine
    lcores: int
    actual: float
    modelled: float

    @property
    def factor(self) -> float:
        """How far the estimate is off: 1 is exact, 2 is twice or half."""
        return max(self.modelled, 1e-9) / self.actual

    @property
    def within(self) -> bool:
        """Whether the estimate is good enough."""
        return max(self.factor, 1 / self.factor) < WITHIN


@contextmanager
def as_published() -> Iterator[None]:
    """Strategies cost what they cost when the figures were measured."""
    strategies = all_strategies()
    usual = dict(strategies)
    for name, cost in BOOK["costs"].items():
        known = {"tunables": usual[name].tunables, "primitives": BOOK["primitives"]}
        changed = {"cost": Cost.model_validate(cost, context=known)}
        strategies[name] = usual[name].model_copy(update=changed)
    domains.cache_clear()
    yield
    strategies.update(usual)
    domains.cache_clear()


def chapter() -> ir.Module:
    """The chapter's example as a module."""
    module = module_of(SCHEMA)
    return module


def published() -> Iterator[Comparison]:
    """The model against all published figures, strategy by strategy."""
    schema = chapter()
    with as_published():
        for strategy, machines in BOOK["cycles"].items():
            tunables = all_strategies()[strategy].settings()
            sync = ir.Sync(strategy, tunables)
            module = replace(schema, scopes=tuple(replace(s, sync=sync) for s in schema.scopes))
            for name, figures in machines.items():
                for lcores, known in figures.items():
                    place = Deployment(lcores, FLOWS, "session", "rare", WORK)
                    cost = estimate(module, place, MACHINES[name])
                    assert cost is not None
                    yield Comparison(strategy, MACHINES[name], lcores, known, cost.update)


def table() -> str:
    """The published figures next to the model."""
    rows = list(published())
    lines = [
        [r.strategy, r.machine.name, str(r.lcores), cycles(r.actual), cycles(r.modelled),
         f"{r.factor:.2f}", "" if r.within else "no"]
        for r in rows
    ]  # fmt: skip
    head = ("Strategy", "Machine", "Lcores", "Published", "Model", "Factor", f"Within {WITHIN:g}")
    good = sum(row.within for row in rows)
    return (
        f"{markdown(head, lines, range(2, 6))}\n"
        f"{good} of {len(rows)} are within a factor of {WITHIN:g} (wanted: {WANTED}).\n"
    )


if __name__ == "__main__":
    print(table(), end="")
