# SPDX-License-Identifier: BSD-3-Clause
"""Packets per second of originals and ports, in turns of milliseconds on the same processors.

All variants of an example are started, and all but one stand still (SIGSTOP). What the machine
does meanwhile to one, it does to its neighbours in time: the ratio of a run is the median of the
ratios of neighbouring turns. In each run programs are new processes, and their code lies elsewhere.
"""

import contextlib
import random
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.field.apps import Case
from tests.field.ports import HAND, ORIGINAL, PORT, Program
from tests.field.runs import Devices, Run, Turn

TURN, LONG_TURN = 0.02, 0.1
"""Seconds of a turn; of a long one where lcores share processors."""
TWIN = "twin"
"""A second process of the original: what two processes of one program differ by."""
SETTLES, LONG_SETTLES = 0.001, 0.05
"""Seconds behind a switch that do not count."""
LONGER = 4
"""A run with long turns is so many times as long."""
RESETS, APART = 100, 0.001
"""Resets under load at the end of each run, and the seconds between two."""


@dataclass
class Cell:
    """What is measured of an example with a number of lcores; lists have an entry for each run."""

    case: Case
    hertz: float = 0
    """Of the time stamp counter."""
    rates: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Packets sent a cycle, by variant."""
    ratios: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """Of each variant to the original; of the port to what counts by hand as `port/hand`."""
    unequal: list[str] = field(default_factory=list)
    """What is not equal between the counts of the port and those of ethdev."""
    packets: int = 0
    resets: int = 0


def total(expression: str, counters: Mapping[str, int]) -> int:
    """A sum of counters such as `a+b-c`."""
    terms = re.findall(r"([+-]?)([^+-]+)", expression)
    return sum((-1 if sign == "-" else 1) * counters[name] for sign, name in terms)


def differences(case: Case, counters: Mapping[str, int], devices: Devices) -> list[str]:
    """Where the counts of a port are not what ethdev says, in words."""
    found = []
    for expression, name in case.equal:
        wanted = getattr(devices, name) if name else 0
        got = total(expression, counters)
        if got != wanted:
            found.append(f"{expression} is {got}, not {wanted}{f' ({name})' if name else ''}")
    return found


def check(run: Run, case: Case) -> tuple[list[str], int]:
    """Reset the counters of a running port again and again, let its packets run out, and compare
    the sum of all that was taken with ethdev's; the differences, and the packets sent."""
    run.reset(RESETS, APART)
    run.drain()
    devices = run.devices()
    return differences(case, run.counters(), devices), devices.sent


@contextlib.contextmanager
def running(programs: Mapping[str, Path], case: Case, folder: Path) -> Iterator[dict[str, Run]]:
    """The variants of an example, standing still; each has sent packets."""
    with contextlib.ExitStack() as stack:
        runs = {}
        for name in random.sample([*programs], len(programs)):
            runs[name] = stack.enter_context(Run(programs[name], case, folder))
        for run in runs.values():
            run.wait()
            run.pause()
        yield runs


def _turn(run: Run, long: bool) -> Turn:
    run.resume()
    run.turn(LONG_SETTLES if long else SETTLES)
    turn = run.turn(LONG_TURN if long else TURN)
    run.pause()
    return turn


def once(cell: Cell, programs: Mapping[str, Path], folder: Path, seconds: float) -> None:
    """One run: turns for so many seconds, or more where they are long, then resets and counts of
    the port."""
    long = cell.case.crowded
    times = LONGER if long else 1
    turns: dict[str, list[Turn]] = defaultdict(list)
    with running({**programs, TWIN: programs[ORIGINAL]}, cell.case, folder) as runs:
        ends = time.monotonic() + seconds * times
        while time.monotonic() < ends or not turns:
            for name in random.sample([*runs], len(runs)):
                turns[name].append(_turn(runs[name], long))
        runs[PORT].resume()
        cell.hertz = runs[PORT].hertz()
        unequal, packets = check(runs[PORT], cell.case)
        runs[PORT].pause()
    for name, values in turns.items():
        cell.rates[name].append(rate(values))
        if name != ORIGINAL:
            cell.ratios[name].append(ratio(values, turns[ORIGINAL]))
    if HAND in turns:
        cell.ratios[f"{PORT}/{HAND}"].append(ratio(turns[PORT], turns[HAND]))
    cell.unequal += unequal
    cell.packets += packets
    cell.resets += RESETS


def rate(turns: list[Turn]) -> float:
    """Packets sent a cycle, of the median turn."""
    return statistics.median(turn.sent / turn.cycles for turn in turns)


def ratio(ours: list[Turn], theirs: list[Turn]) -> float:
    """What packets a cycle are to others: the median of neighbouring turns. Where nothing was sent
    there is none."""
    ratios = [
        one.sent / one.cycles * other.cycles / other.sent
        for one, other in zip(ours, theirs, strict=True)
        if other.sent
    ]
    return statistics.median(ratios) if ratios else float("nan")


def measure(
    cases: list[Case], programs: Mapping[str, Mapping[str, Program]], folder: Path,
    runs: int, seconds: float, tell: Callable[[str], None],
) -> list[Cell]:  # fmt: skip
    """Run all cases in turns, each so often; programs are by example and variant."""
    cells = [Cell(case) for case in cases]
    for at in range(runs):
        for cell in random.sample(cells, len(cells)):
            tell(f"run {at + 1} of {runs}: {cell.case.app}, {cell.case.workers} lcores")
            built = programs[cell.case.app]
            chosen = {
                name: program.copies[at % len(program.copies)] for name, program in built.items()
            }
            once(cell, chosen, folder, seconds)
    return cells
