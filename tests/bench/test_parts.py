# SPDX-License-Identifier: BSD-3-Clause
"""Parts of `ctrgen bench` by themselves: what is measured where, what is kept, what is built."""

import itertools
import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.backends.bench import periods
from ctrgen.findings.usage import UsageError
from ctrgen.pipeline.check import check
from ctrgen.tools.bench import driver, matrix, memory, programs
from ctrgen.tools.bench.driver import Journal
from ctrgen.tools.bench.matrix import EFFORTS, Axes, plan
from ctrgen.tools.bench.result import At
from ctrgen.tools.bench.variants import Variant, updates, variant
from tests.support.capabilities import needs_dpdk
from tests.support.cbuild import LENIENT, QUICK, Build, shared
from tests.support.paths import EP, ROOT
from tests.support.process import succeed

HERE = Path(__file__).parent


@pytest.mark.parametrize("cores", [1, 2, 3, 16, 64, 128, 500])
@pytest.mark.parametrize("size", ["quick", "usual", "full"])
def test_the_usual_places_fit_machines_of_any_size(cores: int, size: str) -> None:
    made = plan(Axes(), size, list(range(cores)), EFFORTS["usual"])
    assert len(made.cores) == min(cores, matrix.MAX_LCORES)
    assert max(at.lcores for at in made.places) <= matrix.MAX_LCORES
    assert all(at.cores <= len(made.cores) for at in made.places)
    piped = {(at.lcores, at.work) for at in made.places if at.scheduler == "pipeline"}
    assert piped == ({(2, 0), (2, 1000)} if size != "quick" and cores > 1 else set())
    said = any("no pipeline was measured" in note for note in made.notes)
    assert said == (size != "quick" and cores == 1)


@needs_dpdk
def test_the_work_for_a_packet_is_little_code(tmp_path: Path) -> None:
    """Of 8 KiB, an update seemed to take 63 cycles in one build and 0.3 in another: what of the
    work a processor had to decode again depended on where the update lay."""
    source, built = ROOT / "runtime/src/parts/bench/bench_toil.c", tmp_path / "toil.o"
    flags = runtimeinfo.cflags("dpdk")
    succeed("cc", "-O3", *flags, f"-I{source.parent}", "-c", source, "-o", built)
    (line,) = (row for row in succeed("nm", "-S", built).splitlines() if "ctr_bench_toil" in row)
    assert 2048 < int(line.split()[1], 16) < 6144


def test_what_decides_is_measured_and_a_reader_only_where_somebody_reads() -> None:
    made = plan(Axes(), "usual", [0, 1, 2, 3], EFFORTS["usual"])
    measured = {(at.flows, at.work, at.api) for at in made.places if at.lcores == 4 and at.alone}
    for flows, work, api in itertools.product((1024, 1 << 20), (0, 1000), ("single", "bulk")):
        assert (flows, work, api) in measured
    assert {at.lcores for at in made.places} >= {1, 2, 4}
    assert {at.reader for at in made.places if at.reads} == set(matrix.READERS)
    assert all(at in made.latency for at in made.places if at.reads)
    several = plan(
        Axes(reads="0,5", reader="walk,snapshot", lcores="1", work="0"), "usual", [0], made.effort
    )
    assert [(at.reads, at.reader) for at in several.places] == [
        (0, "instances"), (5, "walk"), (5, "snapshot"),
    ]  # fmt: skip


def test_a_pipeline_has_two_stages() -> None:
    """It is left out where these have no two lcores, and takes turns with the empty run."""
    made = plan(Axes(scheduler="none,pipeline", lcores="1,4"), "usual", [0, 1, 2], EFFORTS["usual"])
    assert [(at.lcores, at.scheduler) for at in made.places if at.work == 0] == [
        (1, "none"), (4, "none"), (4, "pipeline"),
    ]  # fmt: skip
    assert all(at.alone for at in made.places)
    assert any("none on an odd number of lcores" in note for note in made.notes)
    with pytest.raises(UsageError, match="none on an odd number of lcores"):
        plan(Axes(scheduler="pipeline", lcores="3"), "usual", [0, 1, 2], EFFORTS["usual"])
    alone = plan(Axes(scheduler="pipeline"), "usual", [0], EFFORTS["usual"])
    assert {at.lcores for at in alone.places} == {2}


@pytest.mark.parametrize(("seconds", "rounds"), [(1, 9), (5, 8), (50, 6)])
def test_rounds_end_in_time(
    seconds: float, rounds: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Of nine, each of so many seconds and all to be done in 40: never fewer than decide
    something, and what is measured once is measured all the same."""
    effort = replace(EFFORTS["usual"], seconds=40)
    made = plan(Axes(lcores="1", work="0"), "usual", [0], effort)
    module = check(str(EP)).module
    assert module is not None
    one = variant(module, "per_core", "", 1)
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    bench = driver.Bench([one], updates(module, ()), "", made, tmp_path, began=0)
    done = []
    for kind, *_ in driver.in_time(bench, driver.steps(bench)):
        now[0] += seconds * (kind == "round")
        done.append(kind)
    assert done == ["round"] * rounds + ["latency"]
    notes = [note for note in made.notes if "no time for more" in note]
    assert notes == [f"{rounds} rounds of 9: there was no time for more (--rounds asks for it)"] * (
        rounds < 9
    )


def test_weights_of_the_schema_say_how_often_updates_are_called() -> None:
    module = check(str(ROOT / "schemas" / "upf.yaml")).module
    assert module is not None
    called = updates(module, ())
    every = periods(called)
    assert {name: every[name] for name in ("send", "uplink", "poll", "hold")} == {
        "send": 1, "uplink": 2, "poll": 16, "hold": 16,
    }  # fmt: skip
    chosen = updates(module, ("uplink=3", "poll=1"))
    assert [(update.name, update.weight) for update in chosen] == [("uplink", 3), ("poll", 1)]
    with pytest.raises(UsageError, match="'x' is not a number"):
        updates(module, ("uplink=x",))


FORTY = """\
ctrgen: 1
module: forty
description: Forty counters.
scopes:
  flow:
    max: 9
    counters:
"""


@pytest.fixture
def forty(tmp_path: Path) -> Callable[[int], list[Variant]]:
    """Two variants of a schema with forty counters, for so many flows."""
    path = tmp_path / "forty.yaml"
    path.write_text(
        FORTY + "".join(f"      c{i}: {{unit: packets, description: C.}}\n" for i in range(40))
    )
    module = check(str(path)).module
    assert module is not None
    return lambda flows: [
        variant(module, label, "flow", flows) for label in ("per_core", "shared_lock")
    ]


def test_memory_is_that_of_all_programs_and_their_own_data(
    forty: Callable[[int], list[Variant]],
) -> None:
    """40 counters of a million flows: 320 MiB for each copy, twins by hand and baselines too."""
    mib, copy = 1 << 20, 40 * 8
    per_core, shared = (memory.statistics(one, 2) for one in forty(mib))
    assert shared.own // mib == 2 * copy and shared.allocated < mib
    assert per_core.own // mib == copy and per_core.allocated // mib == 2 * 4 * copy
    at = At(lcores=2, cores=2, flows=mib, work=0)
    alone, read = (
        memory.needed(forty(mib)[1], [at.model_copy(update=more)])
        for more in ({}, {"reads": 1, "reader": "snapshot"})
    )
    assert (read - alone) // mib >= copy


def test_too_little_memory_says_what_would_fit(
    monkeypatch: pytest.MonkeyPatch, forty: Callable[[int], list[Variant]]
) -> None:
    monkeypatch.setattr(memory.machine, "available", lambda: 3 << 30)
    at = At(lcores=2, cores=2, flows=1 << 20, work=0)
    memory.check(forty(1 << 20)[1:], [[at]], 1 << 20)
    with pytest.raises(UsageError, match=r"need 4\.. GiB for 2 strategies; 3\.0 GiB") as caught:
        memory.check(forty(1 << 20), [[at]], 1 << 20)
    assert caught.value.hint and "shared_lock would fit (--strategies)" in caught.value.hint


@pytest.mark.one_in(4)
@pytest.mark.dpdk
@needs_dpdk
@pytest.mark.parametrize(
    ("program", "parts"),
    [
        ("histogram", ("bench_histogram.c",)),
        ("turns", ()),
        ("packets", ("bench_traffic.c",)),
        ("totals", ("bench_totals.c",)),
    ],
)
def test_what_is_computed_of_times_and_packets(
    tmp_path: Path, program: str, parts: tuple[str, ...]
) -> None:
    """Percentiles; typical turns, which slower ones do not move; what packets add, and added."""
    source = ROOT / "runtime/src/parts/bench"
    build = Build(port="dpdk", flags=QUICK, own_flags=("-O2", *LENIENT), link=("-lm",))
    own = [HERE / f"{program}.c", *(source / part for part in parts)]
    shared().link(tmp_path / program, build, own, [source])
    done = subprocess.run([tmp_path / program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_journal_goes_on_behind_lines_that_are_none(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path, {"a": 1}, True) as journal:
        journal["one"] = {"cycles": 1.5}
    with path.open("a") as file:
        file.write('17\nnull\n[]\n{"key": "x"}\n{"key": "two", "val')
    with Journal(path, {"a": 1}, True) as journal:
        assert journal.resumed == 1 and journal["one"] == {"cycles": 1.5}
        assert "two" not in journal
    with Journal(path, {"a": 2}, True) as journal:
        assert journal.resumed == 0


def test_a_journal_on_a_full_disk_says_so() -> None:
    with pytest.raises(UsageError, match="/dev/full: cannot be written: no space left"):
        Journal(Path("/dev/full"), {}, False)


def test_a_disk_that_fills_up_later(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", {}, False) as journal:
        journal._file.close()
        journal._file = Path("/dev/full").open("w")  # noqa: SIM115
        with pytest.raises(UsageError, match="no space left"):
            journal["one"] = 1


def test_another_compiler_sets_the_project_up_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands: list[list[str]] = []

    def run(command: list[str]) -> None:
        commands.append(command)
        Path(command[2]).mkdir()

    monkeypatch.setattr(programs, "_run", run)
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
