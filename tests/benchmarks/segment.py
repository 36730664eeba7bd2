# SPDX-License-Identifier: BSD-3-Clause
"""What reading costs: snapshots and shared segments of 1,000,000 sessions.

usage: python -m tests.benchmarks.segment [ROUNDS [WHAT...]]

WHAT is of snapshot, read; by default all. Prints medians and quartiles of ROUNDS (15) rounds, in
each of which everything is measured once, one after the other. Ratios are those of one round. Takes
a minute and 400 MB.
"""

import os
import shlex
import statistics
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.benchmarks.published import record
from tests.support.planted import PROJECT
from tests.support.process import succeed

HERE = Path(__file__).resolve().parent

Row = dict[str, float]


def made(folder: Path, name: str, reset: bool) -> Path:
    """The program, of a schema with or without resets."""
    text = (HERE / "segment.yaml").read_text("utf-8")
    folder = folder / name
    folder.mkdir()
    schema = folder / "segment.yaml"
    schema.write_text(text if reset else text.replace("reset: true", "reset: false"), "utf-8")
    PROJECT.succeed("build", schema, "-o", folder, "--only", "c")
    line = PROJECT.succeed("runtime", "--with", "segment", "--cflags", "--sources", "--libs")
    succeed(
        "gcc", "-std=gnu11", "-O3", "-Wall", "-Wextra", f"-I{folder}",
        HERE / "segment_main.c", folder / "sg_stats.c", *shlex.split(line), "-o", folder / "main",
    )  # fmt: skip
    return folder / "main"


def rows(text: str) -> list[Row]:
    """Lines of name=number."""
    lines = [line.split() for line in text.splitlines()]
    return [{n: float(v) for n, v in (word.split("=") for word in line)} for line in lines if line]


def quartiles(values: Iterable[float]) -> tuple[float, float, float]:
    """Median, lower and upper quartile."""
    ordered = list(values)
    low, middle, high = statistics.quantiles(ordered, n=4) if len(ordered) > 1 else ordered * 3
    return middle, low, high


FOUND: Row = {}


def show(name: str, values: Iterable[float], unit: str) -> float:
    """Print median and quartiles, and keep the median."""
    middle, low, high = quartiles(values)
    print(f"{name:44} {middle:9.2f} ({low:.2f} to {high:.2f}) {unit}")
    FOUND[name] = middle
    return middle


def snapshot(folder: Path, rounds: int) -> None:
    """A snapshot, and what adds up the same memory by hand."""
    for reset in (False, True):
        what = "snapshot with resets" if reset else "snapshot"
        program = made(folder, what.replace(" ", "-"), reset)
        found = rows(succeed(program, "snapshot", rounds))
        show(f"{what}, by hand", (row["hand"] / 1e6 for row in found), "ms")
        show(what, (row["snapshot"] / 1e6 for row in found), "ms")
        show(f"{what} / by hand", (row["snapshot"] / row["hand"] for row in found), "")


def read(folder: Path, rounds: int) -> None:
    """Reads of few instances at random, and a walk."""
    program = made(folder, "read", True)
    found = rows(succeed(program, "read", rounds, shared(folder, "read.seg")))
    names = {
        "near": "segment: read of one of 256",
        "walk": "segment: an instance of a walk",
    }
    for name, what in names.items():
        show(what, (row[name] for row in found), "ns")


def shared(folder: Path, name: str) -> Path:
    """A file in memory, if there is such a file system."""
    place = Path("/dev/shm")
    return place / f"ctrgen-{os.getpid()}-{name}" if os.access(place, os.W_OK) else folder / name


BENCHMARKS = {"snapshot": snapshot, "read": read}


def main() -> int:
    """Measure; the exit code."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with tempfile.TemporaryDirectory() as name:
        for what in sys.argv[2:] or BENCHMARKS:
            BENCHMARKS[what](Path(name), rounds)
    record("segment", FOUND)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
