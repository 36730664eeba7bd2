# SPDX-License-Identifier: BSD-3-Clause
"""The simulation against two cores: figures of docs/benchmark.md as they stood when the simulation
was written, with 1000 cycles of work and 1024 flows. `python -m tests.plan.two_cores` prints the
table of two_cores.md."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ctrgen.model.workload import Deployment
from ctrgen.output.tables import markdown
from ctrgen.pipeline.check import check
from ctrgen.plan.advice import under
from ctrgen.plan.machine import EPYC
from ctrgen.plan.model import estimate
from ctrgen.plan.simulation.run import simulate
from tests.support.paths import EP

RECORDED = Path(__file__).with_suffix(".csv")
PAGE = Path(__file__).with_suffix(".md")


@dataclass(frozen=True)
class Row:
    """Cycles of an update: measured, by the formulas, simulated."""

    strategy: str
    lcores: int
    measured: float
    model: float
    simulated: float

    @property
    def factor(self) -> float:
        return self.simulated / self.measured


def rows() -> Iterator[Row]:
    """All figures."""
    schema = check(str(EP)).module
    assert schema is not None
    schema = schema.resized("session", 1024)
    for entry in csv.DictReader(RECORDED.read_text("utf-8").splitlines()):
        name, lcores = entry["strategy"], int(entry["lcores"])
        module = under(schema, dict.fromkeys((scope.name for scope in schema.scopes), name))
        # What the benchmark does: `ctrgen.plan.against.place_of`.
        place = Deployment(
            lcores, 1024, "session", "none", 1000.0, updates=("packet",), nested=True, pauses=2.0,
            arithmetic=True,
        )  # fmt: skip
        found, cost = simulate(module, place, EPYC), estimate(module, place, EPYC)
        assert found is not None and cost is not None
        yield Row(name, lcores, float(entry["measured"]), cost.update, found.update)


def table(found: Iterable[Row]) -> str:
    """The table of two_cores.md."""
    head = ("Strategy", "Lcores", "Measured", "Formulas", "Simulated", "Factor")
    lines = [
        (r.strategy, str(r.lcores), f"{r.measured:.2f}", f"{r.model:.2f}", f"{r.simulated:.2f}",
         f"{r.factor:.2f}")
        for r in found
    ]  # fmt: skip
    return markdown(head, lines, range(1, 6))


if __name__ == "__main__":
    print(table(rows()), end="")
