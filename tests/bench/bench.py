#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Costs of the generated code against the same patterns written by hand.

Builds all strategies into one program that runs every way of counting in turn,
round after round, so that noise hits all alike; prints medians, quartiles and
the ratios that the project promises. One thread, but for a batch against single
calls while a second thread does the same.

usage: tests/bench/bench.py [ROUNDS] [--port posix|dpdk] [--cc CC]
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent
SCHEMA = """\
ctrgen: 1
module: {module}
description: Benchmark of {strategy}.
sync: {strategy}
requires: {{exact: false}}
scopes:
  global:
    counters:
      total_pkts:  {{unit: packets, description: Packets.}}
      total_bytes: {{unit: bytes, description: Octets.}}
  session:
    max: {sessions}
    counters:
      pkts:  {{unit: packets, description: Packets.}}
      bytes: {{unit: bytes, description: Octets.}}
updates:
  packet:
    args: {{size: uint16}}
    add:
      global.total_pkts: 1
      global.total_bytes: size
      session.pkts: 1
      session.bytes: size
"""
SESSIONS = 1 << 20
STRATEGIES = sorted(path.stem for path in (HERE / "twins").glob("*.h") if path.stem != "common")


def ctrgen(*arguments: str) -> str:
    """Output of the ctrgen of this interpreter."""
    command = [sys.executable, "-m", "ctrgen", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def build(folder: Path, port: str, cc: str) -> Path:
    """Generate, compile and link all strategies; the program."""
    flags = [
        "-O3",
        "-march=native",
        "-std=gnu11",
        f"-I{folder}",
        f"-I{HERE}",
        f"-DSESSIONS={SESSIONS}",
    ]
    flags += ctrgen("runtime", "--port", port, "--cflags").split()
    sources = [f"b{n}_stats.c" for n in range(len(STRATEGIES))]
    objects = []
    for n, strategy in enumerate(STRATEGIES):
        schema = folder / f"b{n}.yaml"
        schema.write_text(SCHEMA.format(module=f"b{n}", strategy=strategy, sessions=SESSIONS))
        ctrgen("build", str(schema), "-o", str(folder), "--only", "c", "--force")
        own = [f"-DMODULE=b{n}", f'-DHEADER="b{n}_stats.h"', f'-DTWIN="twins/{strategy}.h"']
        made = folder / f"strategy{n}.o"
        subprocess.run(
            [cc, *flags, *own, f'-DNAME="{strategy}"', "-c", str(HERE / "strategy.c"), "-o", made],
            check=True,
        )
        objects.append(str(made))
    table = folder / "table.c"
    names = [f"bench_b{n}" for n in range(len(STRATEGIES))]
    table.write_text(
        '#include <stddef.h>\n#include "bench.h"\n'
        + "".join(f"extern const struct bench {name};\n" for name in names)
        + "const struct bench *const benches[] = {"
        + "".join(f"&{name}, " for name in names)
        + "NULL};\n"
    )
    program = folder / "bench"
    runtime = ctrgen("runtime", "--port", port, "--sources").split()
    libs = ctrgen("runtime", "--port", port, "--libs").split()
    inputs = [str(HERE / "main.c"), str(table), *(str(folder / s) for s in sources), *objects]
    subprocess.run([cc, *flags, *inputs, *runtime, "-o", program, *libs], check=True)
    return program


def measure(program: Path, rounds: int) -> dict[tuple[str, str, str], list[float]]:
    """Cycles per packet, by (strategy, way, traffic), one for each round."""
    out = subprocess.run([program, str(rounds)], check=True, capture_output=True, text=True).stdout
    found: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    warm = False
    for line in out.splitlines():
        if line.startswith("#"):
            warm = line == "# warm-up"
        elif not warm and " warm " not in line:
            strategy, way, traffic, cycles = line.split()
            found[strategy, way, traffic].append(float(cycles))
    return found


def ratio(of: list[float], to: list[float]) -> str:
    """Median and quartiles of the ratios of rounds that ran side by side."""
    low, median, high = statistics.quantiles([a / b for a, b in zip(of, to, strict=True)], n=4)
    return f"{median:5.2f} ({low:.2f}-{high:.2f})"


def report(found: dict[tuple[str, str, str], list[float]]) -> None:
    """The table of one run."""
    print(
        f"{'strategy':18} {'by hand':>8} {'single':>8}  single/hand        "
        "batch/single, 32 of one  the same, 2 threads  16 mixed            "
        "bulk/single, 1 M flows"
    )
    for strategy in STRATEGIES:

        def get(way: str, traffic: str, strategy: str = strategy) -> list[float]:
            return found[strategy, way, traffic]

        print(
            f"{strategy:18} {statistics.median(get('hand', 'many')):8.2f} "
            f"{statistics.median(get('single', 'many')):8.2f}  "
            f"{ratio(get('single', 'many'), get('hand', 'many'))}  "
            f"{ratio(get('batch', 'one'), get('single', 'one'))}  "
            f"{ratio(get('batch2', 'one'), get('single2', 'one'))}  "
            f"{ratio(get('batch', 'sixteen'), get('single', 'sixteen'))}  "
            f"{ratio(get('bulk', 'million'), get('single', 'million'))}"
        )


def main() -> None:
    """Parse the command line, build, measure, report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rounds", nargs="?", type=int, default=41)
    parser.add_argument("--port", default="posix")
    parser.add_argument("--cc", default="gcc")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder), options.port, options.cc)
        found = measure(program, options.rounds)
    print(
        f"cycles per packet (4 counters), median of {options.rounds} interleaved rounds; "
        "ratios: median (quartiles)"
    )
    report(found)


if __name__ == "__main__":
    main()
