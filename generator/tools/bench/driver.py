# SPDX-License-Identifier: BSD-3-Clause
"""Measures every strategy at every place, round after round, side by side within hundredths of a
second. Programs are started several times, as the placement of their memory lasts that long."""

import contextlib
import itertools
import statistics
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...model import ir
from . import machine, programs
from .matrix import UNBROKEN, Plan
from .programs import Program
from .result import At
from .variants import Variant

BURST = 32  # packets of a burst (CTR_BENCH_BURST)
SLICE_SECONDS, SLICE_BURSTS = 100e-6, 16  # length of a slice, and its least number of bursts
SELDOM = 4  # one in 4 rounds has reads or resets without a pause, which take seconds
LIVES, FEW = 4, 8  # starts of each program, or one a round of few figures: its memory matters
ENOUGH = 6  # rounds that are measured whatever time they take
Step = tuple[int, Variant, At]  # the round; of what, where
Rounds = dict[tuple[str, At], list[dict[str, Any]]]  # what was measured, by strategy and place


@dataclass
class Bench:
    """The measurements of a run, and the programs that make them."""

    variants: list[Variant]
    updates: tuple[ir.Update, ...]  # of a packet
    flow_scope: str  # exists once per flow
    plan: Plan
    folder: Path
    huge: bool = False  # whether there are huge pages for all
    began: float = field(default_factory=time.monotonic)
    _programs: dict[tuple[str, bool], Program] = field(default_factory=dict)
    """By strategy and whether they are crowded."""
    _iteration: float = 0.0

    @property
    def _workers(self) -> dict[bool, int]:
        """Lcores of each program of a variant, by whether it is crowded."""
        ordered = sorted(self.plan.places, key=lambda at: at.lcores)
        return {at.crowded: at.lcores for at in ordered}

    def program(self, variant: Variant, at: At) -> Program:
        """The running program of a variant, with enough lcores for the place."""
        key = (variant.label, at.crowded)
        if key not in self._programs:
            workers = self._workers[at.crowded]
            words = machine.arguments(self.huge, machine.megabytes(variant, workers))
            path = programs.program(self.folder, variant)
            self._programs[key] = Program(path, workers, self.plan.cores, words)
        return self._programs[key]

    def choose_memory(self) -> None:
        """Decide whether memory is on huge pages. Raises UsageError if there is too little."""
        workers = list(self._workers.values())
        machine.check_memory(self.variants, workers, [at.flows for at in self.plan.places])
        sizes = [machine.megabytes(v, n) for v, n in itertools.product(self.variants, workers)]
        self.huge = machine.on_huge_pages(sizes)
        if not self.huge:
            few = "too few" if machine.hugepages() else "no"
            note = f"{few} huge pages: ran without, which makes large tables slower"
            self.plan.notes.append(note)

    def options(self, at: At) -> dict[str, Any]:
        """A place as options of the `run` command."""
        return at.model_dump(exclude={"cores", "api", "work"}) | {
            "iterations": max(1, round(at.work / self._iteration)) if at.work else 0,
        }

    def calibrate(self) -> dict[str, Any]:
        """Measure the length of a work iteration; what a program says of itself."""
        program = self.program(self.variants[0], self.plan.places[0])
        self._iteration = program.ask("calibrate")["cycles"]
        return program.info

    def sizes(self) -> dict[str, dict[int, int]]:
        """Bytes of the statistics by strategy and lcores, of the programs that run."""
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


def steps(bench: Bench) -> Iterator[Step]:
    """Everything to measure, in order; each round begins with the next variant."""
    for number in range(bench.plan.effort.rounds):
        turn = number % len(bench.variants)
        for at in bench.plan.places:
            if number % SELDOM and at.reads + at.resets >= UNBROKEN:
                continue
            for variant in bench.variants[turn:] + bench.variants[:turn]:
                yield number, variant, at


def in_time(bench: Bench, wanted: Iterable[Step]) -> Iterator[Step]:
    """The steps that there is time for: ENOUGH rounds, then those expected to end in time."""
    effort, newest = bench.plan.effort, 0
    for step in wanted:
        number = step[0]
        if number > newest:
            newest, spent = number, time.monotonic() - bench.began
            if number >= ENOUGH and spent + spent / number > effort.seconds:
                few = f"{number} rounds of {effort.rounds}"
                bench.plan.notes.append(f"{few}: there was no time for more (--rounds asks for it)")
                return
        yield step


def measure(bench: Bench, wanted: Iterable[Step]) -> tuple[Rounds, bool]:
    """Results of these steps, and False if interrupted. Raises UsageError."""
    found: Rounds = {}
    begun, rounds = 0, bench.plan.effort.rounds
    few = len(bench.plan.places) * len(bench.variants) <= FEW
    lifetime = 1 if few else max(1, rounds // LIVES)
    with contextlib.suppress(KeyboardInterrupt):
        for number, variant, at in in_time(bench, wanted):
            if number >= begun + lifetime:
                bench.close()
                begun = number
            entry = {"round": number, **_measured(bench, number, variant, at)}
            found.setdefault((variant.label, at), []).append(entry)
        return found, True
    return found, False


def _measured(bench: Bench, number: int, variant: Variant, at: At) -> dict[str, Any]:
    """Each call variant, interleaved with uncounted packets in slices of about 100 us; the typical
    slice is taken, or the mean where workers share processors: a median hides rare preemption
    within a lock. With a reader or a resetter, each variant runs by itself."""
    program, ms, options = bench.program(variant, at), bench.plan.effort.ms, bench.options(at)
    ways = {"generated": at.api}
    if at.api == "single":
        ways |= {name: name for name in ("hand", "free", "quota") if name in program.info["ways"]}
    wanted = list(ways.items())
    if number % 2:
        wanted.reverse()
    if not at.alone:
        wanted.insert(0, ("none", "none"))
    length = max(SLICE_SECONDS * program.info["tsc_hz"], at.work * BURST * SLICE_BURSTS)
    slice_ = round(length) if at.alone else 0
    answers = {name: program.run(way, ms, slice=slice_, **options) for name, way in wanted}
    figures: dict[str, Any] = {name: answer["cycles"] for name, answer in answers.items()}
    if at.alone:
        mean = at.crowded or not all(answer["slice"] for answer in answers.values())
        with_, without = ("cycles", "bare") if mean else ("slice", "bare_slice")
        none = statistics.median(answer[without] for answer in answers.values())
        more = {name: answer[with_] - answer[without] for name, answer in answers.items()}
        figures = {name: max(0.0, round(none + cycles, 3)) for name, cycles in more.items()}
        figures["none"] = none
    names = ("expected", "counted", "exact", "clock", "ms", "reads", "resets")
    return figures | {name: answers["generated"][name] for name in names}
