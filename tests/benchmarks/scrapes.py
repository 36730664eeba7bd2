# SPDX-License-Identifier: BSD-3-Clause
"""What updates take while the process serves OpenMetrics (scrapes_main.c).

usage: python -m tests.benchmarks.scrapes [ROUNDS [SESSIONS]]

One thread updates one of 250,000 sessions at random on a processor of its own; the server with
500,000 series and its client share another. In turn, half a second each: no scrape, while the
other processor computes; a scrape; scrapes one after the other. Prints medians and quartiles of
ROUNDS (9) of the mean and of the 99.9th percentile of an update, and of the ratio of the latter
within a round. The exit code is 1 if that of a scrape in half a second exceeds 1.02.
"""

import os
import shlex
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from tests.benchmarks.published import record
from tests.benchmarks.segment import FOUND, show
from tests.support.planted import PROJECT
from tests.support.process import succeed

HERE = Path(__file__).resolve().parent
LIMIT = 1.02
SESSIONS = 250_000
WHAT = {
    "none": "no scrape",
    "scrape": "two scrapes a second",
    "scrapes": "scrapes one after the other",
}


def made(folder: Path, sessions: int) -> Path:
    """The program."""
    text = (HERE / "segment.yaml").read_text("utf-8")
    schema = folder / "segment.yaml"
    schema.write_text(text.replace("max: 1000000", f"max: {sessions}"), "utf-8")
    PROJECT.succeed("build", schema, "-o", folder, "--only", "c")
    line = PROJECT.succeed("runtime", "--with", "openmetrics", "--cflags", "--sources", "--libs")
    succeed(
        "gcc", "-std=gnu11", "-O3", "-Wall", "-Wextra", f"-I{folder}", HERE / "scrapes_main.c",
        folder / "sg_stats.c", *shlex.split(line), "-o", folder / "main",
    )  # fmt: skip
    return folder / "main"


def main() -> int:
    """Measure, print, and judge."""
    rounds = int(sys.argv[1]) if sys.argv[1:] else 9
    sessions = int(sys.argv[2]) if sys.argv[2:] else SESSIONS
    if len(os.sched_getaffinity(0)) < 2:
        print("needs two processors")
        return 0
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    with tempfile.TemporaryDirectory(prefix="ctr") as name:
        for line in succeed(made(Path(name), sessions), str(rounds)).splitlines():
            mode, *words = line.split()
            for key, _, value in (word.partition("=") for word in words):
                found[mode][key].append(float(value))
    for mode, what in WHAT.items():
        tails = found[mode]["tail"]
        show(f"{what}, mean", found[mode]["mean"], "ns")
        show(f"{what}, 99.9 %", tails, "ns")
        if mode != "none":
            pairs = zip(tails, found["none"]["tail"], strict=True)
            show(f"{what}, 99.9 % / no scrape", (tail / none for tail, none in pairs), "")
    show("scrapes in half a second", found["scrapes"]["served"], "")
    record("scrapes", FOUND)
    return 1 if FOUND["two scrapes a second, 99.9 % / no scrape"] > LIMIT else 0


if __name__ == "__main__":
    raise SystemExit(main())
