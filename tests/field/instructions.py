# SPDX-License-Identifier: BSD-3-Clause
"""Instructions a packet, by callgrind: what counting adds, whatever else the machine does.

Of examples whose lcores do nothing but forward; one lcore, no SIMD beyond 128 bits.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from tests.field import apps
from tests.field.ports import Program
from tests.field.runs import Run

FORWARDING = ("l2fwd", "l3fwd")
SECONDS = 5
"""Of the clock; valgrind is some fifty times slower than the machine."""


def _dumped(folder: Path) -> int:
    """The instructions of the dump that is there."""
    (path,) = folder.glob("callgrind.*.1")
    match = re.search(r"(?m)^totals: (\d+)$", path.read_text("utf-8", "replace"))
    assert match is not None, path
    return int(match[1])


def instructions(program: Program, folder: Path) -> float:
    """Instructions of a packet, those of drivers and libraries included."""
    place = folder / f"callgrind-{program.app}-{program.variant}"
    place.mkdir()
    case = apps.CASES[program.app](1, folder)
    under = (
        "valgrind",
        "--quiet",
        "--tool=callgrind",
        "--fair-sched=try",  # lcores that never wait leave the thread that is told what to do none
        f"--callgrind-out-file={place}/callgrind.%p",
    )
    case = apps.narrow(case)
    with Run(program.copies[0], case, place, under) as run:
        run.wait()
        packets = int(run.do(f"instructions {SECONDS * 1e6:.0f}")[0])
    return _dumped(place) / packets


def table(programs: Mapping[str, Mapping[str, Program]], folder: Path) -> list[list[str]]:
    """A line for each example that forwards: its name, instructions by variant."""
    found = []
    for app, variants in programs.items():
        if app in FORWARDING:
            counts = {name: instructions(program, folder) for name, program in variants.items()}
            found.append([app, *(f"{count:.1f}" for count in counts.values())])
    return found
