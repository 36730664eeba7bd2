# SPDX-License-Identifier: BSD-3-Clause
"""Measures: every strategy at every place, round after round, side by side.

In a round, what is compared is measured within a few hundredths of a second: longer disturbances
disturb all alike. Programs are started anew several times: where the system puts their memory is
a matter of luck that lasts as long as a process.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from ..findings.usage import UsageError
from ..model import ir, totals
from . import machine, programs
from .journal import Journal
from .matrix import Plan
from .programs import Program
from .result import At
from .variants import Variant

SPARE_MEGABYTES = 64
"""Memory of a program beside the statistics: DPDK's own, and packets of the distributor."""

KEPT_PACKETS = 1 << 24
"""Packets that a program keeps for later runs (bench_traffic.c)."""

PRESSURE_BYTES = 64 << 20
"""Memory that a worker under pressure writes to (PRESSURE_LINES of bench_run.c)."""

VARIES = 3.5
"""Iterations of the work that the program adds for a packet, on average (CTR_BENCH_VARIES)."""

HARDWARE_MS = 10
"""Long enough that a kernel with more events than counters gives each its turn."""

LIVES = 4
"""About how often each program is started in the rounds of a benchmark."""

Step = tuple[str, int, Variant, At]
"""What is measured: `round`, `latency` or `hardware`; the number of the round; of what, where."""


@dataclass
class Bench:
    """What is measured, and the programs that do it, by strategy and whether they are crowded.

    `updates` are those of a packet, `flow_scope` exists once per flow.
    """

    variants: list[Variant]
    updates: tuple[ir.Update, ...]
    flow_scope: str
    plan: Plan
    folder: Path
    _programs: dict[tuple[str, bool], Program] = field(default_factory=dict)
    _iteration: float = 0.0

    def program(self, variant: Variant, at: At) -> Program:
        """The running program of a variant, with enough lcores for the place."""
        key = (variant.label, at.crowded)
        if key not in self._programs:
            workers = max(a.lcores for a in self.plan.places if a.crowded is at.crowded)
            path, memory = programs.program(self.folder, variant), _megabytes(variant, workers)
            self._programs[key] = Program(path, workers, self.plan.cores, memory)
        return self._programs[key]

    def check_memory(self) -> None:
        """Raises UsageError when the programs together need more than there is."""
        need, have = 0, machine.available()
        for crowded in {at.crowded for at in self.plan.places}:
            group = [at for at in self.plan.places if at.crowded is crowded]
            workers = max(at.lcores for at in group)
            for variant in self.variants:
                need += (_megabytes(variant, workers) << 20) + _outside_dpdk(variant, group)
        if have and need > have * 0.9:
            raise UsageError(
                f"{self.plan.flows} flows need {need / 2**30:.1f} GiB for {len(self.variants)} "
                f"strategies; {have / 2**30:.1f} GiB are free",
                "measure fewer flows (--flows), lcores (--lcores) or strategies (--strategies)",
            )

    def options(self, at: At) -> dict[str, Any]:
        """A place as options of the `run` command."""
        burst = re.fullmatch(r"bursts:(\d+)", at.distribution)
        return at.model_dump(exclude={"cores", "api", "work"}) | {
            "distribution": "bursts" if burst else at.distribution,
            "burst": int(burst[1]) if burst else 1,
            "iterations": max(1, round(at.work / self._iteration - VARIES)) if at.work else 0,
            "pressure": int(at.pressure),
        }

    def calibrate(self, journal: Journal) -> dict[str, Any]:
        """What the machine takes, and how long the work's iteration is; measured once."""
        program = self.program(self.variants[0], self.plan.places[0])
        if "calibrate" not in journal:
            journal["calibrate"] = program.ask("calibrate")["cycles"]
        self._iteration = journal["calibrate"]
        if "floor" not in journal:
            transfers = [
                {"a": a, "b": b, "cycles": program.figures(f"transfer {a} {b}")}
                for a, b in itertools.combinations(self.plan.cores, 2)
            ]
            journal["floor"] = {"transfer": transfers, "timer": program.figures("timer")}
        return program.info

    def memory(self, complete: bool) -> dict[str, dict[int, int]]:
        """Bytes of the statistics by strategy and number of lcores, the main one included.

        Of a complete run, that of all programs, also of those that a resumed one did not need.
        """
        if complete:
            for variant, at in itertools.product(self.variants, self.plan.places):
                self.program(variant, at)
        fixed = {v.label: programs.static_bytes(self.folder, v) for v in self.variants}
        sizes: dict[str, dict[int, int]] = {}
        for (label, _), program in self._programs.items():
            sizes.setdefault(label, {})[program.workers + 1] = program.info["heap"] + fixed[label]
        return sizes

    def close(self) -> None:
        """End all programs."""
        for program in self._programs.values():
            program.close()
        self._programs.clear()


def _megabytes(variant: Variant, workers: int) -> int:
    """What a program needs: the statistics, the pattern by hand, and DPDK."""
    bytes_needed = 2 * totals.footprint(variant.module, workers + 1)
    return SPARE_MEGABYTES + workers + (bytes_needed * 5 // 4 >> 20)


def _outside_dpdk(variant: Variant, places: list[At]) -> int:
    """Bytes of a program outside DPDK's memory: packets, and what `--pressure` writes to."""
    each = 24 + 4 * len({name for scope in variant.module.scopes for name in scope.path})
    runs = {(at.lcores, at.flows, at.distribution, at.affinity) for at in places}
    packets = [  # as bench_traffic.c has it
        lcores * min(max(1 << 14, 1 << (4 * flows - 1).bit_length()), 1 << 22)
        for lcores, flows, _, _ in runs
    ]
    pressed = max((at.lcores for at in places if at.pressure), default=0)
    return each * min(sum(packets), max([*packets, KEPT_PACKETS])) + pressed * PRESSURE_BYTES


def key_of(kind: str, number: int, variant: Variant, at: At) -> str:
    """Name of a measurement in the journal."""
    place = ",".join(f"{name}={value}" for name, value in at.model_dump().items())
    return f"{kind}/{number}/{variant.label}/{place}"


def steps(bench: Bench) -> Iterator[Step]:
    """Everything to measure, in order; what is odd and even in a round changes places."""
    for number in range(bench.plan.effort.rounds):
        turn = number % len(bench.variants)
        for at in bench.plan.places:
            for variant in bench.variants[turn:] + bench.variants[:turn]:
                yield "round", number, variant, at
    for at in bench.plan.places:
        for variant in bench.variants:
            if at in bench.plan.latency:
                yield "latency", 0, variant, at
            yield "hardware", 0, variant, at


def measure(bench: Bench, journal: Journal, wanted: Iterable[Step]) -> bool:
    """Measure what the journal lacks; False when that was interrupted. Raises UsageError."""
    begun, lifetime = 0, max(1, bench.plan.effort.rounds // LIVES)
    with contextlib.suppress(KeyboardInterrupt):
        for step in wanted:
            kind, number, *_ = step
            if kind == "round" and number >= begun + lifetime:
                bench.close()
                begun = number
            if key_of(*step) not in journal:
                journal[key_of(*step)] = _measured(bench, *step)
        return True
    return False


def _measured(
    bench: Bench, kind: str, number: int, variant: Variant, at: At
) -> dict[str, Any] | None:
    """None where the schema has no such calls, or single calls cannot be timed."""
    program, effort, options = bench.program(variant, at), bench.plan.effort, bench.options(at)
    offered = program.info["ways"]
    if at.api not in offered or (kind != "round" and at.scheduler != "none"):
        return None
    if kind == "latency":
        return {
            figure: program.run(way, effort.latency_ms, latency=1, **options)["latency"]
            for figure, way in (("generated", at.api), ("none", "none"))
        }
    if kind == "hardware":
        answer = program.run(at.api, HARDWARE_MS, hardware=1, **options)
        return cast("dict[str, Any] | None", answer.get("hardware"))
    ways = {"none": "none", "generated": at.api}
    if at.api == "single" or at.work == 0:
        ways["hand"] = "hand"
    if at.work == 0 and at.scheduler == "none":  # nothing else takes time
        ways |= {"floor": "floor", "atomic": "atomic"}
    figures: dict[str, Any] = {"round": number}
    wanted = [(figure, way) for figure, way in ways.items() if way in offered]
    for figure, way in wanted if number % 2 == 0 else reversed(wanted):
        answer = program.run(way, effort.ms, **options)
        figures[figure] = answer["cycles"]
        if figure == "generated":
            figures |= {name: answer[name] for name in ("packets", "expected", "counted", "exact")}
    return figures
