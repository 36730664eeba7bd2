# SPDX-License-Identifier: BSD-3-Clause
"""Parts of `ctrgen bench` by themselves: what is measured where, what is built."""

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.backends.bench import periods
from ctrgen.findings.usage import UsageError
from ctrgen.tools.bench import driver, machine, matrix, programs
from ctrgen.tools.bench.driver import Bench
from ctrgen.tools.bench.matrix import EFFORTS, Axes, plan
from ctrgen.tools.bench.run import Request, prepare
from ctrgen.tools.bench.variants import updates, variant
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import LENIENT, QUICK, Build, shared
from tests.support.paths import EP, ROOT
from tests.support.process import succeed
from tests.support.schemas import module_of
from tests.support.strategies import LOCKING, STRATEGIES, USUAL

HERE = Path(__file__).parent


@needs_dpdk
def test_the_work_for_a_packet_is_little_code(tmp_path: Path) -> None:
    """Of 8 KiB, an update seemed to take 63 cycles in one build and 0.3 in another: what of the
    work a processor had to decode again depended on where the update lay."""
    source, built = ROOT / "runtime/src/parts/bench/bench_toil.c", tmp_path / "toil.o"
    flags = runtimeinfo.cflags("dpdk")
    succeed("cc", "-O3", *flags, f"-I{source.parent}", "-c", source, "-o", built)
    (line,) = (row for row in succeed("nm", "-S", built).splitlines() if "ctr_bench_spin" in row)
    assert 2048 < int(line.split()[1], 16) < 6144


@pytest.mark.parametrize("cores", [1, 2, 3, 16, 64, 128, 500])
@pytest.mark.parametrize("quick", [True, False])
def test_the_usual_places_fit_machines_of_any_size(cores: int, quick: bool) -> None:
    made = plan(Axes(), quick, list(range(cores)), EFFORTS[quick])
    assert len(made.cores) == min(cores, matrix.MAX_LCORES)
    assert max(at.lcores for at in made.places) <= matrix.MAX_LCORES
    assert all(at.cores <= len(made.cores) for at in made.places)


def test_what_decides_is_measured() -> None:
    made = plan(Axes(), False, [0, 1, 2, 3], EFFORTS[False])
    measured = {(at.flows, at.work, at.api) for at in made.places if at.lcores == 4 and at.alone}
    for flows, work, api in itertools.product((1024, 1 << 20), (0, 1000), ("single", "bulk")):
        assert (flows, work, api) in measured
    assert {at.lcores for at in made.places} >= {1, 2, 4, 16}
    several = plan(Axes(reads="0,5", lcores="1", work="0"), False, [0], made.effort)
    assert [at.reads for at in several.places] == [0, 5]


def prepared(text: str, folder: Path, **more: Any) -> Bench:
    """What would be measured of a schema."""
    path = folder / "s.yaml"
    path.write_text(text)
    module = module_of(path)
    return prepare(Request(str(path), "out", Axes(lcores="1"), **more), module)


def test_all_strategies_are_measured_unless_some_are_named(tmp_path: Path) -> None:
    text = EP.read_text("utf-8")
    assert [made.label for made in prepared(text, tmp_path).variants] == list(STRATEGIES)
    (one,) = prepared(text, tmp_path, strategies=(LOCKING,)).variants
    assert one.label == LOCKING


@pytest.mark.parametrize(("seconds", "rounds"), [(1, 9), (5, 8), (50, 6)])
def test_rounds_end_in_time(
    seconds: float, rounds: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of nine, each of so many seconds and all to be done in 40: never fewer than six."""
    effort = replace(EFFORTS[False], seconds=40)
    made = plan(Axes(lcores="1", work="0"), False, [0], effort)
    module = module_of(EP)
    one = variant(module, USUAL, "", 1)
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    bench = driver.Bench([one], updates(module, ()), "", made, tmp_path, began=0)
    done = 0
    for _ in driver.in_time(bench, driver.steps(bench)):
        now[0] += seconds
        done += 1
    assert done == rounds
    notes = [note for note in made.notes if "no time for more" in note]
    assert notes == [f"{rounds} rounds of 9: there was no time for more (--rounds asks for it)"] * (
        rounds < 9
    )


def test_weights_of_the_schema_say_how_often_updates_are_called() -> None:
    module = module_of(ROOT / "schemas" / "upf.yaml")
    every = periods(updates(module, ()))
    assert {name: every[name] for name in ("send", "uplink", "poll", "hold")} == {
        "send": 1, "uplink": 2, "poll": 16, "hold": 16,
    }  # fmt: skip


OBJECTS = """\
ctrgen: 1
module: s
description: S.
scopes:
  session: {storage: embedded, sync: caller, counters: {a: {unit: packets, description: A.}}}
  bearer: {max: 7, counters: {b: {unit: packets, description: B.}}}
updates:
  both: {add: {session.a: 1, bearer.b: 1}}
  one: {add: {bearer.b: 1}}
"""


def test_objects_of_an_application_are_left_out(tmp_path: Path) -> None:
    made = prepared(OBJECTS, tmp_path)
    assert [update.name for update in made.updates] == ["one"]
    assert "not measured: both, about objects of the application" in made.plan.notes
    assert {v.module.scope("session").sync.strategy for v in made.variants} == {"caller"}
    with pytest.raises(UsageError, match="no updates, except those of objects"):
        prepared(OBJECTS, tmp_path, updates=("both",))


def test_too_little_memory_is_said_before_anything_is_built(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two counters of 16 million flows: 256 MiB for each shard, and as much by hand."""
    module = module_of(EP)
    each = [variant(module, name, "session", 1 << 24) for name in (USUAL, LOCKING)]
    assert machine.statistics(each[1], 2) >> 20 in range(256, 260)
    monkeypatch.setattr(machine, "available", lambda: 2 << 30)
    machine.check_memory(each[1:], [2], [1 << 24])
    with pytest.raises(UsageError, match=r"GiB are needed for 2 strategies; 2\.0 GiB are free"):
        machine.check_memory(each, [2], [1 << 24])


def test_all_programs_are_on_huge_pages_or_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "hugepages", lambda: {2 << 20: 10})
    assert machine.on_huge_pages([10, 9]) and not machine.on_huge_pages([10, 11])


@pytest.mark.one_in(2)
@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize(("program", "parts"), [("slices", ()), ("totals", ("bench_totals.c",))])
def test_what_is_computed_of_times_and_counters(
    tmp_path: Path, program: str, parts: tuple[str, ...]
) -> None:
    """Typical slices, which slower ones do not move; totals, which are read once."""
    source = ROOT / "runtime/src/parts/bench"
    build = Build(port="dpdk", flags=QUICK, own_flags=("-O2", *LENIENT), link=("-lm",))
    own = [HERE / f"{program}.c", *(source / part for part in parts)]
    shared().link(tmp_path / program, build, own, [source])
    succeed(tmp_path / program)


def test_another_compiler_sets_the_project_up_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[tuple[str | Path, ...]] = []

    def run(*command: str | Path) -> None:
        commands.append(command)
        Path(command[2]).mkdir()

    monkeypatch.setattr(programs, "run_command", run)
    made = tmp_path / "out"
    for compiler, ran in (("gcc", 1), ("gcc", 1), ("clang", 2), ("clang", 2)):
        monkeypatch.setenv("CC", compiler)
        programs._set_up(made, tmp_path)
        assert len(commands) == ran
    (made / "ctrgen-settings.json").unlink()  # as if that had been cut off
    (made / "half").write_text("made")
    programs._set_up(made, tmp_path)
    assert len(commands) == 3 and not (made / "half").exists()
    assert json.loads((made / "ctrgen-settings.json").read_text())["CC"] == "clang"


def test_processors_in_lists_of_linux() -> None:
    assert [machine._count(text) for text in ("0-3,8", "5", "0,4", "", "?")] == [5, 1, 2, 1, 1]
