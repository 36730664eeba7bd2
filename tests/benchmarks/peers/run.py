#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Patterns of counting that others use, beside all strategies of ctrgen: `./dev bench --peers`.

usage: tests/benchmarks/peers/run.py [--print] [LIVES [ROUNDS]]

One program has every pattern (patterns/) and every strategy of the catalogue; they count in turns,
in each of ROUNDS (8) rounds of LIVES (3) processes. Prints all tables, and writes the one of
docs/peers.md but for --print. Takes five minutes, 3 GB, two processors, DPDK, and x86-64 with
glibc 2.35.
"""

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2]))

from ctrgen.findings.usage import UsageError  # noqa: E402
from ctrgen.tools.bench import machine  # noqa: E402
from tests.benchmarks.peers import page  # noqa: E402
from tests.benchmarks.peers.build import INSTANCES, program  # noqa: E402
from tests.benchmarks.peers.measured import Measured  # noqa: E402

LIVES = 3
ROUNDS = 8
TURN_MS = 3
"""How long a pattern counts in a turn, with no more threads than processors."""
RESETS = 20_000
BUSY = 0.5
"""Load of the machine, above which a word is said."""
NEEDED = 4 << 30
"""Bytes of memory."""


def processors() -> list[int]:
    """Two that this process may use. Raises UsageError where the benchmark cannot be made."""
    usable = machine.usable()
    if platform.machine() != "x86_64":
        raise UsageError(f"the patterns are for x86_64, this is {platform.machine()}")
    if len(usable) < 2:
        raise UsageError("two processors are needed, there is one", "see taskset(1)")
    if machine.available() < NEEDED:
        raise UsageError(f"{NEEDED >> 30} GiB of memory are needed")
    return usable[:2]


def lines(
    path: Path,
    cpus: list[int],
    rounds: int,
    ms: float,
    resets: int,
    instances: int,
    only: Iterable[str] = (),
) -> list[str]:
    """What a process of the program prints, of all patterns or of `only` some. Raises UsageError
    with what it says if it fails."""
    words = [instances, rounds, ms, resets, *cpus, *only]
    command = [str(path), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        reason = done.stderr.strip() or "nothing on stderr"
        raise UsageError(f"{path.name} ended with {done.returncode}: {reason}")
    return done.stdout.splitlines()


def tsc_hz() -> float:
    """Of the processor, as Linux found it; the clock that all cycles are of."""
    for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines():
        if line.startswith("bogomips"):  # twice the frequency in MHz, by the TSC
            return float(line.split(":")[1]) / 2 * 1e6
    return 1.0


def measure(lives: int, rounds: int) -> tuple[Measured, str]:
    """All figures, and the machine."""
    cpus, measured = processors(), Measured()
    if (load := os.getloadavg()[0]) > BUSY:
        print(f"peers: others are at work (load {load:.1f}): figures will be off", file=sys.stderr)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        print("building", file=sys.stderr)
        path = program(Path(name))
        for life in range(lives):
            print(f"process {life + 1} of {lives}", file=sys.stderr)
            measured.take(lines(path, cpus, rounds, TURN_MS, RESETS, INSTANCES))
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    return measured, page.made_on(cpus, tsc_hz(), lives, rounds)


def main(words: list[str]) -> int:
    """Measure, print, and write the page; the exit code."""
    numbers = [int(word) for word in words if word.isdigit()]
    options = [word for word in words if not word.isdigit()]
    if len(numbers) > 2 or 0 in numbers or options not in ([], ["--print"]):
        print(__doc__, file=sys.stderr)
        return 2
    lives, rounds = *numbers, *(LIVES, ROUNDS)[len(numbers) :]
    try:
        text = page.PAGE.read_text("utf-8")
        page.renewed(text, "")  # before it takes minutes
        measured, made = measure(lives, rounds)
    except UsageError as error:
        print(f"peers: {error.message}" + f"; {error.hint}" * bool(error.hint), file=sys.stderr)
        return 1
    except ValueError as error:
        print(f"peers: {error}", file=sys.stderr)
        return 1
    for name, table in page.tables(measured, made):
        print(f"{name}\n\n{table}")
    if not options:
        page.PAGE.write_text(page.renewed(text, page.summary(measured)), "utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
