# SPDX-License-Identifier: BSD-3-Clause
"""Without the extra `bench`: what works all the same, and what says what to install."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ctrgen.bench import extra, report
from ctrgen.findings.installation import pip_install
from tests.bench import synth
from tests.support.cbuild import PROJECT

RECORDED = Path(__file__).parent / "recorded"

WITHOUT = (
    "import sys\n"
    f"sys.modules.update(dict.fromkeys({(*extra.COMPARISON, *extra.PAGE)!r}))\n"
    "from ctrgen.__main__ import main\n"
    "main()\n"
)
"""`ctrgen` where none of the packages can be imported."""


def ctrgen(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `ctrgen` without the extra."""
    command = [sys.executable, "-c", WITHOUT, *map(str, words)]
    environment = PROJECT.environment()
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


def test_a_comparison_says_in_a_line_what_to_install() -> None:
    done = ctrgen("bench", "--compare", RECORDED / "before.json", RECORDED / "after.json")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == (
        "ctrgen: error: results cannot be compared without numpy and scipy: "
        f"{pip_install('bench')}\n"
    )


@pytest.mark.parametrize("words", [("bench", "--help"), ("strategies",), ("plan", "--validate")])
def test_other_verbs_need_nothing_of_it(words: tuple[str, ...]) -> None:
    assert ctrgen(*words).returncode == 0


def test_a_report_goes_without_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = synth.result(rounds=2)
    report.write(result, tmp_path)
    assert (tmp_path / "bench.html").exists()
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    paths = report.write(result, tmp_path)
    names = ["bench.csv", "bench.json", "bench.md"]
    assert sorted(path.name for path in paths) == names
    assert sorted(path.name for path in tmp_path.iterdir()) == names, "a page of an earlier run"
    assert report.write(result, tmp_path / "new") == [tmp_path / "new" / p.name for p in paths]
