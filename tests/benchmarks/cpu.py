# SPDX-License-Identifier: BSD-3-Clause
"""What an update takes by CPU and by lcore, on threads with and without an lcore id.

usage: python -m tests.benchmarks.cpu [ROUNDS [COMPILER]]

Threads count the packets of schemas/ep.yaml (cpu_main.c), in turns under each strategy, ROUNDS
(7) times: two registered ones on a core each; one, and then eight, that are not registered, on two
cores. Prints medians: nanoseconds of processor time that an update of four counters takes, and
ratios within a round: to the usual strategy, and of eight threads to one.
"""

import sys
import tempfile
from pathlib import Path

from ctrgen.output.tables import grid
from tests.benchmarks.programs import in_turns, medians, program, ratio
from tests.support.strategies import SHARED, STRATEGIES, USUAL, promise

HERE = Path(__file__).resolve().parent
OTHERS = [name for name in STRATEGIES if promise(name, "instances") == "lcores" and name != USUAL]
SYNCS = (USUAL, *OTHERS, SHARED)
HOW = ("registered", "one", "eight")
"""Who counts."""
ROUNDS = 7


def main(rounds: int, compiler: str) -> None:
    """Print the medians of all rounds."""
    with tempfile.TemporaryDirectory() as folder:
        made = {s: program("cpu_main.c", Path(folder), s, compiler=compiler) for s in SYNCS}
        found = in_turns({(s, how): (made[s], how) for how in HOW for s in SYNCS}, rounds)
    rows = [
        [
            sync,
            *(f"{medians(found[sync, how])[0]:.2f}" for how in HOW),
            ratio(found[sync, "registered"], found[SYNCS[0], "registered"]),
            ratio(found[sync, "eight"], found[sync, "one"]),
        ]
        for sync in SYNCS
    ]
    columns = ["strategy", *HOW, f"to {USUAL}", "eight to one"]
    print(grid(columns, rows, range(1, len(columns))))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS, sys.argv[2] if sys.argv[2:] else "gcc")
