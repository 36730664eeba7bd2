# SPDX-License-Identifier: BSD-3-Clause
"""Measures every strategy at every place, round after round, side by side within hundredths of a
second. Programs are started several times, as the placement of their memory lasts that long."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import statistics
import time
from collections import UserDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...findings.usage import UsageError, reason
from ...model import ir
from . import machine, memory, programs
from .matrix import UNBROKEN, Plan
from .programs import Program
from .result import At, Pages
from .variants import Variant


class Journal(UserDict[str, Any]):
    """Measurements by key, each appended to a file when it is set; a file that is not `about` the
    same is overwritten. Raises UsageError."""

    def __init__(self, path: Path, about: dict[str, Any], resume: bool) -> None:
        super().__init__()
        self._path = path
        header = json.dumps({"about": about}, sort_keys=True)
        lines: list[str] = []
        with contextlib.suppress(OSError, UnicodeDecodeError):
            lines = path.read_text("utf-8").splitlines() if resume else []
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("w", encoding="utf-8")
        except OSError as error:
            raise self._unwritable(error) from error
        self._write(header)
        for line in lines[1:] if lines[:1] == [header] else []:
            # the last line of a run that was cut off is no entry
            with contextlib.suppress(ValueError, TypeError, KeyError):
                entry = json.loads(line)
                self[str(entry["key"])] = entry["value"]
        self.resumed = len(self)

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        self._write(json.dumps({"key": key, "value": value}))

    def _write(self, line: str) -> None:
        try:
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from error

    def _unwritable(self, error: OSError) -> UsageError:
        return UsageError(f"{self._path}: cannot be written: {reason(error)}")

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(OSError):  # the pending data are known not to fit
            self._file.close()


BURST = 32  # packets of a burst (CTR_BENCH_BURST)
TURN_SECONDS, TURN_BURSTS = 100e-6, 16  # length of a slice, and its least number of bursts
CHASE_BYTES = (*(1 << power for power in range(13, 27)), 1 << 28)  # that loads are spread over

REST_CYCLES = tuple(1 << power for power in range(17, 28))
"""TSC cycles for which a line is not used before it is loaded: from 50 us to 50 ms."""

SELDOM = 4  # one in 4 rounds has reads or resets without a pause, which take seconds
LIVES, FEW = 4, 8  # starts of each program, or one a round of few figures: its memory matters
ENOUGH = 6  # rounds that are measured whatever time they take: fewer decide nothing
FLOORS = 3  # how often the machine itself is measured in the rounds of a benchmark
Step = tuple[str, int, Variant, At]  # `round` or `latency`; the round; of what, where


@dataclass
class Bench:
    """The measurements of a run, and the programs that make them."""

    variants: list[Variant]
    updates: tuple[ir.Update, ...]  # of a packet
    flow_scope: str  # exists once per flow
    plan: Plan
    folder: Path
    asked: str = "auto"  # huge pages, as --huge says (memory.py)
    huge: bool = False  # whether there are
    began: float = field(default_factory=time.monotonic)
    _programs: dict[tuple[str, bool], Program] = field(default_factory=dict)
    """By strategy and whether they are crowded."""
    _iteration: float = 0.0

    def program(self, variant: Variant, at: At) -> Program:
        """The running program of a variant, with enough lcores for the place."""
        key = (variant.label, at.crowded)
        if key not in self._programs:
            workers = max(a.lcores for a in self.plan.places if a.crowded is at.crowded)
            size = memory.megabytes(variant, workers)
            words = memory.arguments(self.asked, self.huge, size)
            path = programs.program(self.folder, variant)
            self._programs[key] = Program(path, workers, self.plan.cores, words)
        return self._programs[key]

    def _groups(self) -> list[list[At]]:
        """The places of each program of a variant."""
        groups = ([at for at in self.plan.places if at.crowded is one] for one in (False, True))
        return [places for places in groups if places]

    def choose_pages(self) -> None:
        """Decide whether memory is on huge pages. Raises UsageError."""
        workers = [max(at.lcores for at in places) for places in self._groups()]
        sizes = [memory.megabytes(v, n) for v, n in itertools.product(self.variants, workers)]
        self.huge = memory.decide(self.asked, sizes)
        if self.asked == "auto" and not self.huge:
            few = "too few" if machine.hugepages() else "no"
            self.plan.notes.append(
                f"{few} huge pages: ran without, which makes large tables slower"
            )

    def check_memory(self) -> None:
        """Raises UsageError when the programs together need more memory than there is."""
        memory.check(self.variants, self._groups(), self.plan.flows, self.huge)

    def pages(self) -> Pages:
        """Page sizes of the memory of the running programs."""
        shares: dict[str, dict[str, float]] = {"allocated": {}, "data": {}}
        for (label, _), program in self._programs.items():
            for kind, known in shares.items():
                if (share := getattr(program, kind)) is not None:
                    known[label] = min(round(share, 3), known.get(label, 1.0))
        return Pages.model_validate({"asked": self.asked, "hugetlbfs": self.huge, **shares})

    def options(self, at: At) -> dict[str, Any]:
        """A place as options of the `run` command."""
        burst = re.fullmatch(r"bursts:(\d+)", at.distribution)
        return at.model_dump(exclude={"cores", "api", "work"}) | {
            "distribution": "bursts" if burst else at.distribution,
            "burst": int(burst[1]) if burst else 1,
            "iterations": max(1, round(at.work / self._iteration)) if at.work else 0,
            "pressure": int(at.pressure),
        }

    def calibrate(self, journal: Journal) -> dict[str, Any]:
        """Lower bounds of the machine and the length of a work iteration; measured once."""
        program = self.program(self.variants[0], self.plan.places[0])
        if "calibrate" not in journal:
            journal["calibrate"] = program.ask("calibrate")["cycles"]
        self._iteration = journal["calibrate"]
        if "timer" not in journal:
            journal["timer"] = program.figures("timer")
        return program.info

    def sizes(self, complete: bool) -> dict[str, dict[int, int]]:
        """Bytes of the statistics by strategy and lcores; of a complete run, of all programs."""
        if complete:
            for variant, at in itertools.product(self.variants, self.plan.places):
                self.program(variant, at)
        fixed = {v.label: programs.static_bytes(self.folder, v) for v in self.variants}
        sizes: dict[str, dict[int, int]] = {}
        for (label, _), program in self._programs.items():
            sizes.setdefault(label, {})[program.workers + 1] = program.info["heap"] + fixed[label]
        return sizes

    def objects(self) -> dict[str, int]:
        """Bytes of counters in objects of the application, by strategy, where there are any."""
        every = ((label, program.info["objects"]) for (label, _), program in self._programs.items())
        return {label: octets for label, octets in every if octets}

    def close(self) -> None:
        """End all programs."""
        for program in self._programs.values():
            program.close()
        self._programs.clear()


def _floor(program: Program, cores: Iterable[int]) -> dict[str, dict[str, list[float]]]:
    """Cycles of loads by bytes in use and by time at rest, and of transfers between two cores."""
    most = machine.available() // 2 or CHASE_BYTES[-1]
    sizes = [n for n in CHASE_BYTES if n <= most]
    found = {
        verb: {str(value): program.figures(f"{verb} {value}", tries) for value in wanted}
        for verb, wanted, tries in (("chase", sizes, 1), ("rest", REST_CYCLES, 3))
    }
    pairs = (f"{a} {b}" for a, b in itertools.combinations(cores, 2))
    return found | {"transfer": {pair: program.figures(f"transfer {pair}", 2) for pair in pairs}}


def floor(journal: Journal) -> dict[str, Any]:
    """Lower bounds of the machine, each time that they were measured: they change in minutes."""
    found: dict[str, dict[tuple[int, ...], list[float]]] = {"chase": {}, "rest": {}, "transfer": {}}
    for key, answer in journal.items():
        for verb, rows in answer.items() if key.startswith("floor/") else ():
            for value, cycles in rows.items():
                found[verb].setdefault(tuple(map(int, value.split())), []).extend(cycles)
    names = {"chase": ("bytes",), "rest": ("unused",), "transfer": ("a", "b")}
    return {"timer": journal["timer"]} | {
        verb: [dict(zip(names[verb], key, strict=True), cycles=rows[key]) for key in sorted(rows)]
        for verb, rows in found.items()
    }


def key_of(kind: str, number: int, variant: Variant, at: At) -> str:
    """Name of a measurement in the journal."""
    place = ",".join(f"{name}={value}" for name, value in at.model_dump().items())
    return f"{kind}/{number}/{variant.label}/{place}"


def steps(bench: Bench) -> Iterator[Step]:
    """Everything to measure, in order; each round begins with the next variant."""
    for number in range(bench.plan.effort.rounds):
        turn = number % len(bench.variants)
        for at in bench.plan.places:
            if number % SELDOM and at.reads + at.resets >= UNBROKEN:
                continue
            for variant in bench.variants[turn:] + bench.variants[:turn]:
                yield "round", number, variant, at
    for at in bench.plan.places:
        for variant in bench.variants:
            if at in bench.plan.latency:
                yield "latency", 0, variant, at


def in_time(bench: Bench, wanted: Iterable[Step]) -> Iterator[Step]:
    """The steps that there is time for: ENOUGH rounds, then those expected to end in time."""
    effort, newest, late = bench.plan.effort, 0, False
    for step in wanted:
        kind, number, *_ = step
        if kind == "round" and not late and number > newest:
            newest, spent = number, time.monotonic() - bench.began
            late = number >= ENOUGH and spent + spent / number > effort.seconds
            if late:
                few = f"{number} rounds of {effort.rounds}"
                bench.plan.notes.append(f"{few}: there was no time for more (--rounds asks for it)")
        if kind != "round" or not late:
            yield step


def measure(bench: Bench, journal: Journal, wanted: Iterable[Step]) -> bool:
    """Measure the steps missing in the journal; False if interrupted. Raises UsageError."""
    begun, rounds = 0, bench.plan.effort.rounds
    few = len(bench.plan.places) * len(bench.variants) <= FEW
    lifetime, apart = 1 if few else max(1, rounds // LIVES), max(1, rounds // FLOORS)
    with contextlib.suppress(KeyboardInterrupt):
        for step in in_time(bench, wanted):
            kind, number, *_ = step
            if kind == "round" and number >= begun + lifetime:
                bench.close()
                begun = number
            if (now := f"floor/{begun // apart}") not in journal:
                journal[now] = _floor(bench.program(*step[2:]), bench.plan.cores)
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
        return _latency(program, effort.latency_ms, at, options)
    ways = {"generated": at.api}
    if at.api in ("single", "items"):
        ways["hand"] = "hand"
        if at.work == 0 and at.scheduler == "none":  # nothing else takes time
            ways |= {name: name for name in ("floor", "atomic", "free", "quota")}
    wanted = [(figure, way) for figure, way in ways.items() if way in offered]
    if number % 2:
        wanted.reverse()
    return {"round": number, **_round(program, effort.ms, wanted, at, options)}


def _latency(program: Program, ms: float, at: At, options: dict[str, Any]) -> dict[str, Any]:
    """Times of single calls; of bursts with the batch and bulk API, reads or resets."""
    packets = BURST if at.reads or at.resets or at.api in ("batch", "bulk") else 1
    return {
        figure: program.run(way, ms, latency=packets, **options)["latency"] | {"packets": packets}
        for figure, way in (("generated", at.api), ("none", "none"))
    }


def _round(
    program: Program, ms: float, ways: list[tuple[str, str]], at: At, options: dict[str, Any]
) -> dict[str, Any]:
    """Each call variant, interleaved with uncounted packets in slices of about 100 us; the typical
    slice is taken, or the mean where workers share processors: a median hides rare preemption
    within a lock. With a reader, resetter or producer, each variant runs by itself."""
    turn = max(TURN_SECONDS * program.info["tsc_hz"], at.work * BURST * TURN_BURSTS)
    wanted, slice_ = (ways, round(turn)) if at.alone else ([("none", "none"), *ways], 0)
    answers = {name: program.run(way, ms, slice=slice_, **options) for name, way in wanted}
    figures: dict[str, Any] = {name: answer["cycles"] for name, answer in answers.items()}
    if at.alone:
        few = at.crowded or not all(answer["turn"] for answer in answers.values())
        with_, without = ("cycles", "bare") if few else ("turn", "bare_turn")
        none = statistics.median(answer[without] for answer in answers.values())
        more = {name: answer[with_] - answer[without] for name, answer in answers.items()}
        figures = {name: max(0.0, round(none + cycles, 3)) for name, cycles in more.items()}
        figures["none"] = none
    names = ("packets", "expected", "counted", "exact", "clock", "ms", "reads", "resets")
    figures |= {name: answers["generated"][name] for name in names}
    return figures | {"faults": sum(answer["faults"] for answer in answers.values())}
