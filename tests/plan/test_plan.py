# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen plan` as people meet it: what it prints, recommends, refuses."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ctrgen.model.strategies.catalogue import all_strategies
from tests.plan import example
from tests.support.paths import EP, ROOT
from tests.support.planted import planted
from tests.support.process import ctrgen
from tests.support.strategies import (
    BUFFERING,
    DELTAS,
    DRAINED,
    INEXACT,
    LOCKING,
    SHARED,
    USUAL,
)

HERE = Path(__file__).parent
MODES = all_strategies()[DRAINED].tunables["mode"]
GTP, GOLDEN, LARGE = example.SCHEMA, example.EXPECTED, example.OPTIONS


def plan(*words: object) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""
    done = ctrgen("plan", *words)
    return done.exit_code, done.stdout, done.stderr


def test_golden() -> None:
    code, text, _ = plan(GTP, *LARGE)
    assert code == 0
    assert text == GOLDEN.read_text("utf-8"), "./dev golden, and look at it"


def test_the_example_in_the_documentation() -> None:
    page = example.PAGE.read_text("utf-8")
    assert example.page(page, GOLDEN.read_text("utf-8")) == page


@pytest.mark.parametrize("lcores", [1, 16])
@pytest.mark.parametrize("mode", [mode for mode in MODES.values if mode != MODES.default])
def test_a_ring_of_all_lcores_is_not_recommended(tmp_path: Path, mode: str, lcores: int) -> None:
    """Not even to a schema that has one, where rings of lcores are the best."""
    text = EP.read_text("utf-8")
    found = []
    for sync in (mode, MODES.default):
        schema = tmp_path / f"{sync}.yaml"
        rings = f"sync: {{strategy: {DRAINED}, mode: {sync}}}"
        schema.write_text(text.replace(f"\nsync: {USUAL}", f"\n{rings}", 1), "utf-8")
        found.append(as_json(schema, "--lcores", lcores, "--flows", 1000000)["all"]["strategy"])
    assert found[0] != DRAINED and found[1] == DRAINED


def row_of(found: dict[str, Any], strategy: str) -> Any:
    """A strategy in the table of all scopes."""
    (one,) = (s for s in found["all"]["strategies"] if s["strategy"] == strategy)
    return one


def as_json(*words: object) -> Any:
    return json.loads(plan(*words, "--format", "json")[1])


def test_a_reader_that_stops_lcores_is_named_with_the_advice() -> None:
    advice = as_json(GTP, *LARGE)["recommendation"][0]
    assert f"take {BUFFERING} for all scopes" in advice
    assert f"an update may wait for a whole snapshot under {BUFFERING}" in advice


def test_recycled_flows_are_named_with_the_advice(tmp_path: Path) -> None:
    advice = as_json(GTP, *LARGE)["recommendation"][0]
    assert "before an index of tunnel is given to something else, all lcores flush first" in advice
    schema = tmp_path / "s.yaml"
    dynamic = GTP.read_text("utf-8").replace("max: 1000000", "max: 1000000\n    storage: dynamic")
    schema.write_text(dynamic, "utf-8")
    advice = as_json(schema, *LARGE)["recommendation"][0]
    assert "bills of tunnel are exact where each lcore calls P_burst_end() once a burst" in advice


def test_calls_are_compared_and_the_best_is_named(tmp_path: Path) -> None:
    schema = tmp_path / "ep.yaml"
    schema.write_text(f"{EP.read_text('utf-8')}requires: {{reader_delay: never}}\n", "utf-8")
    found = as_json(schema, "--flows", "4M")
    row = row_of(found, USUAL)
    assert row["call"] == "bulk" and set(row["calls"]) == {"single", "bulk"}
    assert row["calls"]["bulk"] == row["cycles_per_update"] < row["calls"]["single"] / 4
    advice = found["recommendation"][0]
    assert f"take {USUAL}" in advice
    assert "with bulk calls (ep_stats_update_packet_bulk())" in advice
    one = as_json(schema, "--flows", "4M", "--api", "single")
    assert row_of(one, USUAL)["cycles_per_update"] == row["calls"]["single"]
    assert "bulk" not in one["recommendation"][0]


def test_what_is_cheap_only_in_bulk_is_not_advised() -> None:
    """Single calls of 20 lcores under one lock take more than all cycles."""
    found = as_json(GTP, *LARGE)
    locked, best = row_of(found, LOCKING), row_of(found, BUFFERING)
    assert locked["cycles_per_update"] < best["cycles_per_update"] and not locked["broken"]
    assert found["all"]["strategy"] == BUFFERING
    assert any(f"{LOCKING} is cheaper, but single" in r for r in found["all"]["reasons"])
    for row in found["all"]["strategies"]:
        assert sum(row["parts"].values()) == pytest.approx(row["cycles_per_packet"], abs=0.01)


def test_what_is_required_decides(tmp_path: Path) -> None:
    schema = tmp_path / "gtp.yaml"
    text = GTP.read_text("utf-8").replace("lcores: 20}", "lcores: 20, propagation: 1ms}")
    schema.write_text(text, "utf-8")
    found = as_json(schema, *LARGE, "--api", "single")
    broken = {s["strategy"]: set(s["broken"]) for s in found["all"]["strategies"]}
    assert broken[USUAL] == {"memory"} and broken[INEXACT] == {"exact"}
    assert broken[DELTAS] == broken[BUFFERING] == {"propagation"}


def test_what_a_snapshot_does_to_updates_is_said() -> None:
    text = plan(EP, "--api", "single")[1]
    assert re.search(rf"^{LOCKING} .* an update may wait for a whole snapshot$", text, re.M)


def test_small_statistics_stay_per_lcore() -> None:
    code, text, _ = plan(EP, "--lcores", "8")
    assert code == 0 and text.startswith(f"{USUAL}: ")


def test_promises_decide(tmp_path: Path) -> None:
    changed = GTP.read_text("utf-8").replace("exact: true,", "exact: true, consistency: update,")
    schema = tmp_path / "s.yaml"
    schema.write_text(changed, "utf-8")
    found = json.loads(plan(schema, *LARGE, "--format", "json")[1])
    rows = {s["strategy"]: s["broken"] for s in found["all"]["strategies"]}
    assert "consistency" in rows[USUAL] and "consistency" in rows[SHARED]
    assert not rows[found["all"]["strategy"]]


def test_a_schema_that_breaks_its_needs_is_planned_all_the_same(tmp_path: Path) -> None:
    schema = tmp_path / "s.yaml"
    schema.write_text(GTP.read_text("utf-8").replace(f"sync: {BUFFERING}", f"sync: {USUAL}"))
    code, text, errors = plan(schema, *LARGE)
    assert code == 1 and "memory-budget" in errors
    assert text.startswith(f"{BUFFERING}: ")


def test_costs_in_the_kernel_are_said_to_be_unknown(tmp_path: Path) -> None:
    """A schema with the output xdp is planned as C, and the plan says so; others are not."""
    schema = tmp_path / "ep.yaml"
    text = EP.read_text("utf-8")
    schema.write_text(text.replace("\nmodule:", "\noutputs: [c, xdp]\nmodule:"), "utf-8")
    said = "Costs of the output xdp, in the kernel, are not known: planned is C"
    assert said in " ".join(plan(schema)[1].split())
    assert said not in " ".join(plan(EP)[1].split())


def test_more_flows_than_the_schema_has_room_for() -> None:
    code, text, _ = plan(GTP, "--flows", "2M", "--lcores", "2")
    assert code == 0
    assert (
        "Planned as if scope tunnel had `max: 2000000`; the schema has 1,000,000: raise it" in text
    )
    memory = [json.loads(plan(GTP, "--flows", n, "--format", "json")[1]) for n in ("1M", "2M")]
    found = [{s["strategy"]: s["memory"] for s in m["all"]["strategies"]} for m in memory]
    assert all(found[1][name] > 1.8 * found[0][name] for name in found[0])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--lcores", "0"), "--lcores: 0 is not from 1 to 1,024"),
        (("--flows", "5G"), "--flows: 5G is not from 1 to 4,294,967,295"),
        (("--flows", "1X"), "--flows: '1X' is not a number"),
        (("--pps", "0"), "--pps: 0 is not from"),
        (("--work", "9999G"), "--work: 9999G is not from"),
        (("--affinity", "sticky"), "--affinity: 'sticky'"),
        (("--api", "items"), "--api: 'items'"),
        (("--machine", "cascade"), "there is no machine 'cascade'"),
        (("--updates", "pakcet"), "there is no update 'pakcet'"),
    ],
)  # fmt: skip
def test_bad_input(words: tuple[str, ...], message: str) -> None:
    code, text, errors = plan(GTP, *words)
    assert code == 2 and not text
    assert message in errors, errors
    assert "Traceback" not in errors


@pytest.mark.parametrize(
    ("schema", "words", "message"),
    [
        ("scopes: {global: {counters: {a: {unit: packets, description: A.}}}}", (), "no updates"),
        ("scopes: {global: {gauges: {a: {unit: packets, description: A.}}}}", (), "a packet"),
        (
            "scopes: {global: {counters: {a: {unit: packets, description: A.}}}}\n"
            "updates: {u: {add: {global.a: 1}}}",
            ("--flows", "8"),
            "touches a scope with an index",
        ),
    ],
)
def test_schemas_that_say_too_little(
    tmp_path: Path, schema: str, words: tuple[str, ...], message: str
) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(f"ctrgen: 1\nmodule: few\ndescription: Few.\n{schema}\n")
    code, _, errors = plan(path, *words)
    assert code == 2 and message in errors, errors


def test_findings_are_those_of_other_verbs(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text("ctrgen: 1\nmodule: x\nsync: no_such\nscopes: {}\n")
    code, text, errors = plan(path)
    assert code == 1 and not text and "unknown-strategy" in errors
    assert plan(tmp_path / "none.yaml")[0] == 2
    assert plan()[0] == 2


def test_units_and_overrides() -> None:
    def cycles(*words: str) -> dict[str, float]:
        found = json.loads(plan(GTP, "--lcores", "8", "--format", "json", *words)[1])
        return {s["strategy"]: s["cycles_per_update"] for s in found["all"]["strategies"]}

    assert cycles("--flows", "64k") == cycles("--flows", "64000") != cycles("--flows", "1M")
    assert cycles("--machine", "cortex-a72") != cycles()


@pytest.mark.parametrize("with_cost", [True, False])
def test_a_new_strategy_folder_has_a_row(tmp_path: Path, with_cost: bool) -> None:
    source = ROOT / "templates" / "c" / "sync" / USUAL
    text = (source / "strategy.yaml").read_text("utf-8")
    if not with_cost:
        text = "\n".join(line for line in text.splitlines() if not line.startswith("cost:"))
    added = {
        "templates/c/sync/brand_new/strategy.yaml": text,
        "templates/c/sync/brand_new/update.j2": (source / "update.j2").read_text("utf-8"),
    }
    tree = planted(tmp_path, added=added)
    command = tree.command("plan", EP, "--format", "json")
    done = subprocess.run(command, env=tree.environment(), capture_output=True, check=True)
    rows = {s["strategy"]: s for s in json.loads(done.stdout)["all"]["strategies"]}
    known = rows[USUAL]["cycles_per_update"]
    assert rows["brand_new"]["cycles_per_update"] == (known if with_cost else None)
    command = tree.command("plan", EP)
    done = subprocess.run(command, env=tree.environment(), capture_output=True, check=True)
    assert ("unknown" in done.stdout.decode()) == (not with_cost)


TWENTY = (
    "ctrgen: 1\nmodule: ep\nrequires: {REQUIRES}\nscopes:\n"
    "  global: {counters: {total_pkts: {unit: packets, description: Packets.}}}\n"
    "  session:\n    max: 1000\n    SCOPE\n    counters:\n"
    "      pkts: {unit: packets, description: Packets.}\n"
    "      bytes: {unit: bytes, description: Octets.}\n"
    "updates: {packet: {args: {size: uint16}, add: "
    "{global.total_pkts: 1, session.pkts: 1, session.bytes: size}}}\n"
)


@pytest.mark.parametrize(
    ("needs", "scope"),
    [
        ("memory: 100KiB", ""),
        ("memory: 18KiB, lcores: 64", ""),
        ("memory: 1KiB", ""),
        ("lcores: 12", "requires: {memory: 100KiB}"),
        ("memory: 100KiB", "storage: dynamic"),
        ("update_cycles: 4", ""),
    ],
)
@pytest.mark.parametrize("lcores", [(), ("--lcores", "2")])
def test_what_is_recommended_can_be_built(
    tmp_path: Path, needs: str, scope: str, lcores: tuple[str, ...]
) -> None:
    path = tmp_path / "s.yaml"
    text = TWENTY.replace("REQUIRES", needs).replace("SCOPE", scope)
    path.write_text(text)
    found = json.loads(plan(path, *lcores, "--format", "json")[1])
    taken = found["all"]["strategy"]
    if taken is None:
        assert found["recommendation"][0].startswith("no strategy keeps")
        return
    path.write_text(text.replace("requires:", f"sync: {taken}\nrequires:", 1))
    done = ctrgen("check", path)
    assert done.exit_code == 0, done.stdout


def test_lcores_are_those_that_the_schema_requires(tmp_path: Path) -> None:
    path = tmp_path / "s.yaml"
    path.write_text(TWENTY.replace("REQUIRES", "lcores: 12").replace("SCOPE", ""))
    assert "for 12 lcores; " in plan(path)[1]
    assert "for 3 lcores; " in plan(path, "--lcores", "3")[1]
    assert "for 4 lcores; " in plan(EP)[1]


COUNTED = """\
ctrgen: 1
module: hb
scopes:
  session:
    max: 1000
    ITEMS
updates:
  packet:
    args: {size: uint16}
    DOES
"""
OBSERVED = COUNTED.replace(
    "ITEMS", "histograms: {sizes: {unit: By, description: Octets., bounds: [64, 512, 1518]}}"
).replace("DOES", "observe: {session.sizes: size}")
ADDED = COUNTED.replace(
    "ITEMS",
    "counters:\n"
    + "".join(f"      {name}: {{unit: By, description: Octets.}}\n" for name in "abcde"),
).replace("DOES", "add: {session.a: 1, session.e: size}")


def test_a_histogram_costs_a_bucket_and_a_sum_and_has_the_memory_of_all(tmp_path: Path) -> None:
    schema, found = tmp_path / "s.yaml", []
    for text in (OBSERVED, ADDED, OBSERVED.replace("[64, 512, 1518]", "[64]")):
        schema.write_text(text, "utf-8")
        found.append(as_json(schema, "--lcores", "4"))
    for strategy in (USUAL, SHARED, LOCKING):
        observed, added, few = (row_of(each, strategy) for each in found)
        assert observed["memory"] == added["memory"] > few["memory"]
        assert observed["cycles_per_packet"] > added["cycles_per_packet"]
