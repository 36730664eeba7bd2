# SPDX-License-Identifier: BSD-3-Clause
"""A plan on a machine that `ctrgen bench` measured."""

import json
import statistics
from pathlib import Path

import pytest

from ctrgen.tools.bench.result import Result
from ctrgen.tools.plan.machine import CORTEX_A72, EPYC, Machine, machine_of
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


def chased(
    sizes: dict[int, list[float]],
    ticks: float = 0.5,
    rest: dict[int, list[float]] | None = None,
    **machine: object,
) -> Machine:
    """The machine of a result with these latencies, and so many cycles of the time stamp counter
    for one of the core."""
    document = synth.document()
    document["machine"] |= {"hugepages": 4, **machine}
    document["floor"]["chase"] = [{"bytes": b, "cycles": c} for b, c in sizes.items()]
    document["floor"]["rest"] = [{"unused": n, "cycles": c} for n, c in (rest or {}).items()]
    for point in document["points"]:
        for entry in point["rounds"]:
            entry["clock"] = ticks
    return machine_of(Result.model_validate(document))


CACHES = [
    {"level": 1, "type": "Data", "bytes": 32 << 10},
    {"level": 2, "type": "Unified", "bytes": 1 << 20},
    {"level": 3, "type": "Unified", "bytes": 256 << 20, "shared_by": 2},
]
SIZES = {
    16 << 10: [2.0], 512 << 10: [7.0], 2 << 20: [30.0], 8 << 20: [35.0, 34.0, 99.0],
    32 << 20: [150.0], 64 << 20: [149.0], 256 << 20: [155.0],
}  # fmt: skip


def test_latencies_are_measured_by_size_in_cycles_of_the_core() -> None:
    found = chased(SIZES, caches=CACHES)
    assert found.chase[0] == (16 << 10, 4.0) and found.chase[-1] == (256 << 20, 310.0)
    values = [cycles for _, cycles in found.chase]
    assert values == sorted(values), "what scatters is made to rise"
    assert found.latency(8 << 20) == 70.0, "the median of the tries"
    assert found.latency(4 << 20) == pytest.approx(65.0), "half way by the logarithm"
    assert found.latency(1) == 4.0 and found.latency(1 << 40) == 310.0
    assert found.hz == 2 * synth.result().machine.tsc_hz
    assert found.transfer == 2 * machine_of(synth.result()).transfer


def test_of_a_shared_cache_as_much_is_ours_as_is_fast() -> None:
    found = chased(SIZES, caches=CACHES)
    assert found.caches[-1].size == 8 << 20 and found.memory == 310.0
    assert found.miss(16 << 20, 16 << 20) > 3 * found.miss(8 << 20, 8 << 20) - 100
    alone, both = found.miss(8 << 20, 8 << 20), found.miss(8 << 20, 16 << 20)
    assert alone < both, "lcores compete for what they share"
    assert found.miss(1 << 19, 1 << 19) == found.miss(1 << 19, 1 << 20), "not for what they do not"


def test_others_replace_what_is_not_used() -> None:
    """By what loads took from lines that nobody had used for so long; times between are random."""
    rest = {10_000: [0.0, 9.0, 0.0], 1_000_000: [20.0, 19.0, 99.0], 100_000_000: [150.0]}
    found = chased(SIZES, rest=rest)
    assert found.rest == ((20_000, 0.0), (2_000_000, 40.0), (200_000_000, 300.0))
    values = [found.rested(mean) for mean in (1.0, 1e4, 1e6, 1e7, 1e8, 1e12)]
    assert values[0] == 0 and values == sorted(values) and values[-1] == pytest.approx(300)
    assert 0 < values[1] < values[2] < 40 < values[3]  # some times are longer than the mean
    assert chased(SIZES).rested(1e12) == 0


def test_without_huge_pages_misses_wait_for_page_walks() -> None:
    assert chased(SIZES, hugepages=0).fills == 2 * EPYC.walks < EPYC.fills == chased(SIZES).fills


def test_a_plan_asks_for_latencies_where_it_has_none_of_this_machine(tmp_path: Path) -> None:
    document = synth.document()
    path = tmp_path / "bench.json"
    path.write_text(json.dumps(document), "utf-8")
    assert "--machine bench.json: yours" in " ".join(plan(EP, "--machine", path)[1].split())
    document["floor"]["chase"] = [{"bytes": b, "cycles": c} for b, c in SIZES.items()]
    path.write_text(json.dumps(document), "utf-8")
    assert "yours" not in plan(EP, "--machine", path)[1]


def test_longer_measured_latencies_make_updates_of_many_flows_dearer(tmp_path: Path) -> None:
    found = []
    for factor in (1, 4):
        document = synth.document()
        sizes = {b: [v * factor if b > 1 << 20 else v for v in c] for b, c in SIZES.items()}
        document["floor"]["chase"] = [{"bytes": b, "cycles": c} for b, c in sizes.items()]
        path = tmp_path / "bench.json"
        path.write_text(json.dumps(document), "utf-8")
        options = ("--flows", "1M", "--lcores", "1", "--api", "single", "--format", "json")
        rows = json.loads(plan(EP, "--machine", path, *options)[1])["all"]["strategies"]
        found.append({row["strategy"]: row["cycles_per_update"] for row in rows})
    assert found[1]["per_core"] > 3 * found[0]["per_core"]


def test_what_is_missing_is_that_of_a_built_in_machine() -> None:
    document = synth.document()
    document["machine"] |= {"arch": "aarch64", "caches": []}
    document["floor"] = {}
    for point in document["points"]:
        for entry in point["rounds"]:
            entry.pop("atomic", None)
            entry.pop("floor", None)
    found = machine_of(Result.model_validate(document))
    assert found.transfer == CORTEX_A72.transfer and found.caches == CORTEX_A72.caches
    assert found.locked == CORTEX_A72.locked and found.instruction == CORTEX_A72.instruction


def test_a_plan_is_for_the_machine_that_was_measured(measured: Path) -> None:
    code, text, errors = plan(EP, "--machine", measured, "--format", "json")
    assert code == 0, errors
    assert json.loads(text)["machine"]["name"] == "measured"
