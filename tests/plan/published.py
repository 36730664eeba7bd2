# SPDX-License-Identifier: BSD-3-Clause
"""The model against the published figures of the statistics chapter.

Statistics, in the DPDK data plane design book by M. Ronnblom: cycles for each of
four counter updates, two global and two of one of 1024 flows, for each packet of
about 1000 cycles of other work. Flows stay on their lcore but for rare migrations.
`python -m tests.plan.published` prints the table that docs/benchmark.md leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ctrgen.model import ir
from ctrgen.model.workload import Deployment
from ctrgen.output.tables import markdown
from ctrgen.pipeline.check import check
from ctrgen.plan.machine import MACHINES
from ctrgen.plan.model import estimate
from ctrgen.plan.output import cycles
from ctrgen.strategies.catalogue import all_strategies
from tests.plan.against import WITHIN, Comparison

FLOWS = 1024
WORK = 1000

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


def chapter() -> ir.Module:
    """The chapter's example as a module."""
    module = check("chapter.yaml", read=lambda _: SCHEMA.encode()).module
    assert module is not None
    return module


def published() -> Iterator[Comparison]:
    """The model against all published figures, strategy by strategy."""
    schema = chapter()
    for strategy in all_strategies().values():
        sync = ir.Sync(strategy.name, strategy.settings(strategy.published_with))
        module = replace(schema, scopes=tuple(replace(s, sync=sync) for s in schema.scopes))
        for name, figures in strategy.published.items():
            for lcores, known in figures.items():
                place = Deployment(lcores, FLOWS, "session", "rare", WORK, as_published=True)
                cost = estimate(module, place, MACHINES[name])
                assert cost is not None
                yield Comparison(strategy.name, MACHINES[name], lcores, known, cost.update)


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
