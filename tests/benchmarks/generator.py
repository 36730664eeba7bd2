#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the generator itself costs: wall time and memory, medians of interleaved runs.

usage: tests/benchmarks/generator.py [ROUNDS]
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tests.benchmarks.published import record  # noqa: E402

SCHEMA = ROOT / "schemas" / "ep.yaml"
HEAD = """\
ctrgen: 1
module: big
description: Many counters.
scopes:
  global:
    counters:
"""


def large(counters: int) -> str:
    """A schema of so many counters."""
    line = "      c{0}: {{unit: packets, description: Counter number {0}.}}\n"
    return HEAD + "".join(line.format(n) for n in range(counters))


def timed(*arguments: str) -> float:
    """Seconds of wall time of one ctrgen command."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-m", "ctrgen", *arguments], check=True, capture_output=True)
    return time.perf_counter() - begin


def main() -> None:
    """Run every command in turn, round after round."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = {"ctrgen --help": ["--help"]}
        commands["build, reference schema"] = ["build", str(SCHEMA), "-o", str(folder / "ep")]
        for counters in (1_000, 10_000):
            path = folder / f"big{counters}.yaml"
            path.write_text(large(counters))
            out = str(folder / f"out{counters}")
            commands[f"build, {counters} counters"] = ["build", str(path), "-o", out]
        seconds: dict[str, list[float]] = {command: [] for command in commands}
        for _ in range(rounds):
            for command, arguments in commands.items():
                seconds[command].append(timed(*arguments))
    for command, taken in seconds.items():
        print(f"{command:26} {statistics.median(taken):6.2f} s  (to {max(taken):.2f} s)")
    record("generator", {name: statistics.median(taken) for name, taken in seconds.items()})
    ratios = [
        ten / one
        for one, ten in zip(
            seconds["build, 1000 counters"], seconds["build, 10000 counters"], strict=True
        )
    ]
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"ten times the counters take {statistics.median(ratios):.1f} times as long")
    print(f"largest memory of any of them: {peak:.0f} MiB")


if __name__ == "__main__":
    main()
