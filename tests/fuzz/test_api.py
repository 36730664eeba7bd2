# SPDX-License-Identifier: BSD-3-Clause
"""Generated code against a model of what the schema says, called in any order by any thread."""

from pathlib import Path

import pytest
from hypothesis.stateful import run_state_machine_as_test

from tests.fuzz import api
from tests.fuzz.engine import crashes
from tests.fuzz.library import compile_module, resolved
from tests.fuzz.machine import machine
from tests.support.capabilities import needs
from tests.support.strategies import DELTAS, UNLIKE, usually

COMMON = [*(f"zoo-{name}" for name in UNLIKE), f"ep-{DELTAS}"]
COMMON += [case for case in api.CASES if case.startswith("labels")]

pytestmark = needs("gcc")


@pytest.mark.parametrize("case", usually(list(api.CASES), COMMON))
def test_any_sequence_of_calls(tmp_path: Path, case: str) -> None:
    schema, sync = api.CASES[case]
    found = machine(compile_module(schema, sync, tmp_path / case), resolved(schema, sync))
    run_state_machine_as_test(found, settings=api.settled(8, 40, derandomize=True))
    for path in crashes("api"):
        once, number = path.read_text("ascii").split()
        if once == case:
            api.run(case, int(number), tmp_path)
