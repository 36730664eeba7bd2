# SPDX-License-Identifier: BSD-3-Clause
"""The corpora, what once crashed ctrgen, and a few hundred new inputs for every target."""

from pathlib import Path

import pytest

from tests.fuzz.engine import CORPUS, LONGEST, at_random, borrowed, corpus, crashes
from tests.fuzz.targets import TARGETS
from tests.support import archive

KNOWN = [(target, path) for target in TARGETS for path in (*corpus(target), *crashes(target))]
NEW = 150
SECONDS = 2.0
"""At most so many new inputs of a target, in so much time."""


@pytest.mark.parametrize(
    ("target", "path"), KNOWN, ids=[f"{target}-{path.name}" for target, path in KNOWN]
)
def test_known_input(target: str, path: Path) -> None:
    TARGETS[target](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_new_input(target: str) -> None:
    assert at_random(target, SECONDS, most=NEW) > 0


def test_inputs_of_other_tests_are_mutated() -> None:
    """They are not run as they are: tests/diagnostics and tests/compat do."""
    counts = {target: len(borrowed(target)) for target in TARGETS}
    assert {target for target, count in counts.items() if count} == {"yaml", "lock", "breaking"}
    assert sum(counts.values()) > 300


def test_corpora_are_small() -> None:
    sizes = [len(data) for data in archive.read(CORPUS).values()]
    assert max(sizes) <= LONGEST
    assert sum(sizes) < 1_000_000
