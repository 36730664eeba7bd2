# SPDX-License-Identifier: BSD-3-Clause
"""The corpus, what once crashed ctrgen, and some seconds of new input for every target."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.engine import HERE, at_random, inputs
from tests.fuzz.targets import TARGETS

SECONDS = 1.5
FILES = [(target, path) for target in TARGETS for path in inputs(target)]


@pytest.mark.parametrize(
    ("target", "path"),
    FILES,
    ids=[f"{path.parent.parent.name}-{t}-{path.name}" for t, path in FILES],
)
def test_known_input(target: str, path: Path) -> None:
    TARGETS[target](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_new_input(target: str) -> None:
    assert at_random(target, SECONDS) > 0


def test_the_corpus_is_small_and_used() -> None:
    folders = {path.name for top in ("corpus", "crashes") for path in (HERE / top).iterdir()}
    assert folders <= {*TARGETS, "agentx"}
    assert sum(path.stat().st_size for _, path in FILES) < 300_000
