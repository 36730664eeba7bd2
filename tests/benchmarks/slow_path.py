# SPDX-License-Identifier: BSD-3-Clause
"""Reads, resets and destroys of this checkout against those of another, in turns.

usage: python -m tests.benchmarks.slow_path --against CHECKOUT [--rounds N] [--only CALL,..]
                                            [STRATEGY ..]

Each checkout, which has a .venv of its own, generates a module and compiles it with its runtime to
a program (slow_path_main.c). Both run side by side and take turns in short rounds; time is CPU time
of the thread. Prints this checkout's time as part of the other's: the median of the ratios of
rounds, their quartiles, and ns of a call. What is above 1.0 is measured again, three times as long.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.support.strategies import STRATEGIES

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLAGS = ("-std=gnu11", "-O2", "-pthread")
CALLS = (
    *("getter", "read", "read-wide", "read-flow", "reset", "reset-wide"),
    *("snapshot", "row", "rows", "destroy"),
)
"""In the order of slow_path_main.c."""
NUMBER = {"snapshot": 100, "rows": 400, "destroy": 512}
"""Calls in a round; of the others FEW."""
FEW = 10_000
WIDE = "".join(
    f"      c{n}: {{unit: packets, width: {32 if n > 7 else 64}, description: Number {n}.}}\n"
    for n in range(10)
)
SCHEMA = f"""\
ctrgen: 1
module: slow
sync: %s
reset: true
scopes:
  global:
    counters:
      total: {{unit: packets, description: All packets.}}
    gauges:
      level: {{unit: packets, description: A level.}}
  session:
    max: %d
    counters:
      pkts: {{unit: packets, description: Packets of the session.}}
      bytes: {{unit: bytes, description: Octets of the session.}}
  wide:
    max: 64
    counters:
{WIDE}\
  flow:
    max: 4096
    storage: dynamic
    counters:
      pkts: {{unit: packets, description: Packets of the flow.}}
      bytes: {{unit: bytes, description: Octets of the flow.}}
updates:
  packet:
    args: {{size: uint16}}
    add:
      global.total: 1
      session.pkts: 1
      session.bytes: size
      wide.c0: 1
      wide.c1: size
      wide.c9: 1
"""


def run(*command: object, cwd: Path | None = None) -> str:
    """What a command prints."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr}")
    return done.stdout


def runtime(checkout: Path, folder: Path) -> list[str]:
    """Flags for the runtime of a checkout, and its objects."""
    ctrgen = (checkout / ".venv/bin/python", "-m", "ctrgen", "runtime", "--lines")
    words = run(*ctrgen, "--sources", cwd=checkout).split()
    flags = run(*ctrgen, "--cflags", cwd=checkout).split()
    (folder / "runtime").mkdir()
    run("gcc", *FLAGS, *flags, "-c", *words, cwd=folder / "runtime")
    return [*flags, *map(str, (folder / "runtime").glob("*.o"))]


def program(checkout: Path, folder: Path, sync: str, sessions: int, linked: list[str]) -> Path:
    """The program of a checkout, for a strategy."""
    made = folder / f"{sync}-{sessions}.out"
    out = folder / f"{sync}-{sessions}"
    out.mkdir(exist_ok=True)
    (out / "slow.yaml").write_text(SCHEMA % (sync, sessions))
    python = checkout / ".venv/bin/python"
    run(python, "-m", "ctrgen", "build", "slow.yaml", "-o", ".", "--only", "c", cwd=out)
    sources = (HERE / "slow_path_main.c", out / "slow_stats.c")
    run("gcc", *FLAGS, "-I", out, *sources, *linked, "-o", made)
    return made


def programs(
    checkout: Path, folder: Path, wanted: list[tuple[str, int]]
) -> dict[tuple[str, int], Path]:
    """Those of a checkout by strategy and number of sessions."""
    folder.mkdir()
    linked = runtime(checkout, folder)
    return {key: program(checkout, folder, *key, linked) for key in wanted}


class Side:
    """One program, which has counted."""

    def __init__(self, path: Path) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([path], stdin=pipe, stdout=pipe, text=True)
        self.sum = self._line()

    def _line(self) -> int:
        assert self.process.stdout is not None
        return int(self.process.stdout.readline())

    def time(self, call: str, number: int) -> float:
        """ns that a call takes."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{CALLS.index(call)} {number}\n")
        self.process.stdin.flush()
        return self._line() / number

    def close(self) -> None:
        """End it."""
        self.process.communicate()


def compare(new: Side, old: Side, call: str, number: int, rounds: int) -> tuple[str, float]:
    """A cell of the table, and the median ratio."""
    times: list[tuple[float, float]] = []
    for turn in range(rounds):
        pair: list[Callable[[str, int], float]] = [new.time, old.time]
        took = [side(call, number) for side in (pair if turn % 2 else pair[::-1])]
        times.append((took[0], took[1]) if turn % 2 else (took[1], took[0]))
    if not all(map(all, times)):
        return "-", 0.0
    ratios = [a / b for a, b in times]
    low, middle, high = statistics.quantiles(ratios, n=4)
    ours, theirs = (statistics.median(column) for column in zip(*times, strict=True))
    return f"{middle:.2f} ({low:.2f}..{high:.2f}) {ours:.4g}/{theirs:.4g} ns", middle


def main() -> None:
    """Make both sides, and print a line for each strategy and call."""
    parser = argparse.ArgumentParser(description=__doc__, add_help=False)
    parser.add_argument("--against", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--only", default=",".join((*CALLS, "snapshot-1M")))
    parser.add_argument("strategies", nargs="*", default=STRATEGIES, metavar="STRATEGY")
    chosen = parser.parse_args()
    sizes = (1000, 1_000_000) if "snapshot-1M" in chosen.only else (1000,)
    wanted = [(sync, size) for sync in chosen.strategies for size in sizes]
    with tempfile.TemporaryDirectory() as top:
        new = programs(ROOT, Path(top) / "new", wanted)
        old = programs(chosen.against.resolve(), Path(top) / "old", wanted)
        worst = 0.0
        for sync, size in wanted:
            ours, theirs = (Side(path[sync, size]) for path in (new, old))
            if ours.sum != theirs.sum:
                print(f"{sync}: sums differ")
            for call in CALLS if size == 1000 else ("snapshot",):
                if size == 1000 and call not in chosen.only.split(","):
                    continue
                number = 1 if size > 1000 else NUMBER.get(call, FEW)
                rounds = min(chosen.rounds, 21) if size > 1000 else chosen.rounds
                cell, ratio = compare(ours, theirs, call, number, rounds)
                if ratio > 1:
                    cell, ratio = compare(ours, theirs, call, number, 3 * rounds)
                worst = max(worst, ratio)
                name = call if size == 1000 else "snapshot-1M"
                print(f"{sync:18} {name:12} {cell}", flush=True)
            for side in (ours, theirs):
                side.close()
        print(f"worst: {worst:.2f}")


if __name__ == "__main__":
    main()
