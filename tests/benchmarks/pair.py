#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Two counters in one aligned word of 16 bytes against a sequence count, in several ways.

usage: tests/benchmarks/pair.py [LIVES [ROUNDS]]

Ways to count (pair_ways.h) and the code that is generated for two strategies are in one program
(pair_main.c), and count in turns: in ROUNDS (9) of each of LIVES (4) processes. Prints for each
place the median of the core cycles that a packet's update takes beyond the loop without it,
quartiles, and how many times as much `seqcount` takes, the median of ratios within rounds. At the
end, what a thread saw that read all the while. Two cores, DPDK (for rte_ring), x86-64 with AVX.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from ctrgen.backends import runtimeinfo  # noqa: E402
from ctrgen.output.tables import grid  # noqa: E402
from tests.support.paths import EP  # noqa: E402
from tests.support.planted import PROJECT  # noqa: E402
from tests.support.process import succeed  # noqa: E402

FLOWS = 1 << 20
MODULES = {"plain": "per_core", "counted": "per_core_seqcount"}
PLACES = (
    ("loop", 1, 1),
    ("loop", 1024, 1),
    ("loop", 1024, 32),
    ("loop", FLOWS, 1),
    ("mixed", 1, 1),
    ("mixed", 1024, 1),
    ("ring", 1, 1),
    ("ring", 1024, 1),
    ("ring", 1024, 32),
    ("ring", FLOWS, 1),
    ("ring-prefetch", 1024, 1),
    ("ring-prefetch", FLOWS, 1),
)
"""What is run, the number of flows, and packets of a flow in a row."""
BASE = "seqcount"
FLAGS = ("-std=gnu11", "-O3", "-march=native", "-falign-functions=64", "-falign-loops=64")
"""Those that `ctrgen bench` compiles with."""
CHECKED_MS = 1000
LIVES = 4
ROUNDS = 9


def program(folder: Path) -> Path:
    """The program."""
    sources = [HERE / "pair_main.c", *runtimeinfo.sources("posix")]
    flags = [*FLAGS, "-pthread", "-DCTR_POSIX_BESIDE_DPDK", *runtimeinfo.cflags("posix")]
    for module, sync in MODULES.items():
        out = folder / module
        schema = folder / f"{module}.yaml"
        text = EP.read_text("utf-8").replace("module: ep ", f"module: {module} ")
        schema.write_text(text.replace("max: 1000", f"max: {FLOWS}"), "utf-8")
        PROJECT.succeed("build", schema, "-o", out, "--sync", sync, "--only", "c")
        sources.append(out / f"{module}_stats.c")
        flags.append(f"-I{out}")
    dpdk = [succeed("pkg-config", what, "libdpdk").split() for what in ("--cflags", "--libs")]
    libs = [*dpdk[1], *runtimeinfo.libs("posix")]
    succeed("gcc", *dpdk[0], *flags, *sources, *libs, "-o", folder / "main")
    return folder / "main"


def run(path: Path, *words: object) -> list[list[str]]:
    """The lines that the program prints, as words."""
    command = [str(word) for word in (path, *words)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [line.split() for line in done.stdout.splitlines()]


def measure(
    path: Path, lives: int, rounds: int
) -> dict[tuple[str, int, int], dict[str, list[float]]]:
    """The rounds of all ways at each place; processes of the places in turns."""
    found: dict[tuple[str, int, int], dict[str, list[float]]] = {}
    for _ in range(lives):
        for place in PLACES:
            names, *lines = run(path, *place, rounds)
            for name, values in zip(names, zip(*lines, strict=True), strict=True):
                found.setdefault(place, {}).setdefault(name, []).extend(map(float, values))
    return found


def main(lives: int, rounds: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        path = program(Path(folder))
        found = measure(path, lives, rounds)
        checked = run(path, "check", CHECKED_MS)
    rows = []
    for (how, flows, burst), series in found.items():
        for name, values in series.items():
            ratios = [base / value for base, value in zip(series[BASE], values, strict=True)]
            low, middle, high = statistics.quantiles(values, n=4)
            where = f"{how}, {flows:,} flows" + f", {burst} in a row" * (burst > 1)
            ratio = "" if name == "none" else f"{statistics.median(ratios):.2f}"
            rows.append([where, name, f"{middle:.2f}", f"{low:.2f} to {high:.2f}", ratio])
    print(grid(["place", "way", "cycles", "quartiles", "seqcount / way"], rows, range(2, 5)))
    print(grid(["way", "reads", "not whole", "halves seen"], checked, range(1, 4)))


if __name__ == "__main__":
    said = [int(word) for word in sys.argv[1:]]
    main(*said, *(LIVES, ROUNDS)[len(said) :])
