# SPDX-License-Identifier: BSD-3-Clause
"""Updates of flows with narrow words and with whole ones: in the caches, and of 4 M random flows.

usage: python -m tests.benchmarks.narrow [ROUNDS [SYNC..]]

Two lcores count packets and octets of random flows of a schema made for this, under each strategy
in turns, by `ctrgen bench`, in ROUNDS (9) rounds on small pages. Prints bytes of an lcore's
counters, and cycles for each of the two counters, medians and quartiles. A column says how many
flows there are, how many cycles of other work a packet takes, and whether calls are for 32 packets
(bulk).
"""

import sys
import tempfile
from pathlib import Path

from ctrgen.output.tables import grid
from ctrgen.tools.bench.figures import overhead
from ctrgen.tools.bench.result import Result
from tests.bench.columns import load
from tests.support.planted import PROJECT
from tests.support.strategies import NARROW, USUAL

FLOWS = 4_000_000
SYNCS = (USUAL, NARROW, f"{NARROW}:words=u16")
RUNS = (
    ("1024", "0", "single"),
    (str(FLOWS), "0", "single"),
    (str(FLOWS), "500", "single"),
    (str(FLOWS), "0", "bulk"),
)
"""Flows, cycles of other work, calls."""
ROUNDS = "9"
SCHEMA = f"""\
ctrgen: 1
module: narrow
scopes:
  flow:
    max: {FLOWS}
    counters:
      pkts: {{unit: packets, description: Packets of the flow.}}
      octets: {{unit: octets, description: Octets of the flow.}}
updates:
  packet:
    args: {{length: uint16}}
    add: {{flow.pkts: 1, flow.octets: length}}
"""


def column(folder: Path, run: tuple[str, str, str], rounds: str, syncs: str) -> Result:
    """What `ctrgen bench` measures for one column."""
    flows, work, api = run
    schema, out = folder / "narrow.yaml", folder / "-".join(run)
    schema.write_text(SCHEMA, "utf-8")
    words = (
        "--flows",
        flows,
        "--vary",
        f"work={work}",
        "--vary",
        f"api={api}",
        "--lcores",
        "2",
        "--rounds",
        rounds,
    )
    PROJECT.succeed("bench", schema, "--strategies", syncs, *words, "-o", out, timeout=1800)
    return load(out / "bench.json")


def main(rounds: str, syncs: tuple[str, ...]) -> None:
    """Print the table."""
    rows = {sync: [sync, f"{FLOWS * size(sync):,}"] for sync in syncs}
    with tempfile.TemporaryDirectory() as folder:
        for run in RUNS:
            result = column(Path(folder), run, rounds, ",".join(syncs))
            for point in result.points:
                found = overhead(point, result.workload.adds)
                text = f"{found.median:.2f} ({found.q1:.2f} to {found.q3:.2f})" if found else "-"
                rows[point.strategy].append(text)
    heads = [" ".join((flows, "flows", work, api)) for flows, work, api in RUNS]
    print(grid(("strategy", "bytes", *heads), list(rows.values()), range(1, 6)), end="")


def size(sync: str) -> int:
    """Bytes of a flow's two counters in the instance of an lcore."""
    return 2 * (8 if "narrow" not in sync else 2 if "u16" in sync else 4)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else ROUNDS, tuple(sys.argv[2:]) or SYNCS)
