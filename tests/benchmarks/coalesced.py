# SPDX-License-Identifier: BSD-3-Clause
"""Updates of a million flows on two cores with deltas that lcores hold, and otherwise.

usage: python -m tests.benchmarks.coalesced [ROUNDS [SYNC..]]

Two cores count the packets of schemas/ep.yaml with a million sessions (coalesced_main.c), under
each strategy in turns, ROUNDS (5) times. Prints medians: cycles of the time stamp counter for each
of the four counters of an update, those in which 50, 99 and 99.9 % of the updates are done, the
clock included, and the cost as a ratio to that of the first strategy. x86-64 only.
"""

import itertools
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from ctrgen.output.tables import grid
from tests.benchmarks.programs import in_turns, medians, program, ratio, sessions
from tests.support.strategies import BUFFERING, DELTAS, SHARED, USUAL

HERE = Path(__file__).resolve().parent
FLOWS = 1_000_000
SYNCS = (DELTAS, BUFFERING, SHARED, USUAL)
TRAFFIC = ("bursts", "bursts-zipf", "zipf", "uniform")
FLUSHES = (0, 32)
"""Packets between two calls of the hint function; 0 for none."""
ROUNDS = 5


def main(rounds: int, syncs: Sequence[str]) -> None:
    """Print the medians of all rounds."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        text = [sessions(FLOWS)]
        made = {s: program("coalesced_main.c", Path(folder), s, schemas=text) for s in syncs}
        for traffic, flush in itertools.product(TRAFFIC, FLUSHES):
            found = in_turns({s: (path, traffic, flush) for s, path in made.items()}, rounds)
            how = f"{traffic}, a hint each {flush}" if flush else traffic
            for sync, results in found.items():
                cost, *tails = medians(results)
                shown = [f"{cost:.2f}", *(f"{tail:.0f}" for tail in tails)]
                rows.append([how, sync, *shown, ratio(results, found[syncs[0]])])
    head = ["traffic", "strategy", "cycles", "50 %", "99 %", "99.9 %", "ratio"]
    print(grid(head, rows, range(2, 7)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS, sys.argv[2:] or SYNCS)
