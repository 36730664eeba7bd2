# SPDX-License-Identifier: BSD-3-Clause
"""Whether what `ctrgen plan` recommends for three deployments is right by a benchmark.

usage: python -m tests.benchmarks.deployments [FOLDER]

Each deployment is measured with schemas/ep.yaml at the scale that fits here: on all cores, each of
which has as many flows as an lcore of the deployment has, with all calls that `plan` compares. The
results are kept in FOLDER, and used if they are there. Prints what is recommended for the
deployment, and for what the benchmark does (which counts half of the time, and whose work is
arithmetic), what that costs as measured, and the cheapest strategy that needs no thread that polls.
Exits with 1 if a recommended strategy costs more than FAR times the cheapest that keeps what the
schema requires, and more than a cycle more.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.output.tables import grid
from ctrgen.pipeline.check import check
from ctrgen.tools.bench.figures import overhead
from ctrgen.tools.bench.result import Result, load
from ctrgen.tools.plan.advice import Plan
from ctrgen.tools.plan.machine import machine_of
from ctrgen.tools.plan.rows import Choice
from tests.plan.against import place_of
from tests.support.paths import EP
from tests.support.planted import PROJECT

FAR = 1.25
CALLS = ("single", "batch", "bulk")


@dataclass(frozen=True)
class Deployment:
    """Lcores, flows, and how flows stay on their lcore."""

    lcores: int
    flows: int
    affinity: str

    def __str__(self) -> str:
        return f"{self.lcores} lcores, {self.flows:,} flows, affinity {self.affinity}"

    @property
    def here(self) -> Deployment:
        """The same on the cores that there are; without affinity each lcore meets all flows."""
        lcores = min(self.lcores, len(os.sched_getaffinity(0)))
        own = self.flows if self.affinity == "none" else self.flows * lcores // self.lcores
        return Deployment(lcores, own, self.affinity)

    @property
    def options(self) -> list[str]:
        """Those that `plan` and `bench` have in common."""
        return ["--lcores", str(self.lcores), "--flows", str(self.flows)]


DEPLOYMENTS = (
    Deployment(20, 1_000, "rare"),
    Deployment(64, 4_000_000, "pinned"),
    Deployment(8, 1_000_000, "none"),
)


SCOPE = "session"
"""What there is for each flow."""


def recommended(where: Deployment) -> str:
    """The strategy that a plan says to take for all scopes together."""
    done = PROJECT.succeed(
        "plan", EP, *where.options, "--affinity", where.affinity, "--format", "json"
    )
    return str(json.loads(done)["all"]["strategy"])


def planned(where: Deployment, result: Result) -> Choice:
    """The same for what a benchmark did, on its machine."""
    module = check(str(EP)).module
    assert module is not None
    module = module.resized(SCOPE, where.flows)
    machine = machine_of(result)
    place = replace(place_of(result, module, SCOPE, result.points[0]), hz=machine.hz)
    return Plan(module, place, machine, apis=CALLS).advice().whole


def measured(where: Deployment, folder: Path) -> Path:
    """The result of a benchmark, made if it is not there."""
    out = folder / "-".join(map(str, (where.lcores, where.flows, where.affinity)))
    if not (out / "bench.json").exists():
        axes = {"affinity": where.affinity, "work": "1000", "api": ",".join(CALLS)}
        words = (*where.options, *(f"--vary={axis}={text}" for axis, text in axes.items()))
        words = (*words, "--rounds", "9")
        PROJECT.succeed("bench", EP, *words, "-o", out, timeout=1200)
    return out / "bench.json"


def costs(result: Result) -> dict[str, float]:
    """Cycles of an update by strategy, with the call that is the cheapest."""
    found: dict[str, float] = {}
    for point in result.points:
        figure = overhead(point, result.workload.adds)
        if figure is not None:
            found[point.strategy] = min(figure.median, found.get(point.strategy, figure.median))
    return found


def judged(deployment: Deployment, folder: Path) -> tuple[list[str], bool]:
    """A row of the table, and whether the recommendation is right."""
    path = measured(deployment.here, folder)
    result = load(path)
    found, plan = costs(result), planned(deployment.here, result)
    fit = [row.strategy for row in plan.rows if not row.broken]
    fit = [name for name in fit if not all_strategies()[name].polls]
    cheapest, taken = min(fit, key=lambda name: found[name]), plan.strategy
    right = found[taken] <= max(FAR * found[cheapest], found[cheapest] + 1)
    names = (recommended(deployment), str(deployment.here), taken)
    figures = (f"{found[taken]:.2f}", cheapest, f"{found[cheapest]:.2f}")
    return [str(deployment), *names, *figures, "yes" if right else "NO"], right


def main(folder: Path) -> int:
    """Print the table; the exit code."""
    rows = [judged(deployment, folder) for deployment in DEPLOYMENTS]
    head = ("deployment", "plan", "here", "plan here", "cycles", "cheapest", "cycles", "right")
    print(grid(head, [row for row, _ in rows], (4, 6)), end="")
    return 0 if all(right for _, right in rows) else 1


if __name__ == "__main__":
    if len(sys.argv) > 1:
        raise SystemExit(main(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory() as made:
        raise SystemExit(main(Path(made)))
