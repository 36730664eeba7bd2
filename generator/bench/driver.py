# SPDX-License-Identifier: BSD-3-Clause
"""Measures: every strategy at every place, round after round, side by side.

In a round the ways of one strategy follow each other within a few hundredths of
a second, and the strategies follow each other at one place: what disturbs the
machine for longer than that disturbs all alike. The programs are started anew
several times: where the system puts their memory is a matter of luck that lasts
as long as a process.
"""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..findings.usage import UsageError
from ..model import layout
from . import machine, programs
from .journal import Journal
from .matrix import Plan
from .process import Program
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

Tick = Callable[[int], None]


@dataclass
class Bench:
    """The programs of one benchmark. `plain` and `crowded` differ in where workers may run."""

    variants: list[Variant]
    folder: Path
    plan: Plan
    _programs: dict[tuple[str, bool], Program] = field(default_factory=dict)
    _iteration: float = 0.0

    def program(self, variant: Variant, at: At) -> Program:
        """The running program of a variant, with enough lcores for the place."""
        key = (variant.label, at.crowded)
        if key not in self._programs:
            workers = self._workers(at.crowded)
            self._programs[key] = Program(
                programs.program(self.folder, variant), workers, list(self.plan.cores),
                _megabytes(variant, workers),
            )  # fmt: skip
        return self._programs[key]

    def _places(self, crowded: bool) -> list[At]:
        """What one program is used for."""
        return [at for at in self.plan.places if at.crowded is crowded]

    def _workers(self, crowded: bool) -> int:
        return max(at.lcores for at in self._places(crowded))

    @property
    def lifetime(self) -> int:
        """Rounds after which the programs are started anew."""
        return max(1, self.plan.effort.rounds // LIVES)

    def check_memory(self) -> None:
        """Raises UsageError when the programs together need more than there is."""
        crowded = {at.crowded for at in self.plan.places}
        need = sum(
            (_megabytes(variant, self._workers(over)) << 20)
            + _outside_dpdk(variant, self._places(over))
            for variant in self.variants
            for over in crowded
        )
        have = machine.available()
        if have and need > have * 0.9:
            raise UsageError(
                f"{self.plan.flows} flows need {need / 2**30:.1f} GiB for {len(self.variants)} "
                f"strategies; {have / 2**30:.1f} GiB are free",
                "measure fewer flows (--flows), lcores (--lcores) or strategies (--strategies)",
            )

    def options(self, at: At) -> dict[str, Any]:
        """A place as options of the `run` command."""
        burst = re.fullmatch(r"bursts:(\d+)", at.distribution)
        return {
            "lcores": at.lcores,
            "flows": at.flows,
            "distribution": "bursts" if burst else at.distribution,
            "burst": int(burst[1]) if burst else 1,
            "affinity": at.affinity,
            "scheduler": at.scheduler,
            "iterations": max(1, round(at.work / self._iteration - VARIES)) if at.work else 0,
            "pressure": int(at.pressure),
            "reads": at.reads,
            "resets": at.resets,
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
            timer = program.figures("timer")
            journal["floor"] = {"transfer": transfers, "timer": timer}
        return program.info

    def running(self) -> Iterator[tuple[Variant, Program]]:
        """The programs, each with what it measures."""
        by_label = {variant.label: variant for variant in self.variants}
        for (label, _), program in self._programs.items():
            yield by_label[label], program

    def close(self) -> None:
        """End all programs."""
        for program in self._programs.values():
            program.close()
        self._programs.clear()


def _megabytes(variant: Variant, workers: int) -> int:
    """What a program needs: the statistics, the pattern by hand, and DPDK."""
    bytes_needed = 2 * layout.footprint(variant.module, workers + 1)
    return SPARE_MEGABYTES + workers + (bytes_needed * 5 // 4 >> 20)


def _packets(flows: int) -> int:
    """Packets that are made for each worker, as bench_traffic.c has it."""
    return min(max(1 << 14, 1 << (4 * flows - 1).bit_length()), 1 << 22)


def _outside_dpdk(variant: Variant, places: list[At]) -> int:
    """Bytes of a program outside DPDK's memory: packets, and what `--pressure` writes to."""
    each = 24 + 4 * len({name for scope in variant.module.scopes for name in scope.path})
    runs = {(at.lcores, at.flows, at.distribution, at.affinity) for at in places}
    packets = [lcores * _packets(flows) for lcores, flows, _, _ in runs]
    pressed = max((at.lcores for at in places if at.pressure), default=0)
    return each * min(sum(packets), max([*packets, KEPT_PACKETS])) + pressed * PRESSURE_BYTES


def ways(program: Program, at: At) -> dict[str, str]:
    """What to measure at a place: the figure's name in a round -> the way of the program.

    The floors are of interest where nothing else takes time.
    """
    offered = program.info["ways"]
    by_figure = {"none": "none", "generated": at.api}
    if at.api == "single" or at.work == 0:
        by_figure["hand"] = "hand"
    if at.work == 0 and at.scheduler == "none":
        by_figure |= {"floor": "floor", "atomic": "atomic"}
    return {figure: way for figure, way in by_figure.items() if way in offered}


def key_of(kind: str, number: int, variant: Variant, at: At) -> str:
    """Name of a measurement in the journal."""
    place = ",".join(f"{name}={value}" for name, value in at.model_dump().items())
    return f"{kind}/{number}/{variant.label}/{place}"


def steps(bench: Bench) -> Iterator[tuple[str, int, Variant, At]]:
    """Everything to measure, in order; what is odd and even in a round changes places."""
    for number in range(bench.plan.effort.rounds):
        for at in bench.plan.places:
            turn = number % len(bench.variants)
            for variant in bench.variants[turn:] + bench.variants[:turn]:
                yield "round", number, variant, at
    for at in bench.plan.places:
        for variant in bench.variants:
            if at in bench.plan.latency:
                yield "latency", 0, variant, at
            yield "hardware", 0, variant, at


def measure(bench: Bench, journal: Journal, tick: Tick) -> bool:
    """Measure what is missing from the journal; False when that was interrupted.

    `tick` is called after each step. Raises UsageError when a program fails.
    """
    begun = 0
    with contextlib.suppress(KeyboardInterrupt):
        for kind, number, variant, at in steps(bench):
            if kind == "round" and number >= begun + bench.lifetime:
                bench.close()
                begun = number
            key = key_of(kind, number, variant, at)
            if key not in journal:
                journal[key] = _STEPS[kind](bench, variant, at, number)
            tick(1)
        return True
    return False


def _missing(program: Program, at: At) -> bool:
    """Whether the schema has no calls of the kind."""
    return at.api not in program.info["ways"]


def _round(bench: Bench, variant: Variant, at: At, number: int) -> dict[str, Any] | None:
    program = bench.program(variant, at)
    if _missing(program, at):
        return None
    figures: dict[str, Any] = {"round": number}
    wanted = list(ways(program, at).items())
    for figure, way in wanted if number % 2 == 0 else reversed(wanted):
        answer = program.run(way, bench.plan.effort.ms, **bench.options(at))
        figures[figure] = answer["cycles"]
        if figure == "generated":
            figures |= {name: answer[name] for name in ("packets", "expected", "counted")}
            figures["exact"] = answer["exact"]
    return figures


def _latency(bench: Bench, variant: Variant, at: At, number: int) -> dict[str, Any] | None:
    program = bench.program(variant, at)
    if _missing(program, at) or at.scheduler != "none":
        return None
    ms = bench.plan.effort.latency_ms
    return {
        figure: program.run(way, ms, latency=1, **bench.options(at))["latency"]
        for figure, way in (("generated", at.api), ("none", "none"))
    }


def _hardware(bench: Bench, variant: Variant, at: At, number: int) -> dict[str, Any] | None:
    program = bench.program(variant, at)
    if _missing(program, at) or at.scheduler != "none":
        return None
    answer = program.run(at.api, HARDWARE_MS, hardware=1, **bench.options(at))
    counters = answer.get("hardware")
    assert counters is None or isinstance(counters, dict)
    return counters


_STEPS = {"round": _round, "latency": _latency, "hardware": _hardware}
