# SPDX-License-Identifier: BSD-3-Clause
"""Snapshots of a million instances against memcpy of the same bytes.

usage: python -m tests.benchmarks.streams [ROUNDS [STRATEGY]]

Processes take turns, and in each a snapshot and memcpy (streams_main.c): of 1 to 8 counters, with
one and two copies, of a static scope, of one with baselines and of a dynamic one. memcpy copies
half of the bytes that the snapshot loads and stores. Prints the medians of ns for an instance, and
of the ratios of neighbours in time, with quartiles.
"""

import itertools
import statistics
import sys
import tempfile
from pathlib import Path

from ctrgen.output.tables import grid
from tests.benchmarks.programs import in_turns, program
from tests.support.strategies import USUAL

MAX = 1_000_000
WORDS, COPIES = (1, 2, 4, 8), (1, 2)
MORE = {"static": (0, 0), "reset": (1, 0), "dynamic": (1, 20)}
"""Forms of the scope: further words of a counter, a baseline; and bytes, the rest of a record and
an index."""
AT_A_TIME = 5
"""Rounds of a process."""


def schema(words: int, form: str) -> str:
    """A module with so many counters in a scope of a form."""
    counters = "".join(
        f"      c{word}: {{unit: packets, description: Number {word}.}}\n" for word in range(words)
    )
    adds = "".join(f"      flow.c{word}: {'size' if word else 1}\n" for word in range(words))
    return (
        f"ctrgen: 1\nmodule: stream\n"
        f"reset: {'true' if form == 'reset' else 'false'}\nscopes:\n  flow:\n    max: {MAX}\n"
        f"    storage: {'dynamic' if form == 'dynamic' else 'static'}\n    counters:\n{counters}"
        f"updates:\n  packet:\n    args: {{size: uint16}}\n    add:\n{adds}"
    )


def main(rounds: int, sync: str) -> None:
    """Print a line for each form."""
    commands = {}
    with tempfile.TemporaryDirectory() as folder:
        for words, form in itertools.product(WORDS, MORE):
            where = Path(folder) / f"{words}-{form}"
            made = program("streams_main.c", where, sync, schemas=[schema(words, form)])
            for copies in COPIES:
                # Copies, also that of threads without an lcore id, value and flags of a counter.
                more, beside = MORE[form]
                size = words * (8 * (copies + 2 + more) + 1) + beside
                commands[words, copies, form] = (made, copies, AT_A_TIME, size * MAX // 2)
        found = in_turns(commands, rounds)
    rows = []
    for key, times in found.items():
        low, middle, high = statistics.quantiles([ours / theirs for ours, theirs in times], n=4)
        ours, theirs = (statistics.median(column) / MAX for column in zip(*times, strict=True))
        ratio = f"{middle:.2f} ({low:.2f} to {high:.2f})"
        rows.append([*map(str, key), f"{ours:.2f}", f"{theirs:.2f}", ratio])
    head = ["counters", "copies", "scope", "snapshot", "memcpy", "ratio"]
    print(grid(head, rows, range(len(head))))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 5, sys.argv[2] if sys.argv[2:] else USUAL)
