#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Cycles of an add by the form of its address, on this processor (forms.c).

usage: tests/benchmarks/forms.py [--keep FILE] [ROUNDS]

Prints what belongs into tests/benchmarks/forms/NAME.txt, from which docs/peers.md has a table with
a column for each processor. The program is static: --keep leaves it in a file, to be run elsewhere.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_suffix(".c")
RESULTS = SOURCE.with_suffix("")
FLAGS = ("-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-fno-pie", "-no-pie")


class Form(NamedTuple):
    """A form of an add: where its address is from, how it changes the word, of how many counters;
    cycles: median, lower and upper quartile."""

    address: str
    change: str
    instances: int
    median: float
    low: float
    high: float


class Run(NamedTuple):
    """What the program printed on one processor."""

    about: dict[str, str]
    forms: list[Form]


def build(program: Path, compiler: str = "gcc") -> None:
    """Make the program."""
    subprocess.run([compiler, *FLAGS, str(SOURCE), "-o", str(program)], check=True)


def parse(text: str) -> Run:
    """What the program printed. Raises ValueError for other text."""
    head, _, body = text.partition("\n\n")
    about = dict(line.split(": ", 1) for line in head.splitlines())
    forms = []
    for line in body.splitlines():
        address, change, instances, *cycles = line.split("|")
        median, low, high = map(float, cycles)
        forms.append(Form(address, change, int(instances), median, low, high))
    return Run(about, forms)


def runs() -> list[Run]:
    """Of all processors, by the names of their files."""
    return [parse(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.txt"))]


def main() -> None:
    """Build, and run."""
    parser = argparse.ArgumentParser(description=__doc__, add_help=False)
    parser.add_argument("--keep", type=Path, metavar="FILE")
    parser.add_argument("rounds", type=int, nargs="?", default=1001)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = chosen.keep or Path(folder) / "forms"
        build(program)
        subprocess.run([str(program.resolve()), str(chosen.rounds)], check=True)


if __name__ == "__main__":
    main()
