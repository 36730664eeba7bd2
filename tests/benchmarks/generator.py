# SPDX-License-Identifier: BSD-3-Clause
"""What the generator itself costs: wall time and memory, medians of interleaved runs.

Every build is a first one: templates are compiled, and there is neither a lock file nor output.

usage: python -m tests.benchmarks.generator [ROUNDS]
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from ctrgen.backends import discover
from tests.benchmarks.published import record
from tests.support import shapes
from tests.support.paths import ROOT

SCHEMA = ROOT / "schemas" / "ep.yaml"
ENVIRONMENT = os.environ | {"CTRGEN_NO_CACHE": "1"}


SHAPES = {
    "10,000 counters, 1 scope": shapes.SHAPES["counters"].schema(),
    "10,000 counters, 500 scopes": shapes.SHAPES["scopes"].schema(),
    "4,000 counters, 2,000 updates": shapes.SHAPES["updates"].schema(),
}


class Cost(NamedTuple):
    """Seconds of wall and of processor time, and MiB of memory."""

    wall: float
    user: float
    memory: float


def measured(*arguments: str) -> Cost:
    """The cost of one ctrgen command."""
    with tempfile.TemporaryFile() as output:
        begin = time.perf_counter()
        command = [sys.executable, "-m", "ctrgen", *arguments]
        process = subprocess.Popen(command, stdout=output, stderr=output, env=ENVIRONMENT)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            output.seek(0)
            sys.exit(f"{' '.join(arguments)}: {output.read().decode()}")
    return Cost(wall, usage.ru_utime, usage.ru_maxrss / 1024)


def build(schema: Path, *options: str) -> Cost:
    """The cost of one build into an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / schema.name
        copy.write_bytes(schema.read_bytes())
        return measured("build", str(copy), "-o", f"{folder}/out", *options)


def main() -> None:
    """Run every command in turn, round after round."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    costs: dict[str, list[Cost]] = {}
    with tempfile.TemporaryDirectory() as folder:
        schemas = {"reference schema": SCHEMA}
        for number, (shape, text) in enumerate(SHAPES.items()):
            schemas[shape] = Path(folder) / f"shape{number}.yaml"
            schemas[shape].write_text(text)
        for _ in range(rounds):
            costs.setdefault("ctrgen --help", []).append(measured("--help"))
            for shape, schema in schemas.items():
                costs.setdefault(shape, []).append(build(schema))
                for name in discover().backends if shape in SHAPES else ():
                    alone = build(schema, "--only", name)
                    costs.setdefault(f"{shape}, {name} alone", []).append(alone)
    for what, runs in costs.items():
        wall, user, memory = (statistics.median(values) for values in zip(*runs, strict=True))
        print(f"{what:46} {wall:6.2f} s wall {user:6.2f} s user {memory:5.0f} MiB")
    record(
        "generator", {what: statistics.median(r.wall for r in runs) for what, runs in costs.items()}
    )


if __name__ == "__main__":
    main()
