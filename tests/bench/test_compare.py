# SPDX-License-Identifier: BSD-3-Clause
"""Two runs: what did not change is not reported, what did is, and the verb says it all."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from ctrgen.tools.bench.compare import LEAST, Comparison, compare
from ctrgen.tools.bench.result import Result as Document
from ctrgen.tools.bench.result import dump
from tests.bench import synth
from tests.support.process import ctrgen


def verb(tmp_path: Path, before: Document, after: Document, *options: str) -> Result:
    paths = []
    for name, document in (("before", before), ("after", after)):
        path = tmp_path / f"{name}.json"
        path.write_text(dump(document), "utf-8")
        paths.append(str(path))
    return ctrgen("bench", "--compare", *paths, *options)


def alarms(tries: int, **recipe: Any) -> int:
    """How many pairs of runs of the same programs seem to differ."""
    found = 0
    for seed in range(tries):
        pair = [synth.result(seed=1000 + 2 * seed + k, **recipe) for k in (0, 1)]
        found += any(change.significant for change in compare(*pair).changes)
    return found


@pytest.mark.deep
@pytest.mark.slow
def test_false_alarms_are_rare() -> None:
    assert alarms(100, rounds=12) <= 5
    assert alarms(60, rounds=20) <= 6, "1 of 10 tries may"


@pytest.mark.deep
@pytest.mark.slow
@pytest.mark.parametrize("baselines", [("hand", "floor", "atomic"), ("atomic",), ()])
@pytest.mark.parametrize("rounds", [5, 8, 30])
def test_false_alarms_are_rare_with_few_rounds_and_controls(
    rounds: int, baselines: tuple[str, ...]
) -> None:
    assert alarms(40, rounds=rounds, baselines=baselines) <= 4


@pytest.mark.one_in(6)
@pytest.mark.slow
@pytest.mark.parametrize(
    "trouble", [{"run": 0.1}, {"memory": 0.8}, {"upset": 0.1}, {"share": 0.05}, {"program": 0.05}]
)
def test_false_alarms_are_rare_on_worse_machines(trouble: dict[str, float]) -> None:
    assert alarms(50, noise=synth.Noise(**trouble)) <= 5


@pytest.mark.one_in(3)
@pytest.mark.slow
@pytest.mark.parametrize(("rounds", "least"), [(8, 0.7), (12, 0.95), (20, 0.98)])
def test_two_cycles_per_packet_are_seen(rounds: int, least: float) -> None:
    seen = 0
    for seed in range(40):
        before = synth.result(seed=2 * seed, rounds=rounds)
        seen += compare(before, synth.result(seed=2 * seed + 1, rounds=rounds, planted=2)).worse
    assert seen >= least * 40


def test_faster_is_not_worse() -> None:
    found = compare(synth.result(planted=8, rounds=20), synth.result(seed=2, rounds=20))
    assert any(change.significant for change in found.changes)
    assert not found.worse


def test_one_strategy_alone_is_named() -> None:
    before = synth.document(seed=1, rounds=20)
    after = synth.document(seed=2, rounds=20)
    for point in after["points"]:
        if point["strategy"] == "per_core" and point["at"]["lcores"] == 1:
            for entry in point["rounds"]:
                entry["generated"] += 6
    found = compare(Document.model_validate(before), Document.model_validate(after))
    worse = {c.strategy for c in found.changes if c.significant and c.change > 0}
    assert worse == {"per_core"}


def contended(seed: int, factor: float, noise: synth.Noise | None = None) -> Comparison:
    """Two runs, in the second of which a contended lock takes `factor` times as long."""
    recipe: dict[str, Any] = {"noise": noise or synth.Noise()}
    before, after = (synth.document(seed=2 * seed + k, **recipe) for k in (0, 1))
    for point in after["points"]:
        if point["strategy"] == "shared_lock" and point["at"]["lcores"] > 1:
            for entry in point["rounds"]:
                entry["generated"] += (factor - 1) * (entry["generated"] - entry["none"])
    return compare(Document.model_validate(before), Document.model_validate(after))


@pytest.mark.parametrize("factor", [0.1, 0.5, 2, 10])
def test_a_contended_lock_that_is_slower_or_faster_is_seen(factor: float) -> None:
    for seed in range(2):
        found = contended(seed, factor)
        seen = {(c.strategy, c.change > 0) for c in found.changes if c.significant}
        assert seen == {("shared_lock", factor > 1)}


@pytest.mark.slow
def test_no_doubled_figure_without_a_reason() -> None:
    for seed in range(20):
        assert not any(c.significant for c in contended(seed, 1).changes)


@pytest.mark.parametrize(("by_hand", "generated"), [(1.3, 1.3), (1.3, 1.9)])
def test_what_slows_hand_written_code_as_well_is_no_change(
    by_hand: float, generated: float
) -> None:
    for seed in range(5):
        before, after = (synth.document(seed=2 * seed + k, rounds=20) for k in (0, 1))
        for point in after["points"]:
            for entry in point["rounds"]:
                for key, factor in (("hand", by_hand), ("generated", generated)):
                    entry[key] += (factor - 1) * (entry[key] - entry["none"])
        found = compare(Document.model_validate(before), Document.model_validate(after))
        worse = {c.strategy for c in found.changes if c.significant}
        assert bool({"shared_lock", "shared_atomic", "per_core_lock"} & worse) == (generated > 1.5)


@pytest.mark.parametrize(("rounds", "judged"), [(LEAST - 1, False), (LEAST, True)])
def test_the_smallest_number_of_rounds_that_is_judged(rounds: int, judged: bool) -> None:
    found = compare(synth.result(rounds=rounds), synth.result(rounds=rounds, planted=50))
    assert {c.probability is not None for c in found.changes} == {judged}
    assert any(c.significant for c in found.changes) == judged


def test_same_document_has_no_change() -> None:
    one = synth.result()
    found = compare(one, one)
    assert not found.worse and not found.differs
    assert {change.change for change in found.changes} == {0.0}


@pytest.mark.parametrize("style", ["text", "json"])
def test_the_verb_says_what_changed(style: str, tmp_path: Path) -> None:
    same = verb(tmp_path, synth.result(seed=1), synth.result(seed=2), "--format", style)
    assert same.exit_code == 0, same.output
    before, after = synth.result(rounds=20), synth.result(seed=2, rounds=20, planted=4)
    slower = verb(tmp_path, before, after, "--format", style)
    assert slower.exit_code == 1, slower.output
    if style == "json":
        assert [json.loads(r.output)["worse"] for r in (same, slower)] == [False, True]
    else:
        assert "SLOWER" in slower.output and "SLOWER" not in same.output
        assert "None of 14 figures changed significantly" in same.output


def test_what_differs_between_the_runs_is_said_first(tmp_path: Path) -> None:
    other = synth.document(seed=2)
    other["machine"]["cpu"] = "Another 1"
    other["workload"]["memory"]["per_core"]["1"] += 64
    found = verb(tmp_path, synth.result(), Document.model_validate(other))
    lines = found.output.splitlines()
    assert lines[0] == "differs: processor: Example 9000 <8-core> before, Another 1 after"
    assert lines[1].startswith("differs: memory of per_core with 1 lcores")


def test_updates_lost_since_are_worse(tmp_path: Path) -> None:
    other = synth.document()
    other["points"][4]["rounds"][3]["counted"] -= 1
    found = verb(tmp_path, synth.result(), Document.model_validate(other))
    assert found.exit_code == 1
    assert "per_core loses updates now, and did not before" in found.output


def test_few_rounds_are_shown_and_not_judged(tmp_path: Path) -> None:
    found = verb(tmp_path, synth.result(rounds=2), synth.result(rounds=2, planted=50))
    assert found.exit_code == 0
    assert "not judged" in found.output and "fewer than 4 rounds" in found.output


def test_runs_of_other_places_have_a_say(tmp_path: Path) -> None:
    before = synth.result(strategies=("per_core",))
    found = verb(tmp_path, before, synth.result(strategies=("shared_atomic",)))
    assert found.exit_code == 0
    assert "no figure in common" in found.output and "only in the run before" in found.output


def test_wrong_files_and_options_are_said(tmp_path: Path) -> None:
    missing = ctrgen("bench", "--compare", tmp_path / "a", tmp_path / "b")
    assert missing.exit_code == 2 and "cannot be read: no such file" in missing.output
    for arguments in (["bench"], ["bench", "x.yaml", "--compare", "a", "b"]):
        wrong = ctrgen(*arguments)
        assert wrong.exit_code == 2 and "Traceback" not in wrong.output
