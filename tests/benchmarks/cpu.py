#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What an update takes by CPU and by lcore, on threads with and without an lcore id.

usage: tests/benchmarks/cpu.py [ROUNDS [COMPILER]]

Threads count the packets of schemas/ep.yaml (cpu_main.c), in turns under each strategy, ROUNDS
(7) times: two registered ones on a core each; one, and then eight, that are not registered, on two
cores. Prints medians: nanoseconds of processor time that an update of four counters takes, and
ratios within a round: to per_core; of eight threads to one; and, with instances by CPU of threads
without an lcore id, to the same strategy where they share one, registered, one and eight of them.
"""

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

PER_LCORE = ("per_core", "per_core_lock", "per_core_seqcount", "per_core_narrow")
BY_CPU = ":cpus=2"
SYNCS = (*(name for one in PER_LCORE for name in (one, one + BY_CPU)), "per_cpu", "shared_atomic")
HOW = ("registered", "one", "eight")
"""Who counts."""
FLAGS = ("-std=gnu11", "-O3", "-march=native", "-pthread")
ROUNDS = 7


def program(folder: Path, sync: str, compiler: str) -> Path:
    """The program under a strategy."""
    out = folder / sync.replace(":", "-")
    PROJECT.succeed("build", EP, "-o", out, "--sync", sync, "--only", "c")
    sources = [HERE / "cpu_main.c", out / "ep_stats.c", *runtimeinfo.sources("posix")]
    flags = (*FLAGS, *runtimeinfo.cflags("posix"), f"-I{out}")
    succeed(compiler, *flags, *sources, *runtimeinfo.libs("posix"), "-o", out / "main")
    return out / "main"


def run(path: Path, how: str) -> float:
    """The nanoseconds that a run measures."""
    return float(subprocess.run([path, how], capture_output=True, text=True, check=True).stdout)


def main(rounds: int, compiler: str) -> None:
    """Print the medians of all rounds."""
    found: dict[tuple[str, str], list[float]] = {(s, h): [] for s in SYNCS for h in HOW}
    with tempfile.TemporaryDirectory() as folder:
        programs = {sync: program(Path(folder), sync, compiler) for sync in SYNCS}
        for _ in range(rounds):
            for how in HOW:
                for sync, path in programs.items():
                    found[sync, how].append(run(path, how))

    def ratio(one: tuple[str, str], other: tuple[str, str]) -> str:
        pairs = zip(found[one], found[other], strict=True)
        return f"{statistics.median(a / b for a, b in pairs):.2f}"

    rows = [
        [
            sync,
            *(f"{statistics.median(found[sync, how]):.2f}" for how in HOW),
            ratio((sync, "registered"), (SYNCS[0], "registered")),
            ratio((sync, "eight"), (sync, "one")),
            *(
                ratio((sync, how), (sync.removesuffix(BY_CPU), how)) if BY_CPU in sync else ""
                for how in HOW
            ),
        ]
        for sync in SYNCS
    ]
    shared = (f"{how} to shared" for how in HOW)
    columns = ["strategy", *HOW, "to per_core", "eight to one", *shared]
    print(grid(columns, rows, range(1, len(columns))))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS, sys.argv[2] if sys.argv[2:] else "gcc")
