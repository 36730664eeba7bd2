# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen bench` builds, runs, counts right, and says what it cannot do."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ctrgen.findings.usage import UsageError
from ctrgen.output.staging import locked
from ctrgen.tools.bench import machine, programs
from ctrgen.tools.bench.programs import Program
from tests.bench.runs import BRIEF, MARKS, PLAINLY, TWO, bench, lost, result
from tests.support.paths import EP, ROOT
from tests.support.planted import PROJECT, WORD, Edit, planted
from tests.support.process import ctrgen, succeed, until
from tests.support.strategies import (
    BUFFERING,
    DELTAS,
    DRAINED,
    INEXACT,
    LOCKING,
    LOSSY,
    NARROW,
    SEQUENCED,
    SHARED,
    UNLIKE,
    USUAL,
    fact,
)

pytestmark = MARKS

BY_HAND = {name for name, given in fact("by_hand").items() if given}
"""Strategies that people write by hand in a simple form."""
KINDS = (*UNLIKE, DRAINED, INEXACT)
"""Strategies whose programs differ: with a flush, with a thread that polls, by hand, inexact. All
are run with --long, with histograms."""


def started(*words: str | Path, **environment: str) -> subprocess.Popen[str]:
    """A run to be interrupted."""
    return subprocess.Popen(
        PROJECT.command("bench", *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=PROJECT.environment(environment),
    )  # fmt: skip


def text_of(path: Path) -> str:
    return path.read_text() if path.exists() else ""


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory, once: dict[str, str]) -> Path:
    """A quick run over strategies of each kind: its folder, to which its output is added."""
    folder = tmp_path_factory.mktemp("quick")
    words = ("--quick", "--strategies", ",".join(KINDS), "--rounds", "3", "--ms", "5")
    done = bench(EP, *words, "-o", folder, **PLAINLY, **once)
    assert done.returncode == 0, done.stderr
    (folder / "printed").write_text(done.stdout)
    return folder


@pytest.fixture
def again(quick: Path, tmp_path: Path) -> Path:
    """A folder to run in, where the programs of that run are built already."""
    (tmp_path / "build").symlink_to(quick / "build")
    return tmp_path


def test_a_quick_run_covers_its_strategies_on_one_and_two_lcores(quick: Path) -> None:
    folder, found = quick, result(quick)
    printed = (folder / "printed").read_text()
    assert found["strategies"] == list(KINDS)
    places = {(p["strategy"], p["at"]["lcores"]) for p in found["points"]}
    assert places == {(name, lcores) for name in found["strategies"] for lcores in (1, 2)}
    assert all(name in printed for name in found["strategies"])
    kept = {path.name: path.stat().st_size for path in folder.glob("bench.*")}
    assert {*kept} == {"bench.json"} and all(kept.values())


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one processor: nothing contends")
def test_only_the_inexact_strategy_loses_updates_and_it_does(quick: Path) -> None:
    found = lost(result(quick), lcores=2, work=0)
    assert found.pop(INEXACT) > 0
    assert set(found.values()) == {0}
    assert set(lost(result(quick), lcores=1).values()) == {0}


def test_rounds_hold_all_ways_and_positive_costs(quick: Path) -> None:
    for point in result(quick)["points"]:
        assert len(point["rounds"]) == 3
        twin = {"hand"} if point["strategy"] in BY_HAND else set()
        for one in point["rounds"]:
            wanted = {"none", "generated", *twin}
            assert wanted <= set(one)
            # A way is 0 where the machine was busier while it was not counted.
            assert one["none"] > 0 and all(one[name] >= 0 for name in wanted)
        assert max(one["generated"] for one in point["rounds"]) > 0


def left(pid: int) -> list[Path]:
    """Folders of the programs of a run in DPDK's run directory, wherever that is."""
    bases = ("/var/run", "/tmp", os.environ.get("XDG_RUNTIME_DIR") or "/tmp")
    return [p for base in bases for p in Path(base, "dpdk").glob(f"ctrgen-bench-{pid}-*")]


def test_nothing_is_left_in_the_run_directory(again: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of a run, nor of a program that is killed or does not answer."""
    places = ("--strategies", USUAL, "--lcores", "1", "--vary", "work=0")
    words = (EP, *places, *BRIEF, "-o", again)
    running = started(*words, **PLAINLY)
    _, said = running.communicate(timeout=300)
    assert running.returncode == 0 and left(running.pid) == [], said
    folder, cores = again / "build" / "out", sorted(os.sched_getaffinity(0))
    command = folder / f"bench-{USUAL}", 1, cores[:1], machine.arguments(False, 100)
    assert not (folder / "run").exists()
    for kill in (False, True):
        program = Program(*command)
        assert len([*(folder / "run" / "dpdk").iterdir()]) == 1
        if kill:
            program._process.kill()
        program.close()
        assert left(os.getpid()) == [] and not (folder / "run").exists()
    monkeypatch.setattr(programs, "ANSWER_SECONDS", 0)
    with pytest.raises(UsageError, match="did not answer"):
        Program(*command)
    assert left(os.getpid()) == [] and not (folder / "run").exists()


WRONG = {
    "runs": "a command that is not known", "run": "a run is WAY",
    "run single 1 1 1 0 0 0": "a run is WAY", "run double 1 1 1 0 0 0 1": "no way of counting",
    "run single 0 1 1 0 0 0 1": "so many lcores", "run single 2 1 1 0 0 0 1": "so many lcores",
    "run single 1 0 1 0 0 0 1": "flows are at least 1",
    "run single 1 1 1 0 -1 0 1": "at least 0", "run single 1 1 1 0 0 nan 1": "at least 0",
    "run single 1 1 1 0 0 0 1e300": "at least 0",
}  # fmt: skip
"""Commands that a program refuses, and what it says."""


def refuse(folder: Path) -> None:
    """Fails unless the program for one lcore refuses them all, and answers others then."""
    path, cores = folder / "build" / "out" / f"bench-{USUAL}", sorted(os.sched_getaffinity(0))
    program = Program(path, 1, cores[:1], machine.arguments(False, 100))
    try:
        for command, says in WRONG.items():
            with pytest.raises(UsageError, match=says):
                program.ask(command)
        assert program.ask("calibrate")["cycles"] > 0
    finally:
        program.close()


def test_a_program_refuses_what_cannot_be_measured(quick: Path) -> None:
    refuse(quick)


@pytest.mark.deep
def test_a_program_that_accepts_too_many_lcores_is_seen(tmp_path: Path) -> None:
    count = "o->workers > rte_lcore_count()"
    edit = Edit("runtime/src/parts/bench/bench_main.c", f"{count} - 1", f"{count} + 1")
    words = ("--strategies", USUAL, "--lcores", "1", "--vary", "work=0", *BRIEF)
    tree, out = planted(tmp_path, [edit]), tmp_path / "o"
    assert bench(EP, *words, "-o", out, tree=tree, **PLAINLY).returncode == 0
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        refuse(out)


@pytest.mark.deep
def test_updates_with_quotas(plain: Path) -> None:
    """Of instances static and dynamic, and of lists: none is refused, so none is lost."""
    schema = ROOT / "tests" / "run" / "schemas" / "limits.yaml"
    places = ("--lcores", "2", "--vary", "work=0", "--strategies", USUAL)
    done = bench(schema, *places, *BRIEF, "-o", plain, **PLAINLY)
    assert done.returncode == 0, done.stderr
    assert set(lost(result(plain)).values()) == {0}
    assert all({"free", "quota"} <= set(one) for one in result(plain)["points"][0]["rounds"])


@pytest.mark.deep
@pytest.mark.parametrize("name", ["router", "upf"])
def test_other_schemas(plain: Path, name: str) -> None:
    """Nested, dynamic and embedded scopes, gauges, states, several updates for a packet."""
    done = bench(
        ROOT / "schemas" / f"{name}.yaml", "--lcores", "2", "--vary", "work=0", "--strategies",
        ",".join((NARROW, BUFFERING, DELTAS, INEXACT)), *BRIEF, "-o", plain,
        **PLAINLY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = lost(result(plain))
    assert {share for name, share in found.items() if name != INEXACT} == {0}


OBSERVED = """\
ctrgen: 1
module: hb
scopes:
  global:
    counters:
      pkts: {unit: packets, description: Packets processed.}
    histograms:
      delays: {unit: ns, description: Time in the queue., log2: {min: 64, max: 4096}}
  session:
    max: 64
    histograms:
      sizes: {unit: By, description: Octets of packets of the session., bounds: [64, 512, 1518]}
updates:
  packet:
    args: {size: uint16, delay: uint32}
    add: {global.pkts: 1}
    observe: {session.sizes: size, global.delays: delay}
"""


@pytest.mark.deep
def test_nothing_is_lost_of_histograms(tmp_path: Path) -> None:
    """Under every strategy, in every call: a packet changes one counter, and of each histogram a
    bucket and the sum."""
    schema = tmp_path / "hb.yaml"
    schema.write_text(OBSERVED, "utf-8")
    done = bench(
        schema, "--vary", "api=single,bulk,batch", "--vary", "resets=0,100", "--lcores", "2",
        "--vary", "work=0", *BRIEF, "-o", tmp_path, **PLAINLY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "packet: 5 counter updates" in done.stdout
    found = lost(result(tmp_path))
    assert {share for name, share in found.items() if name not in LOSSY} == {0}


WRAPPING = """\
ctrgen: 1
module: s
description: S.
scopes:
  stats:
    max: 2
    counters:
      a: {unit: packets, description: A., width: 32}
  global:
    counters:
      b: {unit: octets, description: B., width: 32}
"""


WEIGHTED = """\
ctrgen: 1
module: s
description: S.
scopes:
  flow: {max: 1024, counters: {a: {unit: packets, description: A.}}}
updates:
  u: {weight: 8, add: {flow.a: 1}}
  v: {weight: 1, add: {flow.a: 2}}
  w: {weight: 3, add: {flow.a: 4}}
"""


@pytest.mark.deep
def test_counters_that_wrap_lose_nothing_by_it(plain: Path) -> None:
    """The report is there though it cannot be printed."""
    schema = plain / "s.yaml"
    schema.write_text(WRAPPING + "updates:\n  u: {args: {len: uint16}, add: {global.b: len}}\n")
    at = ("--strategies", TWO, "--lcores", "1", "--vary", "work=0")
    words = (schema, *at, "--rounds", "1", "--ms", "300", "-o", plain)
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            PROJECT.command("bench", *words), stdout=full, check=False,
            stderr=subprocess.PIPE, text=True,
            env=PROJECT.environment({**PLAINLY, "PYTHONUNBUFFERED": ""}),
        )  # fmt: skip
    assert done.returncode == 2 and "no space is left" in done.stderr
    assert "\r" not in done.stderr, "a progress bar in a log"
    found = result(plain)
    assert all(p["rounds"][0]["expected"] > 2**32 for p in found["points"])
    assert set(lost(found).values()) == {0}


@pytest.mark.deep
def test_somebody_polls_where_a_strategy_needs_it(plain: Path) -> None:
    label = f"{DRAINED}:ring=65536"
    words = ("--strategies", label, "--lcores", "1", "--vary", "work=1000", "--rounds", "1")
    done = bench(EP, *words, "--ms", "250", "-o", plain, **PLAINLY)
    assert done.returncode == 0, done.stderr
    assert lost(result(plain))[label] < 0.1
    assert "WRONG COUNTS" not in done.stderr


@pytest.mark.deep
def test_a_strategy_that_drops_updates_is_told_on(tmp_path: Path) -> None:
    store = 'CTR_ASM_CHANGE("add{q}", "e",'
    forgetful = f"static __thread unsigned int calls; if (++calls % 1000 != 0) {store}"
    tree = planted(tmp_path, [Edit(WORD, store, forgetful)])
    words = ("--strategies", USUAL, "--lcores", "1", "--vary", "work=0", *BRIEF)
    done = bench(EP, *words, "-o", tmp_path / "o", tree=tree, **PLAINLY)
    assert done.returncode == 1
    assert f"WRONG COUNTS under {USUAL}" in done.stderr


@pytest.mark.deep
def test_an_interrupted_run_keeps_its_rounds(again: Path) -> None:
    words = (EP, "--strategies", TWO, "--lcores", "1", "--vary", "work=0", "--rounds", "10000",
             "--ms", "5", "-o", again)  # fmt: skip
    for how in (signal.SIGINT, signal.SIGTERM):
        running = started(*words, **PLAINLY)
        assert running.stderr is not None
        assert any("measuring" in line for line in running.stderr)
        time.sleep(8)
        running.send_signal(how)
        printed, said = running.communicate(timeout=60)
        assert running.returncode == 130, said
        assert left(running.pid) == [] and not (again / "build" / "out" / "run").exists()
        assert "interrupted" in said and USUAL in printed
        found = result(again)
        assert not found["complete"] and found["points"]


@pytest.mark.deep
def test_every_axis_at_once_counts_right(again: Path) -> None:
    """On more lcores than processors, too; and readers say what they did."""
    many = 4 * len(os.sched_getaffinity(0))
    done = bench(
        EP, "--strategies", f"{SEQUENCED},{SHARED},{LOCKING}", "--vary=work=50",
        "--lcores", f"2,{many}", "--flows", "1,3000", "--vary=api=single,batch,bulk",
        "--vary=reads=0,200", "--vary=resets=0,100", *BRIEF, "-o", again, **PLAINLY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = result(again)
    assert len(found["points"]) == 3 * 2 * 2 * 3 * 2 * 2
    assert set(lost(found).values()) == {0}
    for point in found["points"]:
        for one in point["rounds"]:
            assert (one["reads"]["count"] > 0) == (point["at"]["reads"] > 0)
            assert 0 <= one["reads"]["ms"] <= one["ms"] and 0.1 < one["clock"] < 10


@pytest.mark.deep
def test_updates_of_less_weight_happen_less_often(plain: Path) -> None:
    """By every call; counts are exact for each, of all flows and of some of these in turn."""
    schema = plain / "s.yaml"
    schema.write_text(WEIGHTED)
    done = bench(
        schema, "--strategies", USUAL, "--lcores", "2", "--vary=work=0",
        "--flows", "900,9", "--vary=api=single,batch,bulk", *BRIEF, "-o", plain, **PLAINLY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = result(plain)
    assert set(lost(found).values()) == {0} and len(found["points"]) == 6
    assert found["workload"]["every"] == {"v": 8, "w": 3}
    assert "v (1 in 8)" in done.stdout
    assert "w is called for one packet in 3, not in 2.66667" in done.stdout.lower()


@pytest.mark.deep
def test_a_run_that_is_interrupted_while_it_builds(tmp_path: Path) -> None:
    words = (EP, "--strategies", USUAL, "--flows", "300K", "--lcores", "1", *BRIEF)
    for how in (signal.SIGINT, signal.SIGTERM):
        folder = tmp_path / how.name
        running = started(*words, "-o", folder, **PLAINLY)
        until((folder / "build" / "out").is_dir)
        running.send_signal(how)
        printed, said = running.communicate(timeout=60)
        assert running.returncode == 130 and not printed
        assert "interrupted: nothing was measured" in said
        assert {path.name for path in folder.iterdir()} == {"build"}
    done = bench(*words, "-o", folder, **PLAINLY)
    assert done.returncode == 0, done.stderr


VALUES = """\
ctrgen: 1
module: s
description: S.
scopes:
  global:
    gauges: {a: {unit: packets, description: A.}}
"""

CLASHES = """\
ctrgen: 1
module: s
description: S.
scopes:
  hand_x:
    max: 8
    counters: {a: {unit: packets, description: A.}}
updates: {u: {add: {hand_x.a: 1}}}
"""


@pytest.mark.parametrize(("text", "says"), [(VALUES, "no updates"), (CLASHES, "such as 'hand_x'")])
def test_a_schema_with_nothing_to_measure(tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "s.yaml").write_text(text)
    command = ["bench", str(tmp_path / "s.yaml"), "-o", str(tmp_path / "o")]
    done = ctrgen(*command)
    assert done.exit_code == 2 and "cannot be measured" in done.stderr and says in done.stderr
    assert not (tmp_path / "o").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--lcores", "0"), "--lcores: 0 is not from 1 to 126"),
        (("--vary", "flows=9"), "is not another axis with values"),
        (("--vary", "work"), "is not another axis with values"),
        (("--vary", "work="), "is not another axis with values"),
        (("--vary", "work=1", "--vary", "work=2"), "is not another axis with values"),
        (("--lcores", "1.5"), "1.5 is not a whole number"),
        (("--rounds", "2.5"), "2.5 is not a whole number"),
        (("--flows", "64M", "--lcores", "126"), "GiB are free"),
        (("--vary", "api=bulky"), "is not one of single, batch, bulk"),
        (("--strategies", USUAL[:-1]), f"did you mean '{USUAL}'?"),
        (("--strategies", f"{LOCKING}:lock=mutex"), "must be one of"),
        (("--strategies", f"{LOCKING}:kind=spin"), "has no tunable 'kind'"),
        (("--updates", "packets"), "did you mean 'packet'?"),
        (("--rounds", "0"), "--rounds"),
    ],
)
def test_what_makes_no_sense_is_said_plainly(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    command = ["bench", str(EP), "--quick", "-o", str(tmp_path), *words]
    done = ctrgen(*command)
    assert done.exit_code == 2
    assert says in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_machine_that_lacks_something(tmp_path: Path) -> None:
    none = str(tmp_path / "empty")
    Path(none).mkdir()
    (Path(none) / "python3").symlink_to(sys.executable)
    assert (
        "libdpdk"
        in bench(EP, "-o", tmp_path / "a", PKG_CONFIG_LIBDIR=none, PKG_CONFIG_PATH="").stderr
    )
    done = bench(EP, "-o", tmp_path / "b", CC="no-such-compiler")
    assert done.returncode == 2 and "no C compiler" in done.stderr
    missing = bench(EP, "-o", tmp_path / "c", PATH=none)
    assert missing.returncode == 2 and "pkg-config is not installed" in missing.stderr


def test_a_schema_with_errors_is_a_finding(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("ctrgen: 1\nmodule: m\n", "utf-8")
    done = bench(bad, "-o", tmp_path / "o")
    assert done.returncode == 1 and "bad.yaml" in done.stderr


@pytest.mark.deep
def test_plain_build_makes_a_harness_that_meson_builds(tmp_path: Path) -> None:
    out = tmp_path / "out"
    PROJECT.succeed("build", EP, "-o", out)
    for command in (("meson", "setup", "b"), ("ninja", "-C", "b")):
        assert "warning:" not in succeed(*command, cwd=out / "bench")


def test_a_run_waits_for_one_in_the_same_folder(tmp_path: Path) -> None:
    with locked(tmp_path / "build"):
        running = started(EP, "--strategies", USUAL, *BRIEF, "-o", tmp_path)
        assert running.stderr is not None
        said = running.stderr.readline()
        running.terminate()
        assert running.wait(60) == 130
    assert said == f"waiting for another run that uses {tmp_path}\n"
