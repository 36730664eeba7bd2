# SPDX-License-Identifier: BSD-3-Clause
"""`python -m tests.benchmarks.coalesced [ROUNDS]`: updates of a million flows on two cores under
shared_coalesced and what it is compared with, in turns. Needs x86-64 and two cores."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from ctrgen.backends import runtimeinfo
from ctrgen.pipeline.build import BuildRequest, build
from tests.support import process
from tests.support.paths import EP

HERE = Path(__file__).parent
FLOWS = 1_000_000
SYNCS = (
    "shared_coalesced",
    "shared_coalesced:ways=2",
    "shared_coalesced:entries=1024",
    "shared_coalesced:entries=4096",
    "shared_buffered",
    "shared_atomic",
    "per_core",
)
TRAFFIC = ("bursts", "bursts-zipf", "zipf", "uniform")
FLUSHES = ("0", "32")
"""Packets between two calls of the hint function; 0 for none."""


def program(folder: Path, sync: str) -> Path:
    """The program under a strategy."""
    schema = folder / "ep.yaml"
    schema.write_text(EP.read_text("utf-8").replace("max: 1000", f"max: {FLOWS}"), "utf-8")
    out = folder / sync.replace(":", "-")
    made = build(BuildRequest(str(schema), str(out), sync=sync, only=("c",)))
    assert made.exit_code == 0, made.diagnostics
    target = out / "main"
    process.succeed(
        "gcc", "-O3", "-march=native", "-std=gnu11", *runtimeinfo.cflags("posix"), f"-I{out}",
        "-pthread", "-o", target, HERE / "coalesced_main.c", out / "ep_stats.c",
        *runtimeinfo.sources("posix"), *runtimeinfo.libs("posix"), "-lm",
    )  # fmt: skip
    return target


def main(rounds: int) -> None:
    """Print the medians of all rounds."""
    with tempfile.TemporaryDirectory() as folder:
        programs = {sync: program(Path(folder), sync) for sync in SYNCS}
        print(f"{'cycles for a counter, p50, p99, p99.9 of an update':60}")
        for traffic in TRAFFIC:
            for flush in FLUSHES:
                found: dict[str, list[list[float]]] = {sync: [] for sync in SYNCS}
                for _ in range(rounds):
                    for sync, path in programs.items():
                        done = subprocess.run(
                            [path, traffic, flush], capture_output=True, text=True, check=True
                        )
                        found[sync].append([float(word) for word in done.stdout.split()])
                for sync, results in found.items():
                    cost, p50, p99, p999 = map(statistics.median, zip(*results, strict=True))
                    how = f"{traffic}, hints each {flush}" if flush != "0" else traffic
                    print(f"{how:26} {sync:30} {cost:7.2f} {p50:7.0f} {p99:7.0f} {p999:7.0f}")
                sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
