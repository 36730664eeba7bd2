# SPDX-License-Identifier: BSD-3-Clause
"""The model against measurements: what is compared, what is said of it, for three schemas."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ctrgen.model import ir
from ctrgen.model.strategies.catalogue import all_strategies
from ctrgen.model.workload import Deployment, touched, transactions
from ctrgen.pipeline.check import check
from ctrgen.tools.bench.result import Result
from ctrgen.tools.plan.bill import Bill
from ctrgen.tools.plan.estimate import Estimate
from ctrgen.tools.plan.lines import Lines, uses
from ctrgen.tools.plan.machine import EPYC, machine_of
from ctrgen.tools.plan.model import estimate
from tests.bench import synth
from tests.benchmarks import planned
from tests.plan import against
from tests.plan.against import BESIDE, SNAPSHOT, UPDATE, Comparison


def module_of(name: str) -> ir.Module:
    """A schema that is compared."""
    module = check(str(planned.SCHEMAS[name])).module
    assert module is not None
    return module


def rows(document: dict[str, Any]) -> tuple[list[Comparison], int]:
    """What is compared of a document of the reference schema."""
    result = Result.model_validate(document)
    return against.measured(result, module_of("ep"), "session", machine_of(result))


def read(document: dict[str, Any], ms: float, **place: object) -> dict[str, Any]:
    """The document with places at which a reader took snapshots, of so many milliseconds each."""
    for point in document["points"]:
        point["at"] |= {"reads": 1e6, "reader": "snapshot", **place}
        for entry in point["rounds"]:
            entry |= {"ms": 100.0, "reads": {"count": 10, "ms": 10 * ms}}
    return document


def test_snapshots_and_what_they_do_to_updates_are_compared() -> None:
    found, _ = rows(read(synth.document(), 0.02))
    assert {row.what for row in found} == {BESIDE, SNAPSHOT}
    assert {row.lcores for row in found} == {1}, "with 2 the reader takes turns with a worker"
    beside = {row.strategy for row in found if row.what == BESIDE}
    held = {row.strategy for row in found if row.what == SNAPSHOT} - beside
    assert held == {"shared_lock", "shared_buffered"}, "their updates wait for the snapshot"
    for row in found:
        if row.what == SNAPSHOT:
            assert row.actual == pytest.approx(0.02e-3 * 2.6e9)
    usual, _ = rows(synth.document())
    assert {row.what for row in usual} == {UPDATE}
    cost = {row.strategy: row.modelled for row in usual if row.lcores == 1}
    more = {row.strategy: row.modelled - cost[row.strategy] for row in found if row.what == BESIDE}
    assert more["per_core_lock"] > more["per_core_seqcount"] > more["per_core"] == 0


def test_what_the_model_is_not_about_is_left_out() -> None:
    for place in ({"reader": "walk"}, {"resets": 1.0}, {"pressure": 1e6}):
        assert rows(read(synth.document(), 1.0, **place)) == ([], 0)


def test_what_scatters_says_nothing() -> None:
    document = synth.document()
    for point in document["points"]:
        for number, entry in enumerate(point["rounds"]):
            entry["generated"] = entry["none"] + (100 * number**3)
    assert rows(document) == ([], len(document["points"]))


def test_the_worst_are_named() -> None:
    row = Comparison(
        "shared_lock", EPYC, 2, 10.0, 85.0, 1024, 0, "bulk", shares=(("sync", 1), ("misses", 3))
    )
    good = Comparison("per_core", EPYC, 1, 10.0, 6.0)
    first, worst = against.summary([good, row], 3)
    assert first == (
        "1 of 2 are within a factor of 2, 1 within 4 (50%); the worst is off by 8.5; "
        "3 places say nothing"
    )
    assert worst == (
        "update on shared_lock, 2 lcores, 1,024 flows, tight loop, bulk calls: 85.0 cycles instead "
        "of 10.0, 8.5 times more; 75% of the estimate is misses"
    )
    assert [*against.summary([], 1)] == ["nothing to compare"]
    assert planned.kept([good] * 9) and not planned.kept([good] * 90 + [row])


def test_three_schemas_in_one_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ep").mkdir()
    (tmp_path / "ep" / "bench.json").write_text(json.dumps(synth.document()), "utf-8")
    assert planned.main([str(tmp_path)]) == 1
    told = capsys.readouterr().out
    assert "ep: " in told and "within a factor of 2" in told
    assert "upf: no " in told and "forty: no " in told
    assert planned.main([]) == planned.main(["--measure"]) == 2
    assert all(path.exists() for path in planned.SCHEMAS.values())


def test_a_flow_has_one_instance_of_each_scope() -> None:
    """So no more are in use than there are flows, and these stay where the flow does."""
    module = module_of("upf")
    for flows, sessions, interfaces in ((16, 16, 3), (1024, 1024, 3), (8192, 4096, 3)):
        at = Deployment(2, flows, "pdr", affinity="pinned")
        found = {scope.name: touched(scope, at) for scope in module.scopes}
        assert (found["pdr"], found["session"]) == (flows, sessions)
        assert found["interface"] == interfaces and found["global"] == 1
        lines = {t.scope: t for made in transactions(module, at) for t in made.touches}
        assert lines["pdr"].local == lines["session"].local == min(sessions, flows // 2)


def test_lines_of_an_element_come_together() -> None:
    """Five lines of forty counters are hardly dearer than one; in bulk those of several packets."""
    module = module_of("forty")
    at = Deployment(1, 100_000, "flow", work=1000.0)
    machine = replace(EPYC, caches=EPYC.caches[:2])
    lines = [touch for made in transactions(module, at) for touch in made.touches]
    assert [touch.behind for touch in lines] == [False, True, True, True, True]
    apart, bulk = (estimate(module, replace(at, api=api), machine) for api in ("single", "bulk"))
    assert apart is not None and bulk is not None
    assert bulk.misses < apart.misses / 4
    sync = ir.Sync("shared_atomic", all_strategies()["shared_atomic"].settings())
    atomic = estimate(replace(module, scopes=(replace(module.scopes[0], sync=sync),)), at, machine)
    assert atomic is not None
    assert atomic.packet - 40 * EPYC.locked < EPYC.memory


def test_lines_in_a_cache_of_the_core_take_their_time_behind_arithmetic() -> None:
    """Of five lines each, where they do not fit into the first cache; in the tight loop they are
    asked for ahead."""

    def missed(flows: int, work: float, arithmetic: bool = True) -> float:
        at = Deployment(1, flows, "flow", work=work, arithmetic=arithmetic)
        found = estimate(module_of("forty"), at, EPYC)
        assert found is not None
        return found.misses

    near = EPYC.caches[1].cycles - EPYC.caches[0].cycles
    assert missed(16, 1000.0) == missed(2048, 0.0) == missed(2048, 1000.0, False) == 0
    assert 4 * near < missed(2048, 1000.0) <= 5 * near
    assert missed(1 << 20, 1000.0) - missed(1 << 20, 1000.0, False) == pytest.approx(5 * near)


def test_a_line_is_near_if_little_is_used_between_two_visits() -> None:
    """Those of 1,024 rules, beside those of a million; what the caller reads once counts, too."""
    module = module_of("upf")
    module = module.resized("pdr", 1 << 20)
    at = Deployment(1, 1 << 20, "pdr", work=1000.0)

    def far(place: Deployment, scope: str) -> float:
        changes = transactions(module, place)
        lines = Lines(module, place, EPYC, *uses(changes, module, place), 0, 1000.0, 10.0)
        return max(lines.far(t) for made in changes for t in made.touches if t.scope == scope)

    assert far(at, "qer") < EPYC.caches[1].cycles < far(replace(at, pressure=1 << 22), "qer")
    assert far(at, "pdr") < far(replace(at, streamed=1000), "pdr") < EPYC.memory


def test_misses_go_on_while_an_object_is_waited_for() -> None:
    """As long as the packet has that time, and unless a burst is counted behind all objects."""
    module = module_of("upf").resized("pdr", 1 << 20)
    at = Deployment(1, 1 << 20, "flow", work=1000.0)
    changes = transactions(module, at)
    lines = Lines(module, at, EPYC, *uses(changes, module, at), 0, 1000.0, 10.0)
    assert lines.beside(1000.0) > 0.5 > lines.beside(100.0) > lines.beside(0.0) == 0
    chapter, there = module_of("ep"), replace(at, flow_scope="session")
    made = uses(transactions(chapter, there), chapter, there)
    assert Lines(chapter, there, EPYC, *made, 0, 1000.0, 10.0).beside(1000.0) == 0
    for api, seen in (("single", 0.5), ("bulk", 1.0)):
        bill = Bill(module, replace(at, api=api), EPYC, Estimate(0, 1, 1, 1))
        bill.look_ahead(changes)
        assert bill.alone <= seen and (bill.alone == 1) is (api == "bulk")


def test_the_work_of_a_place_is_what_was_measured() -> None:
    """In cycles of the core, of packets that nobody counts; and what the harness reads for each."""
    module = module_of("ep")
    point = synth.result().points[0]
    place = against.place_of(synth.result(), module, "session", point)
    bare = [entry.none / entry.clock for entry in point.rounds]
    assert min(bare) <= (place.work or 0) <= max(bare) and place.pauses == 2
    assert against.arguments(module, {"packet": 1}) == 4 + 2
    assert against.arguments(module_of("upf"), {"send": 1, "poll": 16}) == 2 * 4 + 2 + 4 + 4
