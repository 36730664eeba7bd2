# SPDX-License-Identifier: BSD-3-Clause
"""What updates that are sent through rings take of a worker, and of the thread that polls.

usage: python -m tests.benchmarks.ring [ROUNDS [SYNC..]]

A worker on one core counts the packets of schemas/ep.yaml, another core polls (ring_main.c), under
each strategy in turns, ROUNDS (5) times. Prints medians: nanoseconds of the thread itself for an
update of four counters, without those of the work between packets; cycles of the poll thread, and
how busy it is; and the worker's cost as a ratio to that of the first strategy in the same round.
Where it is alone there is no poll thread: it counts as many packets as its ring has room for, and
then polls itself, in turns.

Then how busy the poll thread is by the work between packets: it keeps up with two workers if that
is less than half of its time with one. Then instructions of an update, from the machine code. Two
cores must be free. x86-64 only.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ctrgen.backends import runtimeinfo
from ctrgen.output.tables import grid
from tests.benchmarks.programs import in_turns, medians, printed, program, ratio, sessions
from tests.machine import code
from tests.support.paths import ROOT
from tests.support.strategies import BUFFERING, DRAINED, SHARED, strategy_of

HERE = Path(__file__).resolve().parent
SENT = [
    f"{DRAINED}:ring=16384,mode={mode}" for mode in strategy_of(DRAINED).tunables["mode"].values
]
SYNCS = (BUFFERING, *SENT, SHARED)
FLOWS = (1_000, 1_000_000)
TRAFFIC = (
    ("uniform", 0, 0),
    ("bursts", 0, 0),
    ("uniform", 0, 1),
    ("bursts", 0, 1),
    ("uniform", 75, 1),
    ("bursts", 75, 1),
)
"""Which packets, rounds of work between them, of about four cycles each, and how many workers there
are beside a poll thread: 0 is one alone."""
WORKS = (0, 3, 6, 9, 12, 18, 25, 37, 50, 75)
POLLED = SENT[0]
"""The strategy by rounds of work; what finds no room is no work for the poll thread."""
ROUNDS = 5


def instructions(path: Path) -> int:
    """Those of an update, up to its return."""
    flags = (*runtimeinfo.cflags("posix"), f"-I{path.parent}", "-fPIE", "-march=native")
    target = next(t for t in code.TARGETS if t.arch == "x86_64" and t.compiler == "gcc")
    made = code.compiled(target, ROOT / "tests/figures/fast.c", path.with_suffix(".o"), flags)
    return len(code.hot(code.functions(target, made)["hot_update_packet"])) - 1


def sweep(path: Path, flows: int, rounds: int) -> list[list[str]]:
    """Rows of how busy the poll thread is, by the work of one worker between packets."""
    rows = []
    for work in WORKS:
        results = [printed(path, "uniform", work, 1)[0] for _ in range(rounds)]
        rows.append([f"{flows:,}", str(work), *_shown(medians(results)[1:])])
    return rows


def _shown(numbers: list[float]) -> list[str]:
    polled, busy = numbers
    return [f"{polled:.1f}", f"{busy:.0f} %"]


def main(rounds: int, syncs: Sequence[str]) -> None:
    """Print the medians of all rounds."""
    rows, swept = [], []
    with tempfile.TemporaryDirectory() as top:
        for flows in FLOWS:
            folder, text = Path(top) / str(flows), [sessions(flows)]
            programs = {s: program("ring_main.c", folder, s, schemas=text) for s in syncs}
            for traffic in TRAFFIC:
                found = in_turns({s: (path, *traffic) for s, path in programs.items()}, rounds)
                packets, work, workers = traffic
                how = f"{flows:,} flows, {packets}, work {work}{'' if workers else ', alone'}"
                for sync, results in found.items():
                    cost, *others = medians(results)
                    shown = [f"{cost:.1f}", *_shown(others), ratio(results, found[syncs[0]])]
                    rows.append([how, sync, *shown])
            if POLLED in programs:
                swept += sweep(programs[POLLED], flows, rounds)
        counted = [[sync, str(instructions(path))] for sync, path in programs.items()]
    head = ["packets", "strategy", "ns", "poll", "busy", "ratio"]
    print(grid(head, rows, range(2, 6)))
    if swept:
        print(grid(["flows", "work", "poll", "busy"], swept, range(1, 4)))
    print(grid(["strategy", "instructions"], counted, [1]))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS, sys.argv[2:] or SYNCS)
