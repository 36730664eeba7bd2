# SPDX-License-Identifier: BSD-3-Clause
"""Every model holds, sees its bugs, and is in docs/models.md.

The verdicts of GenMC are demanded where it is on the PATH. Everywhere else the models
run as ordinary programs, which shows that they compile and can hold, and no more.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cbuild import PROJECT, Build, Tree, Workshop, planted
from tests.models import bugs, genmc, page
from tests.models.catalogue import MODELS, Model
from tests.promises.page import filled

RUNS = 200
UPDATES = 20
"""Of a thread in one run; GenMC takes what the model says."""

needs_genmc = pytest.mark.skipif(not genmc.have(), reason="no genmc on the PATH: docs/models.md")
CASES = [(model, bug) for model in MODELS for bug in (None, *model.bugs)]
ids = [f"{model.name}: {bug.name}" if bug else model.name for model, bug in CASES]


def run(
    workshop: Workshop, folder: Path, model: Model, updates: int = UPDATES, tree: Tree = PROJECT
) -> int:
    """Run a model as an ordinary program; its exit code."""
    source = genmc.wrapped(model, folder, updates)
    build = Build(genmc.SCHEMA, model.sync or None, (source,), flags=("-O2",), tree=tree)
    program = workshop.program(build)
    done = subprocess.run([program, str(RUNS)], capture_output=True, timeout=120, check=False)
    return done.returncode


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_model_holds_as_a_program(model: Model, workshop: Workshop, tmp_path: Path) -> None:
    assert run(workshop, tmp_path, model) == 0


def test_a_model_can_fail_as_a_program(workshop: Workshop, tmp_path: Path) -> None:
    """Two threads that add without atomics lose counts on any processor."""
    model = next(model for model in MODELS if bugs.ADDED in model.bugs)
    edits = {f"runtime/{edit.path}": [(edit.old, edit.new)] for edit in bugs.ADDED.edits}
    assert run(workshop, tmp_path, model, 20000, planted(tmp_path, edits)) != 0


def test_every_bug_can_still_be_planted() -> None:
    for model, bug in CASES:
        assert (genmc.planted(model, bug) == genmc.shipped(model.sync)) == (bug is None)


def test_names_are_unique() -> None:
    assert len(ids) == len(set(ids))


def test_every_model_sees_a_bug() -> None:
    assert [model.name for model in MODELS if not model.bugs] == []


@needs_genmc
@pytest.mark.parametrize(("model", "bug"), CASES, ids=ids)
def test_verdict(model: Model, bug: bugs.Bug | None) -> None:
    found = genmc.verdict(model, bug)
    assert found.says == (bug.verdict if bug else bugs.OK), found.output


def test_the_recorded_verdicts_are_those_that_are_demanded() -> None:
    recorded = {key: verdict.says for key, verdict in page.recorded().items()}
    demanded = {page.key(model, bug): bug.verdict if bug else bugs.OK for model, bug in CASES}
    assert recorded == demanded, "python -m tests.models"


def test_the_page_shows_this() -> None:
    text = page.PAGE.read_text("utf-8")
    assert all(f"<!-- tested: {part} -->" in text for part in page.PARTS)
    assert filled(text, page.PARTS) == text, "python -m tests.models"
    assert len(page.verdicts().splitlines()) == 2 + len(CASES)
