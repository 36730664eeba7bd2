#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Updates of a million flows on two cores under shared_coalesced and what it is compared with.

usage: tests/benchmarks/coalesced.py [ROUNDS [SYNC..]]

Two cores count the packets of schemas/ep.yaml with a million sessions (coalesced_main.c), under
each strategy in turns, ROUNDS (5) times. Prints medians: cycles of the time stamp counter for each
of the four counters of an update, those in which 50, 99 and 99.9 % of the updates are done, the
clock included, and the cost as a ratio to that of the first strategy. x86-64 only.
"""

import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from ctrgen.backends import runtimeinfo  # noqa: E402
from ctrgen.output.tables import grid  # noqa: E402
from tests.support.paths import EP  # noqa: E402
from tests.support.planted import PROJECT  # noqa: E402
from tests.support.process import succeed  # noqa: E402

FLOWS = 1_000_000
SYNCS = ("shared_coalesced", "shared_buffered", "shared_atomic", "per_core")
TRAFFIC = ("bursts", "bursts-zipf", "zipf", "uniform")
FLUSHES = (0, 32)
"""Packets between two calls of the hint function; 0 for none."""
FLAGS = ("-std=gnu11", "-O3", "-march=native", "-pthread")
ROUNDS = 5


def program(folder: Path, sync: str) -> Path:
    """The program under a strategy."""
    schema, out = folder / "ep.yaml", folder / sync.replace(":", "-")
    schema.write_text(EP.read_text("utf-8").replace("max: 1000", f"max: {FLOWS}"), "utf-8")
    PROJECT.succeed("build", schema, "-o", out, "--sync", sync, "--only", "c")
    sources = [HERE / "coalesced_main.c", out / "ep_stats.c", *runtimeinfo.sources("posix")]
    flags = (*FLAGS, *runtimeinfo.cflags("posix"), f"-I{out}")
    succeed("gcc", *flags, *sources, *runtimeinfo.libs("posix"), "-lm", "-o", out / "main")
    return out / "main"


def run(path: Path, traffic: str, flush: int) -> list[float]:
    """What a run measures: the cost, and percentiles."""
    done = subprocess.run([path, traffic, str(flush)], capture_output=True, text=True, check=True)
    return [float(word) for word in done.stdout.split()]


def main(rounds: int, syncs: Sequence[str]) -> None:
    """Print the medians of all rounds."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        programs = {sync: program(Path(folder), sync) for sync in syncs}
        for traffic in TRAFFIC:
            for flush in FLUSHES:
                found: dict[str, list[list[float]]] = {sync: [] for sync in syncs}
                for _ in range(rounds):
                    for sync, path in programs.items():
                        found[sync].append(run(path, traffic, flush))
                how = f"{traffic}, a hint each {flush}" if flush else traffic
                for sync, results in found.items():
                    cost, *tails = map(statistics.median, zip(*results, strict=True))
                    first = found[syncs[0]]
                    ratios = [r[0] / f[0] for r, f in zip(results, first, strict=True)]
                    shown = [f"{cost:.2f}", *(f"{tail:.0f}" for tail in tails)]
                    rows.append([how, sync, *shown, f"{statistics.median(ratios):.2f}"])
    print(
        grid(
            ["traffic", "strategy", "cycles", "50 %", "99 %", "99.9 %", "ratio"], rows, range(2, 7)
        )
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS, sys.argv[2:] or SYNCS)
