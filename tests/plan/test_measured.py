# SPDX-License-Identifier: BSD-3-Clause
"""A plan on a machine that `ctrgen bench` measured."""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest

from ctrgen.plan.machine import CORTEX_A72, EPYC, machine_of
from tests.bench import synth
from tests.support.paths import EP
from tests.support.process import ctrgen


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    """A bench.json of the reference schema."""
    document = synth.document(works=(0, 1000))
    document["schema"] |= {"file": "ep.yaml", "module": "ep"}
    document["workload"]["updates"] = ["packet"]
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(document), "utf-8")
    return path


def plan(*words: object) -> tuple[int, str, str]:
    done = ctrgen("plan", *words)
    return done.exit_code, done.stdout, done.stderr


def test_measured_figures_replace_built_in_ones() -> None:
    result = synth.result()
    found = machine_of(result)
    transfers = [value for pair in result.floor.transfer for value in pair.cycles]
    assert found.hz == result.machine.tsc_hz
    assert found.transfer == statistics.median(transfers)
    sizes = {c.level: c.bytes for c in result.machine.caches if c.type != "Instruction"}
    assert {c.level: c.size for c in found.caches} == sizes
    assert found.memory == EPYC.memory and found.window == EPYC.window
    assert any("floor.transfer" in source for _, source in found.sources)


def test_what_is_missing_is_that_of_a_built_in_machine() -> None:
    document = synth.document()
    document["machine"] |= {"arch": "aarch64", "caches": []}
    document["floor"] = {}
    for point in document["points"]:
        for entry in point["rounds"]:
            entry.pop("atomic", None)
            entry.pop("floor", None)
    from ctrgen.bench.result import Result

    found = machine_of(Result.model_validate(document))
    assert found.transfer == CORTEX_A72.transfer and found.caches == CORTEX_A72.caches
    assert found.locked == CORTEX_A72.locked and found.instruction == CORTEX_A72.instruction


def test_the_model_is_held_against_the_measurements(measured: Path) -> None:
    # The reference schema has room for 1000 sessions, the measurement for 1024 flows.
    code, text, errors = plan(EP, "--bench", measured)
    assert code == 0, errors
    assert "Model against measurement" in text and "are within a factor of 2." in text
    found = json.loads(plan(EP, "--bench", measured, "--format", "json")[1])
    assert {row["strategy"] for row in found["measured"]} >= {"per_core", "shared_lock"}
    assert all(row["measured"] > 0 and row["model"] > 0 for row in found["measured"])
    assert found["machine"]["name"] == "measured"


def test_measurements_of_another_schema_still_give_the_machine(tmp_path: Path) -> None:
    other = synth.document()
    other["schema"] |= {"module": "other"}
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(other), "utf-8")
    code, text, _ = plan(EP, "--bench", path)
    assert code == 0
    assert "measurements are of module other: not compared" in text
    assert "Model against measurement" not in text


def test_two_machines_are_one_too_many(measured: Path) -> None:
    code, _, errors = plan(EP, "--bench", measured, "--machine", "cascade-lake")
    assert code == 2 and "--machine and --bench" in errors


def test_an_unknown_strategy_in_the_measurements(measured: Path, tmp_path: Path) -> None:
    text = measured.read_text("utf-8").replace("shared_buffered", "gone")
    path = tmp_path / "gone.json"
    path.write_text(text, "utf-8")
    code, text, _ = plan(EP, "--bench", path)
    assert code == 0 and "there is no strategy 'gone'" in text
