# SPDX-License-Identifier: BSD-3-Clause
"""What the guide shows for pre-commit and for a workflow works, and refuses what it should."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.test_docs import blocks
from tests.support.capabilities import have
from tests.support.paths import ROOT
from tests.support.process import git, run, succeed

SCHEMA = (
    "ctrgen: 1\nmodule: app\nscopes:\n  global:\n    counters:\n"
    "      pkts: {unit: packets, description: Packets.}\n"
)
BASE = "origin/${{ github.base_ref }}"

pytestmark = pytest.mark.skipif(not have("git"), reason="no git")


def fails(folder: Path, line: str) -> bool:
    """Whether a command line fails, with the ctrgen of these tests."""
    return run(*shlex.split(line), cwd=folder).returncode != 0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a schema and its output, which are on the default branch."""
    (tmp_path / "stats.yaml").write_text(SCHEMA, "utf-8")
    succeed("ctrgen", "build", "stats.yaml", "-o", "out", cwd=tmp_path)
    for words in ("init -q", "add .", "commit -qm a", "update-ref refs/remotes/origin/main HEAD"):
        git(tmp_path, *words.split())
    return tmp_path


def edit(project: Path, old: str, new: str) -> None:
    """Change the schema."""
    path = project / "stats.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def shown(name: str) -> Any:
    """The YAML file that the guide shows under a name."""
    (text,) = (b.text for b in blocks("guide.md") if b.text.startswith(f"# {name}\n"))
    return yaml.safe_load(text)


def hooks() -> dict[str, str]:
    """The command line of each hook that the guide names."""
    offered = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    (repository,) = shown(".pre-commit-config.yaml")["repos"]
    named = {hook["id"]: hook.get("args", []) for hook in repository["hooks"]}
    assert {hook["id"] for hook in offered} == set(named)
    lines = {}
    for hook in offered:
        passed = [] if hook.get("pass_filenames") is False else ["stats.yaml"]
        lines[hook["id"]] = " ".join([hook["entry"], *named[hook["id"]], *passed])
        assert not passed or re.search(hook["files"], "stats.yaml")
    return lines


def steps() -> list[str]:
    """What the workflow runs, but for the installation."""
    lines = [step["run"] for step in shown(".github/workflows/stats.yml")["jobs"]["stats"]["steps"]
             if "run" in step]  # fmt: skip
    assert lines[0].startswith("pip install ")
    assert any(BASE in line for line in lines)
    return [line.replace(BASE, "origin/main") for line in lines[1:]]


def failing(project: Path) -> set[str]:
    """Which hooks and which steps fail; a step is named by its verb."""
    found = {name for name, line in hooks().items() if fails(project, line)}
    return found | {line.split()[1] for line in steps() if fails(project, line)}


def test_all_pass(project: Path) -> None:
    assert failing(project) == set()


def test_a_finding(project: Path) -> None:
    edit(project, "unit: packets", "unit: ''")
    assert {"ctrgen-check", "check", "ctrgen-build", "build"} <= failing(project)


def test_output_of_another_schema(project: Path) -> None:
    edit(project, "Packets.", "Packets that came.")
    assert failing(project) == {"ctrgen-build", "build"}


def test_a_break(project: Path) -> None:
    edit(project, "pkts:", "packets:")
    succeed("ctrgen", "build", "stats.yaml", "-o", "out", cwd=project)
    assert failing(project) == {"ctrgen-breaking", "breaking"}


def test_several_schemas_are_judged_together(project: Path) -> None:
    (project / "other.yaml").write_text(SCHEMA.replace("pkts", "a-b"), "utf-8")
    (project / "third.yaml").write_text(SCHEMA.replace("counters", "counts"), "utf-8")
    done = run("ctrgen", "check", "stats.yaml", "other.yaml", "third.yaml", cwd=project)
    assert done.returncode == 1
    assert "other.yaml:6:7: error" in done.stdout and "third.yaml:5:5: error" in done.stdout
    assert "stats.yaml" not in done.stdout
