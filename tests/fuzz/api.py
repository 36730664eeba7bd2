# SPDX-License-Identifier: BSD-3-Clause
"""Runs the machine of tests/fuzz/machine.py for a time: `python -m tests.fuzz.api api SECONDS`.

An input is a case and a seed; the same pair makes the same calls.
"""

import sys
import tempfile
import time
import traceback
from pathlib import Path

from hypothesis import HealthCheck, seed, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.fuzz.engine import keep
from tests.fuzz.library import Library, compile_module, resolved
from tests.fuzz.machine import machine
from tests.support.paths import EP, ROOT
from tests.support.strategies import BUFFERING, DELTAS, SEQUENCED, STRATEGIES, USUAL

ZOO = ROOT / "tests" / "run" / "schemas" / "zoo.yaml"
CASES = {f"zoo-{name}": (ZOO, name) for name in STRATEGIES}
CASES[f"ep-{SEQUENCED}"] = (EP, SEQUENCED)
CASES[f"labels-{USUAL}"] = (ZOO.with_name("labels.yaml"), USUAL)
CASES[f"labels-{BUFFERING}"] = (
    ZOO.with_name("labels.yaml"),
    f"{BUFFERING}:buffer=64,soft_threshold=64",
)
CASES[f"ep-{DELTAS}"] = (EP, f"{DELTAS}:entries=3,hints=2")
CASES[f"ep-{BUFFERING}"] = (EP, f"{BUFFERING}:buffer=16,soft_threshold=16")


def settled(examples: int, steps: int, derandomize: bool = False) -> settings:
    """Settings of hypothesis that leave no files."""
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        derandomize=derandomize,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def run(case: str, number: int, folder: Path) -> None:
    """The calls of one case and seed; compiles the case if it is not in the folder."""
    schema, sync = CASES[case]
    made = folder / case / "module.so"
    if not made.exists():
        compile_module(schema, sync, folder / case)
    found = seed(number)(machine(made, resolved(schema, sync)))
    run_state_machine_as_test(found, settings=settled(20, 50))


def main() -> None:
    target, seconds = sys.argv[1], float(sys.argv[2])
    end = time.monotonic() + seconds
    number = first = int(sys.argv[3]) if sys.argv[3:] else time.time_ns() % 2**31
    print("engine: hypothesis", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end:
            case = list(CASES)[number % len(CASES)]
            print(f"{case} {number}", flush=True)  # what it was, if the process ends here
            try:
                run(case, number, Path(folder))
            except BaseException:
                keep(target, f"{case} {number}\n".encode(), traceback.format_exc())
                raise
            number += 1
    print(f"stat::number_of_executed_units: {Library.calls}")
    print(f"{number - first} sequences of examples")


if __name__ == "__main__":
    main()
