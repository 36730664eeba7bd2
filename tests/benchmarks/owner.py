#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long a burst takes in which a worker copies its counters for a snapshot.

usage: tests/benchmarks/owner.py [ROUNDS]

A core counts packets of a million sessions of schemas/ep.yaml under per_core, in bursts
(owner_main.c), with storage static and dynamic. In each of ROUNDS (51) rounds in turns nothing else
happens, a snapshot asks the worker to copy, the worker copies its table with memcpy(), and a
snapshot is read by another core. Prints the longest burst of a turn, in microseconds that the
worker runs: the median of all rounds, the 90th percentile and the longest, each also as a ratio to
that of memcpy().
"""

from __future__ import annotations

import re
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
FLAGS = ("-std=gnu11", "-O3", "-march=native", "-pthread")
TURNS = ("nothing else", "copied by the worker", "memcpy() by the worker", "read by another core")
BASIS = 2
ROUNDS = 51


def program(folder: Path, storage: str) -> Path:
    """The program with sessions in that storage."""
    schema, out = folder / f"ep-{storage}.yaml", folder / storage
    text = EP.read_text("utf-8").replace("max: 1000", f"max: {FLOWS}\n    storage: {storage}")
    text = re.sub(r"^snmp:\n(?: .*\n)+", "", text, flags=re.MULTILINE)
    schema.write_text(text.replace("bounds: assert", "bounds: assert\nsnapshots: owner"), "utf-8")
    PROJECT.succeed("build", schema, "-o", out, "--sync", "per_core", "--only", "c")
    sources = [HERE / "owner_main.c", out / "ep_stats.c", *runtimeinfo.sources("posix")]
    flags = (*FLAGS, *runtimeinfo.cflags("posix"), f"-I{out}", f"-D{storage.upper()}")
    succeed("gcc", *flags, *sources, *runtimeinfo.libs("posix"), "-o", out / "main")
    return out / "main"


def ends(values: Sequence[float]) -> tuple[float, float, float]:
    """Their median, 90th percentile and maximum."""
    ordered = sorted(values)
    return statistics.median(ordered), ordered[int(0.9 * len(ordered))], ordered[-1]


def main(rounds: int) -> None:
    """Print the table."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for storage in ("static", "dynamic"):
            path = program(Path(folder), storage)
            done = subprocess.run([path, str(rounds)], capture_output=True, text=True, check=True)
            lines = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
            turns = list(zip(*lines, strict=True))
            basis = ends(turns[BASIS])
            for name, values in zip(TURNS, turns, strict=True):
                found = ends(values)
                ratios = [a / b for a, b in zip(found, basis, strict=True)]
                cells = [f"{value / 1000:.0f}" for value in found]
                rows.append([storage, name, *cells, *(f"{ratio:.2f}" for ratio in ratios)])
    shares = ["median", "90 %", "longest"]
    head = ["storage", "turn", *(f"{share}, us" for share in shares), *shares]
    print(grid(head, rows, range(2, 8)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS)
