# SPDX-License-Identifier: BSD-3-Clause
"""Completion, in the shells themselves: verbs, options, strategies, backends, files."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ctrgen.commands import cli
from ctrgen.model.strategies.catalogue import all_strategies
from tests.support.capabilities import have
from tests.support.process import ctrgen, environment

SHELLS = ("bash", "zsh", "fish")

# What a user does, in the words of each shell: load the script, press Tab behind LINE. Files the
# shell lists itself, when it is told to.
BASH = """
compopt() {{ compgen -f "{last}"; }}
source {script}
COMP_WORDS=({line} '{last}') COMP_CWORD={count}
_ctrgen_completion ctrgen '{last}' ''
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
FISH = "source {script}; complete -C '{line} {last}'"
# zsh completes in a terminal only: the functions that would fill its list print instead.
ZSH = """
compdef() {{ }}
compadd() {{ print -l -- $completions }}
_describe() {{ print -l -- $completions_with_descriptions }}
_path_files() {{ print -l -- {last}*(N) }}
zmodload zsh/parameter
source {script}
words=({line} '{last}') CURRENT={count}+1
_ctrgen_completion
"""


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    """A shell that is installed."""
    if not have(request.param):
        pytest.skip(f"no {request.param}: ./dev setup")
    return str(request.param)


def offered(shell: str, folder: Path, line: str, last: str) -> list[str]:
    """What a shell offers for the last word of a line, in a folder."""
    script = folder / "script"
    script.write_text(ctrgen("completion", shell).stdout, "utf-8")
    bin_ = folder / "bin"
    bin_.mkdir(exist_ok=True)
    command = bin_ / "ctrgen"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m ctrgen "$@"\n', "utf-8")
    command.chmod(0o755)
    text = {"bash": BASH, "zsh": ZSH, "fish": FISH}[shell].format(
        script=script, line=line, last=last, count=len(line.split())
    )
    own = environment()
    done = subprocess.run(
        [shell, *(["-f"] if shell == "zsh" else []), "-c", text],
        cwd=folder,
        env={**own, "PATH": f"{bin_}{os.pathsep}{own['PATH']}", "HOME": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == "", done.stderr
    rows = [row.split("\t")[0] for row in done.stdout.splitlines()]
    return [row.split(":")[0] if shell == "zsh" else row for row in rows if row]


def test_verbs(shell: str, tmp_path: Path) -> None:
    assert {"backends", "bench", "breaking", "build"} <= set(
        offered(shell, tmp_path, "ctrgen", "b")
    )


def test_options(shell: str, tmp_path: Path) -> None:
    assert "--vendor-runtime" in offered(shell, tmp_path, "ctrgen build", "--v")


def test_strategies(shell: str, tmp_path: Path) -> None:
    assert offered(shell, tmp_path, "ctrgen build --sync", "shared_") == [
        name for name in all_strategies() if name.startswith("shared_")
    ]


def test_a_list_goes_on(shell: str, tmp_path: Path) -> None:
    found = offered(shell, tmp_path, "ctrgen build --only", "c,m")
    assert found == ["c,meson", "c,mib"]


def test_files(shell: str, tmp_path: Path) -> None:
    (tmp_path / "stats.yaml").touch()
    assert "stats.yaml" in offered(shell, tmp_path, "ctrgen build", "st")


def values(line: str, last: str) -> list[str]:
    """What is offered, without a shell."""
    from click.shell_completion import ShellComplete

    found = ShellComplete(cli.commands, {}, "ctrgen", "_").get_completions(line.split(), last)
    return [item.value for item in found]


def test_other_values() -> None:
    assert values("runtime --port", "") == ["posix", "dpdk"]
    assert values("breaking x --only", "oid,c-") == ["oid,c-api", "oid,c-abi"]
    assert "cascade-lake" in values("plan --machine", "c")
    assert values("plan --lcores", "") == []
    assert values("completion", "") == list(SHELLS)
