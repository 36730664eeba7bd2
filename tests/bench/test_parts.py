# SPDX-License-Identifier: BSD-3-Clause
"""Parts of `ctrgen bench` by themselves: what is measured where, what is kept, what is built."""

from __future__ import annotations

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from ctrgen.backends import runtimeinfo
from ctrgen.bench import matrix, programs
from ctrgen.bench.journal import Journal
from ctrgen.bench.matrix import EFFORTS, Axes, plan
from ctrgen.findings.usage import UsageError
from tests.support.capabilities import needs_dpdk
from tests.support.paths import ROOT

HERE = Path(__file__).parent


@pytest.mark.parametrize("cores", [1, 2, 3, 16, 64, 128, 500])
@pytest.mark.parametrize("size", ["quick", "usual", "full"])
def test_the_usual_places_fit_machines_of_any_size(cores: int, size: str) -> None:
    made = plan(Axes(), size, list(range(cores)), EFFORTS["usual"])
    assert len(made.cores) == min(cores, matrix.MAX_LCORES)
    assert max(at.lcores for at in made.places) <= matrix.MAX_LCORES
    behind = [at.lcores for at in made.places if at.scheduler != "none"]
    assert all(lcores <= matrix.MAX_SCHEDULED for lcores in behind)
    assert all(at.cores <= len(made.cores) for at in made.places)


def test_a_scheduler_has_ports_for_so_many() -> None:
    with pytest.raises(UsageError, match="dsw serves at most 63 lcores, not 64"):
        plan(Axes(lcores="64", scheduler="dsw"), "usual", [0, 1], EFFORTS["usual"])


@pytest.mark.dpdk
@needs_dpdk
def test_percentiles_are_those_of_the_samples(tmp_path: Path) -> None:
    source = ROOT / "runtime" / "src" / "bench"
    command = [
        "cc", "-O2", "-Wall", "-Werror", f"-I{source}",
        str(HERE / "histogram.c"), str(source / "bench_histogram.c"),
        *shlex.split(runtimeinfo.line("dpdk", True, True, True)),
        "-o", str(tmp_path / "histogram"), "-lm",
    ]  # fmt: skip
    subprocess.run(command, check=True)
    done = subprocess.run([tmp_path / "histogram"], capture_output=True, text=True, check=False)
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
