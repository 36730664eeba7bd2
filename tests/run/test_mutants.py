# SPDX-License-Identifier: BSD-3-Clause
"""The tests of this folder can fail: each sees a bug planted where it looks.

Tests that demand failures, of strategies that promise less, see what cures those.
"""

import re
from pathlib import Path

import pytest

from tests.run import mutants, test_inherit, test_lines, test_table
from tests.run.mutants import Mutant
from tests.support.capabilities import have_dpdk
from tests.support.cbuild import Workshop
from tests.support.paths import ROOT
from tests.support.planted import Bug, planted

MUTANTS = mutants.of(
    "ep", "zoo", "paths", "lives", "labels", "lists", "keys", "histograms", "peaks", "sources",
    "trim", "promises", "growth", "amounts", *mutants.OF_STRATEGIES,
)  # fmt: skip
ATTEMPTS = 30  # chances for threads to meet in the wrong moment
PATIENCE = 240  # seconds: an attempt takes one or two, but not on a busy machine
LOOKS = 3  # chances to lose or tear; without the cure one is enough

pytestmark = [pytest.mark.slow, pytest.mark.native]


def planted_here() -> list[Bug]:
    """The bugs that are planted in tests of this folder."""
    return [
        *MUTANTS,
        *mutants.of("tools", "orders", "layouts", "fork"),
        *test_lines.BUGS,
        *(case[-1] for case in test_inherit.BUGS),
        *(case[-1] for case in test_table.BUGS),
        *test_inherit.ORDERS,
    ]


def test_every_bug_has_its_place() -> None:
    """Also those that only --long plants: the texts that they edit are there."""
    for bug in planted_here():
        texts: dict[str, str] = {}
        for edit in bug.edits:
            text = texts.get(edit.path) or (ROOT / edit.path).read_text("utf-8")
            texts[edit.path] = edit.applied(text)


@pytest.mark.one_in(120)
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_planted_bug_is_seen(workshop: Workshop, tmp_path: Path, mutant: Mutant) -> None:
    tree = planted(tmp_path, mutant.edits)
    build = mutant.program(mutant.sync, test=mutant.test).but(tree=tree)
    if build.port == "dpdk" and not have_dpdk():
        pytest.skip("no libdpdk 22.11 or later: ./dev setup")
    for _ in range(LOOKS if mutant.cures else ATTEMPTS):
        done = workshop.attempt(build, mutant.test, PATIENCE, **mutant.options)
        if done.returncode != 0:
            break
    if mutant.cures:
        assert done.returncode == 0, f"{mutant.test} goes on to fail: {done.stderr}"
        return
    assert done.returncode != 0, f"{mutant.test} did not see it: {done.stdout}"
    assert re.search(mutant.says, done.stderr), done.stderr
