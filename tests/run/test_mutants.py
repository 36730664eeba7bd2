# SPDX-License-Identifier: BSD-3-Clause
"""The tests of this folder can fail: each sees a bug planted where it looks."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cbuild import Workshop, planted
from tests.run import mutants_ep, mutants_more, mutants_zoo
from tests.run.mutants import Mutant

MUTANTS = [*mutants_ep.MUTANTS, *mutants_zoo.MUTANTS, *mutants_more.PATHS]
ATTEMPTS = 30  # chances for threads to meet in the wrong moment

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path, mutant: Mutant) -> None:
    tree = planted(tmp_path, {mutant.path: [*mutant.also, (mutant.old, mutant.new)]})
    build = mutant.program(mutant.sync, test=mutant.test).but(tree=tree)
    for _ in range(ATTEMPTS):
        done = workshop.attempt(build, mutant.test, 60, **mutant.options)
        if done.returncode != 0:
            break
    assert done.returncode != 0, f"{mutant.test} did not see it: {done.stdout}"
    assert re.search(mutant.says, done.stderr), done.stderr
