# SPDX-License-Identifier: BSD-3-Clause
"""How long a burst takes while another core creates a million instances.

usage: python -m tests.benchmarks.growth [ROUNDS [SYNC..]]

A core counts packets of sessions of schemas/ep.yaml, with storage dynamic, in bursts of 32 packets
(growth_main.c). Another core creates sessions as fast as it can: 1,000 at first, a million in the
end. In each of ROUNDS (9) rounds this takes turns with the same run in which all of them were there
and counted before; under each port, with and without huge pages under DPDK, and each strategy SYNC
(per_core). Prints medians of all rounds: the longest burst and that which one of a thousand
exceeds, with growth, without, and the difference within rounds, in microseconds of the thread and
of the clock; page faults of the worker, with and without growth; and nanoseconds of a creation. The
worker has real-time priority and huge pages are set aside meanwhile, where the system lets us. Two
cores should be free.
"""

import contextlib
import re
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from ctrgen.output.tables import grid
from tests.benchmarks.programs import printed, program, sessions
from tests.support.huge_pages import set_aside

HERE = Path(__file__).resolve().parent
FLOWS = 1_000_000
EAL = ("--no-pci", "--no-shconf", "--no-telemetry", "--lcores", "0@1", "--log-level", "1")
PORTS = {
    "POSIX": ("posix", ()),
    "DPDK, --no-huge": ("dpdk", (*EAL, "--no-huge", "-m", "1024")),
    "DPDK, huge pages": ("dpdk", (*EAL, "--in-memory")),
}
HUGE_PAGES = 300
ROUNDS = 9
PACE, FAULTS = 0, 5
DELAYS = {"thread, longest": 1, "thread, 99.9 %": 2, "clock, longest": 3, "clock, 99.9 %": 4}
"""Where the program prints what."""


def program_of(folder: Path, sync: str, port: str) -> Path:
    """The program."""
    text = sessions(FLOWS, "\n    storage: dynamic")
    text = re.sub(r"^snmp:\n(?: .*\n)+", "", text, flags=re.MULTILINE)
    return program("growth_main.c", folder, sync, schemas=[text], port=port)


def measured(path: Path, eal: Sequence[str], rounds: int) -> list[list[str]]:
    """Rows of what was found."""
    pairs = []
    for _ in range(rounds):
        (grown,) = printed(path, 0, *eal)
        pairs.append((grown, printed(path, grown[PACE], *eal)[0]))
    rows = []
    for name, at in DELAYS.items():
        found = [[grown[at], still[at], grown[at] - still[at]] for grown, still in pairs]
        medians = [statistics.median(values) / 1000 for values in zip(*found, strict=True)]
        rows.append([name, *(f"{value:.1f}" for value in medians)])
    sides = list(zip(*pairs, strict=True))
    for name, at in (("page faults", FAULTS), ("ns of a creation", PACE)):
        grew, still = (statistics.median(turn[at] for turn in side) for side in sides)
        rows.append([name, f"{grew:.0f}", f"{still:.0f}" if at == FAULTS else "", ""])
    return rows


def main(rounds: int, syncs: Sequence[str]) -> None:
    """Print the table."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for sync in syncs:
            for name, (port, eal) in PORTS.items():
                path = program_of(Path(folder), sync, port)
                huge = "--in-memory" in eal
                try:
                    with set_aside(HUGE_PAGES) if huge else contextlib.nullcontext():
                        found = measured(path, eal, rounds)
                except pytest.skip.Exception as reason:
                    print(f"{name}: {reason}", file=sys.stderr)
                    continue
                rows += [[sync, name, *row] for row in found]
    print(grid(["strategy", "memory", "us", "growth", "none", "difference"], rows, range(3, 6)))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS, sys.argv[2:] or ["per_core"])
