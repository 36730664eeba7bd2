# SPDX-License-Identifier: BSD-3-Clause
"""What a quota costs an update of two counters.

usage: python -m tests.benchmarks.limits [ROUNDS [STRATEGY]]

Nanoseconds of processor time an update takes without a limit, with a quota, and with a limit by
hand on a word that all lcores share (limits_main.c): interleaved in one process, ROUNDS (15) times,
on one lcore and on two, with one instance and with a million. Prints medians, and the median and
the quartiles of the ratios within a round: at most 1.5 times the update without, and 0.3 of the
shared word with two lcores.
"""

import statistics
import sys
import tempfile
from pathlib import Path

from ctrgen.output.tables import grid
from tests.benchmarks.programs import medians, printed, program
from tests.support.strategies import USUAL

HERE = Path(__file__).resolve().parent
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
PLACES = ((1, 1), (1, 1048576), (2, 1), (2, 1048576))
"""Lcores and instances."""


def quotient(rows: list[list[float]], one: int, other: int) -> str:
    """The median and the quartiles of a ratio."""
    quartiles = statistics.quantiles([row[one] / row[other] for row in rows])
    return f"{quartiles[1]:.2f} ({quartiles[0]:.2f} to {quartiles[2]:.2f})"


def main(rounds: int, sync: str) -> None:
    """Print a row for each place."""
    table = []
    with tempfile.TemporaryDirectory() as folder:
        texts = [
            SCHEMA.format(module=module, limits=limits)
            for module, limits in (("plain", ""), ("quota", QUOTA))
        ]
        path = program("limits_main.c", Path(folder), sync, schemas=texts)
        for lcores, instances in PLACES:
            rows = printed(path, lcores, instances, rounds)
            found = [f"{median:.2f}" for median in medians(rows)]
            ratios = [quotient(rows, 1, 0), quotient(rows, 4, 3), quotient(rows, 1, 2)]
            table.append([str(lcores), f"{instances:,}", *found, *ratios])
    columns = ["lcores", "instances", "without", "quota", "shared", "bulk without", "bulk quota"]
    columns += ["to without", "in bulk", "to shared"]
    print(grid(columns, table, range(len(columns))))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 15, sys.argv[2] if sys.argv[2:] else USUAL)
