# SPDX-License-Identifier: BSD-3-Clause
"""`ctrgen plan --simulate`, and the simulation against what was published and measured."""

from __future__ import annotations

import functools
import itertools
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ctrgen.plan.comparison import published_places
from ctrgen.plan.simulation import curve
from ctrgen.plan.simulation.coherence import Memory
from ctrgen.plan.simulation.run import simulate
from ctrgen.plan.simulation.validation import (
    CLOSE,
    FAR,
    TOLD,
    WANTED,
    Published,
    published,
)
from tests.plan import two_cores
from tests.support.paths import EP
from tests.support.process import ctrgen


@pytest.fixture(scope="module")
def told() -> str:
    """What `--validate --simulate` prints."""
    done = ctrgen("plan", "--validate", "--simulate", "--format", "markdown")
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_it_is_close_to_the_published_figures(told: str) -> None:
    rows = re.findall(r"^\| (\w+) \| ([\w-]+) \| +(\d+) \| (.*) \|$", told, re.MULTILINE)
    assert len(rows) == 21
    factors = []
    for *_, rest in rows:
        actual, _, simulated, factor, note = rest.replace(",", "").split(" | ")
        off = max(float(factor), 1 / float(factor))
        assert float(simulated) / float(actual) == pytest.approx(float(factor), abs=0.02)
        assert ("differs" in note) == (off > TOLD), "what is off by so much is told"
        factors.append(off)
    assert sum(off <= CLOSE for off in factors) >= WANTED == 18
    assert max(factors) <= FAR == 3.0
    assert "Simulated: 18 of 21" in told


def test_the_published_order_holds() -> None:
    """Strategies that are far apart in the chapter are in its order, place by place; but for what
    is known to be off."""
    places: dict[tuple[str, int], list[Published]] = {}
    for row in (row for row in published() if row.off <= TOLD):
        places.setdefault((row.model.machine.name, row.model.lcores), []).append(row)
    for found in places.values():
        for one, other in itertools.permutations(found, 2):
            if TOLD * one.model.actual < other.model.actual:
                assert one.simulated < other.simulated, (one, other)


def test_a_transfer_that_costs_nothing_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Memory, "_cycles", lambda *_: 0.0)
    for row, module, place in published_places():
        if row.strategy == "shared_atomic":
            found = simulate(module, place, row.machine)
            assert found is not None and row.actual / found.update > CLOSE


def test_it_is_close_to_two_cores() -> None:
    rows = list(two_cores.rows())
    assert two_cores.table(rows) in two_cores.PAGE.read_text("utf-8")
    off = {(r.strategy, r.lcores): max(r.factor, 1 / r.factor) for r in rows}
    assert sum(value <= 2 for value in off.values()) >= 17 and len(off) == 20
    assert max(off.values()) <= FAR


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulations of few events."""
    monkeypatch.setattr(curve, "simulate", functools.partial(simulate, events=2_000, packets=500))


def simulated(*words: object) -> tuple[int, str, str]:
    done = ctrgen("plan", EP, "--simulate", *words)
    return done.exit_code, done.stdout, done.stderr


@pytest.mark.usefixtures("quick")
def test_cycles_against_lcores() -> None:
    code, out, _ = simulated("--lcores", "6")
    assert code == 0
    assert "A simulation of cache lines, locks and lcores; nothing was measured." in out
    head = next(line for line in out.splitlines() if "by lcores" in line)
    assert head.split()[-4:] == ["1", "2", "4", "6"]
    assert "shared_unsync: exact" in out and "delta_ring: its control thread" in out
    assert max(map(len, out.splitlines())) <= 100
    marked = re.findall(r"^(\w+) .*\*", out, re.MULTILINE)
    named = re.findall(r"^  (\w+), \d+ lcores?: [\d.,]+ simulated, ", out, re.MULTILINE)
    assert set(marked) == set(named), "what is marked is told, and nothing else"


@pytest.mark.usefixtures("quick")
def test_the_same_for_programs() -> None:
    code, out, _ = simulated("--lcores", "2", "--sockets", "2", "--format", "json")
    data = json.loads(out)
    assert code == 0 and data["latencies"]["far"] > data["latencies"]["near"]
    assert {p["lcores"] for p in data["simulated"]} == {1, 2}
    for point in data["simulated"]:
        low, high = sorted((point["cycles_per_update"], point["model"]))
        assert point["apart"] == (high >= 0.5 and high > 2 * low)


@pytest.mark.usefixtures("quick")
def test_a_chart(tmp_path: Path) -> None:
    texts = []
    for name in ("a.svg", "again.svg"):
        code, _, err = simulated("--lcores", "2", "--plot", tmp_path / name)
        assert code == 0, err
        texts.append((tmp_path / name).read_text("utf-8"))
    assert "cycles of an update, simulated" in texts[0] and "shared_atomic" in texts[0]
    assert texts[0] == texts[1], "the same every time"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--simulate", "--api", "bulk"), "--simulate simulates single calls, not --api bulk"),
        (("--plot", "a.svg"), "--plot draws what --simulate finds"),
    ],
)
def test_what_does_not_apply_is_named(words: tuple[str, ...], message: str) -> None:
    done = ctrgen("plan", EP, *words)
    assert done.exit_code == 2 and message in done.stderr and not done.stdout


@pytest.mark.usefixtures("quick")
def test_a_chart_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.svg").mkdir()
    for path in (tmp_path / "a.svg", tmp_path / "no" / "a.svg"):
        code, _, err = simulated("--lcores", "1", "--plot", path)
        assert code == 2 and "cannot write" in err


def test_help_imports_no_simulation() -> None:
    program = (
        "import sys; from ctrgen.__main__ import main; sys.argv = ['ctrgen', 'plan', '--help']\n"
        "try: main()\n"
        "finally: assert not [name for name in sys.modules if 'simulation' in name]"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "--simulate" in done.stdout
