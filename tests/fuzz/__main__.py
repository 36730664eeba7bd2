# SPDX-License-Identifier: BSD-3-Clause
"""Fuzzes every target for a time and says what came of it: `./dev fuzz`."""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass

from tests.fuzz import measure, native
from tests.fuzz.engine import HERE, ROOT, crashes, scratch
from tests.fuzz.targets import TARGETS

API = "api"
"""Generated C, called in any order by hypothesis."""


@dataclass(frozen=True)
class Row:
    """What came of one target."""

    target: str
    engine: str
    executions: int
    new: int
    crashes: int


def figure(name: str, text: str) -> int:
    """One of the statistics that libFuzzer prints at its end."""
    found = re.findall(rf"^stat::{name}: *(\d+)$", text, re.MULTILINE)
    return int(found[-1]) if found else 0


def python(target: str, seconds: int) -> Row:
    """Fuzz a function of ours, in a process of its own."""
    module = "tests.fuzz.api" if target == API else "tests.fuzz.engine"
    before, had = len(crashes(target)), len(list(scratch(target).iterdir()))
    done = subprocess.run(
        [sys.executable, "-m", module, target, str(seconds)],
        cwd=ROOT, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    said = done.stdout + done.stderr
    engine = re.search(r"^engine: (.*)$", said, re.MULTILINE)
    found = len(crashes(target)) - before
    if done.returncode != 0:
        print(f"---- {target}\n{said[-3000:]}", file=sys.stderr)
        found = max(found, 1)
    new = len(list(scratch(target).iterdir())) - had
    name = engine[1] if engine else "?"
    return Row(target, name, figure("number_of_executed_units", said), new, found)


def c_parser(harness: str, seconds: int) -> Row:
    """Fuzz C of the runtime or of generated code."""
    said, found, new = native.fuzz(harness, seconds)
    if found:
        print(f"---- {harness}\n{said[-3000:]}", file=sys.stderr)
    return Row(harness, "libFuzzer", figure("number_of_executed_units", said), new, found)


def table(rows: list[Row]) -> str:
    """Rows below each other, and their sum."""
    lines = [f"{'target':10} {'engine':11} {'executions':>11} {'new':>6} {'crashes':>8}"]
    whole = Row("all", "", *(sum(column) for column in zip(*map(_numbers, rows), strict=True)))
    for row in [*rows, whole]:
        lines.append(
            f"{row.target:10} {row.engine:11} {row.executions:11,} {row.new:6,} {row.crashes:8,}"
        )
    return "\n".join(lines)


def _numbers(row: Row) -> tuple[int, int, int]:
    return row.executions, row.new, row.crashes


def main() -> int:
    """The command; 1 when something crashed."""
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__)
    every = [*TARGETS, API, *native.HARNESSES]
    parser.add_argument("--seconds", type=int, default=10, help="for each target; 10")
    parser.add_argument("--target", action="append", choices=every, help="may be repeated")
    parser.add_argument("--keep", action="store_true", help="add what reaches new lines to corpus/")
    given = parser.parse_args()
    rows = []
    for name in given.target or every:
        if name in native.HARNESSES and (reason := native.lacking(name)):
            print(f"{name}: left out, {reason}", file=sys.stderr)
            continue
        fuzz = c_parser if name in native.HARNESSES else python
        rows.append(fuzz(name, given.seconds))
        if given.keep and name in native.HARNESSES:
            native.keep_new(name)
        elif given.keep and name in TARGETS:
            measure.keep_new(name)
    print(table(rows))
    print(f"inputs that crash are kept below {(HERE / 'crashes').relative_to(ROOT)}")
    return int(any(row.crashes for row in rows))


if __name__ == "__main__":
    sys.exit(main())
