#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the generated agent costs: bulk walks of a table, against a handler written by hand.

usage: tests/bench/agentx.py [ROUNDS]

A real snmpd, one round after the other, medians. Prints seconds for 10,000 rows of 4 columns,
the ratio, how time grows with the rows, and memory per row above the counters.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.agentx import lab  # noqa: E402

ROOTS = {"generated": (1, 3, 6, 1, 4, 1, 32473, 8, 1), "hand": (1, 3, 6, 1, 4, 1, 32473, 9, 1)}
COLUMNS = 4


class Served:
    """A table of so many rows, behind an snmpd of its own."""

    def __init__(self, folder: Path, program: Path, how: str, rows: int) -> None:
        place = folder / f"{how}-{rows}"
        place.mkdir()
        self.root, self.rows = ROOTS[how], rows
        self.master = lab.Master(place)
        self.process = subprocess.Popen(
            [str(program), self.master.socket, str(rows), how],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        assert self._line() == 0
        self.before = self._line()

    def _line(self) -> int:
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())

    def memory(self) -> int:
        """Bytes that serving took, after a walk."""
        return self._asked("m") - self.before

    def update(self) -> float:
        """Nanoseconds of a worker's own time for an update of two counters."""
        return self._asked("w") / 1000

    def _asked(self, what: str) -> int:
        assert self.process.stdin is not None
        self.process.stdin.write(what)
        self.process.stdin.flush()
        return self._line()

    def walk(self) -> float:
        """Seconds for all of the table, in order."""
        begin = time.perf_counter()
        found = self.master.manager.walk(self.root, 50)
        taken = time.perf_counter() - begin
        assert len(found) == self.rows * COLUMNS, f"{len(found)} objects"
        return taken

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(10)
        self.master.stop()


def paired(served: Served, rounds: int) -> tuple[float, float]:
    """What an update costs, medians: with no manager, and while one walks at full speed."""
    alone, walked = [], []
    for _ in range(rounds):
        alone.append(served.update())
        stop = threading.Event()

        def walk(stop: threading.Event = stop) -> None:
            while not stop.is_set():
                served.walk()

        walker = threading.Thread(target=walk)
        walker.start()
        walked.append(served.update())
        stop.set()
        walker.join()
    return statistics.median(alone), statistics.median(walked)


def main() -> int:
    """Measure; the exit code is 1 when the ratio is above 1.2."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lab.generate(HERE / "agentx.yaml", folder)
        program = lab.build(folder, [HERE / "agentx_main.c"])
        cases = [
            ("generated", 10_000),
            ("hand", 10_000),
            ("generated", 2_500),
            ("generated", 20_000),
        ]
        served = {case: Served(folder, program, *case) for case in cases}
        try:
            for one in served.values():
                one.master.wait((*one.root, 2, 1, 2, 1))
                one.walk()
            seconds: dict[tuple[str, int], list[float]] = {case: [] for case in cases}
            for _ in range(rounds):
                for case, one in served.items():
                    seconds[case].append(one.walk())
            alone, walked = paired(served["generated", 2_500], 5)
            memory = {case: one.memory() for case, one in served.items()}
        finally:
            for one in served.values():
                one.end()
    median = {case: statistics.median(taken) for case, taken in seconds.items()}
    for (how, rows), taken in median.items():
        each = taken / rows / COLUMNS * 1e6
        print(f"{how:10} {rows:6} rows: {taken:6.2f} s, {each:5.1f} us an object")
    ratio = median["generated", 10_000] / median["hand", 10_000]
    growth = (median["generated", 20_000] / 20_000) / (median["generated", 2_500] / 2_500)
    rows = 20_000 - 2_500
    bytes_a_row = (memory["generated", 20_000] - memory["generated", 2_500]) / rows
    print(f"generated / by hand: {ratio:.2f} (at most 1.2)")
    print(f"time per row, 20,000 rows against 2,500: {growth:.2f}")
    print(f"memory above the counters: {bytes_a_row:.0f} bytes a row")
    print(f"update of two counters: {alone:.2f} ns, {walked:.2f} ns while a manager walks")
    return 0 if ratio <= 1.2 else 1


if __name__ == "__main__":
    raise SystemExit(main())
