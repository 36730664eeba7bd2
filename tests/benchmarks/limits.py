#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a quota costs an update of two counters.

usage: tests/benchmarks/limits.py [ROUNDS [STRATEGY]]

Nanoseconds of processor time an update takes without a limit, with a quota, and with a limit by
hand on a word that all lcores share (limits_main.c): interleaved in one process, ROUNDS (15) times,
on one lcore and on two, with one instance and with a million. Prints medians, and the median and
the quartiles of the ratios within a round: at most 1.5 times the update without, and 0.3 of the
shared word with two lcores.
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
from tests.support.planted import PROJECT  # noqa: E402
from tests.support.process import succeed  # noqa: E402

SCHEMA = """\
# SPDX-License-Identifier: BSD-3-Clause
ctrgen: 1
module: {module}
description: For a comparison.
bounds: assert
scopes:
  session:
    max: 1048576
    counters:
      pkts: {{unit: packets, description: Packets.}}
      bytes: {{unit: bytes, description: Octets.}}
{limits}updates:
  packet:
    args: {{len: uint16}}
    add: {{session.pkts: 1, session.bytes: len}}
"""
QUOTA = "    limits:\n      quota: {of: bytes, description: Octets that may be sent.}\n"
FLAGS = ("-std=gnu11", "-O3", "-march=native", "-pthread")
PLACES = ((1, 1), (1, 1048576), (2, 1), (2, 1048576))
"""Lcores and instances."""


def program(folder: Path, sync: str) -> Path:
    """The program with both modules."""
    sources = [HERE / "limits_main.c", *runtimeinfo.sources("posix")]
    for module, limits in (("plain", ""), ("quota", QUOTA)):
        schema = folder / f"{module}.yaml"
        schema.write_text(SCHEMA.format(module=module, limits=limits), "utf-8")
        PROJECT.succeed("build", schema, "-o", folder, "--sync", sync, "--only", "c")
        sources.append(folder / f"{module}_stats.c")
    flags = (*FLAGS, *runtimeinfo.cflags("posix"), f"-I{folder}")
    succeed("gcc", *flags, *sources, *runtimeinfo.libs("posix"), "-o", folder / "main")
    return folder / "main"


def ratio(rows: list[list[float]], one: int, other: int) -> str:
    """The median and the quartiles of a ratio."""
    quartiles = statistics.quantiles([row[one] / row[other] for row in rows])
    return f"{quartiles[1]:.2f} ({quartiles[0]:.2f} to {quartiles[2]:.2f})"


def main(rounds: int, sync: str) -> None:
    """Print a row for each place."""
    table = []
    with tempfile.TemporaryDirectory() as folder:
        path = program(Path(folder), sync)
        for lcores, instances in PLACES:
            words = [path, str(lcores), str(instances), str(rounds)]
            text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
            rows = [[float(word) for word in line.split()] for line in text.splitlines()]
            medians = [f"{statistics.median(column):.2f}" for column in zip(*rows, strict=True)]
            ratios = [ratio(rows, 1, 0), ratio(rows, 4, 3), ratio(rows, 1, 2)]
            table.append([str(lcores), f"{instances:,}", *medians, *ratios])
    columns = ["lcores", "instances", "without", "quota", "shared", "bulk without", "bulk quota"]
    columns += ["to without", "in bulk", "to shared"]
    print(grid(columns, table, range(len(columns))))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 15, sys.argv[2] if sys.argv[2:] else "per_core")
