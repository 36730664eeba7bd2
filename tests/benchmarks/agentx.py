# SPDX-License-Identifier: BSD-3-Clause
"""What the generated agent costs: bulk walks of a table, against a handler written by hand.

usage: python -m tests.benchmarks.agentx [ROUNDS [ROWS]]

A real snmpd, one round after the other, medians. Prints seconds for ROWS (10,000) rows of 4
columns, the ratio, how time grows with the rows, and memory per row above the counters (what is
allocated for ROWS less that for 2,500, the views of the last requests included). Takes a minute.
Does nothing where there is no snmpd, or no libsnmp-dev. Figures of other ROWS are not compared
with those of docs/.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.agentx import lab
from tests.benchmarks.published import record
from tests.support.capabilities import have_agentx
from tests.support.cbuild import OPTIMISED

HERE = Path(__file__).resolve().parent
OURS = (1, 3, 6, 1, 4, 1, 32473, 8, 1)
ROOTS = {"generated": OURS, "mapped": OURS, "hand": (1, 3, 6, 1, 4, 1, 32473, 9, 1)}
FIRST = {"generated": (1,), "mapped": (1, 2**32 - 1), "hand": (1,)}
COLUMNS = 4
FEW, USUAL = 2_500, 10_000


class Served:
    """A table of so many rows, behind an snmpd of its own."""

    def __init__(self, folder: Path, program: Path, how: str, rows: int) -> None:
        place = folder / f"{how}-{rows}"
        place.mkdir()
        self.root, self.rows, self.first = ROOTS[how], rows, FIRST[how]
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
        assert self.process.stdin is not None
        self.process.stdin.write("m")
        self.process.stdin.flush()
        return self._line() - self.before

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


def main() -> int:
    """Measure; the exit code is 1 when the ratio is above 1.2."""
    rounds, many = [*map(int, sys.argv[1:3]), *(3, USUAL)[len(sys.argv[1:3]) :]]
    if not have_agentx():
        print("no snmpd or no libsnmp-dev: the agent is not measured")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = {rows: made(folder, rows) for rows in (FEW, many)}
        cases = [(how, rows) for how in ("generated", "hand", "mapped") for rows in (many, FEW)]
        served = {case: Served(folder, programs[case[1]], *case) for case in cases}
        try:
            for one in served.values():
                one.master.wait((*one.root, 2, 1, 2, *one.first), 60)
                one.walk()
            memory = {case: one.memory() for case, one in served.items()}
            timed = [case for case in cases if case[0] != "mapped"]
            seconds: dict[tuple[str, int], list[float]] = {case: [] for case in timed}
            for _ in range(rounds):
                for case in timed:
                    seconds[case].append(served[case].walk())
        finally:
            for one in served.values():
                one.end()
    return report(many, seconds, memory)


def made(folder: Path, rows: int) -> Path:
    """The program for so many rows."""
    own = folder / str(rows)
    own.mkdir()
    text = (HERE / "agentx.yaml").read_text("utf-8")
    (own / "agentx.yaml").write_text(text.replace("max: 20000", f"max: {rows}"), "utf-8")
    lab.generate(own / "agentx.yaml", own)
    return lab.build(own, [HERE / "agentx_main.c"], flags=OPTIMISED)


def report(
    many: int, seconds: dict[tuple[str, int], list[float]], memory: dict[tuple[str, int], int]
) -> int:
    """Print it; the exit code."""
    found: dict[str, float] = {}
    median = {case: statistics.median(taken) for case, taken in seconds.items()}
    for (how, rows), taken in median.items():
        each = taken / rows / COLUMNS * 1e6
        found[f"{how} {rows:,} rows of {COLUMNS} columns"] = taken
        found[f"{how} an object, of {rows:,} rows"] = each
        speed = f"{rows / taken:,.0f} rows a second"
        print(f"{how:10} {rows:6,} rows: {taken:6.2f} s, {speed}, {each:5.1f} us an object")
    ratio = median["generated", many] / median["hand", many]
    growth = median["generated", many] / median["generated", FEW] * FEW / many
    print(f"generated / by hand: {ratio:.2f} (at most 1.2)")
    print(f"time per row, {many:,} rows against {FEW:,}: {growth:.2f}")
    for how in ("generated", "mapped", "hand"):
        each = (memory[how, many] - memory[how, FEW]) / (many - FEW)
        found[f"{how} memory above the counters"] = each
        print(f"memory above the counters, {how}: {each:.0f} bytes a row")
    found["generated / by hand"] = ratio
    if many == USUAL:
        record("agentx", found)
    return 0 if ratio <= 1.2 else 1


if __name__ == "__main__":
    raise SystemExit(main())
