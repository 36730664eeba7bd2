# SPDX-License-Identifier: BSD-3-Clause
"""Generated code against a model of what the schema says, called in any order by any thread."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.cbuild import EP, ROOT
from tests.fuzz.library import compile_module, resolved
from tests.fuzz.machine import machine
from tests.run.variants import STRATEGIES

ZOO = ROOT / "tests" / "run" / "schemas" / "zoo.yaml"
CASES = [(ZOO, name) for name in STRATEGIES]
CASES += [(EP, "per_core_seqcount"), (EP, "shared_buffered:buffer=16,soft_threshold=16")]

pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")


@pytest.mark.parametrize(("schema", "sync"), CASES, ids=[f"{s.stem}-{n}" for s, n in CASES])
def test_any_sequence_of_calls(tmp_path: Path, schema: Path, sync: str) -> None:
    found = machine(compile_module(schema, sync, tmp_path / "out"), resolved(schema, sync))
    quick = settings(
        max_examples=8,
        stateful_step_count=40,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(found, settings=quick)
