# SPDX-License-Identifier: BSD-3-Clause
"""`./dev` installs what a verb needs when it needs it: little for a demo, all for the tests."""

import shutil
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.support.planted import Edit
from tests.support.process import run

FILES = ("dev", "pyproject.toml", "requirements-dev.txt", "generator/__init__.py")
TOOLS = "awk bash cat chmod cksum dirname echo env grep id mkdir realpath rm touch xargs"
LOG = 'echo "${0##*/} $*" >>"$LOG"\n'
PYTHON = """\
case "$*" in
*venv\\ --clear*) mkdir -p "$4/bin" && cat "$0" >"$4/bin/python" && cat "$0" >"$4/bin/ctrgen" &&
	chmod +x "$4/bin/python" "$4/bin/ctrgen" ;;
esac
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What ./dev reads, and programs that only note how they are called; nothing is installed."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in TOOLS.split():
        (programs / name).symlink_to(str(shutil.which(name)))
    noted = {"apt-get": "", "python3": PYTHON, "sudo": 'shift\nexec "$@"\n'}
    for name, text in noted.items():
        program = programs / name
        program.write_text(f"#!/bin/sh\n{LOG if name != 'sudo' else ''}{text}")
        program.chmod(0o755)
    return tmp_path


def called(clone: Path, *words: str) -> str:
    """What a verb calls."""
    log = clone / "log"
    log.write_text("")
    done = run("./dev", *words, cwd=clone, env={"PATH": str(clone / "bin"), "LOG": str(log)})
    assert done.returncode == 0, done.stderr
    return log.read_text()


def levels(clone: Path) -> None:
    """A demo, another one, what needs all, and a demo again."""
    first = called(clone, "demo")
    (line,) = [line for line in first.splitlines() if "apt-get install" in line]
    assert {"gcc", "libdpdk-dev", "libpcap-dev", "pkg-config"} <= {*line.split()}
    assert len(line.split("recommends")[1].split()) <= 7 and "base_mibs" not in first
    assert "--require-hashes -r " in first and "requirements-dev.txt" not in first
    assert "demo.py" in first
    assert "-m pip" not in called(clone, "demo")
    every = called(clone, "golden")
    assert "chromium" in every and "base_mibs" in every and "-r requirements-dev.txt" in every
    again = called(clone, "demo")
    assert "-m pip" not in again and "chromium" not in again and "demo.py" in again


def test_a_demo_installs_little_and_the_tests_the_rest(clone: Path) -> None:
    levels(clone)


def test_figures_are_written_of_what_was_measured(clone: Path) -> None:
    """`--write` is for the pages, and no option of the benchmark."""
    lines = called(clone, "bench", "--write", "--quick").splitlines()
    assert "ctrgen bench schemas/ep.yaml --quick" in lines
    assert "python -m tests.benchmarks.published --write --quick" in lines


@pytest.mark.parametrize(
    "edit",
    [
        Edit("dev", '"$level_state" >"$stamp"', '"$state" >"$stamp"'),
        Edit("dev", '[ "$1/$level" = demo/ ] || ', ""),
        Edit("dev", '"$state" | ', ""),
    ],
)
def test_planted_bugs_are_seen(clone: Path, edit: Edit) -> None:
    (clone / "dev").write_text(edit.applied((clone / "dev").read_text()))
    with pytest.raises(AssertionError):
        levels(clone)
